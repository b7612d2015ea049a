"""The house itself: who is kept out, and when a server was last alive."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping

import msgspec

from five211.server.sqlite.threads import Threads
from five211.server.store import AHEAD, FORGOTTEN, GAPS, JOINED, Gap

_BEAT = """
INSERT INTO processes VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET alive = excluded.alive, crowds = excluded.crowds, seen = excluded.seen, bus = excluded.bus
  WHERE processes.seen > 0
"""  # whoever has left does not come back by a sign that was on its way

_GAP = """
INSERT INTO gaps SELECT min(?1, coalesce(min(began), ?1)), ?2 FROM gaps
  WHERE ended BETWEEN ?3 AND ?2
"""  # with those that it follows on


class House(Threads):
    """What the store does for the house."""

    async def arrive(self, process: str, now: float, dead: float) -> list[Gap]:
        """A process begins to use this store; when nobody did, as far as that is known."""

        def job(connection: sqlite3.Connection) -> list[Gap]:
            sql = "SELECT max(alive), max(seen) FROM processes"
            last, seen = connection.execute(sql).fetchone()
            sql = "DELETE FROM gaps WHERE ended < ? OR ended > ?"
            connection.execute(sql, (now - GAPS, now + AHEAD))
            if last is not None and last < now and seen <= time.time() - dead:
                connection.execute(_GAP, (last, now, last - JOINED))
                sql = "DELETE FROM gaps WHERE ended >= ? AND ended < ?"
                connection.execute(sql, (last - JOINED, now))
            connection.execute(_BEAT, (process, now, b"{}", time.time(), None))
            rows = connection.execute("SELECT began, ended FROM gaps ORDER BY ended")
            return [Gap(*row) for row in rows]

        return await self._do(job)

    async def beat(
        self, process: str, now: float, crowds: Mapping[str, int], bus: str | None = None
    ) -> None:
        """A process is using this store, and has so many connections of these addresses."""
        alive = (process, now, msgspec.json.encode(crowds), time.time(), bus)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(_BEAT, alive)
            sql = "DELETE FROM processes WHERE seen < ? AND id != ?"
            connection.execute(sql, (time.time() - FORGOTTEN, process))

        await self._do(job)

    async def leave(self, process: str, now: float) -> None:
        """A process uses it no longer."""
        sql = "UPDATE processes SET alive = ?2, seen = 0, crowds = '{}' WHERE id = ?1"
        await self._do(lambda c: c.execute(sql, (process, now)))

    async def processes(self, dead: float) -> dict[str, dict[str, int]]:
        """The processes that have used it in the last so many seconds, with their crowds."""
        sql, since = "SELECT id, crowds FROM processes WHERE seen > ?", time.time() - dead
        found = await self._ask(lambda c: c.execute(sql, (since,)).fetchall())
        return {id_: msgspec.json.decode(crowds) for id_, crowds in found}

    async def buses(self, dead: float) -> set[str]:
        """The kinds of bus of these processes, as far as they say."""
        sql = "SELECT DISTINCT bus FROM processes WHERE seen > ? AND bus IS NOT NULL"
        since = time.time() - dead
        return {kind for (kind,) in await self._ask(lambda c: c.execute(sql, (since,)).fetchall())}

    async def ban(self, what: str, until: float, reason: str) -> None:
        """Keep a player or an address out."""
        sql = "INSERT OR REPLACE INTO bans VALUES (?, ?, ?)"
        await self._do(lambda c: c.execute(sql, (what, until, reason)))

    async def unban(self, what: str) -> None:
        """Let them in again."""
        await self._do(lambda c: c.execute("DELETE FROM bans WHERE what = ?", (what,)))

    async def bans(self) -> list[tuple[str, float, str]]:
        """Who is kept out, until when, and why."""
        return await self._ask(lambda c: c.execute("SELECT * FROM bans").fetchall())
