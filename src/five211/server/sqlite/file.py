"""The file: how it came to be as it is, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from five211.server.store import StoreFailed

SCHEMA = (
    """
CREATE TABLE tables (
  id TEXT PRIMARY KEY, code TEXT UNIQUE, watch TEXT UNIQUE, screen TEXT UNIQUE, public INTEGER,
  phase TEXT, runs_alone INTEGER, summary BLOB, touched REAL);
CREATE INDEX tables_lobby ON tables (public, touched);
CREATE INDEX tables_phase ON tables (phase, touched);
CREATE TABLE log (
  table_id TEXT, version INTEGER, entries BLOB, PRIMARY KEY (table_id, version)) WITHOUT ROWID;
CREATE TABLE table_players (
  player TEXT, table_id TEXT, PRIMARY KEY (player, table_id)) WITHOUT ROWID;
CREATE INDEX table_players_table ON table_players (table_id);
CREATE TABLE games (
  id TEXT PRIMARY KEY, table_id TEXT, ended REAL, public INTEGER, rated INTEGER, record BLOB,
  standings BLOB);
CREATE INDEX games_ended ON games (public, ended);
CREATE INDEX games_old ON games (ended);
CREATE TABLE game_players (player TEXT, game TEXT, PRIMARY KEY (player, game)) WITHOUT ROWID;
CREATE INDEX game_players_game ON game_players (game);
CREATE TABLE players (
  id TEXT PRIMARY KEY, name TEXT, login TEXT UNIQUE, password TEXT, made REAL, seen REAL,
  mu REAL, sigma REAL, games INTEGER, wins REAL);
CREATE TABLE keys (hash TEXT PRIMARY KEY, player TEXT, made REAL);
CREATE INDEX keys_player ON keys (player);
CREATE TABLE bans (what TEXT PRIMARY KEY, until REAL, reason TEXT);
CREATE TABLE meta (key TEXT PRIMARY KEY, value);
""",
    """
ALTER TABLE tables ADD COLUMN due REAL;
UPDATE tables SET due = 0
  WHERE runs_alone AND CAST(summary AS TEXT) LIKE '%"correspondence":true%';
ALTER TABLE tables DROP COLUMN runs_alone;
CREATE INDEX tables_due ON tables (due);
""",
    """
CREATE TABLE processes (id TEXT PRIMARY KEY, alive REAL, crowds BLOB);
INSERT INTO processes SELECT '', value, '{}' FROM meta WHERE key = 'alive';
DROP TABLE meta;
""",
    # `alive` is a process's own time, `seen` this machine's; 0 if it has left.
    """
ALTER TABLE processes ADD COLUMN seen REAL NOT NULL DEFAULT 0;
CREATE TABLE gaps (began REAL, ended REAL);
""",
    # NULL of an older version, which does not say.
    "ALTER TABLE processes ADD COLUMN bus TEXT",
)
"""How the file came to be as it is, step by step; `user_version` says how far it has come."""


def prepare(path: str) -> None:
    """Make the file, or bring it up to date; raises `StoreFailed` with what is wrong with it."""
    open_to_write(path).close()


def open_to_write(path: str) -> sqlite3.Connection:
    """The connection that writes."""
    with failing():
        # Whoever reads this file knows every hidden card.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = connect(path)
    try:
        with failing():
            connection.execute("PRAGMA secure_delete=ON")
            _upgrade(connection)
    except StoreFailed:
        connection.close()
        raise
    return connection


@contextmanager
def failing() -> Iterator[None]:
    """What goes wrong with the file, as `StoreFailed`."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise StoreFailed(reason or type(error).__name__) from None


def connect(path: str) -> sqlite3.Connection:
    """A connection to the file."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring the file's tables up to this version of five211."""
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(SCHEMA):
        connection.execute("ROLLBACK")
        raise StoreFailed("this file was made by a newer version of five211")
    for step in SCHEMA[version:]:
        for statement in step.split(";"):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(SCHEMA)}")
    connection.execute("COMMIT")
