"""The store in a file: group commits, conflicts, a disk that fails, and what is forgotten when."""

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

from five211.server import sqlite
from five211.server.guests import Guests
from five211.server.sqlite import SCHEMA, SqliteStore, prepare
from five211.server.store import (
    Commit,
    Conflict,
    Game,
    Listing,
    PlayerData,
    Row,
    Standing,
    Store,
    StoreFailed,
)
from tests.server.helpers import Hall, closed_with, code_of, hall, heard, on_a_loop
from tests.server.houses import server_process
from tests.server.players import raw_seat


@asynccontextmanager
async def store_in(folder: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(str(folder / "five211.sqlite"))
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(table: str, version: int = 1) -> Row:
    return Row(table, version, b"[]")


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


def game(id_: str, ended: float = 100.0, *standings: Standing, rated: bool = False) -> Game:
    return Game(id_, "t", ended, True, rated, "{}", standings)


def standing(player: str | None, rank: int = 0) -> Standing:
    return Standing(player, player or "?", None, 5, rank)


def player(id_: str, **changes: Any) -> PlayerData:
    fields: dict[str, Any] = {"login": None, "password": None, "made": 1.0, "seen": 1.0}
    fields |= {"mu": 25.0, "sigma": 8.0, "games": 0, "wins": 0.0}
    return PlayerData(id_, id_.upper(), **{**fields, **changes})


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
    transaction = sqlite._transaction

    def counted(connection: sqlite3.Connection, jobs: list[Any]) -> list[Any]:
        sizes.append(len(jobs))
        return transaction(connection, jobs)

    monkeypatch.setattr(sqlite, "_transaction", counted)
    async with store_in(tmp_path) as store:
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
    async with store_in(tmp_path) as store:
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


@on_a_loop
async def test_a_row_follows_the_one_before_it_or_is_a_conflict(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        await store.commit(Commit((row("t"),), (listing("t"),)))
        await store.expire("gathering", 1000.0)  # while the next move was on its way
        with pytest.raises(Conflict) as conflict:
            await store.commit(Commit((row("t", 2), row("other"))))
        assert conflict.value.tables == {"t"}
        assert (await store.load("t"), await store.load("other")) == ([], [])


@on_a_loop
async def test_a_log_begins_anew(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        for version in (1, 2, 3):
            await store.commit(Commit((row("t", version), row("other", version))))
        anew = Row("t", 4, b"[1]", anew=True)
        await store.commit(Commit((anew,)))
        await store.commit(Commit((row("t", 5),)))
        assert [(one.version, one.entries) for one in await store.load("t")] == [
            (4, b"[1]"),
            (5, b"[]"),
        ]
        assert len(await store.load("other")) == 3


@on_a_loop
async def test_people_who_wait_keep_their_table(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        await store.commit(Commit((row("a"), row("b")), (listing("a"), listing("b"))))
        await store.touch(["a"], 200.0)
        assert await store.expire("gathering", 150.0) == ["b"]


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "five211.sqlite"
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript(sqlite.SCHEMA[0])
        clock = b'{"clock":{"seconds":86400.0,"correspondence":true}}'
        values = ("a", "A", "w", "s", 0, "playing", 1, clock, 1.0)
        old.execute("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?)", values)
        old.execute("INSERT INTO tables VALUES ('c','C','y','u',0,'playing',1,x'7b7d',1.0)")
        old.execute("INSERT INTO tables VALUES ('b','B','x','t',0,'playing',0,x'7b7d',1.0)")
        old.execute("PRAGMA user_version = 1")

    @on_a_loop
    async def test() -> None:
        async with store_in(tmp_path) as store:
            assert await store.due(5.0) == ["a"]
            await store.commit(Commit((row("b"),), (listing("b", due=3.0),)))
            assert await store.due(5.0) == ["a", "b"]

    test()


@pytest.mark.parametrize("door", ["code", "watch", "screen"])
def test_a_new_table_never_takes_another_ones_door(tmp_path: Path, door: str) -> None:
    @on_a_loop
    async def test() -> None:
        async with store_in(tmp_path) as store:
            await store.commit(Commit((row("old"),), (listing("old"),)))
            twin = listing("twin", **{door: getattr(listing("old"), door)})
            commit = Commit((row("twin"), row("fine")), (twin, listing("fine")))
            (found,) = await outcomes(store.commit(commit))
            assert isinstance(found, Conflict)
            assert found.tables == {"twin"}
            assert await store.find_table(getattr(twin, door)) == "old"
            assert await store.load("fine") == []
            await store.commit(Commit((row("old", 2),), (listing("old", phase="playing"),)))
            assert await store.expire("playing", 1e9) == ["old"]

    test()


@on_a_loop
async def test_a_code_that_is_taken_is_tried_again_by_whoever_makes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path) as one:
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
    transaction, pragmas = sqlite._transaction, ["user_version"]

    def changed(connection: sqlite3.Connection, jobs: list[Any]) -> list[Any]:
        connection.execute(f"PRAGMA {pragmas[-1]}").fetchall()
        return transaction(connection, jobs)

    monkeypatch.setattr(sqlite, "_transaction", changed)
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
        async with hall(tmp_path) as one:
            seat = await one.make(chat=True)
            async with raw_seat(one, seat) as socket:
                await socket.frame()
                pragma(fails)
                assert await until_full(one) == (503, "try_again")
                for number in range(40):
                    await socket.send(type="say", id=str(number), text="x" * 200)
                assert await closed_with(socket.socket) == 1012
            assert (await one.send("GET", "/api/ready")).status_code == 200
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
    async with hall(tmp_path) as one:
        pragma("query_only = ON")
        with heard() as logged:
            refused = await one.refused("POST", "/api/players", name="Ana")
        assert refused == (503, "try_again")
        assert {one["event"] for one in logged} == {"store failed"}  # the janitor may try, too
        pragma("query_only = OFF")
        await one.profile("Ana")


@on_a_loop
async def test_a_read_that_fails_is_told_as_such(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        with pytest.raises(StoreFailed):
            await store._ask(lambda connection: connection.execute("SELECT nonsense"))
        assert await store.bans() == []


@on_a_loop
async def test_a_bug_in_one_job_does_not_stop_the_writer(tmp_path: Path) -> None:
    def bug(_: sqlite3.Connection) -> None:
        raise KeyError("secret")

    async with store_in(tmp_path) as store:
        with heard() as logged:
            (found,) = await outcomes(store._do(bug))
        assert isinstance(found, StoreFailed)
        assert [(one["event"], one["kind"]) for one in logged] == [("bug", "KeyError")]
        await store.commit(Commit((row("t"),)))


@on_a_loop
async def test_whoever_no_longer_waits_does_not_stop_the_writer(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        async with busy(store):
            writing = asyncio.create_task(store.commit(Commit((row("t"),))))
            await asyncio.sleep(0)
            writing.cancel()
        await store.beat(1.0)
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
    async with store_in(tmp_path) as store:
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


@on_a_loop
async def test_tables_expire_by_phase_and_time_with_their_logs(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        lists = (listing("old"), listing("new", touched=200.0), listing("over", phase="over"))
        admitted = b'[["Admitted",1.0,null,{"person":"p","token":"t","player":"ana"}]]'
        rows = (Row("old", 1, admitted), row("new"), row("over"))
        await store.commit(Commit(rows, lists))
        assert await store.expire("gathering", 150.0) == ["old"]
        assert [len(await store.load(id_)) for id_ in ("old", "new", "over")] == [0, 1, 1]
        assert await store.find_table("Cold") is None
        assert await store.forget_player("ana") == []
        assert await store.lobby(10) == [lists[1].summary, lists[2].summary]


@on_a_loop
async def test_games_expire_by_time(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        games = (game("old", 100.0, standing("ana")), game("new", 200.0, standing("ana")))
        await store.commit(Commit((), (), games))
        assert await store.expire_games(150.0) == 1
        assert await store.expire_games(150.0) == 0
        assert await store.game("old") is None
        assert [one.id for one in await store.games("ana", 10)] == ["new"]
        assert [one.id for one in await store.games(None, 10)] == ["new"]


@on_a_loop
async def test_only_players_that_are_there_are_rated(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        for id_ in ("ana", "ben"):
            await store.new_player(player(id_), f"key {id_}")
        gone = game("1", 1.0, standing("ana"), standing("gone", 1), rated=True)
        await store.commit(Commit((), (), (gone,)))
        assert await store.best_players(5) == []
        both = (standing("ana"), standing("ben"), standing(None, 2))
        await store.commit(Commit((), (), (game("2", 2.0, *both, rated=True),)))
        found = await store.best_players(5)
        assert sorted((one.id, one.games, one.wins, one.seen) for one in found) == [
            ("ana", 1, 0.5, 2.0),
            ("ben", 1, 0.5, 2.0),
        ]


@on_a_loop
async def test_a_store_is_there_again_after_it_was_closed(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        kept: Store = store
        assert await kept.last_alive() is None
        await kept.beat(5.0)
        await kept.commit(Commit((row("t"),), (listing("t", due=7.0, public=False),)))
        await kept.ban("x", 9.0, "why")
    async with store_in(tmp_path) as store:
        assert await store.last_alive() == 5.0
        assert (await store.due(7.0), await store.due(7.5)) == ([], ["t"])
        assert await store.lobby(5) == []
        assert await store.bans() == [("x", 9.0, "why")]
        await store.unban("x")
        assert await store.bans() == []


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
