"""Every live table: commands come in here, are judged, written, and then shown.

Everything runs on one event loop, so nothing here needs a lock. A command is applied at once to the
room in memory and waits for the next commit; one commit is under way at a time and takes all tables
that have something to write. Answers and frames leave only after it. If a commit fails, the tables
in it are dropped from memory, their sockets are closed, and people come back to what is written.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import structlog

from five211.bots import entry as bot_entry
from five211.commands import Away, Back, BotChooses, Moment, Standstill, Tick
from five211.errors import GameError
from five211.events import Event
from five211.proof import SEED
from five211.record import write
from five211.server import lobby
from five211.server.alerts import Alerts
from five211.server.codec import entry_bytes
from five211.server.entries import Bound, Dealt, GoneOn, Opened
from five211.server.live import Batch, Connection, Live
from five211.server.metrics import Metrics
from five211.server.room import Entry, apply
from five211.server.settings import Settings
from five211.server.store import Commit, Conflict, Store, StoreFailed
from five211.server.thinking import Thinkers
from five211.view import View, open_to_reader, view

log = structlog.get_logger()

COME_BACK = 1012  # the socket's code for "the server restarts"
ARRIVE = 30.0  # seconds between sitting down and a connection
BEAT = 10.0  # seconds between two signs of life


@dataclass(frozen=True, slots=True)
class Sources:
    """Where time and chance come from; tests pin them."""

    now: Callable[[], float] = time.time
    secret: Callable[[int], bytes] = secrets.token_bytes


class Hub:
    """The live tables."""

    def __init__(self, settings: Settings, store: Store, sources: Sources | None = None) -> None:
        self.settings = settings
        self.store = store
        self.sources = sources or Sources()
        self.metrics = Metrics()
        self.thinkers = Thinkers(settings.bot_workers)
        self.alerts = Alerts(settings)
        self.lives: dict[str, Live] = {}
        self.closing = False
        self._broken: set[str] = set()  # tables that do not replay; asked for, they are tried again
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._dirty: dict[Live, None] = {}
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = self.now
        self._stood_since: float | None = None

    @property
    def now(self) -> float:
        """The time."""
        return self.sources.now()

    # Starting and stopping

    async def start(self) -> None:
        """Open the store, and take up the tables whose clocks run."""
        await self.store.open()
        self._started = self.now
        self._stood_since = await self.store.last_alive()
        self._flusher = asyncio.create_task(self._flush())
        self._janitor = asyncio.create_task(self._keep_house())
        await self._wake_due()

    async def stop(self) -> None:
        """Write what there is; uvicorn has told everybody to come back."""
        self.closing = True
        self._janitor.cancel()
        for task in list(self._tasks):
            task.cancel()
        self._wake.set()
        await self._flusher
        with suppress(StoreFailed):
            await self.store.beat(self.now)
        await self.store.close()
        self.thinkers.close()
        await self.alerts.close()

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside, and keep hold of it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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
        """A table by its id, from memory or from the store."""
        live = self.lives.get(id_)
        if live is not None:
            return live
        task = self._loading.get(id_)
        if task is None:
            task = self._loading[id_] = asyncio.create_task(self._load(id_))
            task.add_done_callback(lambda _: self._loading.pop(id_, None))
        return await asyncio.shield(task)

    async def _load(self, id_: str) -> Live:
        rows = await self.store.load(id_)
        if not rows:
            raise GameError("table_unknown")
        try:
            live = Live.replayed(rows)
        except Exception as error:  # noqa: BLE001 - a damaged row, or one of a newer version
            log.error("table does not replay", kind=type(error).__name__)
            self._broken.add(id_)
            raise GameError("table_broken") from None
        live.listed = lobby.listing(live.room, 0.0)
        self.lives[id_] = live
        self.metrics.tables.set(len(self.lives))
        if not live.room.closed:
            self._catch_up(live)
        return live

    def _catch_up(self, live: Live) -> None:
        """Nobody is here after a restart, and nobody loses time to it."""
        table = live.room.table
        for seat in table.seats:
            if seat.person is not None and seat.present and not live.present(seat.person):
                self.do(live, Away(seat.person), at=table.now)
        stood_since = self._stood_since
        if stood_since is not None and table.now < self._started:
            away = self._started - max(stood_since, table.now)
            if live.room.table.moment is not None and away > 0:
                self.do(live, Standstill(away), at=self._started)
        self.follow(live)

    # Commands

    def do(
        self, live: Live, entry: Entry, id_: str | None = None, at: float | None = None
    ) -> tuple[Event, ...]:
        """Judge an entry now, and write it with the next commit."""
        if live.gone:
            raise GameError("try_again")
        events = live.do(entry, self.now if at is None else at, id_)
        self.mark(live)
        return events

    def command(self, live: Live, command: Entry, id_: str | None = None) -> tuple[Event, ...]:
        """A person's command, and all that follows from it by itself."""
        person = getattr(command, "person", None)
        if person is not None and live.has_done(person, id_):
            return ()
        events = self.do(live, command, id_)
        self.metrics.commands.inc()
        self.follow(live)
        return events

    def mark(self, live: Live) -> None:
        """Something is to be written or sent."""
        self._dirty[live] = None
        self._wake.set()

    async def written(self, live: Live) -> None:
        """Wait until everything so far is written."""
        if live.gone:
            raise GameError("try_again")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        live.waiters.append(future)
        self.mark(live)
        await future

    # What follows by itself

    def follow(self, live: Live) -> None:
        """Bind a seed, deal, let bots think, set the alarm."""
        room = live.room
        if room.closed:
            return
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
            if (moment, seat) not in live.bots:
                live.bots.add((moment, seat))
                bot = room.table.seats[seat].played_by_bot
                assert bot is not None
                assert room.table.match is not None
                seen = view(room.table.match, seat)
                self.later(self._think(live, moment, seat, bot, seen))
        self._set_alarm(live)

    async def _think(self, live: Live, moment: Moment, seat: int, bot: str, seen: View) -> None:
        """A bot's choice comes after a time that has nothing to do with its thinking."""
        seed = int.from_bytes(self.sources.secret(16), "big")
        thought = self.thinkers.think(bot, seen, seed)
        if self.settings.bot_pace:
            await asyncio.sleep(self.settings.bot_pace)
        cards = await thought
        live.bots.discard((moment, seat))
        if live.gone:
            return
        with suppress(GameError):  # the turn is over, or the person is back
            self.do(live, BotChooses(seat, moment, cards))
        self.follow(live)

    def _set_alarm(self, live: Live) -> None:
        due = live.room.wakes_at
        if due == live.deadline:
            return
        if live.timer is not None:
            live.timer.cancel()
        live.deadline, live.timer = due, None
        if due is not None:
            wait = max(0.0, due - self.now)
            live.timer = asyncio.get_running_loop().call_later(wait, self._alarm, live)

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
        live.connections.append(connection)
        self.metrics.sockets.inc()
        self.follow(live)
        self.mark(live)

    def expect(self, live: Live, person: str) -> None:
        """Somebody sat down over HTTP; without a connection soon, they are not here."""
        loop = asyncio.get_running_loop()
        if not live.present(person) and person not in live.away:
            live.away[person] = loop.call_later(ARRIVE, self._leaves, live, person)

    def detach(self, live: Live, connection: Connection) -> None:
        """A socket has gone; its person is away if no other comes soon."""
        live.connections.remove(connection)
        self.metrics.sockets.dec()
        live.touched = self.now
        person = connection.person
        if person is None or live.gone or self.closing or live.present(person):
            return
        loop = asyncio.get_running_loop()
        live.away[person] = loop.call_later(self.settings.away_after, self._leaves, live, person)

    def _leaves(self, live: Live, person: str) -> None:
        live.away.pop(person, None)
        if live.gone or self.closing or live.present(person):
            return
        with suppress(GameError):  # has left for good
            self.do(live, Away(person))
        self.follow(live)

    # Commits

    async def _flush(self) -> None:
        while self._dirty or not self.closing:
            await self._wake.wait()
            self._wake.clear()
            lives, self._dirty = self._dirty, {}
            batches = [batch for batch in map(self._taken, lives) if batch is not None]
            try:
                await self._write(batches)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                _log_bug(error)
                for batch in batches:
                    self.drop(batch, "bug")

    def _taken(self, live: Live) -> Batch | None:
        """What a table has to write; a table with which something is wrong harms no other."""
        if live.gone:
            return None
        waiters = live.waiters
        try:
            return self._take(live)
        except Exception as error:  # noqa: BLE001 - the other tables go on
            _log_bug(error)
            self.forget(live, waiters)
            return None

    def _take(self, live: Live) -> Batch:
        """One row for all that was done at a table, one listing if that changed it, and a game."""
        batch = live.take(self.now)
        if batch.row is not None:
            listing = lobby.listing(live.room, live.touched)
            if not listing.same(live.listed):
                batch.listing = live.listed = listing
        room, live.finished = live.finished, None
        if room is not None:
            record = room.record
            open_to_reader(record.match)
            batch.game = lobby.finished_game(room, write(record), live.touched)
        return batch

    async def _write(self, batches: list[Batch]) -> None:
        commit = Commit(
            rows=tuple([batch.row for batch in batches if batch.row is not None]),
            listings=tuple([batch.listing for batch in batches if batch.listing is not None]),
            games=tuple([batch.game for batch in batches if batch.game is not None]),
        )
        if commit.rows:
            try:
                await self.store.commit(commit)
            except Conflict as conflict:
                stale = [one for one in batches if one.live.room.id in conflict.tables]
                for batch in stale or batches:
                    self.drop(batch, "conflict")
                await self._write([one for one in batches if not one.live.gone])
                return
            except StoreFailed:
                log.error("store failed", tables=len(batches), exc_info=True)
                for batch in batches:
                    self.drop(batch, "store")
                return
            self.metrics.commits.inc()
            self.metrics.rows.inc(len(commit.rows))
        for batch in batches:
            self._release(batch)

    def _release(self, batch: Batch) -> None:
        for connection, frame in batch.frames:
            connection.send(frame)
        for waiter in batch.waiters:
            if not waiter.done():
                waiter.set_result(None)
        if batch.game is not None:
            self.metrics.games.inc()
        if batch.live.room.alerts and batch.row is not None:
            self.alerts.after(batch.live)
        for connection, code, reason in batch.leaving:
            connection.close(code, reason)

    def drop(self, batch: Batch, why: str) -> None:
        """Forget a table in memory: what is not written did not happen."""
        log.warning("table dropped", why=why)
        self.forget(batch.live, batch.waiters)

    def forget(self, live: Live, waiters: Iterable[asyncio.Future[None]] = ()) -> None:
        """Take a table out of memory; whoever is connected comes back to what is written."""
        live.gone = True
        for waiter in (*waiters, *live.waiters):
            if not waiter.done():
                waiter.set_exception(GameError("try_again"))
        if self.lives.get(live.room.id) is live:
            del self.lives[live.room.id]
        self._dirty.pop(live, None)
        self.metrics.tables.set(len(self.lives))
        if live.timer is not None:
            live.timer.cancel()
        for timer in live.away.values():
            timer.cancel()
        for connection in list(live.connections):
            connection.close(COME_BACK, "come back")

    # Housekeeping

    async def _keep_house(self) -> None:
        """Signs of life, tables that nobody uses, and what is kept no longer."""
        beats = 0
        while True:
            try:
                await self.store.beat(self.now)
                self._unload()
                await self._wake_due()
                if beats % 360 == 0:
                    await self.expire()
            except StoreFailed:
                log.error("store failed", exc_info=True)
            except Exception as error:  # noqa: BLE001 - the house must be kept tomorrow, too
                _log_bug(error)
            beats += 1
            await asyncio.sleep(BEAT)

    @property
    def _soon(self) -> float:
        return self.now + self.settings.unload_after

    async def _wake_due(self) -> None:
        """Take up tables that have something to do soon, though nobody is there."""
        for id_ in await self.store.due(self._soon):
            if id_ not in self._broken:
                with suppress(GameError):  # one table that cannot be read must not stop the others
                    await self.find(id_)

    def _unload(self) -> None:
        before, soon = self.now - self.settings.unload_after, self._soon
        for live in list(self.lives.values()):
            due = live.room.wakes_at
            idle = live.touched < before and not live.connections and not live.away
            rests = (due is None or due >= soon) and not live.bots
            if idle and rests and live not in self._dirty:
                self.forget(live)

    async def expire(self) -> None:
        """Delete what is kept no longer (docs/operate.md says how long)."""
        settings, day = self.settings, 86400.0
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


def _log_bug(error: Exception) -> None:
    log.error("bug", kind=type(error).__name__, exc_info=error)


def checked_bot(name_or_level: str) -> str:
    """The name of a bot that there is."""
    return bot_entry(name_or_level).name
