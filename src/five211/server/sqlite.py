"""The store in an SQLite file: one thread writes, another reads.

All that waits to be written goes into one transaction (group commit), so that every move can be
durable (`synchronous=FULL`) without each paying for its own sync of the disk. `BEGIN IMMEDIATE`,
because a transaction that begins by reading cannot always become one that writes.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import astuple
from queue import SimpleQueue
from typing import Any, TypeVar

import msgspec
import structlog

from five211.server.ratings import rate
from five211.server.redact import players_in, redact_log, redact_record, redact_summary
from five211.server.store import (
    Commit,
    Conflict,
    Game,
    Listing,
    PlayerData,
    Row,
    Standing,
    StoreFailed,
)

log = structlog.get_logger()

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]

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
)
"""How the file came to be as it is, step by step; `user_version` says how far it has come."""

_standings = msgspec.json.Decoder(tuple[Standing, ...]).decode


class SqliteStore:
    """A `Store` in a file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._jobs: SimpleQueue[tuple[Job[Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "five211-read")
        self._reading: sqlite3.Connection | None = None

    # Starting, stopping, and the two threads

    async def open(self) -> None:
        """Make the tables, and start."""
        self._loop = asyncio.get_running_loop()
        opened: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._write_all, args=(opened,), daemon=True)
        self._thread.start()
        await opened

    async def close(self) -> None:
        """Finish what was begun."""
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        await self._loop.run_in_executor(self._reader, self._stop_reading)
        self._reader.shutdown()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()

    def _write_all(self, opened: asyncio.Future[None]) -> None:
        try:
            connection = _open(self._path)
        except StoreFailed as error:
            self._answer(opened, error)
            return
        self._answer(opened, None)
        while (first := self._jobs.get()) is not None:
            jobs = [first]
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                jobs.append(job)
            self._write(connection, jobs)
        connection.close()

    def _write(
        self,
        connection: sqlite3.Connection,
        jobs: list[tuple[Job[Any], asyncio.Future[Any]]],
    ) -> None:
        """All jobs in one transaction; if that fails, each in its own, so that one fails alone."""
        try:
            results = _transaction(connection, [job for job, _ in jobs])
        except Exception as error:  # whatever it is, the thread must go on
            if len(jobs) > 1:
                for job in jobs:
                    self._write(connection, [job])
                return
            if not isinstance(error, (sqlite3.Error, Conflict)):
                log.error("bug", kind=type(error).__name__, exc_info=error)
            failed = error if isinstance(error, Conflict) else StoreFailed(str(error))
            self._answer(jobs[0][1], failed)
            return
        self._loop.call_soon_threadsafe(_answer_all, [future for _, future in jobs], results)

    def _answer(self, future: asyncio.Future[Any], answer: object) -> None:
        self._loop.call_soon_threadsafe(_answer_all, [future], [answer])

    async def _do(self, job: Job[T]) -> T:
        """Write something."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((job, future))
        return await future

    async def _ask(self, job: Job[T]) -> T:
        """Read something."""
        return await self._loop.run_in_executor(self._reader, self._read, job)

    def _read(self, job: Job[T]) -> T:
        try:
            if self._reading is None:
                self._reading = _connect(self._path)
            return job(self._reading)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None

    # Tables

    async def commit(self, commit: Commit) -> None:
        """Write, durably; raises `Conflict` or `StoreFailed`."""
        await self._do(lambda connection: _commit(connection, commit))

    async def load(self, table: str) -> list[Row]:
        """A table's log."""
        sql = "SELECT table_id, version, entries FROM log WHERE table_id = ? ORDER BY version"
        return [Row(*row) for row in await self._ask(lambda c: c.execute(sql, (table,)).fetchall())]

    async def find_table(self, door: str) -> str | None:
        """The table that a code, a watch link or a screen's link opens."""
        sql = "SELECT id FROM tables WHERE code = ?1 OR watch = ?1 OR screen = ?1"
        row = await self._ask(lambda c: c.execute(sql, (door,)).fetchone())
        return None if row is None else str(row[0])

    async def lobby(self, limit: int) -> list[bytes]:
        """The summaries of public tables, the latest first."""
        sql = "SELECT summary FROM tables WHERE public ORDER BY touched DESC LIMIT ?"
        return [row[0] for row in await self._ask(lambda c: c.execute(sql, (limit,)).fetchall())]

    async def due(self, before: float) -> list[str]:
        """Tables that have something to do before this time, though nobody is there."""
        sql = "SELECT id FROM tables WHERE due < ? ORDER BY due"
        return [row[0] for row in await self._ask(lambda c: c.execute(sql, (before,)).fetchall())]

    async def touch(self, tables: list[str], now: float) -> None:
        """People are at these tables now."""
        sql = "UPDATE tables SET touched = ? WHERE id = ?"
        await self._do(lambda c: c.executemany(sql, [(now, table) for table in tables]))

    async def expire(self, phase: str, before: float) -> list[str]:
        """Forget tables in this phase that nobody has touched since; which they were."""

        def job(connection: sqlite3.Connection) -> list[str]:
            sql = "DELETE FROM tables WHERE phase = ? AND touched < ? RETURNING id"
            gone = [row[0] for row in connection.execute(sql, (phase, before)).fetchall()]
            ids = [(id_,) for id_ in gone]
            connection.executemany("DELETE FROM log WHERE table_id = ?", ids)
            connection.executemany("DELETE FROM table_players WHERE table_id = ?", ids)
            return gone

        return await self._do(job)

    async def expire_games(self, before: float) -> int:
        """Forget games that ended before; how many there were."""

        def job(connection: sqlite3.Connection) -> int:
            sql = "DELETE FROM games WHERE ended < ? RETURNING id"
            gone = connection.execute(sql, (before,)).fetchall()
            connection.executemany("DELETE FROM game_players WHERE game = ?", gone)
            return len(gone)

        return await self._do(job)

    async def last_alive(self) -> float | None:
        """When a server last used this store."""
        sql = "SELECT value FROM meta WHERE key = 'alive'"
        row = await self._ask(lambda c: c.execute(sql).fetchone())
        return None if row is None else float(row[0])

    async def beat(self, now: float) -> None:
        """A server is using this store."""
        await self._do(
            lambda c: c.execute("INSERT OR REPLACE INTO meta VALUES ('alive', ?)", (now,))
        )

    # Games

    async def game(self, id_: str) -> Game | None:
        """A game that is over."""
        sql = f"SELECT {_GAME} FROM games WHERE id = ?"  # noqa: S608
        row = await self._ask(lambda c: c.execute(sql, (id_,)).fetchone())
        return None if row is None else _game(row)

    async def games(self, player: str | None, limit: int) -> list[Game]:
        """The last public games, of everyone or of one player."""
        which, found = "public", (limit,)
        if player is not None:
            which = "public AND id IN (SELECT game FROM game_players WHERE player = ?)"
            found = (player, limit)  # type: ignore[assignment]
        sql = f"SELECT {_GAME} FROM games WHERE {which} ORDER BY ended DESC LIMIT ?"  # noqa: S608
        return [_game(row) for row in await self._ask(lambda c: c.execute(sql, found).fetchall())]

    # Players

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

    async def forget_player(self, id_: str) -> list[str]:
        """Delete a profile and its name everywhere; the tables whose logs were changed."""
        return await self._do(lambda connection: _forget(connection, id_))

    async def best_players(self, limit: int) -> list[PlayerData]:
        """The highest ratings."""
        sql = "SELECT * FROM players WHERE games > 0 ORDER BY mu - 3 * sigma DESC LIMIT ?"
        rows = await self._ask(lambda c: c.execute(sql, (limit,)).fetchall())
        return [PlayerData(*row) for row in rows]

    # Bans

    async def ban(self, what: str, until: float, reason: str) -> None:
        """Keep a player or an address out."""
        sql = "INSERT OR REPLACE INTO bans VALUES (?, ?, ?)"
        await self._do(lambda c: c.execute(sql, (what, until, reason)))

    async def unban(self, what: str) -> None:
        """Let them in again."""
        await self._do(lambda c: c.execute("DELETE FROM bans WHERE what = ?", (what,)))

    async def bans(self) -> list[tuple[str, float, str]]:
        """Who is kept out, until when, and why."""
        return await self._ask(lambda c: c.execute("SELECT * FROM bans").fetchall())


def prepare(path: str) -> None:
    """Make the file, or bring it up to date; raises `StoreFailed` with what is wrong with it."""
    _open(path).close()


def _open(path: str) -> sqlite3.Connection:
    """The connection that writes."""
    with _failing():
        # Whoever reads this file knows every hidden card.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = _connect(path)
    try:
        with _failing():
            connection.execute("PRAGMA secure_delete=ON")
            _upgrade(connection)
    except StoreFailed:
        connection.close()
        raise
    return connection


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise StoreFailed(reason or type(error).__name__) from None


def _connect(path: str) -> sqlite3.Connection:
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


def _transaction(connection: sqlite3.Connection, jobs: list[Job[Any]]) -> list[Any]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        results = [job(connection) for job in jobs]
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return results


def _answer_all(futures: list[asyncio.Future[Any]], answers: list[Any]) -> None:
    for future, answer in zip(futures, answers, strict=True):
        if future.done():
            continue  # whoever asked has gone
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


_APPEND = """
INSERT OR IGNORE INTO log SELECT ?1, ?2, ?3
  WHERE ?2 = 1 OR EXISTS (SELECT 1 FROM log WHERE table_id = ?1 AND version = ?2 - 1)
"""  # a row whose forerunner has gone belongs to a table that was deleted meanwhile


def _commit(connection: sqlite3.Connection, commit: Commit) -> None:
    rows = [(row.table, row.version, row.entries) for row in commit.rows]
    if connection.executemany(_APPEND, rows).rowcount != len(rows):
        connection.execute("ROLLBACK")  # else the rows that were written would look stale, too
        raise Conflict(_stale(connection, commit.rows))
    needless = [(row.table, row.version) for row in commit.rows if row.anew]
    connection.executemany("DELETE FROM log WHERE table_id = ? AND version < ?", needless)
    named = [(player, row.table) for row in commit.rows for player in players_in(row.entries)]
    if named:
        connection.executemany("INSERT OR IGNORE INTO table_players VALUES (?, ?)", named)
    taken = {one.id for one in commit.listings if not _list(connection, one)}
    if taken:
        raise Conflict(taken)
    for game in commit.games:
        _keep_game(connection, game)


_LIST = """
INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
  public=excluded.public, phase=excluded.phase, summary=excluded.summary,
  touched=excluded.touched, due=excluded.due
"""


def _list(connection: sqlite3.Connection, listing: Listing) -> bool:
    """Keep a table's listing; false if another table has one of its doors."""
    try:
        connection.execute(_LIST, astuple(listing))
    except sqlite3.IntegrityError:
        return False
    return True


def _stale(connection: sqlite3.Connection, rows: tuple[Row, ...]) -> set[str]:
    sql = "SELECT coalesce(max(version), 0) FROM log WHERE table_id = ?"
    return {
        row.table
        for row in rows
        if connection.execute(sql, (row.table,)).fetchone()[0] != row.version - 1
    }


_GAME = "id, table_id, ended, public, rated, record, standings"


def _game(row: tuple[Any, ...]) -> Game:
    id_, table, ended, public, rated, record, standings = row
    text = zlib.decompress(record).decode()
    return Game(id_, table, ended, bool(public), bool(rated), text, _standings(standings))


def _keep_game(connection: sqlite3.Connection, game: Game) -> None:
    """Keep a finished game, and move the ratings of those who played for one."""
    record = zlib.compress(game.record.encode())
    standings = msgspec.json.encode(game.standings)
    kept = (game.id, game.table, game.ended, game.public, game.rated, record, standings)
    connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", kept)
    players = [one for one in game.standings if one.player is not None]
    connection.executemany(
        "INSERT OR IGNORE INTO game_players VALUES (?, ?)",
        [(one.player, game.id) for one in players],
    )
    if not game.rated:
        return
    found = []
    for one in players:
        sql = "SELECT mu, sigma FROM players WHERE id = ?"
        row = connection.execute(sql, (one.player,)).fetchone()
        if row is not None:
            found.append((one, row))
    if len(found) < 2:
        return  # a game against bots is nobody's rating
    ratings = rate([row for _, row in found], [one.rank for one, _ in found])
    winners = sum(one.rank == 0 for one in game.standings)
    for (one, _), (mu, sigma) in zip(found, ratings, strict=True):
        won = 1 / winners if one.rank == 0 else 0.0
        sql = "UPDATE players SET mu=?, sigma=?, games=games+1, wins=wins+?, seen=? WHERE id=?"
        connection.execute(sql, (mu, sigma, won, game.ended, one.player))


def _forget(connection: sqlite3.Connection, player: str) -> list[str]:
    connection.execute("DELETE FROM players WHERE id = ?", (player,))
    connection.execute("DELETE FROM keys WHERE player = ?", (player,))
    sql = f"SELECT {_GAME} FROM games WHERE id IN (SELECT game FROM game_players WHERE player=?)"  # noqa: S608
    for row in connection.execute(sql, (player,)).fetchall():
        record, standings = redact_record(_game(row), player)
        connection.execute(
            "UPDATE games SET record = ?, standings = ? WHERE id = ?",
            (zlib.compress(record.encode()), msgspec.json.encode(standings), row[0]),
        )
    connection.execute("DELETE FROM game_players WHERE player = ?", (player,))
    sql = "DELETE FROM table_players WHERE player = ? RETURNING table_id"
    tables = sorted(table for (table,) in connection.execute(sql, (player,)).fetchall())
    for table in tables:
        _forget_at(connection, player, table)
    return tables


def _forget_at(connection: sqlite3.Connection, player: str, table: str) -> None:
    """Take a player's name out of a table's log and its line in the lobby."""
    sql = "SELECT version, entries FROM log WHERE table_id = ? ORDER BY version"
    old = connection.execute(sql, (table,)).fetchall()
    new, names, hosted = redact_log([entries for _, entries in old], player)
    connection.executemany(
        "UPDATE log SET entries = ? WHERE table_id = ? AND version = ?",
        [(entries, table, version) for (version, _), entries in zip(old, new, strict=True)],
    )
    sql = "SELECT summary FROM tables WHERE id = ?"
    for (summary,) in connection.execute(sql, (table,)).fetchall():
        line = redact_summary(summary, names, hosted)
        connection.execute("UPDATE tables SET summary = ? WHERE id = ?", (line, table))
