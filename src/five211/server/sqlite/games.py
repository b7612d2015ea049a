"""Games that are over."""

from __future__ import annotations

import sqlite3
from typing import Any

from five211.server.packing import COLUMNS, packed, unpacked, without
from five211.server.sqlite.threads import Threads
from five211.server.store import Game


class Games(Threads):
    """What the store does with games."""

    async def game(self, id_: str) -> Game | None:
        """A game that is over."""
        sql = f"SELECT {COLUMNS} FROM games WHERE id = ?"  # noqa: S608
        row = await self._ask(lambda c: c.execute(sql, (id_,)).fetchone())
        return None if row is None else unpacked(row)

    async def games(self, player: str | None, limit: int) -> list[Game]:
        """The last public games, of everyone or of one player."""
        which = "public"
        found: tuple[Any, ...] = (limit,)
        if player is not None:
            which = "public AND id IN (SELECT game FROM game_players WHERE player = ?)"
            found = (player, limit)
        sql = f"SELECT {COLUMNS} FROM games WHERE {which} ORDER BY ended DESC LIMIT ?"  # noqa: S608
        return [
            unpacked(row) for row in await self._ask(lambda c: c.execute(sql, found).fetchall())
        ]

    async def expire_games(self, before: float) -> int:
        """Forget games that ended before; how many there were."""

        def job(connection: sqlite3.Connection) -> int:
            sql = "DELETE FROM games WHERE ended < ? RETURNING id"
            gone = connection.execute(sql, (before,)).fetchall()
            connection.executemany("DELETE FROM game_players WHERE game = ?", gone)
            return len(gone)

        return await self._do(job)


def keep(connection: sqlite3.Connection, game: Game) -> None:
    """Keep a finished game, so that its players find it."""
    connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", packed(game))
    connection.executemany(
        "INSERT OR IGNORE INTO game_players VALUES (?, ?)",
        [(one.player, game.id) for one in game.standings if one.player is not None],
    )


def forget_in_games(connection: sqlite3.Connection, player: str) -> None:
    """Take a player's name out of every game."""
    sql = f"SELECT {COLUMNS} FROM games WHERE id IN (SELECT game FROM game_players WHERE player=?)"  # noqa: S608
    for row in connection.execute(sql, (player,)).fetchall():
        changed = "UPDATE games SET record = ?, standings = ? WHERE id = ?"
        connection.execute(changed, without(row, player))
    connection.execute("DELETE FROM game_players WHERE player = ?", (player,))
