"""The store in PostgreSQL: many writers at once, older and newer databases, a server that fails."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import pytest

from five211.server.postgres import SCHEMA, PostgresStore, migrate, pool, tables
from five211.server.store import Commit, Conflict, Row, StoreFailed
from tests.server.helpers import hall, on_a_loop, until
from tests.server.players import raw_seat
from tests.server.stores import (
    admitted,
    game,
    listing,
    opened,
    player,
    postgres_in,
    postgres_url,
    row,
    standing,
)
from tests.services.postgres import Postgres, postgres

MANY = 8


@asynccontextmanager
async def many(folder: Path) -> AsyncIterator[list[PostgresStore]]:
    """As many processes would use one database."""
    async with AsyncExitStack() as stack:
        url = postgres_url(folder)
        yield [await stack.enter_async_context(opened(PostgresStore(url, 2))) for _ in range(MANY)]


def sql(folder: Path, *statements: str) -> list[Any]:
    return postgres().execute(postgres_url(folder).rpartition("/")[2], *statements)


# Many at once


@on_a_loop
async def test_of_those_who_write_the_same_version_one_wins_and_there_is_no_gap(
    tmp_path: Path,
) -> None:
    ids, won, stale = [f"t{n}" for n in range(6)], [], []

    async def race(number: int, store: PostgresStore) -> None:
        chance = Random(number)
        for turn in range(25):
            chosen = chance.sample(ids, 3)
            rows = []
            for id_ in chosen:
                last = max([one.version for one in await store.load(id_)], default=0)
                rows.append(Row(id_, last + 1, f'["{number}-{turn}"]'.encode()))
            try:
                await store.commit(Commit(tuple(rows)))
                won.extend(rows)
            except Conflict as conflict:
                stale.append(conflict.tables <= set(chosen))

    async with many(tmp_path) as stores:
        await asyncio.gather(*(race(number, store) for number, store in enumerate(stores)))
        kept = [one for id_ in ids for one in await stores[0].load(id_)]
    assert sorted(kept, key=repr) == sorted(won, key=repr)
    for id_ in ids:
        versions = [one.version for one in kept if one.table == id_]
        assert versions == list(range(1, len(versions) + 1))
    assert len(won) > MANY
    assert all(stale)


@on_a_loop
async def test_logs_that_begin_anew_or_expire_leave_no_gap(tmp_path: Path) -> None:
    async def write(number: int, store: PostgresStore, table: str) -> None:
        """Append, mostly after the last row, and now and then begin anew."""
        chance = Random(f"{table} {number}")
        while log := await store.load(table):
            last = log[-1].version
            new = Row(table, max(2, last + chance.choice((1, 1, 0))), b"[]", chance.random() < 0.3)
            with suppress(Conflict):
                await store.commit(Commit((new,), (listing(table),) * chance.choice((0, 1))))
            check(await store.load(table))
            if last > 40:
                break

    async def expire(store: PostgresStore, table: str) -> None:
        last = Random(table).randrange(2, 40)
        while (await store.load(table))[-1].version < last:
            await asyncio.sleep(0)
        assert await store.expire("gathering", 1e9) == [table]

    def check(log: list[Row]) -> None:
        versions = [one.version for one in log]
        assert versions == list(range(min(versions, default=0), max(versions, default=-1) + 1))

    async with many(tmp_path) as stores:
        for table in (f"t{number}" for number in range(12)):
            await stores[0].commit(Commit((row(table),), (listing(table),)))
            writing = [write(number, store, table) for number, store in enumerate(stores[1:])]
            await asyncio.gather(expire(stores[0], table), *writing)
            assert await stores[0].load(table) == []


@on_a_loop
async def test_a_row_waits_for_whoever_deletes_the_one_before_it(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        await store.commit(Commit((row("t"),)))
        other = await asyncpg.connect(postgres_url(tmp_path))
        deleting = other.transaction()
        await deleting.start()
        await other.execute("DELETE FROM log WHERE table_id = 't'")
        writing = asyncio.create_task(store.commit(Commit((row("t", 2),))))
        await _waits(tmp_path)
        await deleting.commit()
        with pytest.raises(Conflict):
            await writing
        assert await store.load("t") == []
        await other.close()


async def _waits(folder: Path) -> None:
    """Until somebody waits for a lock in this database."""
    waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
    while not await asyncio.to_thread(sql, folder, waiting):
        await asyncio.sleep(0.01)


@on_a_loop
async def test_whoever_deletes_waits_for_rows_that_are_on_their_way(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        await store.commit(Commit((row("t"),), (listing("t"),)))
        other = await asyncpg.connect(postgres_url(tmp_path))
        writing = other.transaction()
        await writing.start()
        await tables.append(other, [row("t", 2)])
        deleting = asyncio.create_task(store.expire("gathering", 1e9))
        await _waits(tmp_path)
        await writing.commit()
        assert await deleting == ["t"]
        assert await store.load("t") == []
        await other.close()


@on_a_loop
async def test_several_rows_of_one_table_may_come_at_once(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        rows = tuple(row("t", version) for version in (2, 1, 3))
        await store.commit(Commit(rows))
        assert [one.version for one in await store.load("t")] == [1, 2, 3]
        with pytest.raises(Conflict):
            await store.commit(Commit((row("t", 5), row("t", 6))))
        assert len(await store.load("t")) == 3


@on_a_loop
async def test_ratings_of_games_at_once_are_all_counted(tmp_path: Path) -> None:
    each = 5
    async with many(tmp_path) as stores:
        for id_ in ("ana", "ben", "cy"):
            await stores[0].new_player(player(id_), id_)

        async def play(number: int, store: PostgresStore) -> None:
            for turn in range(each):
                order = Random(number * each + turn).sample(["ana", "ben", "cy"], 3)
                standings = [standing(one, rank) for rank, one in enumerate(order)]
                played = game(f"{number}-{turn}", 1.0, *standings, rated=True)
                again = game(f"{number}-{turn} again", 1.0, *standings, rated=True)
                await store.commit(Commit((), (), (played, again)))

        await asyncio.gather(*(play(number, store) for number, store in enumerate(stores)))
        found = await stores[0].best_players(9)
        assert [one.games for one in found] == [2 * MANY * each] * 3
        assert sum(one.wins for one in found) == 2 * MANY * each


@on_a_loop
async def test_whoever_forgets_a_name_begins_again_if_a_row_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, late = tables.append, [row("t", 2)]

    async def interrupted(connection: Any, rows: Any) -> None:
        while late and rows[0].version == 2:
            await asyncio.shield(other.commit(Commit((late.pop(),))))
        await append(connection, rows)

    async with opened(postgres_in(tmp_path)) as store, opened(postgres_in(tmp_path)) as other:
        await store.commit(Commit((admitted("t", "ana"),)))
        monkeypatch.setattr(tables, "append", interrupted)
        assert await store.forget_player("ana") == ["t"]
        assert [one.version for one in await store.load("t")] == [1, 2, 3]
        assert b"ana" not in (await store.load("t"))[0].entries


@on_a_loop
async def test_a_name_at_a_table_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        sql(tmp_path, "INSERT INTO table_players VALUES ('ana', 'gone')")
        assert await store.forget_player("ana") == ["gone"]
        assert await store.load("gone") == []
        assert await store.forget_player("ana") == []


@on_a_loop
async def test_a_knot_of_locks_is_untied_and_the_job_done_again(tmp_path: Path) -> None:
    tried = 0

    async def job(connection: Any) -> None:
        nonlocal tried
        tried += 1
        await connection.execute("INSERT INTO bans VALUES ('x', 1, '')")
        if tried < 3:
            raise asyncpg.DeadlockDetectedError("deadlock detected")

    async def never(_: Any) -> None:
        raise asyncpg.SerializationError("could not serialize")

    async with opened(postgres_in(tmp_path)) as store:
        await store._do(job)
        assert await store.bans() == [("x", 1.0, "")]
        with pytest.raises(StoreFailed, match="others were quicker"):
            await store._do(never)


# Whoever waits, and whoever does not


@on_a_loop
async def test_what_was_begun_is_finished_though_nobody_waits(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        writing = asyncio.create_task(store.commit(Commit((row("t"),))))
        refused = asyncio.create_task(store.commit(Commit((row("t", 9),))))
        await asyncio.sleep(0)
        writing.cancel()
        refused.cancel()
    async with opened(postgres_in(tmp_path)) as store:
        assert len(await store.load("t")) == 1


@on_a_loop
async def test_a_read_that_nobody_waits_for_costs_one_connection(tmp_path: Path) -> None:
    async with opened(PostgresStore(postgres_url(tmp_path), 1)) as store:
        reading = asyncio.create_task(store._ask(lambda c: c.fetch("SELECT pg_sleep(60)")))
        await until(lambda: store._pool.get_idle_size() == 0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await store.bans() == []


@on_a_loop
async def test_text_may_have_a_sign_that_postgres_does_not_know(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        assert await store.player_named("a\0") is None
        await store.ban("a\0", 1.0, "\0")
        assert await store.bans() == [
            ("a\N{REPLACEMENT CHARACTER}", 1.0, "\N{REPLACEMENT CHARACTER}")
        ]
        await store.unban("a\0")
        assert await store.bans() == []


@on_a_loop
async def test_connections_say_whose_they_are(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        assert await store._ask(lambda c: c.fetchval("SHOW application_name")) == "five211"
        assert await store._ask(lambda c: c.fetchval("SHOW statement_timeout")) == "5s"


# A database that fails


@on_a_loop
async def test_what_is_told_of_a_failure_has_nothing_that_was_to_be_written(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        await store.new_player(player("ana", login="hidden login"), "hidden key")
        for twin, key in ((player("ben", login="hidden login"), "b"), (player("cy"), "hidden key")):
            with pytest.raises(StoreFailed) as error:
                await store.new_player(twin, key)
            assert str(error.value) == "PostgreSQL says 23505"
            assert error.value.__suppress_context__
        with pytest.raises(StoreFailed, match="says 22000"):
            await store.beat("p", "hidden", {})  # type: ignore[arg-type]
        with pytest.raises(StoreFailed, match="says 42P01"):
            await store._ask(lambda c: c.fetch("SELECT * FROM nothing"))


@pytest.mark.parametrize(
    ("state", "said"), [("53100", "^No space left"), ("23514", "^PostgreSQL says 23514$")]
)
def test_a_disk_that_is_full_fails_the_commit_and_then_it_goes_on(
    tmp_path: Path, state: str, said: str
) -> None:
    sql(
        tmp_path,
        "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"RAISE EXCEPTION 'No space left on device' USING ERRCODE = '{state}'; END $$",
        "CREATE TRIGGER no_space BEFORE INSERT ON log EXECUTE FUNCTION no_space()",
    )

    @on_a_loop
    async def test() -> None:
        async with opened(postgres_in(tmp_path)) as store:
            with pytest.raises(StoreFailed, match=said):
                await store.commit(Commit((row("t"),), (listing("t"),)))
            assert await store.find_table("Ct") is None
            sql(tmp_path, "DROP TRIGGER no_space ON log")
            await store.commit(Commit((row("t"),), (listing("t"),)))

    test()


@on_a_loop
async def test_a_database_that_is_only_to_be_read_says_so(tmp_path: Path) -> None:
    name = postgres_url(tmp_path).rpartition("/")[2]
    sql(tmp_path, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    async with opened(postgres_in(tmp_path)) as store:
        assert await store.load("t") == []
        with pytest.raises(StoreFailed, match="read-only transaction"):
            await store.commit(Commit((row("t"),)))


AT_THE_END = """
CREATE SEQUENCE tries;
CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM nextval('tries'), pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON log DEFERRABLE INITIALLY {} FOR EACH ROW
  EXECUTE FUNCTION cut();
