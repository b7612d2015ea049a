"""The store in an SQLite file: group commits, older and newer files, a disk that fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from five211.server.guests import Guests
from five211.server.sqlite import SCHEMA, SqliteStore, prepare, threads
from five211.server.store import Commit, Conflict, StoreFailed
from tests.server.helpers import Hall, closed_with, code_of, hall, heard, on_a_loop
from tests.server.houses import server_process
from tests.server.players import raw_seat
from tests.server.stores import game, listing, opened, row, sqlite_file, sqlite_in


@asynccontextmanager
async def busy(store: SqliteStore) -> AsyncIterator[None]:
    """The writer has something to do until the end of this, so that jobs gather."""
    begun, go_on = threading.Event(), threading.Event()

    def job(_: sqlite3.Connection) -> None:
        begun.set()
        go_on.wait(20)

    first = asyncio.create_task(store._do(job))
    await asyncio.to_thread(begun.wait, 20)
    try:
        yield
    finally:
        go_on.set()
        await first


async def outcomes(*work: Awaitable[Any]) -> list[Any]:
    return await asyncio.gather(*work, return_exceptions=True)


@on_a_loop
async def test_what_waits_is_written_in_one_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    transaction = threads._transaction

    def counted(connection: sqlite3.Connection, jobs: list[Any]) -> list[Any]:
        sizes.append(len(jobs))
        return transaction(connection, jobs)

    monkeypatch.setattr(threads, "_transaction", counted)
    async with opened(sqlite_in(tmp_path)) as store:
        async with busy(store):
            commits = [Commit((row(f"t{number}"),)) for number in range(5)]
            writing = asyncio.gather(*(store.commit(commit) for commit in commits))
            await asyncio.sleep(0)
        await writing
        assert sizes == [1, 5]
        loaded = [await store.load(f"t{number}") for number in range(5)]
        assert loaded == [[row(f"t{number}")] for number in range(5)]


@on_a_loop
async def test_a_conflict_names_its_table_and_fails_alone(tmp_path: Path) -> None:
    async with opened(sqlite_in(tmp_path)) as store:
        await store.commit(Commit((row("old"),), (listing("old"),)))
        stale = Commit((row("new"), row("old")), (listing("new"),), (game("g"),))
        async with busy(store):
            commits = (Commit((row("a"),)), stale, Commit((row("old", 2),)))
            writing = asyncio.gather(*map(store.commit, commits), return_exceptions=True)
            await asyncio.sleep(0)
        found = await writing
        assert (found[0], found[2]) == (None, None)
        assert isinstance(found[1], Conflict)
        assert found[1].tables == {"old"}
        assert await store.load("new") == []
        assert await store.find_table("Cnew") is None
        assert await store.game("g") is None
        assert len(await store.load("a")) == 1
        assert len(await store.load("old")) == 2


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "five211.sqlite"
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript(SCHEMA[0])
        clock = b'{"clock":{"seconds":86400.0,"correspondence":true}}'
        values = ("a", "A", "w", "s", 0, "playing", 1, clock, 1.0)
        old.execute("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?)", values)
        old.execute("INSERT INTO tables VALUES ('c','C','y','u',0,'playing',1,x'7b7d',1.0)")
        old.execute("INSERT INTO tables VALUES ('b','B','x','t',0,'playing',0,x'7b7d',1.0)")
        old.execute("PRAGMA user_version = 1")

    @on_a_loop
    async def test() -> None:
        async with opened(sqlite_in(tmp_path)) as store:
            assert list(await store.due(5.0)) == ["a"]
            await store.commit(Commit((row("b"),), (listing("b", due=3.0),)))
            assert list(await store.due(5.0)) == ["a", "b"]

    test()


@on_a_loop
async def test_a_code_that_is_taken_is_tried_again_by_whoever_makes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path, database=str(sqlite_file(tmp_path))) as one:
        first = await one.make()
        with monkeypatch.context() as patched:
            code = Guests.code
            patched.setattr(Guests, "code", lambda g, n: first["code"] if n == 6 else code(g, n))
            assert await one.refused("POST", "/api/tables", name="Cy") == (503, "try_again")
        assert list(one.hub.lives) == [first["table"]]
        door = await one.good("POST", "/api/doors", door=first["code"])
        assert door["table"]["id"] == first["table"]
        await one.make(name="Dee")


def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What sets a pragma of the connection that writes, before its next transaction."""
    transaction, pragmas = threads._transaction, ["user_version"]

    def changed(connection: sqlite3.Connection, jobs: list[Any]) -> list[Any]:
        connection.execute(f"PRAGMA {pragmas[-1]}").fetchall()
        return transaction(connection, jobs)

    monkeypatch.setattr(threads, "_transaction", changed)
    return pragmas.append


async def until_full(one: Hall) -> tuple[int, str]:
    """How a table is refused as soon as there is no room for it."""
    while True:
        answer = await one.ask("POST", "/api/tables", name="Ben")
        if answer.status_code != 201:
            return answer.status_code, code_of(answer)


