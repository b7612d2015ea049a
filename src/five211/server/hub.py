"""Every live table: commands come in here, are judged, written, and then shown.

Everything runs on one event loop, so nothing here needs a lock. A command is applied at once to the
room in memory and waits for the next commit (`commits`). If a commit fails, the tables in it are
dropped from memory, their sockets are closed, and people come back to what is written.

Other processes may serve the same tables: `sharing` says what is done about them.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from five211 import __version__
from five211.bots import entry as bot_entry
from five211.commands import Away, Back, BotChooses, Moment, Standstill, Tick
from five211.errors import GameError
from five211.events import Event
from five211.proof import SEED
from five211.server import lobby
from five211.server.alerts import Alerts
from five211.server.bus import Alone, Bus
from five211.server.codec import entry_bytes
from five211.server.commits import Commits, settle
from five211.server.entries import Bound, Dealt, Driven, GoneOn, Here, NotHere, Opened, Told
from five211.server.faults import Faults
from five211.server.live import Asked, Batch, Connection, Live
from five211.server.metrics import Metrics
from five211.server.room import Entry, apply
from five211.server.settings import Settings
from five211.server.sharing import Sharing
from five211.server.store import Row, Store, StoreFailed
from five211.server.thinking import Thinkers
from five211.view import View, view

log = structlog.get_logger()

COME_BACK = 1012  # the socket's code for "the server restarts"
ARRIVE = 30.0  # seconds between sitting down and a connection
BEAT = 10.0  # seconds between two rounds of housekeeping
TRIES = 20  # how often somebody who asks over HTTP may be overtaken by other processes

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where time and chance come from; tests pin them."""

    now: Callable[[], float] = time.time
    secret: Callable[[int], bytes] = secrets.token_bytes


