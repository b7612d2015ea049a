"""Tables: their logs, and how they are found.

Two laws keep a log whole though many processes write it. Whoever appends a row holds the row before
it (`FOR UPDATE`) until the end of the transaction, so nobody takes that away meanwhile, and others
who would append there wait. Whoever deletes waits for those, and looks again until nothing is left.
So a log never has a gap, and of those who write the same version one wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple

from five211.server.postgres.pool import Connection, Pool, TryAgain
from five211.server.redact import players_in, redact_log, redact_summary, rewritten
from five211.server.store import Conflict, Listing, Row

_HOLD = "SELECT id FROM tables WHERE id = ANY($1) ORDER BY id FOR UPDATE"
_TOUCH = f"""
WITH held AS ({_HOLD}) UPDATE tables SET touched = $2 FROM held WHERE tables.id = held.id
"""  # noqa: S608

_NEWER = """
SELECT known.id, log.version, log.entries
  FROM unnest($1::text[], $2::integer[]) AS known (id, version)
  LEFT JOIN LATERAL (
    SELECT version, CASE WHEN version > known.version THEN entries END AS entries FROM log
      WHERE table_id = known.id COLLATE "C" AND version >= known.version ORDER BY version
  ) AS log ON true
  WHERE log.version IS DISTINCT FROM known.version
  ORDER BY known.id, log.version
"""  # for each table a few rows of the index; without even the one that is known, it has gone


class Tables(Pool):
    """What the store does with tables."""

    async def load(self, table: str) -> list[Row]:
        """A table's log."""
        sql = "SELECT table_id, version, entries FROM log WHERE table_id = $1 ORDER BY version"
        return [Row(*row) for row in await self._ask(lambda c: c.fetch(sql, table))]

    async def newer(self, tables: Mapping[str, int]) -> dict[str, list[Row]]:
        """The rows after these versions, of tables that have some; none of one that has gone."""
        rows = await self._ask(lambda c: c.fetch(_NEWER, list(tables), list(tables.values())))
        found: dict[str, list[Row]] = {}
        for table, version, entries in rows:
            found.setdefault(table, [])
            if version is not None:
                found[table].append(Row(table, version, entries))
        return found

    async def find_table(self, door: str) -> str | None:
        """The table that a code, a watch link or a screen's link opens."""
        sql = "SELECT id FROM tables WHERE code = $1 OR watch = $1 OR screen = $1"
        found: str | None = await self._ask(lambda c: c.fetchval(sql, door))
        return found

    async def lobby(self, limit: int) -> list[bytes]:
        """The summaries of public tables, the latest first."""
        sql = "SELECT summary FROM tables WHERE public ORDER BY touched DESC LIMIT $1"
        return [row[0] for row in await self._ask(lambda c: c.fetch(sql, limit))]

    async def due(self, before: float) -> dict[str, float]:
        """Tables that have something to do before this time, though nobody is there; and when."""
        sql = "SELECT id, due FROM tables WHERE due < $1 ORDER BY due"
        return {row["id"]: row["due"] for row in await self._ask(lambda c: c.fetch(sql, before))}

    async def touch(self, tables: list[str], now: float) -> None:
        """People are at these tables now."""
        await self._do(lambda c: c.execute(_TOUCH, tables, now))

    async def expire(self, phase: str, before: float) -> list[str]:
        """Forget tables in this phase that nobody has touched since; which they were."""

        async def job(connection: Connection) -> list[str]:
            sql = "DELETE FROM tables WHERE phase = $1 AND touched < $2 RETURNING id"
            gone = [row[0] for row in await connection.fetch(sql, phase, before)]
            left = "SELECT 1 FROM log WHERE table_id = ANY($1) LIMIT 1"
            while await connection.fetchval(left, gone):
                # It waits for rows that are on their way, but does not see them.
                await connection.execute("DELETE FROM log WHERE table_id = ANY($1)", gone)
            sql = "DELETE FROM table_players WHERE table_id = ANY($1)"
            await connection.execute(sql, gone)
            return gone

        return await self._do(job)