@pytest.mark.parametrize(
    ("fails", "works"),
    [("max_page_count = 1", "max_page_count = 1000000"), ("query_only = ON", "query_only = OFF")],
    ids=["full", "read-only"],
)
def test_while_the_disk_fails_one_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, works: str
) -> None:
    pragma = disk(monkeypatch)

    @on_a_loop
    async def test() -> None:
        async with hall(tmp_path, database=str(sqlite_file(tmp_path))) as one:
            seat = await one.make(chat=True)
            async with raw_seat(one, seat) as socket:
                await socket.frame()
                pragma(fails)
                assert await until_full(one) == (503, "try_again")
                for number in range(40):
                    await socket.send(type="say", id=str(number), text="x" * 200)
                assert await closed_with(socket.socket) == 1012
            assert (await one.send("GET", "/api/ready")).status_code == 200
            assert "five211_store_failures_total 0.0" not in one.hub.metrics.text().decode()
            pragma(works)
            async with raw_seat(one, seat) as socket:
                await socket.frame()
                assert (await socket.answer(type="say", id="again", text="hello"))["done"]
            assert (await one.join(seat))["seat"] == 1

    with heard():
        test()


@on_a_loop
async def test_a_profile_that_is_not_written_is_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pragma = disk(monkeypatch)
    async with hall(tmp_path, database=str(sqlite_file(tmp_path))) as one:
        pragma("query_only = ON")
        with heard() as logged:
            refused = await one.refused("POST", "/api/players", name="Ana")
        assert refused == (503, "try_again")
        (line,) = logged  # though the janitor may try, too
        assert (line["event"], line["log_level"]) == ("store failed", "error")
        assert line["reason"] == "attempt to write a readonly database"
        pragma("query_only = OFF")
        await one.profile("Ana")


@on_a_loop
async def test_a_read_that_fails_is_told_as_such(tmp_path: Path) -> None:
    async with opened(sqlite_in(tmp_path)) as store:
        with pytest.raises(StoreFailed):
            await store._ask(lambda connection: connection.execute("SELECT nonsense"))
        assert await store.bans() == []


@on_a_loop
async def test_a_bug_in_one_job_does_not_stop_the_writer(tmp_path: Path) -> None:
    def bug(_: sqlite3.Connection) -> None:
        raise KeyError("secret")

    async with opened(sqlite_in(tmp_path)) as store:
        with heard() as logged:
            (found,) = await outcomes(store._do(bug))
        assert isinstance(found, StoreFailed)
        assert str(found) == "KeyError"
        assert [(one["event"], one["kind"]) for one in logged] == [("bug", "KeyError")]
        await store.commit(Commit((row("t"),)))


@on_a_loop
async def test_whoever_no_longer_waits_does_not_stop_the_writer(tmp_path: Path) -> None:
    async with opened(sqlite_in(tmp_path)) as store:
        async with busy(store):
            writing = asyncio.create_task(store.commit(Commit((row("t"),))))
            await asyncio.sleep(0)
            writing.cancel()
        await store.beat("p", 1.0, {})
        assert len(await store.load("t")) == 1


@on_a_loop
async def test_what_was_begun_is_finished_at_the_end(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "five211.sqlite"))
    await store.open()
    async with busy(store):
        writing = asyncio.create_task(store.commit(Commit((row("t"),))))
        await asyncio.sleep(0)
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0)
    await writing
    await closing
    async with opened(sqlite_in(tmp_path)) as store:
        assert len(await store.load("t")) == 1


def file_of_version(folder: Path, version: int) -> Path:
    path = folder / "five211.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    return path


@on_a_loop
async def test_a_file_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = file_of_version(tmp_path, len(SCHEMA) + 1)
    before = path.read_bytes()
    with pytest.raises(StoreFailed, match="newer version"):
        await SqliteStore(str(path)).open()
    with pytest.raises(StoreFailed, match="newer version"):
        prepare(str(path))
    assert sqlite3.connect(path).execute("SELECT * FROM sqlite_master").fetchall() == []
    assert len(path.read_bytes()) == len(before)


@pytest.mark.parametrize("what", ["folder", "no folder", "text"])
def test_what_is_no_database_is_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / "x" / "five211.sqlite" if what == "no folder" else tmp_path
    if what == "text":
        path = tmp_path / "text"
        path.write_text("not a database, " * 100)
    with pytest.raises(StoreFailed) as refused:
        prepare(str(path))
    assert len(str(refused.value).splitlines()) == 1


def test_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "five211.sqlite"
    prepare(str(path))
    prepare(str(path))
    assert path.stat().st_mode & 0o077 == 0


def test_what_was_answered_is_there_after_the_server_is_killed(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        made = httpx.post(f"{server.url}/api/tables", json={"name": "Ana", "public": True}).json()
        server.kill()
        server.start()
        tables = httpx.get(f"{server.url}/api/tables").json()["tables"]
        assert [table["id"] for table in tables] == [made["table"]]
        again = {"name": "Ana", "token": made["token"]}
        answer = httpx.post(f"{server.url}/api/tables/{made['table']}/seats", json=again)
        assert answer.json()["error"]["code"] == "already_seated"


@on_a_loop
async def test_a_name_at_a_table_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async with opened(sqlite_in(tmp_path)) as store:
        sql = "INSERT INTO table_players VALUES ('ana', 'gone')"
        await store._do(lambda connection: connection.execute(sql))
        assert await store.forget_player("ana") == ["gone"]
        assert await store.load("gone") == []
