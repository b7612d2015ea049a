"""Every kind of store that there is, and small things to keep in one.

`TEST_STORE=postgres pytest tests/server` runs every server of these tests on PostgreSQL, with
Redis as its bus; the tests of the stores themselves run on each kind in any case.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from five211.server.postgres import PostgresStore
from five211.server.sqlite import SqliteStore
from five211.server.store import Game, Listing, PlayerData, Row, Standing, Store
from tests.services.postgres import drop_database, new_database, postgres
from tests.services.redis import shared_redis

Kept = TypeVar("Kept", bound=Store)
Opening: TypeAlias = Callable[[], AbstractAsyncContextManager[Store]]

KIND = os.environ.get("TEST_STORE", "sqlite")
assert KIND in ("sqlite", "postgres"), KIND
_databases: dict[Path, str] = {}  # those of PostgreSQL, by the folder of their test
_buses: dict[Path, int] = {}  # the same of Redis


def sqlite_file(folder: Path) -> Path:
    return folder / "five211.sqlite"


def sqlite_in(folder: Path) -> SqliteStore:
    return SqliteStore(str(sqlite_file(folder)))


def postgres_url(folder: Path) -> str:
    """The database of a test, whose folder this is; made when it is first wanted."""
    if folder not in _databases:
        name = f"five211_{sha256(str(folder).encode()).hexdigest()[:16]}"
        new_database(name)
        _databases[folder] = name
    return postgres().url(_databases[folder])


def postgres_in(folder: Path) -> PostgresStore:
    return PostgresStore(postgres_url(folder))


def drop_databases(folder: Path) -> None:
    """The test is over, whose folder this is."""
    for one in [one for one in _databases if one.is_relative_to(folder)]:
        drop_database(_databases.pop(one))


def database_in(folder: Path) -> str:
    """The database of a test's server, as `five211 serve --database` takes it."""
    return str(sqlite_file(folder)) if KIND == "sqlite" else postgres_url(folder)


def bus_in(folder: Path) -> str:
    """The bus of a test's server, as `five211 serve --bus` takes it; requests are counted anew."""
    if KIND == "sqlite":
        return ""
    return f"{shared_redis().url}/{_buses.setdefault(folder, len(_buses))}"


def sql_in(folder: Path, sql: str) -> list[Any]:
    """What a statement finds or does in the database of a test's server."""
    if KIND == "postgres":
        postgres_url(folder)
        return postgres().execute(_databases[folder], sql)
    with closing(sqlite3.connect(sqlite_file(folder))) as connection, connection:
        return connection.execute(re.sub("^TABLE ", "SELECT * FROM ", sql)).fetchall()


def size_in(folder: Path) -> int:
    """The bytes of a test's database; SQLite's file has everything once its server has stopped."""
    if KIND == "postgres":
        return int(sql_in(folder, "SELECT pg_database_size(current_database())")[0][0])
    return sqlite_file(folder).stat().st_size


STORES: dict[str, Callable[[Path], Store]] = {"sqlite": sqlite_in, "postgres": postgres_in}
"""How each kind is made for one test, whose folder this is; made twice, it is the same store."""


@asynccontextmanager
async def opened(store: Kept) -> AsyncIterator[Kept]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(table: str, version: int = 1) -> Row:
    return Row(table, version, b"[]")


def admitted(table: str, player: str) -> Row:
    """The row of a log that names a profile."""
    entry = b'[["Admitted",1.0,null,{"person":"p","token":"t","player":"%b"}]]'
    return Row(table, 1, entry % player.encode())


def listing(table: str, **changes: Any) -> Listing:
    fields: dict[str, Any] = {
        "id": table,
        "code": f"C{table}",
        "watch": f"W{table}",
        "screen": f"S{table}",
        "public": True,
        "phase": "gathering",
        "summary": b'{"name": "", "seats": []}',
        "touched": 100.0,
        "due": None,
    }
    return Listing(**{**fields, **changes})


def game(id_: str, ended: float = 100.0, *standings: Standing, **changes: Any) -> Game:
    fields: dict[str, Any] = {"public": True, "rated": False, "record": "{}"}
    return Game(id_, "t", ended, standings=standings, **{**fields, **changes})


def standing(player: str | None, rank: int = 0) -> Standing:
    return Standing(player, player or "?", None, 5, rank)


def player(id_: str, **changes: Any) -> PlayerData:
    fields: dict[str, Any] = {"login": None, "password": None, "made": 1.0, "seen": 1.0}
    fields |= {"mu": 25.0, "sigma": 8.0, "games": 0, "wins": 0.0}
    return PlayerData(id_, id_.upper(), **{**fields, **changes})