_APPEND = """
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::integer[], $3::bytea[], $4::boolean[])
    AS new (table_id, version, entries, follows)),
held AS (
  SELECT log.table_id, log.version FROM log JOIN new
    ON log.table_id = new.table_id AND log.version = new.version - 1 AND new.follows
    ORDER BY log.table_id FOR UPDATE OF log)
INSERT INTO log SELECT table_id, version, entries FROM new
  WHERE CASE WHEN version = 1
    THEN NOT EXISTS (SELECT 1 FROM log WHERE log.table_id = new.table_id)
    ELSE NOT follows OR (table_id, version - 1) IN (SELECT table_id, version FROM held) END
  ORDER BY table_id COLLATE "C", version
  ON CONFLICT DO NOTHING RETURNING table_id, version
"""  # a row whose forerunner has gone belongs to a table that was deleted meanwhile


async def append(connection: Connection, rows: Sequence[Row]) -> None:
    """Write rows of logs, or raise `Conflict`: then the whole transaction is to be undone."""
    if not rows:
        return
    new = {(row.table, row.version): row for row in rows}
    columns = (
        [table for table, _ in new],
        [version for _, version in new],
        [row.entries for row in new.values()],
        [version != 1 and (table, version - 1) not in new for table, version in new],
    )
    written = {tuple(row) for row in await connection.fetch(_APPEND, *columns)}
    stale = {table for table, version in new if (table, version) not in written}
    if stale:
        raise Conflict(stale)
    needless = [(row.table, row.version) for row in rows if row.anew]
    if needless:
        sql = "DELETE FROM log WHERE table_id = $1 AND version < $2"
        await connection.executemany(sql, needless)
    await name_players(connection, rows)


async def name_players(connection: Connection, rows: Sequence[Row]) -> None:
    """Note whom rows name, so that they can be forgotten."""
    named = sorted({(player, row.table) for row in rows for player in players_in(row.entries)})
    if named:
        sql = "INSERT INTO table_players VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await connection.executemany(sql, named)


_LISTED = """unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[],
    $7::bytea[], $8::float8[], $9::float8[])
  AS new (id, code, watch, screen, public, phase, summary, touched, due)"""

_CHANGE = f"""
WITH held AS ({_HOLD})
UPDATE tables SET public = new.public, phase = new.phase, summary = new.summary,
  touched = new.touched, due = new.due
  FROM held, {_LISTED} WHERE held.id = new.id AND tables.id = new.id RETURNING new.id
"""  # noqa: S608

_LIST = f"""
INSERT INTO tables SELECT * FROM {_LISTED} ORDER BY new.id COLLATE "C"
  ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608


async def enlist(connection: Connection, listings: Sequence[Listing]) -> None:
    """Keep how tables are found, or raise `Conflict` for those whose doors are another's."""
    left = {one.id: one for one in listings}
    for sql in (_CHANGE, _LIST):
        if left:
            columns = zip(*map(astuple, left.values()), strict=True)
            done = {row[0] for row in await connection.fetch(sql, *map(list, columns))}
            left = {id_: one for id_, one in left.items() if id_ not in done}
    if left:
        raise Conflict(set(left))


async def forget_at_tables(connection: Connection, player: str) -> list[str]:
    """Take a player's name out of every table; which they were."""
    sql = "SELECT table_id FROM table_players WHERE player = $1 ORDER BY table_id"
    tables = [row[0] for row in await connection.fetch(sql, player)]
    await connection.execute(_HOLD, tables)
    for table in tables:
        await _forget_at(connection, player, table)
    sql = "DELETE FROM table_players WHERE player = $1 AND table_id = ANY($2)"
    await connection.execute(sql, player, tables)
    return tables


async def _forget_at(connection: Connection, player: str, table: str) -> None:
    """Take a player's name out of a table's log and its line in the lobby.

    A row that says so comes last: no process that has the table in memory can write on from what
    it knew, and all of them read the log again, without the name.
    """
    sql = "SELECT version, entries FROM log WHERE table_id = $1 ORDER BY version"
    old = await connection.fetch(sql, table)
    try:
        said = rewritten([entries for _, entries in old]) if old else b""
        await append(connection, [Row(table, one[0] + 1, said) for one in old[-1:]])
    except Conflict:
        raise TryAgain from None
    new, names, hosted = redact_log([entries for _, entries in old], player)
    await connection.executemany(
        "UPDATE log SET entries = $3 WHERE table_id = $1 AND version = $2",
        [(table, version, entries) for (version, _), entries in zip(old, new, strict=True)],
    )
    for row in await connection.fetch("SELECT summary FROM tables WHERE id = $1", table):
        line = redact_summary(row[0], names, hosted)
        await connection.execute("UPDATE tables SET summary = $2 WHERE id = $1", table, line)
