"""Players: their profiles, keys and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import asyncpg

from five211.server.postgres.pool import Connection, Pool
from five211.server.ratings import after
from five211.server.store import Game, PlayerData

NEW = "INSERT INTO players VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
NEW_KEY = "INSERT INTO keys VALUES ($1, $2, $3)"


class Players(Pool):
    """What the store does with players."""

    async def new_player(self, player: PlayerData, key: str) -> None:
        """Keep a new profile with its key's hash."""

        async def job(connection: Connection) -> None:
            await connection.execute(NEW, *astuple(player))
            await connection.execute(NEW_KEY, key, player.id, player.made)

        await self._do(job)

    async def _player(self, where: str, value: str) -> PlayerData | None:
        sql = f"SELECT * FROM players WHERE {where}"  # noqa: S608
        row = await self._ask(lambda c: c.fetchrow(sql, value))
        return None if row is None else PlayerData(*row)

    async def player(self, id_: str) -> PlayerData | None:
        """A profile."""
        return await self._player("id = $1", id_)

    async def player_with(self, key: str) -> PlayerData | None:
        """The profile that a key's hash opens."""
        return await self._player("id = (SELECT player FROM keys WHERE hash = $1)", key)

    async def player_named(self, login: str) -> PlayerData | None:
        """The profile with this login."""
        return await self._player("login = $1", login)

    async def add_key(self, player: str, key: str, now: float) -> None:
        """One more key for a profile."""
        await self._do(lambda c: c.execute(NEW_KEY, key, player, now))

    async def drop_keys(self, player: str, but: str) -> None:
        """Only this key opens the profile from now on."""
        sql = "DELETE FROM keys WHERE player = $1 AND hash <> $2"
        await self._do(lambda c: c.execute(sql, player, but))

    async def change_player(self, id_: str, **changes: Any) -> bool:
        """Change name, login or password; false if the login is taken."""
        names = ", ".join(f"{name} = ${number}" for number, name in enumerate(changes, 2))
        sql = f"UPDATE players SET {names} WHERE id = $1"  # noqa: S608

        async def job(connection: Connection) -> bool:
            try:
                await connection.execute(sql, id_, *changes.values())
            except asyncpg.UniqueViolationError:
                return False  # the end of a transaction that failed undoes it
            return True

        return await self._do(job)

    async def best_players(self, limit: int) -> list[PlayerData]:
        """The highest ratings."""
        sql = "SELECT * FROM players WHERE games > 0 ORDER BY mu - 3 * sigma DESC LIMIT $1"
        return [PlayerData(*row) for row in await self._ask(lambda c: c.fetch(sql, limit))]


async def move_ratings(connection: Connection, games: Sequence[Game]) -> None:
    """Move the ratings of those who played for one; no other process moves them meanwhile."""
    ids = {one.player for game in games if game.rated for one in game.standings if one.player}
    if not ids:
        return
    sql = "SELECT id, mu, sigma FROM players WHERE id = ANY($1) ORDER BY id FOR UPDATE"
    found = await connection.fetch(sql, sorted(ids))
    known = {id_: (mu, sigma) for id_, mu, sigma in found}
    sql = "UPDATE players SET mu=$1, sigma=$2, games=games+1, wins=wins+$3, seen=$4 WHERE id=$5"
    for game in games:
        for one in after(game, known):
            await connection.execute(sql, one.mu, one.sigma, one.won, game.ended, one.player)
            known[one.player] = (one.mu, one.sigma)


async def forget_profile(connection: Connection, player: str) -> None:
    """Delete a profile with its keys."""
    await connection.execute("DELETE FROM players WHERE id = $1", player)
    await connection.execute("DELETE FROM keys WHERE player = $1", player)