class Hub:
    """The live tables."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        sources: Sources | None = None,
        bus: Bus | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.sources = sources or Sources()
        bus = bus or Alone()
        self.sharing = Sharing(self, bus)
        self.metrics = Metrics()
        self.metrics.bus_up.set_function(lambda: float(bus.up))
        self.faults = Faults(self.metrics)
        self.thinkers = Thinkers(settings.bot_workers)
        self.alerts = Alerts(settings)
        self.commits = Commits(self)
        self.lives: dict[str, Live] = {}
        self.closing = False
        self._broken: set[str] = set()  # tables that do not replay; asked for, they are tried again
        self._late: dict[str, float] = {}  # tables that nobody saw to in time, since when we know
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._answer_due: asyncio.Task[dict[str, dict[str, int]]] | None = None
        self._ask_again = 0.0

    @property
    def now(self) -> float:
        """The time."""
        return self.sources.now()

    # Starting and stopping

    async def start(self) -> None:
        """Open the store, and take up the tables whose clocks run."""
        await self.store.open()
        await self.sharing.start()
        self.commits.start()
        self._janitor = asyncio.create_task(self._keep_house())
        await self._wake_due()
        log.info("started", process=self.sharing.process, version=__version__)

    async def stop(self) -> None:
        """Write what there is; uvicorn has told everybody to come back."""
        self.closing = True
        self._janitor.cancel()
        for task in list(self._tasks):
            task.cancel()
        await self.commits.finish()
        await self.sharing.stop()
        await self.store.close()
        self.thinkers.close()
        await self.alerts.close()
        log.info("stopped", process=self.sharing.process)

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside, and keep hold of it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def ask_store(self) -> None:
        """Raises `StoreFailed` if the store does not answer; asked once a second, whoever asks."""
        now = asyncio.get_running_loop().time()
        if self._answer_due is None or (self._answer_due.done() and now >= self._ask_again):
            self._answer_due = asyncio.create_task(self.store.processes(0.0))
            self._ask_again = now + 1.0
        await asyncio.shield(self._answer_due)

    # Tables

    def open_table(self, opened: Opened) -> Live:
        """A new table."""
        if len(self.lives) >= self.settings.tables:
            raise GameError("server_full")
        live = Live(apply(None, opened, self.now)[0])
        live.entries.append(entry_bytes(opened, self.now, None))
        self.lives[live.room.id] = live
        self.metrics.tables.set(len(self.lives))
        self.mark(live)
        return live

    async def find(self, id_: str) -> Live:
        """A table by its id, from memory or from the store; as it is now, whoever wrote it."""
        live = self.lives.get(id_)
        if live is not None:
            await self.look_up(live)
            live = self.lives.get(id_)
        if live is not None:
            return live
        task = self._loading.get(id_)
        if task is None:
            task = self._loading[id_] = asyncio.create_task(self._load(id_))
            task.add_done_callback(lambda _: self._loading.pop(id_, None))
        return await asyncio.shield(task)

    async def look_up(self, live: Live) -> None:
        """See what others wrote at a table in memory; and whether they were quicker with ours."""
        if self.sharing.shared:
            if live.busy:
                with suppress(GameError):
                    await self.written(live)
            await self.sharing.catch_up([live])

    async def _load(self, id_: str) -> Live:
        rows = await self.store.load(id_)
        if not rows:
            raise GameError("table_unknown")
        try:
            live = Live.replayed(rows)
        except Exception as error:  # noqa: BLE001 - a damaged row, or one of a newer version
            _log_broken(error)
            self._broken.add(id_)
            raise GameError("table_broken") from None
        live.listed = lobby.listing(live.room, 0.0)
        self._broken.discard(id_)
        self.lives[id_] = live
        self.metrics.tables.set(len(self.lives))
        if not live.room.closed:
            self._take_up(live)
        return live

    def _take_up(self, live: Live) -> None:
        """Nobody is here after a restart, and nobody loses time to it."""
        table = live.room.table
        for person in [seat.person for seat in table.seats if seat.person and seat.present]:
            if self.sharing.lost(live, person):
                self.do(live, Away(person), at=table.now)
        self._give_back(live)
        if live.room.alerts:  # those who come back at once need not be told
            loop = asyncio.get_running_loop()
            live.quiet = loop.call_later(self.settings.away_after, self._speak, live)
        self.follow(live)

    def _speak(self, live: Live) -> None:
        live.quiet = None
        if not live.gone:
            self.follow(live)

    def _give_back(self, live: Live) -> None:
        """Whatever clocks lost while no process was there; written once, by whoever is first."""
        table = live.room.table
        lost, until = self.sharing.lost_since(table.now)
        if lost and table.moment is not None:
            self.do(live, Standstill(lost), at=until)

    # Commands

    def do(
        self, live: Live, entry: Entry, id_: str | None = None, at: float | None = None
    ) -> tuple[Event, ...]:
        """Judge an entry now, and write it with the next commit."""
        if live.gone:
            raise GameError("try_again")
        before, now = live.room, self.now if at is None else at
        events = live.do(entry, now, id_)
        if not self.drives(live) and live.room.has_more_to_do(before):
            self._drive(live, now)  # whoever brings something about sees to it
        self.mark(live)
        return events

    def drives(self, live: Live) -> bool:
        """Whether clocks and bots are for this process to see to, of several."""
        return not self.sharing.shared or live.room.driver == self.sharing.process

    def _drive(self, live: Live, now: float) -> None:
        live.do(Driven(self.sharing.process), now, None)
        self.mark(live)

    def take_over(self, live: Live) -> None:
        """Nobody else sees to this table."""
        if not (live.gone or live.room.closed or self.drives(live)):
            self._drive(live, self.now)
            self.follow(live)

    def command(self, live: Live, command: Entry, id_: str | None = None) -> tuple[Event, ...]:
        """A person's command, and all that follows from it by itself."""
        person = getattr(command, "person", None)
        if person is not None and live.has_done(person, id_):
            return ()
        events = self.do(live, command, id_)
        self.metrics.commands.inc()
        self.follow(live)
        return events

    async def hear(self, live: Live, asked: Asked) -> None:
        """Judge what was asked; done or refused, that is said with the next commit."""
        error = self._judged(live, asked)
        if error is not None and self.sharing.shared and not isinstance(asked.entry, GameError):
            await self.look_up(live)  # it may be for a turn that another process began
            error = self._judged(live, asked)
        self._answer(live, asked, error)

    def _judged(self, live: Live, asked: Asked) -> GameError | None:
        id_ = None if asked.more else asked.id  # a secret is made anew for whoever asks again
        try:
            if isinstance(asked.entry, GameError):
                raise asked.entry
            if not live.holds(asked.connection):
                raise GameError("token")  # another device has the seat now
            self.command(live, asked.entry, id_)
        except GameError as error:
            return error
        return None

    def _answer(self, live: Live, asked: Asked, error: GameError | None) -> None:
        live.asked.append(asked)
        if error is None:
            live.answer_done(asked.connection, asked.id, **asked.more)
        else:
            self.metrics.refused.inc()
            live.answer_refused(asked.connection, asked.id, error)
        self.mark(live)

    async def settled(self, id_: str, work: Callable[[Live], T]) -> T:
        """Something done at a table and written, again if another process was quicker."""
        for _ in range(TRIES):
            live = await self.find(id_)
            done = work(live)
            if await self.written(live):
                return done
        raise GameError("try_again")

    def mark(self, live: Live) -> None:
        """Something is to be written or sent."""
        self.commits.mark(live)

    async def written(self, live: Live) -> bool:
        """Wait until everything so far is written; false if another process was quicker."""
        if live.gone:
            raise GameError("try_again")
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        live.waiters.append(future)
        self.mark(live)
        return await future

    # What follows by itself

    def follow(self, live: Live) -> None:
        """Bind a seed, deal, let bots think, set the alarm."""
        room = live.room
        if room.closed:
            return
        if not self.drives(live):
            self._stop_alarm(live)
            self.sharing.watch(live)
            return
        self.sharing.watch_no_longer(live)
        while room.table.awaits_deck:
            if room.dealing is None:
                self.do(live, Bound(self.sources.secret(SEED), room.to_ask))
            elif room.dealing.ready:
                self.do(live, Dealt())
            else:
                break
            room = live.room
        moment = room.table.moment
        for seat in room.table.bots_awaited:
            assert moment is not None
            thought = moment, seat, room.seed
            if thought not in live.bots:
                live.bots.add(thought)
                bot = room.table.seats[seat].played_by_bot
                assert bot is not None
                assert room.table.match is not None
                seen = view(room.table.match, seat)
                self.later(self._think(live, moment, seat, bot, seen))
        for person in () if live.quiet else room.to_tell:
            assert moment is not None
            self.do(live, Told(person, moment))
            name = room.table.seats[room.table.seat_of(person)].name
            live.telling.append((room.alerts[person], name))
        self._set_alarm(live)

    async def _think(self, live: Live, moment: Moment, seat: int, bot: str, seen: View) -> None:
        """A bot's choice comes after a time that has nothing to do with its thinking."""
        of_deal, seed = live.room.seed, int.from_bytes(self.sources.secret(16), "big")
        thought = self.thinkers.think(bot, seen, seed)
        if self.settings.bot_pace:
            await asyncio.sleep(self.settings.bot_pace)
        cards = await thought
        live.bots.discard((moment, seat, of_deal))
        if live.gone or live.room.seed != of_deal:  # another process was quicker to deal
            return
        chosen = BotChooses(seat, moment, cards)
        live.thought.append(chosen)
        with suppress(GameError):  # the turn is over, or the person is back
            self.do(live, chosen)
        self.follow(live)

    def _set_alarm(self, live: Live) -> None:
        due = live.room.wakes_at
        if due == live.deadline:
            return
        self._stop_alarm(live)
        if due is not None:
            live.deadline = due
            wait = max(0.0, due - self.now)
            live.timer = asyncio.get_running_loop().call_later(wait, self._alarm, live)

    def _stop_alarm(self, live: Live) -> None:
        if live.timer is not None:
            live.timer.cancel()
        live.timer, live.deadline = None, None

    def _alarm(self, live: Live) -> None:
        live.timer, live.deadline = None, None
        if live.gone or live.room.closed:
            return
        due = live.room.wakes_at
        if due is not None and due <= self.now:
            self.do(live, GoneOn() if live.room.dealing and live.room.dealing.asked else Tick())
        self.follow(live)

    # Who is here

    def attach(self, live: Live, connection: Connection) -> None:
        """A socket says hello."""
        if live.gone:
            raise GameError("try_again")
        person = connection.person
        if person is not None:
            timer = live.away.pop(person, None)
            if timer is not None:
                timer.cancel()
            seat = live.room.table.seats[live.room.table.seat_of(person)]
            if not seat.present or seat.substitute is not None:
                self.do(live, Back(person))
            self.here(live, person)
        live.connections.append(connection)
        self.metrics.sockets.inc()
        self.follow(live)
        self.mark(live)

    def here(self, live: Live, person: str) -> None:
        """Somebody is connected to this process, or about to be: written, if there are others."""
        if self.sharing.shared and self.sharing.process not in live.room.where.get(person, ()):
            self.do(live, Here(person, self.sharing.process))

    def expect(self, live: Live, person: str) -> None:
        """Somebody sat down over HTTP; without a connection soon, they are not here."""
        loop = asyncio.get_running_loop()
        if not live.present(person) and person not in live.away:
            live.away[person] = loop.call_later(ARRIVE, self._leaves, live, person)

    def miss(self, live: Live, person: str) -> None:
        """Somebody is not connected here; if they are nowhere, they are away soon."""
        if person not in live.away:
            wait, loop = self.settings.away_after, asyncio.get_running_loop()
            live.away[person] = loop.call_later(wait, self._leaves, live, person)

    def detach(self, live: Live, connection: Connection) -> None:
        """A socket has gone; its person is away if no other comes soon."""
        live.connections.remove(connection)
        self.metrics.sockets.dec()
        live.touched = live.used = self.now
        person = connection.person
        if person is None or self.closing or live.present(person):
            return
        if not live.gone:
            self.miss(live, person)
        elif self.sharing.shared:  # others take them for connected as long as we live
            self.later(self._seek(live.room.id))

    async def _seek(self, id_: str) -> None:
        """Take up a table that was dropped, so that those who do not come back are away."""
        while True:
            await asyncio.sleep(max(self.settings.away_after, 0.1))
            with suppress(StoreFailed):
                with suppress(GameError):
                    await self.find(id_)
                return

    def _leaves(self, live: Live, person: str) -> None:
        live.away.pop(person, None)
        if live.gone or self.closing:
            return
        if self.sharing.lost(live, person):
            with suppress(GameError):  # has left for good
                self.do(live, Away(person))
            self.follow(live)
        else:
            self._not_here(live, person)

    def _not_here(self, live: Live, person: str) -> None:
        """Somebody who was here, or came by us to sit down, is at another process alone."""
        if self.sharing.has_left(live, person) and not live.room.closed:
            self.do(live, NotHere(person, self.sharing.process))

    # What other processes wrote

    async def overtaken(self, batch: Batch) -> None:
        """Another process wrote first: what was asked here is judged again, after that."""
        live = batch.live
        self.metrics.overtaken.inc()
        try:
            rows = await self._missed(live) if self.sharing.shared else []
        except StoreFailed as error:
            self.faults.store_failed(error)
            rows = []
        if not rows or live.gone:
            self.drop(batch, "conflict")
            return
        settle((*batch.waiters, *live.waiters), written=False)
        live.waiters = []
        live.asked[:0], live.thought[:0] = batch.asked, batch.thought
        for connection in batch.new:  # its first frame was never sent
            connection.new = True
        self.begin_again(live, rows)

    async def _missed(self, live: Live) -> list[Row]:
        """What others wrote since we last did, if that is enough to go on; else the whole log."""
        id_ = live.room.id
        if live.written is not None:
            newer = await self.store.newer({id_: live.written.version})
            if live.goes_on(newer.get(id_, [])):
                return newer[id_]
        return await self.store.load(id_)

    def go_on(self, live: Live, rows: Sequence[Row]) -> bool:
        """Go on with what others wrote; false if only the whole log tells what it comes to."""
        return self._took_in(live, lambda: live.follow_on(rows), (), ())

    def begin_again(self, live: Live, rows: Sequence[Row]) -> None:
        """Take a table up anew as it is written, and judge again what was asked since."""

        thought, seed = list(live.thought), live.room.seed

        def work() -> bool:
            live.begin_again(rows)
            if live.room.seed != seed:  # the bots thought of other hands
                thought.clear()
            return True

        self._took_in(live, work, live.asked, thought)

    def _took_in(
        self,
        live: Live,
        work: Callable[[], bool],
        asked: Iterable[Asked],
        thought: Iterable[BotChooses],
    ) -> bool:
        try:
            if not work():
                return False
        except Exception as error:  # noqa: BLE001 - a damaged row, or one of a newer version
            _log_broken(error)
            self.lose(live)
            return False
        self._resume(live)
        for chosen in thought:
            with suppress(GameError):
                self.do(live, chosen)
        for one in asked:
            self._answer(live, one, self._judged(live, one))
        self.follow(live)
        return True

    def _resume(self, live: Live) -> None:
        """Go on with a table as others wrote it."""
        live.listed = lobby.listing(live.room, live.touched)
        self.mark(live)
        if live.room.closed:
            return
        self._give_back(live)
        for connection in live.connections:
            person = connection.person
            if person is not None and live.holds(connection):
                seat = live.room.table.seats[live.room.table.seat_of(person)]
                if not seat.present:
                    self.do(live, Back(person))
                self.here(live, person)  # that may be what was overtaken
        self.miss_lost(live)

    def miss_lost(self, live: Live) -> None:
        """Those who are connected nowhere are away if they do not come soon."""
        for seat in live.room.table.seats:
            person = seat.person
            if person and seat.present:
                if self.sharing.lost(live, person):
                    self.miss(live, person)
                else:
                    self._not_here(live, person)

    def drop(self, batch: Batch, why: str) -> None:
        """Forget a table in memory: what is not written did not happen."""
        log.warning("table dropped", why=why)
        self.lose(batch.live, batch.waiters)

    def lose(self, live: Live, waiters: Iterable[asyncio.Future[bool]] = ()) -> None:
        """Forget a table with which something went wrong, and see to it that it is taken up again.

        Others leave it to us as long as we live, and take its people for connected here: also those
        who have gone, if that was what could not be written.
        """
        self.forget(live, waiters)
        if self.sharing.shared and not self.closing:
            self.later(self._seek(live.room.id))

    def forget(self, live: Live, waiters: Iterable[asyncio.Future[bool]] = ()) -> None:
        """Take a table out of memory; whoever is connected comes back to what is written."""
        live.gone = True
        for waiter in (*waiters, *live.waiters):
            if not waiter.done():
                waiter.set_exception(GameError("try_again"))
        if self.lives.get(live.room.id) is live:
            del self.lives[live.room.id]
        self.commits.dirty.pop(live, None)
        self.metrics.tables.set(len(self.lives))
        for timer in (live.timer, live.watch, live.quiet, *live.away.values()):
            if timer is not None:
                timer.cancel()
        for connection in list(live.connections):
            connection.close(COME_BACK, "come back")

    # Housekeeping

    async def _keep_house(self) -> None:
        """Tables that nobody uses, those that have something to do, what is kept no longer."""
        beats = 0
        while True:
            self._unload()
            await self.faults.went_well(self._wake_due())
            if beats % 360 == 0:
                await self.faults.went_well(self.expire())
            beats += 1
            await asyncio.sleep(BEAT)

    @property
    def _soon(self) -> float:
        return self.now + self.settings.unload_after

    async def _wake_due(self) -> None:
        """Take up tables that have something to do soon, though nobody is there."""
        due, now = await self.store.due(self._soon), asyncio.get_running_loop().time()
        late = [id_ for id_, at in due.items() if at < self.now]
        self._late = {id_: self._late.get(id_, now) for id_ in late}
        for id_ in due:
            late_for = now - self._late.get(id_, now)
            known = id_ in self._broken or id_ in self.lives
            if not known and self.sharing.may_wake(id_, late_for):
                # one that fails must not stop the others
                await self.faults.went_well(self._wake(id_))

    async def _wake(self, id_: str) -> None:
        with suppress(GameError):  # it cannot be read, or has gone
            live = await self.find(id_)
            live.used = self.now  # it stays long enough to be taken over

    def _unload(self) -> None:
        before, soon = self.now - self.settings.unload_after, self._soon
        for live in list(self.lives.values()):
            due = live.room.wakes_at
            idle = live.used < before and not live.connections and not live.away
            rests = (due is None or due >= soon) and not live.bots
            if idle and (rests or self._is_others(live)) and live not in self.commits.dirty:
                self.forget(live)

    def _is_others(self, live: Live) -> bool:
        """Whether another process sees to a table; if it dies, those who have people there do.

        Where nobody is, that falls to whoever comes first.
        """
        room = live.room
        due = lobby.due(room)
        is_due = due is not None and due < self._soon
        seen_to = self.sharing.lives(room.driver) and not is_due
        return not self.drives(live) and (seen_to or not self.sharing.comes_first(room.id))

    async def expire(self) -> None:
        """Delete what is kept no longer (docs/operate.md says how long)."""
        settings, day = self.settings, 86400.0
        self._broken.clear()  # whoever mends one need not start us anew
        here = [live.room.id for live in self.lives.values() if live.connections]
        await self.store.touch(here, self.now)
        for phase, seconds in (
            ("gathering", settings.gathering_hours * 3600),
            ("playing", settings.playing_days * day),
            ("over", settings.over_days * day),
            ("closed", 0.0),
        ):
            for id_ in await self.store.expire(phase, self.now - seconds):
                live = self.lives.get(id_)
                if live is not None:
                    self.forget(live)
        await self.store.expire_games(self.now - settings.games_days * day)


def _log_broken(error: Exception) -> None:
    log.error("table does not replay", kind=type(error).__name__)


def checked_bot(name_or_level: str) -> str:
    """The name of a bot that there is."""
    return bot_entry(name_or_level).name