"""


@pytest.mark.parametrize(("when", "tries"), [("DEFERRED", 1), ("IMMEDIATE", pool.TRIES)])
def test_only_before_its_end_a_lost_transaction_is_done_again(
    tmp_path: Path, when: str, tries: int
) -> None:
    """Nobody knows whether it was written if the connection is lost at the end."""
    sql(tmp_path, AT_THE_END.format(when), "SELECT 1")

    @on_a_loop
    async def test() -> None:
        async with opened(postgres_in(tmp_path)) as store:
            with pytest.raises(StoreFailed):
                await store.commit(Commit((row("t"),)))
            assert sql(tmp_path, "SELECT last_value FROM tries") == [(tries,)]
            sql(tmp_path, "DROP TRIGGER cut ON log")
            await store.commit(Commit((row("t"),)))

    test()


@on_a_loop
async def test_connections_that_were_cut_are_made_anew(tmp_path: Path) -> None:
    async with opened(postgres_in(tmp_path)) as store:
        await asyncio.gather(*(store.load("t") for _ in range(8)))
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        sql(tmp_path, f"{cut} AND datname = current_database()")
        await store.commit(Commit((row("t"),)))
        assert await store.load("t") == [row("t")]


@pytest.fixture(scope="module")
def fragile() -> Iterator[Postgres]:
    """A server to be killed and paused, which writes to the disk as a real one does."""
    server = Postgres()
    server.start()
    server.execute("postgres", "CREATE DATABASE five211")
    yield server
    server.remove()


def test_what_was_committed_is_there_after_postgres_was_killed(fragile: Postgres) -> None:
    @on_a_loop
    async def test() -> None:
        async with opened(PostgresStore(fragile.url("five211"))) as store:
            await store.commit(Commit((row("killed"),)))
            await asyncio.to_thread(fragile.kill)
            with pytest.raises(StoreFailed):
                await store.commit(Commit((row("killed", 2),)))
            with pytest.raises(StoreFailed):
                await store.load("killed")
            await asyncio.to_thread(fragile.start)
            assert await store.load("killed") == [row("killed")]
            await store.commit(Commit((row("killed", 2),)))
            await asyncio.to_thread(fragile.stop)
        await asyncio.to_thread(fragile.start)

    test()


def test_a_postgres_that_is_paused_is_not_waited_for(fragile: Postgres) -> None:
    @on_a_loop
    async def test() -> None:
        url = fragile.url("five211")
        async with opened(PostgresStore(url, patience=0.5)) as store:
            await store.commit(Commit((row("paused"),)))
            fragile.pause()
            for work in (store.commit(Commit((row("paused", 2),))), store.load("paused")):
                with pytest.raises(StoreFailed, match="does not answer"):
                    await work
            with pytest.raises(StoreFailed, match="does not answer"):
                await PostgresStore(url, patience=0.5).open()
            fragile.go_on()
            log = await store.load("paused")
            assert [one.version for one in log] in ([1], [1, 2])
            await store.commit(Commit((row("paused", len(log) + 1),)))
            fragile.pause()
        fragile.go_on()  # it was closed though nobody answered

    test()


def test_people_come_back_to_what_is_written_when_postgres_does(
    fragile: Postgres, tmp_path: Path
) -> None:
    @on_a_loop
    async def test() -> None:
        database = fragile.url("five211")
        async with hall(tmp_path, database=database, database_patience=0.5) as one:
            seat = await one.make(chat=True)
            async with raw_seat(one, seat) as socket:
                await socket.frame()
                await asyncio.to_thread(fragile.stop)
                assert await one.refused("POST", "/api/tables", name="Ben") == (503, "try_again")
                assert (await one.send("GET", "/api/ready")).status_code == 503
                await asyncio.to_thread(fragile.start)
            async with raw_seat(one, seat) as socket:
                await socket.frame()
                assert (await socket.answer(type="say", id="again", text="hello"))["done"]

    test()


# Older and newer databases, and those that are not there


def empty(folder: Path) -> str:
    """A database without any tables."""
    url = postgres_url(folder)
    sql(folder, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return url


@pytest.mark.parametrize("version", range(len(SCHEMA) + 1))
def test_a_database_of_every_version_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    empty(tmp_path)
    if version:
        made = f"CREATE TABLE schema AS SELECT {version} AS version"
        sql(tmp_path, *SCHEMA[:version], made)

    @on_a_loop
    async def test() -> None:
        async with opened(postgres_in(tmp_path)) as store:
            await store.commit(Commit((row("t"),), (listing("t", due=3.0),), (game("g"),)))
            assert list(await store.due(5.0)) == ["t"]

    test()
    assert sql(tmp_path, "SELECT version FROM schema") == [(len(SCHEMA),)]


@on_a_loop
async def test_a_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    sql(tmp_path, "UPDATE schema SET version = version + 1")
    for work in (postgres_in(tmp_path).open(), migrate(postgres_url(tmp_path))):
        with pytest.raises(StoreFailed, match="newer version"):
            await work
    assert sql(tmp_path, "SELECT version FROM schema") == [(len(SCHEMA) + 1,)]


@on_a_loop
async def test_somebody_elses_database_is_left_as_it_is(tmp_path: Path) -> None:
    url = empty(tmp_path)
    sql(tmp_path, "CREATE TABLE games (title text)")
    with pytest.raises(StoreFailed, match='"games" already exists'):
        await migrate(url)
    assert sql(tmp_path, "SELECT to_regclass('schema')") == [(None,)]


@on_a_loop
async def test_of_those_who_bring_it_up_to_date_at_once_all_succeed(tmp_path: Path) -> None:
    url = empty(tmp_path)
    await asyncio.gather(*(migrate(url) for _ in range(MANY)))
    assert sql(tmp_path, "SELECT version FROM schema") == [(len(SCHEMA),)]


def test_two_processes_may_bring_it_up_to_date_at_once(tmp_path: Path) -> None:
    url = empty(tmp_path)
    command = [sys.executable, "-m", "five211", "db", "migrate", "--database", url, "--lang", "en"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=100)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert all(line.endswith(" is up to date.\n") and "hidden" not in line for line in said)


HERE = "postgresql://postgres:hidden@127.0.0.1:{port}/postgres"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "postgresql://postgres:hidden@127.0.0.1:{port}/nothing",
            'database "nothing" does not exi',
        ),
        ("postgresql://127.0.0.1:1/hidden", "Connect"),
        ("postgresql://postgres:hidden@127.0.0.1:many/x", "no address of a PostgreSQL"),
        ("postgresql://hidden.invalid/x", ""),
        (f"{HERE}?sslmode=nonsense", "`sslmode` parameter must be one of: disable, "),
        (f"{HERE}?sslmode=require", "this PostgreSQL does not speak TLS, which sslmode asks for"),
        (f"{HERE}?sslmode=verify-full", 'root certificate file "'),
        (f"{HERE}?sslmode=verify-ca&sslrootcert=/no/ca", "sslrootcert is “/no/ca”: No such file"),
        (f"{HERE}?sslmode=require&sslkey=/no/key", "sslkey is “/no/key”: No such file"),
        (f"{HERE}?sslmod=require", 'unrecognized configuration parameter "sslmod"'),
        ("postgresql://me:hid@den@127.0.0.1/x", "in a password @ is written %40, / %2F"),
        ("postgresql://me:12/hidden@127.0.0.1/x", "in a password @ is written %40, / %2F"),
        ("postgresql://me:hid@den/hidden@127.0.0.1/x", "in a password @ is written %40, / %2F"),
        ("postgresql://me:hidden?x@127.0.0.1/x", "in a password @ is written %40, / %2F"),
        ("postgresql://me:1#hidden@127.0.0.1/x", "in a password @ is written %40, / %2F"),
    ],
)
def test_a_database_that_is_not_there_is_told_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreFailed) as error:
        asyncio.run(migrate(url.format(port=postgres().port)))
    assert said in str(error.value)
    assert "hid" not in str(error.value)
