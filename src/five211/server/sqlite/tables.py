"""Tables: their logs, and how they are found."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import astuple

from five211.server.redact import players_in, redact_log, redact_summary, rewritten
from five211.server.sqlite.threads import Threads
from five211.server.store import Conflict, Listing, Row


class Tables(Threads):
    """What the store does with tables."""

    async def load(self, table: str) -> list[Row]:
        """A table's log."""
        sql = "SELECT table_id, version, entries FROM log WHERE table_id = ? ORDER BY version"
        return [Row(*row) for row in await self._ask(lambda c: c.execute(sql, (table,)).fetchall())]

    async def newer(self, tables: Mapping[str, int]) -> dict[str, list[Row]]:
        """The rows after these versions, of tables that have some; none of one that has gone."""
        sql = "SELECT table_id, version, entries FROM log WHERE table_id = ? ORDER BY version"
        last = "SELECT coalesce(max(version), 0) FROM log WHERE table_id = ?"

        def job(connection: sqlite3.Connection) -> dict[str, list[Row]]:
            found = {}
            for table, version in tables.items():
                if connection.execute(last, (table,)).fetchone()[0] != version:
                    rows = connection.execute(sql, (table,)).fetchall()
                    found[table] = [Row(*row) for row in rows if row[1] > version]
            return found

        return await self._ask(job)

    async def find_table(self, door: str) -> str | None:
        """The table that a code, a watch link or a screen's link opens."""
        sql = "SELECT id FROM tables WHERE code = ?1 OR watch = ?1 OR screen = ?1"
        row = await self._ask(lambda c: c.execute(sql, (door,)).fetchone())
        return None if row is None else str(row[0])

    async def lobby(self, limit: int) -> list[bytes]:
        """The summaries of public tables, the latest first."""
        sql = "SELECT summary FROM tables WHERE public ORDER BY touched DESC LIMIT ?"
        return [row[0] for row in await self._ask(lambda c: c.execute(sql, (limit,)).fetchall())]

    async def due(self, before: float) -> dict[str, float]:
        """Tables that have something to do before this time, though nobody is there; and when."""
        sql = "SELECT id, due FROM tables WHERE due < ? ORDER BY due"
        return dict(await self._ask(lambda c: c.execute(sql, (before,)).fetchall()))

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


_APPEND = """
INSERT OR IGNORE INTO log SELECT ?1, ?2, ?3
  WHERE CASE WHEN ?2 = 1 THEN NOT EXISTS (SELECT 1 FROM log WHERE table_id = ?1)
    ELSE EXISTS (SELECT 1 FROM log WHERE table_id = ?1 AND version = ?2 - 1) END
"""  # a row whose forerunner has gone belongs to a table that was deleted meanwhile


def append(connection: sqlite3.Connection, rows: tuple[Row, ...]) -> None:
    """Write rows of logs, or raise `Conflict` and write nothing of this transaction."""
    new = [(row.table, row.version, row.entries) for row in rows]
    if connection.executemany(_APPEND, new).rowcount != len(new):
        # Else the rows that were written would look stale, too. The transaction is not ours:
        # whoever began it (`threads.py`) finds it ended, and only passes the error on.
        connection.execute("ROLLBACK")
        raise Conflict(_stale(connection, rows))
    needless = [(row.table, row.version) for row in rows if row.anew]
    connection.executemany("DELETE FROM log WHERE table_id = ? AND version < ?", needless)
    named = [(player, row.table) for row in rows for player in players_in(row.entries)]
    if named:
        connection.executemany("INSERT OR IGNORE INTO table_players VALUES (?, ?)", named)


def _stale(connection: sqlite3.Connection, rows: tuple[Row, ...]) -> set[str]:
    sql = "SELECT coalesce(max(version), 0) FROM log WHERE table_id = ?"
    return {
        row.table
        for row in rows
        if connection.execute(sql, (row.table,)).fetchone()[0] != row.version - 1
    }


_LIST = """
INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
  public=excluded.public, phase=excluded.phase, summary=excluded.summary,
  touched=excluded.touched, due=excluded.due
"""


def enlist(connection: sqlite3.Connection, listings: tuple[Listing, ...]) -> None:
    """Keep how tables are found, or raise `Conflict` for those whose doors are another's."""
    taken = {one.id for one in listings if not list_table(connection, one)}
    if taken:
        raise Conflict(taken)


def list_table(connection: sqlite3.Connection, listing: Listing) -> bool:
    """Keep how a table is found; false if its doors are another's."""
    try:
        connection.execute(_LIST, astuple(listing))
    except sqlite3.IntegrityError:
        return False
    return True


def forget_at_tables(connection: sqlite3.Connection, player: str) -> list[str]:
    """Take a player's name out of every table; which they were."""
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
    if old:  # so that other processes read it again
        last = (table, old[-1][0] + 1, rewritten(new))
        connection.execute("INSERT INTO log VALUES (?, ?, ?)", last)
    sql = "SELECT summary FROM tables WHERE id = ?"
    for (summary,) in connection.execute(sql, (table,)).fetchall():
        line = redact_summary(summary, names, hosted)
        connection.execute("UPDATE tables SET summary = ? WHERE id = ?", (line, table))
