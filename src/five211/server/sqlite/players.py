"""Players: their profiles, keys and ratings."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple
from typing import Any

from five211.server.ratings import after
from five211.server.sqlite.threads import Threads
from five211.server.store import Game, PlayerData


class Players(Threads):
    """What the store does with players."""

    async def new_player(self, player: PlayerData, key: str) -> None:
        """Keep a new profile with its key's hash."""

        def job(connection: sqlite3.Connection) -> None:
            marks = ",".join("?" * len(astuple(player)))
            connection.execute(f"INSERT INTO players VALUES ({marks})", astuple(player))  # noqa: S608
            connection.execute("INSERT INTO keys VALUES (?, ?, ?)", (key, player.id, player.made))

        await self._do(job)

    async def _player(self, where: str, value: str) -> PlayerData | None:
        sql = f"SELECT * FROM players WHERE {where}"  # noqa: S608
        row = await self._ask(lambda c: c.execute(sql, (value,)).fetchone())
        return None if row is None else PlayerData(*row)

    async def player(self, id_: str) -> PlayerData | None:
        """A profile."""
        return await self._player("id = ?", id_)

    async def player_with(self, key: str) -> PlayerData | None:
        """The profile that a key's hash opens."""
        return await self._player("id = (SELECT player FROM keys WHERE hash = ?)", key)

    async def player_named(self, login: str) -> PlayerData | None:
        """The profile with this login."""
        return await self._player("login = ?", login)

    async def add_key(self, player: str, key: str, now: float) -> None:
        """One more key for a profile."""
        await self._do(lambda c: c.execute("INSERT INTO keys VALUES (?, ?, ?)", (key, player, now)))

    async def drop_keys(self, player: str, but: str) -> None:
        """Only this key opens the profile from now on."""
        sql = "DELETE FROM keys WHERE player = ? AND hash != ?"
        await self._do(lambda c: c.execute(sql, (player, but)))

    async def change_player(self, id_: str, **changes: Any) -> bool:
        """Change name, login or password; false if the login is taken."""

        def job(connection: sqlite3.Connection) -> bool:
            login = changes.get("login")
            sql = "SELECT 1 FROM players WHERE login = ? AND id != ?"
            if login and connection.execute(sql, (login, id_)).fetchone():
                return False
            names = ", ".join(f"{name} = ?" for name in changes)
            sql = f"UPDATE players SET {names} WHERE id = ?"  # noqa: S608
            connection.execute(sql, (*changes.values(), id_))
            return True

        return await self._do(job)

    async def best_players(self, limit: int) -> list[PlayerData]:
        """The highest ratings."""
        sql = "SELECT * FROM players WHERE games > 0 ORDER BY mu - 3 * sigma DESC LIMIT ?"
        rows = await self._ask(lambda c: c.execute(sql, (limit,)).fetchall())
        return [PlayerData(*row) for row in rows]


def move_ratings(connection: sqlite3.Connection, game: Game) -> None:
    """Move the ratings of those who played for one."""
    if not game.rated:
        return
    known = {}
    for one in game.standings:
        sql = "SELECT mu, sigma FROM players WHERE id = ?"
        row = connection.execute(sql, (one.player,)).fetchone()
        if row is not None:
            known[str(one.player)] = row
    sql = "UPDATE players SET mu=?, sigma=?, games=games+1, wins=wins+?, seen=? WHERE id=?"
    for moved in after(game, known):
        connection.execute(sql, (moved.mu, moved.sigma, moved.won, game.ended, moved.player))


def forget_profile(connection: sqlite3.Connection, player: str) -> None:
    """Delete a profile with its keys."""
    connection.execute("DELETE FROM players WHERE id = ?", (player,))
    connection.execute("DELETE FROM keys WHERE player = ?", (player,))
