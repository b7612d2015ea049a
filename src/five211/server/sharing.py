"""What several processes that serve the same tables do about each other.

Each judges commands at once, as if it were alone; the store's compare-and-swap decides who was
first, and the others judge again (`hub`). Here is how they hear of what others wrote, who of them
sees to clocks and bots, and how it is noticed that one of them has died.

- Whoever brings about a turn sees to its clock and its bots, and that stands in the log (`Driven`).
  The others watch: if that process dies, or a clock is not seen to, one of them takes the table
  over. Each table has an order of its own in which they do. Should two do so, the store takes one.
- Everyone notes in the store that it is alive, by the store's own clock. Whoever was connected to a
  process that is not, and to no other, is away.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Protocol

import structlog

from five211.server.bus import Bus, News
from five211.server.faults import Faults
from five211.server.live import Live
from five211.server.store import AHEAD, Gap, Row, Store, StoreFailed
from five211.server.thinking import PATIENCE, PATIENCE_AT_FIRST

log = structlog.get_logger()

POLL = 1.0  # seconds between two looks at the versions of live tables
BEAT = 2.0  # seconds between two signs of life, if there are others
BEAT_ALONE = 5.0  # fewer for a disk that may sleep, but before others take us for dead
DEAD = 8.0  # seconds without one until a process is taken for dead
CROWD = 10  # connections of one address that others are told of
TAKE_OVER = 3.0  # seconds that something is left to a process of which nothing is known (yet)
STUCK = PATIENCE_AT_FIRST + PATIENCE + 10.0  # and to one that lives: its bots may think for so long
NEXT = 60.0  # seconds that a table is late until the next process wakes it
STEP = 1.0  # seconds from one process to the next that would take a table over


class House(Protocol):
    """What is asked of the hub."""

    store: Store
    faults: Faults
    lives: dict[str, Live]

    @property
    def now(self) -> float:
        """The time."""

    def go_on(self, live: Live, rows: Sequence[Row]) -> bool:
        """Go on with what others wrote; false if only the whole log tells what it comes to."""

    def begin_again(self, live: Live, rows: Sequence[Row]) -> None:
        """Take a table up anew as it is written."""

    def forget(self, live: Live) -> None:
        """Take a table out of memory."""

    def follow(self, live: Live) -> None:
        """See to what is due, or watch whoever does."""

    def take_over(self, live: Live) -> None:
        """See to it from now on."""

    def miss_lost(self, live: Live) -> None:
        """Those who are connected nowhere are away soon, and those who left us are not here."""


class Sharing:
    """The other processes, as this one sees them."""

    def __init__(self, hub: House, bus: Bus) -> None:
        self._hub, self._bus = hub, bus
        self.shared = bus.shared
        self.process = secrets.token_hex(8)
        self.others: frozenset[str] = frozenset()
        """Those who are alive."""
        self._dead: frozenset[str] = frozenset()
        """Those who were."""
        self._strange: set[str] = set()
        """Kinds of bus that others have, and we do not."""
        self._looked = 0.0
        self.gaps: list[Gap] = []
        """When nobody was there."""
        self.inside: Counter[str] = Counter()
        """Connections to this process, by their address."""
        self._elsewhere: Counter[str] = Counter()
        self.look_up_bans: Callable[[], Awaitable[None]] | None = None
        """See whom others keep out; there is somebody to ask as soon as the doors are open."""
        self._behind: set[str] = set()
        self._wake = asyncio.Event()

    async def start(self) -> None:
        """Listen, and look around."""
        now = self._hub.now
        self.gaps = await self._hub.store.arrive(self.process, now, DEAD if self.shared else 0.0)
        await self._look_around()
        await self._bus.start(self.heard)
        self._tasks = [asyncio.create_task(self._keep_beating())]
        if self.shared:
            self._tasks.append(asyncio.create_task(self._keep_up()))

    async def stop(self) -> None:
        """Go, and say so: others take over at once."""
        for task in self._tasks:
            task.cancel()
        await self._bus.stop()
        with suppress(StoreFailed):
            await self._hub.store.leave(self.process, self._hub.now)

    # What others wrote

    def tell(self, rows: Iterable[Row]) -> None:
        """These rows are written."""
        if self.shared:
            self._bus.tell([(row.table, row.version) for row in rows])

    def heard(self, news: News) -> None:
        """Somebody wrote something."""
        for table, version in news:
            live = self._hub.lives.get(table)
            if live is not None and version > live.version:
                self._behind.add(table)
                self._wake.set()

    async def _keep_up(self) -> None:
        """Read what others wrote: when the bus says so, and every table now and then."""
        loop = asyncio.get_running_loop()
        due = loop.time() + POLL
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._wake.wait()
            self._wake.clear()
            told, self._behind = self._behind, set()
            lives = list(self._hub.lives.values())
            if loop.time() < due:
                lives = [live for live in lives if live.room.id in told]
            else:
                due = loop.time() + POLL
            if not await self._hub.faults.went_well(self.catch_up(lives)):
                await asyncio.sleep(POLL)

    async def catch_up(self, lives: Sequence[Live]) -> None:
        """Bring tables in memory up to what is written."""
        asked = {one.room.id: one.version for one in lives if not (one.busy or one.gone)}
        for id_, rows in (await self._hub.store.newer(asked)).items() if asked else ():
            live = self._hub.lives.get(id_)
            if live is None or live.version != asked[id_] or live.busy:
                continue  # what is to be written will be seen to come too late
            if not rows:
                self._hub.forget(live)  # it was deleted
            elif not (self._hub.go_on(live, rows) or live.gone):
                await self._read_again(live)

    async def _read_again(self, live: Live) -> None:
        rows = await self._hub.store.load(live.room.id)
        newer = bool(rows) and rows[-1].version > live.version  # or another was quicker to read
        if newer and not (live.gone or live.busy):
            self._hub.begin_again(live, rows)

    # Who sees to what is due

    def watch(self, live: Live) -> None:
        """Another process sees to this table; if nothing comes of it, we do."""
        room, bots = live.room, live.room.table.bots_awaited
        due, patience = room.wakes_at, self._patience(room.driver)
        at_once = bool(room.deck_is_due or (room.to_tell and not live.quiet))
        what = room.stage, room.driver, bots, due, at_once, patience
        if live.watch is not None and live.watched == what:
            return  # whatever else happens at the table
        self.watch_no_longer(live)
        soon = min(patience, TAKE_OVER)
        waits = [patience] if bots else []
        if at_once:
            waits.append(soon)
        if due is not None:
            waits.append(max(0.0, due - self._hub.now) + soon)
        if waits:
            live.watched = what
            wait = min(waits) + STEP * self._turn(room.id)
            live.watch = asyncio.get_running_loop().call_later(wait, self._hub.take_over, live)

    def watch_no_longer(self, live: Live) -> None:
        """It has ended, or is for us to see to."""
        if live.watch is not None:
            live.watch.cancel()
            live.watch = None

    def _patience(self, driver: str) -> float:
        """How long something to do is left to a process."""
        if driver in self.others:
            return STUCK
        return 0.0 if driver in self._dead else TAKE_OVER  # it may have come since we last looked

    def comes_first(self, table: str) -> bool:
        """Whether this process is the one to take a table that nobody has in memory."""
        return not self._turn(table)

    def may_wake(self, table: str, late: float) -> bool:
        """Whether it is our turn to take it, if nobody has seen to it for so many seconds."""
        return late >= NEXT * self._turn(table)

    def lives(self, process: str) -> bool:
        """Whether another process is alive."""
        return process in self.others

    def _turn(self, table: str) -> int:
        """How many others come before this process if a table is to be taken over."""

        def place(process: str) -> bytes:
            return sha256(f"{table} {process}".encode()).digest()

        mine = place(self.process)
        return sum(place(other) < mine for other in self.others)

    # Who is alive

    def lost(self, live: Live, person: str) -> bool:
        """Whether a person is connected neither here nor to another process that lives."""
        return not live.present(person) and self.others.isdisjoint(live.room.where.get(person, ()))

    def has_left(self, live: Live, person: str) -> bool:
        """Whether the log has a person here who is not."""
        return not live.present(person) and self.process in live.room.where.get(person, ())

    def lost_since(self, at: float) -> tuple[float, float]:
        """How long nobody was there since then, and when that was over."""
        lost, until = 0.0, at
        if self.gaps and self.gaps[-1].ended > at:  # else there is nothing to add up
            latest = self._hub.now + AHEAD  # a clock that was wrong may have been set right
            self.gaps = [gap for gap in self.gaps if gap.ended <= latest]
            for gap in self.gaps:
                if gap.ended > until:
                    lost, until = lost + gap.ended - max(gap.began, until), gap.ended
        return lost, until

    def connections(self, address: str) -> int:
        """How many an address has, at all processes, as far as is known."""
        return self.inside[address] + self._elsewhere[address]

    async def _beat(self) -> None:
        crowds = {address: n for address, n in self.inside.items() if n >= CROWD}
        crowds = crowds if self.shared else {}
        await self._hub.store.beat(self.process, self._hub.now, crowds, self._bus.kind)
        self._hub.faults.store_wrote()

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT if self.shared else BEAT_ALONE)
            await self._hub.faults.went_well(self._look_around())

    async def _look_around(self) -> None:
        """Say that we are alive, and see who else is; whoever was with the dead is missed."""
        await self._beat()
        if not self.shared:
            return
        alive = await self._hub.store.processes(DEAD)
        alive.pop(self.process, None)
        known = self.others, self._dead
        self._meet(frozenset(alive))
        self._elsewhere = Counter()
        for crowds in alive.values():
            self._elsewhere.update(crowds)
        if known != (self.others, self._dead):
            await self._compare_buses()
            for live in list(self._hub.lives.values()):
                self._hub.miss_lost(live)
                self._hub.follow(live)
        if self.look_up_bans is not None:
            await self.look_up_bans()

    async def _compare_buses(self) -> None:
        """Those on another bus are not heard, and people wait for each other: said once."""
        strange = await self._hub.store.buses(DEAD) - {self._bus.kind} - self._strange
        if strange:
            self._strange |= strange
            log.warning("other bus", ours=self._bus.kind, theirs=sorted(strange))

    def _meet(self, alive: frozenset[str]) -> None:
        """These show signs of life; if ours came late, so may those of others: once, they may."""
        now = asyncio.get_running_loop().time()
        late, self._looked = now - self._looked > DEAD / 2, now
        others = alive | self.others if late else alive
        for process in others - self.others:
            log.info("process came", process=process)
        for process in self.others - others:  # what it saw to is taken over from now on
            log.info("process gone", process=process)
        self._dead = (self._dead | self.others) - others
        self.others = others
