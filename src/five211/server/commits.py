"""What is to be written: one commit at a time, with all tables that have something to write.

Answers and frames leave only after it. What could not be written did not happen; what another
process was quicker with is read and judged again, for which nobody waits at another table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol

from five211.record import write
from five211.server import lobby
from five211.server.alerts import Alerts
from five211.server.faults import Faults, log_bug
from five211.server.live import Batch, Live
from five211.server.metrics import Metrics
from five211.server.sharing import Sharing
from five211.server.store import Commit, Conflict, Store, StoreFailed
from five211.view import open_to_reader


class House(Protocol):
    """What is asked of the hub."""

    store: Store
    sharing: Sharing
    metrics: Metrics
    faults: Faults
    alerts: Alerts

    @property
    def now(self) -> float:
        """The time."""

    async def overtaken(self, batch: Batch) -> None:
        """Another process wrote first."""

    def drop(self, batch: Batch, why: str) -> None:
        """It was not written, and did not happen."""

    def lose(self, live: Live, waiters: Iterable[asyncio.Future[bool]] = ()) -> None:
        """Take a table out of memory with which something is wrong."""


class Commits:
    """The tables that have something to write, and whoever writes it."""

    def __init__(self, hub: House) -> None:
        self._hub = hub
        self.dirty: dict[Live, None] = {}
        self._reading: dict[Live, asyncio.Task[None]] = {}
        """Tables that another process wrote first: each is read again beside, and then written."""
        self._wake = asyncio.Event()
        self._closing = False

    def start(self) -> None:
        """Write from now on."""
        self._flusher = asyncio.create_task(self._flush())

    async def finish(self) -> None:
        """Write what there is, and no more."""
        self._closing = True
        self._wake.set()
        await self._flusher

    def mark(self, live: Live) -> None:
        """Something is to be written or sent."""
        self.dirty[live] = None
        self._wake.set()

    async def _flush(self) -> None:
        while self.dirty or self._reading or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            lives = [live for live in self.dirty if live not in self._reading]
            self.dirty = {live: None for live in self.dirty if live in self._reading}
            batches = [batch for batch in map(self._taken, lives) if batch is not None]
            try:
                await self._write(batches)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                log_bug(error)
                for batch in batches:
                    self._hub.drop(batch, "bug")

    def _taken(self, live: Live) -> Batch | None:
        """What a table has to write; a table with which something is wrong harms no other."""
        if live.gone:
            return None
        waiters = live.waiters
        try:
            return self._take(live)
        except Exception as error:  # noqa: BLE001 - the other tables go on
            log_bug(error)
            self._hub.lose(live, waiters)
            return None

    def _take(self, live: Live) -> Batch:
        """One row for all that was done at a table, one listing if that changed it, and a game."""
        batch = live.take(self._hub.now)
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
        hub = self._hub
        commit = Commit(
            rows=tuple([batch.row for batch in batches if batch.row is not None]),
            listings=tuple([batch.listing for batch in batches if batch.listing is not None]),
            games=tuple([batch.game for batch in batches if batch.game is not None]),
        )
        if commit.rows:
            try:
                await hub.store.commit(commit)
            except Conflict as conflict:
                stale = [one for one in batches if one.live.room.id in conflict.tables] or batches
                await self._write([one for one in batches if one not in stale])
                for batch in stale:
                    self._reading[batch.live] = asyncio.create_task(self._read_again(batch))
                return
            except StoreFailed as error:
                hub.faults.store_failed(error, tables=len(batches))
                for batch in batches:
                    hub.drop(batch, "store")
                return
            hub.faults.store_wrote()
            hub.metrics.commits.inc()
            hub.metrics.rows.inc(len(commit.rows))
            hub.sharing.tell(commit.rows)
        for batch in batches:
            self._release(batch)

    async def _read_again(self, batch: Batch) -> None:
        try:
            await self._hub.overtaken(batch)
        except Exception as error:  # noqa: BLE001 - the other tables go on
            log_bug(error)
            self._hub.drop(batch, "bug")
        finally:
            del self._reading[batch.live]
            self._wake.set()

    def _release(self, batch: Batch) -> None:
        live = batch.live
        if batch.row is not None:
            live.wrote()
        for connection, n, frame in batch.frames:
            connection.seen = n
            connection.send(frame)
        settle(batch.waiters, written=True)
        if batch.game is not None:
            self._hub.metrics.games.inc()
        for alert, name in batch.telling:
            self._hub.alerts.send(alert, live.room.id, name)
        for connection, code, reason in batch.leaving:
            connection.close(code, reason)


def settle(waiters: Iterable[asyncio.Future[bool]], *, written: bool) -> None:
    """Tell those who wait."""
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(written)
