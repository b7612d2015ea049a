"""Everything in the file at once, to be moved to another database or from one.

Nothing else runs meanwhile: this is for the command line.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import closing
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
from five211.server.redact import players_in
from five211.server.sqlite.file import failing, open_to_write
from five211.server.sqlite.games import keep
from five211.server.sqlite.tables import list_table
from five211.server.sqlite.threads import Threads
from five211.server.store import Game, Gap, Listing, PlayerData, StoreFailed


class Moving(Threads):
    """What the store does when it is moved."""

    async def everything(self) -> AsyncIterator[Thing]:
        """All that is kept, as it is at one moment."""
        with closing(open_to_write(self._path)) as connection, failing():
            connection.execute("BEGIN")
            for thing in _everything(connection):
                yield thing

    async def fill(self, things: Iterable[Thing]) -> None:
        """Keep all of these, or nothing if one is bad; raises `GameError` if it is not empty."""
        with closing(open_to_write(self._path)) as connection, failing():
            connection.execute("BEGIN IMMEDIATE")
            for name in ("tables", "log", "games", "players", "bans"):
                refuse_if(connection.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone())  # noqa: S608
            for name in MOVED_ALONG:
                connection.execute(f"DELETE FROM {name}")  # noqa: S608
            for thing in things:
                _take(connection, thing)
            connection.execute("COMMIT")


def _everything(connection: sqlite3.Connection) -> Iterator[Thing]:
    for row in connection.execute("SELECT alive FROM processes ORDER BY alive DESC LIMIT 1"):
        yield Alive(float(row[0]))
    for row in connection.execute("SELECT began, ended FROM gaps ORDER BY ended"):
        yield Gap(*row)
    for row in connection.execute("SELECT * FROM bans"):
        yield Ban(*row)
    for row in connection.execute("SELECT * FROM players"):
        sql = "SELECT hash, made FROM keys WHERE player = ? ORDER BY made, hash"
        yield Profile(PlayerData(*row), tuple(connection.execute(sql, row[:1])))
    for row in connection.execute(f"SELECT {COLUMNS} FROM games"):  # noqa: S608
        yield unpacked(row)
    for row in connection.execute("SELECT * FROM tables"):
        id_, code, watch, screen, public, *rest = row
        listing = Listing(id_, code, watch, screen, bool(public), *rest)
        sql = "SELECT version, entries FROM log WHERE table_id = ? ORDER BY version"
        yield Logged(listing, tuple(connection.execute(sql, (id_,))))


def _take(connection: sqlite3.Connection, thing: Thing) -> None:
    match thing:
        case Alive(at):
            sql = "INSERT INTO processes (id, alive, crowds) VALUES ('', ?, '{}')"
            connection.execute(sql, (at,))
        case Gap():
            connection.execute("INSERT INTO gaps VALUES (?, ?)", astuple(thing))
        case Ban():
            connection.execute("INSERT INTO bans VALUES (?, ?, ?)", astuple(thing))
        case Profile(player, keys):
            marks = ",".join("?" * len(astuple(player)))
            connection.execute(f"INSERT INTO players VALUES ({marks})", astuple(player))  # noqa: S608
            of_player = [(key, player.id, made) for key, made in keys]
            connection.executemany("INSERT INTO keys VALUES (?, ?, ?)", of_player)
        case Game():
            keep(connection, thing)
        case _:
            listing, rows = thing.listing, thing.rows
            if not list_table(connection, listing):
                raise StoreFailed(TWO_DOORS)
            log = [(listing.id, version, entries) for version, entries in rows]
            connection.executemany("INSERT INTO log VALUES (?, ?, ?)", log)
            named = {player for _, entries in rows for player in players_in(entries)}
            of_table = [(player, listing.id) for player in sorted(named)]
            connection.executemany("INSERT INTO table_players VALUES (?, ?)", of_table)
