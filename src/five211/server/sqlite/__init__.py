"""The store in an SQLite file, with one file of code for each thing that it keeps.

They share one database, one thread that writes and one that reads (`threads.py`); what concerns
several of them at once is here.
"""

from __future__ import annotations

import sqlite3

from five211.server.sqlite.file import SCHEMA, prepare
from five211.server.sqlite.games import Games, forget_in_games, keep
from five211.server.sqlite.house import House
from five211.server.sqlite.moving import Moving
from five211.server.sqlite.players import Players, forget_profile, move_ratings
from five211.server.sqlite.tables import Tables, append, enlist, forget_at_tables
from five211.server.store import Commit

__all__ = ["SCHEMA", "SqliteStore", "prepare"]


class SqliteStore(Tables, Games, Players, House, Moving):
    """A `Store` in a file."""

    async def commit(self, commit: Commit) -> None:
        """Write, durably; raises `Conflict` or `StoreFailed`."""

        def job(connection: sqlite3.Connection) -> None:
            append(connection, commit.rows)
            enlist(connection, commit.listings)
            for game in commit.games:
                keep(connection, game)
                move_ratings(connection, game)

        await self._do(job)

    async def forget_player(self, id_: str) -> list[str]:
        """Delete a profile and its name everywhere; the tables whose logs were changed."""

        def job(connection: sqlite3.Connection) -> list[str]:
            forget_profile(connection, id_)
            forget_in_games(connection, id_)
            return forget_at_tables(connection, id_)

        return await self._do(job)
