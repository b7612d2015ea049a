"""The house itself: who is kept out, and when a server was last alive."""

from __future__ import annotations

from five211.server.sqlite.threads import Threads


class House(Threads):
    """What the store does for the house."""

    async def last_alive(self) -> float | None:
        """When a server last used this store."""
        sql = "SELECT value FROM meta WHERE key = 'alive'"
        row = await self._ask(lambda c: c.execute(sql).fetchone())
        return None if row is None else float(row[0])

    async def beat(self, now: float) -> None:
        """A server is using this store."""
        await self._do(
            lambda c: c.execute("INSERT OR REPLACE INTO meta VALUES ('alive', ?)", (now,))
        )

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
