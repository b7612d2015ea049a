"""The store in a PostgreSQL database, with one file of code for each thing that it keeps.

Many processes may use one database: what they share is what is written here. They take locks in
one order (listings, logs, games, ratings; each by its ids), so that nobody waits in a circle.
"""

from __future__ import annotations

from five211.server.postgres.games import Games, forget_in_games, keep
from five211.server.postgres.house import House
from five211.server.postgres.moving import Moving
from five211.server.postgres.players import Players, forget_profile, move_ratings
from five211.server.postgres.pool import Connection, migrate
from five211.server.postgres.schema import SCHEMA
from five211.server.postgres.tables import Tables, append, enlist, forget_at_tables
from five211.server.store import Commit

__all__ = ["SCHEMA", "PostgresStore", "migrate"]


class PostgresStore(Tables, Games, Players, House, Moving):
    """A `Store` in a PostgreSQL database."""

    async def commit(self, commit: Commit) -> None:
        """Write, durably; raises `Conflict` or `StoreFailed`.

        After `StoreFailed` nobody knows whether it was written if the connection was lost at the
        end (see `pool.py`): what is true of these tables is what `load` says from now on.
        """

        async def job(connection: Connection) -> None:
            await enlist(connection, commit.listings)
            await append(connection, commit.rows)
            await keep(connection, commit.games)
            await move_ratings(connection, commit.games)

        await self._do(job)

    async def forget_player(self, id_: str) -> list[str]:
        """Delete a profile and its name everywhere; the tables whose logs were changed."""

        async def job(connection: Connection) -> list[str]:
            tables = await forget_at_tables(connection, id_)
            await forget_in_games(connection, id_)
            await forget_profile(connection, id_)
            return tables

        return await self._do(job)
