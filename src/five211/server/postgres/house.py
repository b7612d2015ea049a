"""The house itself: who is kept out, and when a server was last alive."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from five211.server.postgres.pool import Connection, Pool
from five211.server.store import AHEAD, FORGOTTEN, GAPS, JOINED, Gap

_NOW = "extract(epoch FROM clock_timestamp())::float8"
_BEAT = f"""
INSERT INTO processes VALUES ($1, $2, $3, {_NOW}, $4) ON CONFLICT (id) DO UPDATE
  SET alive = excluded.alive, crowds = excluded.crowds, seen = excluded.seen, bus = excluded.bus
  WHERE processes.seen > 0
"""  # noqa: S608 - whoever has left does not come back by a sign that was on its way
_FORGET = f"""
DELETE FROM processes WHERE id IN (
  SELECT id FROM processes WHERE seen < {_NOW} - $1 AND id != $2
    ORDER BY id FOR UPDATE SKIP LOCKED)
"""  # noqa: S608

_GAP = """
INSERT INTO gaps SELECT least($1::float8, min(began)), $2::float8 FROM gaps
  WHERE ended BETWEEN $3 AND $2
"""  # with those that it follows on


class House(Pool):
    """What the store does for the house."""

    async def arrive(self, process: str, now: float, dead: float) -> list[Gap]:
        """A process begins to use this store; when nobody did, as far as that is known."""

        async def job(connection: Connection) -> list[Gap]:
            sql = f"SELECT max(alive), max(seen) > {_NOW} - $1 FROM processes"  # noqa: S608
            last, others = await connection.fetchrow(sql, dead)
            sql = "DELETE FROM gaps WHERE ended < $1 OR ended > $2"
            await connection.execute(sql, now - GAPS, now + AHEAD)
            if last is not None and last < now and not others:
                await connection.execute(_GAP, last, now, last - JOINED)
                sql = "DELETE FROM gaps WHERE ended >= $1 AND ended < $2"
                await connection.execute(sql, last - JOINED, now)
            await connection.execute(_BEAT, process, now, b"{}", None)
            rows = await connection.fetch("SELECT began, ended FROM gaps ORDER BY ended")
            return [Gap(*row) for row in rows]

        return await self._do(job)

    async def beat(
        self, process: str, now: float, crowds: Mapping[str, int], bus: str | None = None
    ) -> None:
        """A process is using this store, and has so many connections of these addresses."""

        async def job(connection: Connection) -> None:
            await connection.execute(_BEAT, process, now, msgspec.json.encode(crowds), bus)
            await connection.execute(_FORGET, FORGOTTEN, process)

        await self._do(job)

    async def leave(self, process: str, now: float) -> None:
        """A process uses it no longer."""
        sql = "UPDATE processes SET alive = $2, seen = 0, crowds = '{}' WHERE id = $1"
        await self._do(lambda c: c.execute(sql, process, now))

    async def processes(self, dead: float) -> dict[str, dict[str, int]]:
        """The processes that have used it in the last so many seconds, with their crowds."""
        sql = f"SELECT id, crowds FROM processes WHERE seen > {_NOW} - $1"  # noqa: S608
        found = await self._ask(lambda c: c.fetch(sql, dead))
        return {id_: msgspec.json.decode(crowds) for id_, crowds in found}

    async def buses(self, dead: float) -> set[str]:
        """The kinds of bus of these processes, as far as they say."""
        sql = f"SELECT DISTINCT bus FROM processes WHERE seen > {_NOW} - $1 AND bus IS NOT NULL"  # noqa: S608
        return {kind for (kind,) in await self._ask(lambda c: c.fetch(sql, dead))}

    async def ban(self, what: str, until: float, reason: str) -> None:
        """Keep a player or an address out."""
        sql = "INSERT INTO bans VALUES ($1, $2, $3) ON CONFLICT (what) DO UPDATE SET"
        sql += " until = excluded.until, reason = excluded.reason"
        await self._do(lambda c: c.execute(sql, what, until, reason))

    async def unban(self, what: str) -> None:
        """Let them in again."""
        await self._do(lambda c: c.execute("DELETE FROM bans WHERE what = $1", what))

    async def bans(self) -> list[tuple[str, float, str]]:
        """Who is kept out, until when, and why."""
        return [tuple(row) for row in await self._ask(lambda c: c.fetch("SELECT * FROM bans"))]
