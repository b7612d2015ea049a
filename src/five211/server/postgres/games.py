"""Games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from five211.server.packing import COLUMNS, packed, unpacked, without
from five211.server.postgres.pool import Connection, Pool
from five211.server.store import Game


class Games(Pool):
    """What the store does with games."""

    async def game(self, id_: str) -> Game | None:
        """A game that is over."""
        sql = f"SELECT {COLUMNS} FROM games WHERE id = $1"  # noqa: S608
        row = await self._ask(lambda c: c.fetchrow(sql, id_))
        return None if row is None else unpacked(row)

    async def games(self, player: str | None, limit: int) -> list[Game]:
        """The last public games, of everyone or of one player."""
        which = "public"
        found: tuple[Any, ...] = (limit,)
        if player is not None:
            which = "public AND id IN (SELECT game FROM game_players WHERE player = $2)"
            found = (limit, player)
        sql = f"SELECT {COLUMNS} FROM games WHERE {which} ORDER BY ended DESC LIMIT $1"  # noqa: S608
        return [unpacked(row) for row in await self._ask(lambda c: c.fetch(sql, *found))]

    async def expire_games(self, before: float) -> int:
        """Forget games that ended before; how many there were."""

        async def job(connection: Connection) -> int:
            sql = "DELETE FROM games WHERE ended < $1 RETURNING id"
            gone = [row[0] for row in await connection.fetch(sql, before)]
            await connection.execute("DELETE FROM game_players WHERE game = ANY($1)", gone)
            return len(gone)

        return await self._do(job)


async def keep(connection: Connection, games: Sequence[Game]) -> None:
    """Keep finished games, so that their players find them."""
    if not games:
        return
    rows = sorted(packed(game) for game in games)
    await connection.executemany("INSERT INTO games VALUES ($1, $2, $3, $4, $5, $6, $7)", rows)
    found = {(one.player, game.id) for game in games for one in game.standings}
    players = sorted((player, game) for player, game in found if player is not None)
    sql = "INSERT INTO game_players VALUES ($1, $2) ON CONFLICT DO NOTHING"
    await connection.executemany(sql, players)


async def forget_in_games(connection: Connection, player: str) -> None:
    """Take a player's name out of every game."""
    which = "id IN (SELECT game FROM game_players WHERE player = $1)"
    sql = f"SELECT {COLUMNS} FROM games WHERE {which} ORDER BY id FOR UPDATE"  # noqa: S608
    for row in await connection.fetch(sql, player):
        changed = "UPDATE games SET record = $1, standings = $2 WHERE id = $3"
        await connection.execute(changed, *without(row, player))
    await connection.execute("DELETE FROM game_players WHERE player = $1", player)
