"""The database: how it came to be as it is, and how it is brought up to date.

Whoever reads it knows every hidden card. Ids are compared byte by byte (`COLLATE "C"`), so that
every process sorts, and therefore locks, in one order.
"""

from __future__ import annotations

from typing import Any

from five211.server.store import StoreFailed

SCHEMA = (
    """
CREATE TABLE tables (
  id text COLLATE "C" PRIMARY KEY, code text UNIQUE, watch text UNIQUE, screen text UNIQUE,
  public boolean, phase text, summary bytea, touched float8, due float8);
CREATE INDEX tables_lobby ON tables (touched) WHERE public;
CREATE INDEX tables_phase ON tables (phase, touched);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE TABLE log (
  table_id text COLLATE "C", version integer, entries bytea, PRIMARY KEY (table_id, version));
CREATE TABLE table_players (
  player text COLLATE "C", table_id text COLLATE "C", PRIMARY KEY (player, table_id));
CREATE INDEX table_players_table ON table_players (table_id);
CREATE TABLE games (
  id text COLLATE "C" PRIMARY KEY, table_id text, ended float8, public boolean, rated boolean,
  record bytea, standings bytea);
CREATE INDEX games_public ON games (ended) WHERE public;
CREATE INDEX games_old ON games (ended);
CREATE TABLE game_players (
  player text COLLATE "C", game text COLLATE "C", PRIMARY KEY (player, game));
CREATE INDEX game_players_game ON game_players (game);
CREATE TABLE players (
  id text COLLATE "C" PRIMARY KEY, name text, login text UNIQUE, password text, made float8,
  seen float8, mu float8, sigma float8, games integer, wins float8);
CREATE INDEX players_best ON players ((mu - 3 * sigma)) WHERE games > 0;
CREATE TABLE keys (hash text COLLATE "C" PRIMARY KEY, player text COLLATE "C", made float8);
CREATE INDEX keys_player ON keys (player);
CREATE TABLE bans (what text PRIMARY KEY, until float8, reason text);
CREATE TABLE processes (id text COLLATE "C" PRIMARY KEY, alive float8, crowds bytea);
""",
    # `alive` is a process's own time, `seen` the database's; 0 if it has left.
    """
ALTER TABLE processes ADD COLUMN seen float8 NOT NULL DEFAULT 0;
CREATE TABLE gaps (began float8, ended float8);
""",
    # NULL of an older version, which does not say.
    "ALTER TABLE processes ADD COLUMN bus text",
)
"""How the database came to be as it is, step by step; `schema` says how far it has come."""

LOCK = 5211_0009  # one process at a time brings a database up to date


async def upgrade(connection: Any) -> None:
    """Bring the tables up to this version of five211; of two processes at once, one waits."""
    if await _version(connection) == len(SCHEMA):
        return
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        version = await _version(connection)
        if version > len(SCHEMA):
            raise StoreFailed("this database was made by a newer version of five211")
        await connection.execute("CREATE TABLE IF NOT EXISTS schema (version integer)")
        for step in SCHEMA[version:]:
            await connection.execute(step)
        await connection.execute("DELETE FROM schema")
        await connection.execute("INSERT INTO schema VALUES ($1)", len(SCHEMA))


async def _version(connection: Any) -> int:
    # Not to_regclass: it may remember what was true before this process waited for another.
    there = "SELECT 1 FROM pg_class WHERE relname = 'schema' AND pg_table_is_visible(oid)"
    if await connection.fetchval(there) is None:
        return 0
    return int(await connection.fetchval("SELECT version FROM schema"))
