"""Everything in the database at once, to be moved to another one or from one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import astuple

from five211.server.moving import (
    MOVED_ALONG,
    TWO_DOORS,
    Alive,
    Ban,
    Logged,
    Profile,
    Thing,
    refuse_if,
)
from five211.server.packing import COLUMNS, unpacked
from five211.server.postgres.games import keep
from five211.server.postgres.players import NEW, NEW_KEY
from five211.server.postgres.pool import Connection, Pool, connect, failing
from five211.server.postgres.schema import LOCK, upgrade
from five211.server.postgres.tables import enlist, name_players
from five211.server.store import Conflict, Game, Gap, Listing, PlayerData, Row, StoreFailed


class Moving(Pool):
    """What the store does when it is moved."""

    async def everything(self) -> AsyncIterator[Thing]:
        """All that is kept, as it is at one moment."""
        async with (
            self._alone() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            async for thing in _everything(connection):
                yield thing

    async def fill(self, things: Iterable[Thing]) -> None:
        """Keep all of these, or nothing if one is bad; raises `GameError` if it is not empty."""
        async with self._alone() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            for name in ("tables", "log", "games", "players", "bans"):
                refuse_if(await connection.fetch(f"SELECT 1 FROM {name} LIMIT 1"))  # noqa: S608
            for name in MOVED_ALONG:
                await connection.execute(f"DELETE FROM {name}")  # noqa: S608
            for thing in things:
                await _take(connection, thing)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[Connection]:
        """A connection that may take its time."""
        with failing():
            connection = await connect(self._url, self._patience)
            try:
                await upgrade(connection)
                yield connection
            finally:
                await connection.close(timeout=self._patience)


async def _everything(connection: Connection) -> AsyncIterator[Thing]:
    alive = await connection.fetchval("SELECT max(alive) FROM processes")
    if alive is not None:
        yield Alive(alive)
    for row in await connection.fetch("SELECT began, ended FROM gaps ORDER BY ended"):
        yield Gap(*row)
    async for row in connection.cursor("SELECT * FROM bans"):
        yield Ban(*row)
    async for row in connection.cursor("SELECT * FROM players"):
        sql = "SELECT hash, made FROM keys WHERE player = $1 ORDER BY made, hash"
        keys = await connection.fetch(sql, row[0])
        yield Profile(PlayerData(*row), tuple((key, made) for key, made in keys))
    async for row in connection.cursor(f"SELECT {COLUMNS} FROM games"):  # noqa: S608
        yield unpacked(row)
    async for row in connection.cursor("SELECT * FROM tables"):
        sql = "SELECT version, entries FROM log WHERE table_id = $1 ORDER BY version"
        rows = await connection.fetch(sql, row[0])
        yield Logged(Listing(*row), tuple((version, entries) for version, entries in rows))


async def _take(connection: Connection, thing: Thing) -> None:
    match thing:
        case Alive(at):
            sql = "INSERT INTO processes VALUES ('', $1, '{}')"
            await connection.execute(sql, at)
        case Gap():
            await connection.execute("INSERT INTO gaps VALUES ($1, $2)", *astuple(thing))
        case Ban():
            await connection.execute("INSERT INTO bans VALUES ($1, $2, $3)", *astuple(thing))
        case Profile(player, keys):
            await connection.execute(NEW, *astuple(player))
            of_player = [(key, player.id, made) for key, made in keys]
            await connection.executemany(NEW_KEY, of_player)
        case Game():
            await keep(connection, [thing])
        case _:
            listing, rows = thing.listing, thing.rows
            try:
                await enlist(connection, [listing])
            except Conflict:
                raise StoreFailed(TWO_DOORS) from None
            log = [Row(listing.id, version, entries) for version, entries in rows]
            values = [(row.table, row.version, row.entries) for row in log]
            await connection.executemany("INSERT INTO log VALUES ($1, $2, $3)", values)
            await name_players(connection, log)
