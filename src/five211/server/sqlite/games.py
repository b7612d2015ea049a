"""Games that are over."""

from __future__ import annotations

import sqlite3
import zlib
from typing import Any

import msgspec

from five211.server.redact import redact_record
from five211.server.sqlite.threads import Threads
from five211.server.store import Game, Standing

_COLUMNS = "id, table_id, ended, public, rated, record, standings"
_standings = msgspec.json.Decoder(tuple[Standing, ...]).decode


class Games(Threads):
    """What the store does with games."""

    async def game(self, id_: str) -> Game | None:
        """A game that is over."""
        sql = f"SELECT {_COLUMNS} FROM games WHERE id = ?"  # noqa: S608
        row = await self._ask(lambda c: c.execute(sql, (id_,)).fetchone())
        return None if row is None else _game(row)

    async def games(self, player: str | None, limit: int) -> list[Game]:
        """The last public games, of everyone or of one player."""
        which = "public"
        found: tuple[Any, ...] = (limit,)
        if player is not None:
            which = "public AND id IN (SELECT game FROM game_players WHERE player = ?)"
            found = (player, limit)
        sql = f"SELECT {_COLUMNS} FROM games WHERE {which} ORDER BY ended DESC LIMIT ?"  # noqa: S608
        return [_game(row) for row in await self._ask(lambda c: c.execute(sql, found).fetchall())]

    async def expire_games(self, before: float) -> int:
        """Forget games that ended before; how many there were."""

        def job(connection: sqlite3.Connection) -> int:
            sql = "DELETE FROM games WHERE ended < ? RETURNING id"
            gone = connection.execute(sql, (before,)).fetchall()
            connection.executemany("DELETE FROM game_players WHERE game = ?", gone)
            return len(gone)

        return await self._do(job)


def _game(row: tuple[Any, ...]) -> Game:
    id_, table, ended, public, rated, record, standings = row
    text = zlib.decompress(record).decode()
    return Game(id_, table, ended, bool(public), bool(rated), text, _standings(standings))


def keep(connection: sqlite3.Connection, game: Game) -> None:
    """Keep a finished game, so that its players find it."""
    record = zlib.compress(game.record.encode())
    standings = msgspec.json.encode(game.standings)
    kept = (game.id, game.table, game.ended, game.public, game.rated, record, standings)
    connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", kept)
    connection.executemany(
        "INSERT OR IGNORE INTO game_players VALUES (?, ?)",
        [(one.player, game.id) for one in game.standings if one.player is not None],
    )


def forget_in_games(connection: sqlite3.Connection, player: str) -> None:
    """Take a player's name out of every game."""
    sql = f"SELECT {_COLUMNS} FROM games WHERE id IN (SELECT game FROM game_players WHERE player=?)"  # noqa: S608
    for row in connection.execute(sql, (player,)).fetchall():
        record, standings = redact_record(_game(row), player)
        connection.execute(
            "UPDATE games SET record = ?, standings = ? WHERE id = ?",
            (zlib.compress(record.encode()), msgspec.json.encode(standings), row[0]),
        )
    connection.execute("DELETE FROM game_players WHERE player = ?", (player,))
