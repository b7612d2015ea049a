"""Which database a server uses: an SQLite file, or PostgreSQL if its address is named.

An address may have a password in it, so it is never shown as it is.
"""

from __future__ import annotations

import asyncio
import re
from types import ModuleType
from typing import TYPE_CHECKING

from five211.errors import GameError, shown
from five211.server import sqlite
from five211.server.settings import Settings
from five211.server.store import StoreFailed

if TYPE_CHECKING:
    from five211.server.postgres import PostgresStore

_HOST = r"(?:[\w.%-]*|\[[\w.:]*\])(?::\d+)?"  # a word after a colon is a password, and no port
_ADDRESS = re.compile(
    rf"(postgres(?:ql)?://)(?:[^/]*@)?({_HOST}(?:,{_HOST})*(?:/[\w-]*)?)(?:\?[^@]*)?"
)


def is_postgres(database: str) -> bool:
    """Whether this names a PostgreSQL database, and not a file."""
    scheme, colon, _ = database.partition("://")
    if colon and scheme not in ("postgresql", "postgres"):
        raise GameError("database_kind", kind=shown(scheme))
    return bool(colon)


def name(database: str) -> str:
    """The database as it may be shown: of an address, where it is and nothing else."""
    if not is_postgres(database):
        return database
    plain = _ADDRESS.fullmatch(database)
    return "".join(plain.groups()) if plain else "postgresql://…"


def make_store(settings: Settings) -> sqlite.SqliteStore | PostgresStore:
    """The store that the settings name."""
    if not is_postgres(settings.database):
        return sqlite.SqliteStore(settings.database)
    connections, patience = settings.database_connections, settings.database_patience
    store: PostgresStore = _postgres().PostgresStore(settings.database, connections, patience)
    return store


def prepare(settings: Settings) -> None:
    """Make the database's tables, or bring them up to date; an error says what is wrong with it."""
    try:
        if is_postgres(settings.database):
            migrating = _postgres().migrate(settings.database, settings.database_patience)
            asyncio.run(migrating)
        else:
            sqlite.prepare(settings.database)
    except StoreFailed as error:
        raise unusable(settings, error) from None


def unusable(settings: Settings, error: StoreFailed) -> GameError:
    """Which database it is, and what is wrong with it."""
    return GameError("store", name=name(settings.database), reason=str(error))


def _postgres() -> ModuleType:
    try:
        from five211.server import postgres
    except ModuleNotFoundError:
        raise GameError("postgres_missing") from None
    return postgres
