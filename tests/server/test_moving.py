"""Moving everything from one kind of database to another: `five211 db export` and `import`."""

from __future__ import annotations

import asyncio
import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from five211.cli import db
from five211.errors import GameError
from five211.server import moving
from five211.server.moving import Alive, Ban, Logged, Profile, Thing, read
from five211.server.store import Commit, Game, Gap, StoreFailed
from tests.commands import run_main
from tests.server.helpers import hall, on_a_loop
from tests.server.stores import STORES, listing, opened, player, postgres_url, row, sqlite_file

ADDRESSES: dict[str, Callable[[Path], str]] = {
    "sqlite": lambda folder: str(sqlite_file(folder)),
    "postgres": postgres_url,
}
BOTH = [("sqlite", "postgres"), ("postgres", "sqlite")]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")


async def things(kind: str, folder: Path) -> list[Thing]:
    store: Any = STORES[kind](folder)
    return sorted([thing async for thing in store.everything()], key=repr)


async def lived_in(kind: str, folder: Path) -> None:
    """A house in which much has happened: closed once, a game over, one begun, profiles, a ban."""
    async with hall(folder, database=ADDRESSES[kind](folder)):
        pass
    async with hall(folder, database=ADDRESSES[kind](folder), operator_token="x") as one:
        _, key = await one.profile("Ana")
        _, other = await one.profile("Ben")
        ana = await one.make(key, public=True, rated=True)
        await one.play(ana, await one.join(ana, other))
        await one.make(name="Cy", title="é")
        await one.good("POST", "/api/operator/bans", "x", what="203.0.113.7", reason="floods")
        await one.hub.store.add_key("nobody", "a key of nobody", 1.0)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Thing]]:
    """What such a house is as a file."""
    folder = tmp_path_factory.mktemp("house")
    asyncio.run(lived_in("sqlite", folder))
    lines: list[bytes] = []
    store: Any = STORES["sqlite"](folder)
    asyncio.run(moving.write(store, lines.append))
    return b"".join(lines), asyncio.run(things("sqlite", folder))


@pytest.mark.parametrize(("old", "new"), BOTH)
def test_everything_arrives_and_people_play_on(
    tmp_path: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", str(tmp_path / "file")
    here.mkdir()
    there.mkdir()
    asyncio.run(lived_in(old, here))
    db.export(file, ADDRESSES[old](here), None, "en")
    db.import_(file, ADDRESSES[new](there), None, "en")
    said = capsys.readouterr().out
    assert "1 game is verified" in said
    assert "hidden" not in said  # the password
    assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600
    before = asyncio.run(things(old, here))
    assert {type(thing) for thing in before} == {Alive, Gap, Ban, Profile, Game, Logged}
    assert asyncio.run(things(new, there)) == before

    @on_a_loop
    async def play_on() -> None:
        ana = next(one.player for one in before if isinstance(one, Profile))
        async with hall(there, database=ADDRESSES[new](there)) as one:
            (line,) = (await one.good("GET", "/api/tables"))["tables"]
            assert line["phase"] == "over"
            assert (await one.hub.find(line["id"])).room.id == line["id"]
            games = (await one.good("GET", f"/api/games?player={ana.id}"))["games"]
            assert len(games) == 1
            assert line["id"] in await one.hub.store.forget_player(ana.id)

    play_on()


def lines_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def changed(data: bytes, kind: str, change: Callable[[Any], object]) -> bytes:
    """The same file with another value in its first line of a kind."""
    lines = lines_of(data)
    number = next(n for n, line in enumerate(lines) if line.startswith(f'["{kind}"'.encode()))
    content = json.loads(lines[number])
    change(content[1])
    lines[number] = json.dumps(content).encode() + b"\n"
    return b"".join(lines)


def lie(game: dict[str, Any]) -> None:
    game["record"] = game["record"].replace('"points": [', '"points": [9', 1)


def other_seed(game: dict[str, Any]) -> None:
    record = json.loads(game["record"])
    record["proof"]["seed"] = "00" * (len(record["proof"]["seed"]) // 2)
    game["record"] = json.dumps(record)


def other_points(game: dict[str, Any]) -> None:
    game["standings"][0]["points"] += 1


def half_a_game(game: dict[str, Any]) -> None:
    record = json.loads(game["record"])
    del record["result"], record["proof"]
    record["deals"][0]["rounds"] = record["deals"][0]["rounds"][:1]
    game["record"] = json.dumps(record)


def later(table: dict[str, Any]) -> None:
    table["rows"][-1][0] += 1


def other_door(table: dict[str, Any]) -> None:
    table["listing"]["code"] = "ELSE"


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "is no export of a five211 database"),
    "a picture": (lambda _: b"\x89PNG\xff\n", "is no export of a five211 database"),
    "a record": (lambda _: b'{"format": "5211-record"}', "is no export of a five211 database"),
    "newer": (lambda d: d.replace(b'"version":2', b'"version":3', 1), "newer version of five211"),
    "no end": (lambda d: b"".join(lines_of(d)[:-1]), "its end is missing"),
    "a line less": (lambda d: b"".join(lines_of(d)[:1] + lines_of(d)[2:]), "its end is missing"),
    "more": (lambda d: d + b"\n", "its end is missing"),
    "half a line": (lambda d: d[:-4], "cannot be read"),
    "no such kind": (lambda d: d.replace(b'["Ban"', b'["Bun"', 1), "cannot be read"),
    "a hole": (lambda d: changed(d, "Ban", lambda one: one.pop("what")), "cannot be read"),
    "no text": (lambda d: d.replace(b"Ana", b"\xff\xff\xff"), "cannot be read"),
    "a lie": (lambda d: changed(d, "Game", lie), "does not verify: deals[0]"),
    "no record": (
        lambda d: changed(d, "Game", lambda g: g.update(record="")),
        "verify: record_json",
    ),
    "another deal": (lambda d: changed(d, "Game", other_seed), "does not verify: proof"),
    "other points": (lambda d: changed(d, "Game", other_points), "does not verify: standings"),
    "half a game": (lambda d: changed(d, "Game", half_a_game), "does not verify: standings"),
    "a gap": (lambda d: changed(d, "Logged", later), "does not follow from its log"),
    "no log": (lambda d: changed(d, "Logged", lambda t: t["rows"].clear()), "does not follow"),
    "a door": (lambda d: changed(d, "Logged", other_door), "does not follow from its log"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_refused_in_one_sentence_and_nothing_is_kept(
    tmp_path: Path, exported: tuple[bytes, list[Thing]], what: str
) -> None:
    breaks, said = BROKEN[what]
    file = tmp_path / "file"
    file.write_bytes(breaks(exported[0]))
    with pytest.raises(GameError) as refused:
        db.import_(str(file), str(sqlite_file(tmp_path)), None, None)
    assert said in str(refused.value)
    assert refused.value.say("fr")
    assert asyncio.run(things("sqlite", tmp_path)) == []


@pytest.mark.parametrize("kind", STORES)
def test_a_log_with_a_gap_changes_nothing_wherever_it_was_to_go(
    tmp_path: Path, exported: tuple[bytes, list[Thing]], kind: str
) -> None:
    (tmp_path / "file").write_bytes(changed(exported[0], "Logged", later))
    with pytest.raises(GameError, match="does not follow"):
        db.import_(str(tmp_path / "file"), ADDRESSES[kind](tmp_path), None, None)
    assert asyncio.run(things(kind, tmp_path)) == []


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("door", ["code", "id"])
def test_two_tables_with_one_door_are_refused(
    tmp_path: Path, exported: tuple[bytes, list[Thing]], kind: str, door: str
) -> None:
    logged = [thing for thing in exported[1] if isinstance(thing, Logged)]
    twin = Logged(listing("twin", code=logged[0].listing.code), ())
    store: Any = STORES[kind](tmp_path)
    said = "same code" if door == "code" else r"UNIQUE|says 23505"
    with pytest.raises(StoreFailed, match=said):
        asyncio.run(store.fill([*logged, twin if door == "code" else logged[0]]))
    assert asyncio.run(things(kind, tmp_path)) == []


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("held", ["player", "table", "log", "ban"])
def test_only_an_empty_database_is_imported_into(
    tmp_path: Path, exported: tuple[bytes, list[Thing]], kind: str, held: str
) -> None:
    async def settle() -> None:
        async with opened(STORES[kind](tmp_path)) as store:
            if held == "player":
                await store.new_player(player("ana"), "key")
            elif held == "ban":
                await store.ban("x", 1.0, "")
            else:
                commit = Commit((row("t"),)) if held == "log" else Commit((), (listing("t"),))
                await store.commit(commit)

    asyncio.run(settle())
    before = asyncio.run(things(kind, tmp_path))
    (tmp_path / "file").write_bytes(exported[0])
    with pytest.raises(GameError, match="only an empty"):
        db.import_(str(tmp_path / "file"), ADDRESSES[kind](tmp_path), None, None)
    assert asyncio.run(things(kind, tmp_path)) == before


@pytest.mark.parametrize("kind", STORES)
def test_when_nobody_was_there_comes_from_the_house_that_is_moved(
    tmp_path: Path, exported: tuple[bytes, list[Thing]], kind: str
) -> None:
    """Somebody may have opened the new house to try it: no clock has run there."""
    (alive,) = [thing.at for thing in exported[1] if isinstance(thing, Alive)]
    gaps = [thing for thing in exported[1] if isinstance(thing, Gap)]
    (tmp_path / "file").write_bytes(exported[0])

    async def tried() -> None:
        async with opened(STORES[kind](tmp_path)) as store:
            for process in ("p", "q"):
                await store.arrive(process, alive + 10.0, 0.0)
                await store.leave(process, alive + 20.0)

    async def begun() -> list[Gap]:
        async with opened(STORES[kind](tmp_path)) as store:
            return await store.arrive("r", alive + 100.0, 0.0)

    asyncio.run(tried())
    db.import_(str(tmp_path / "file"), ADDRESSES[kind](tmp_path), None, None)
    assert asyncio.run(things(kind, tmp_path)) == exported[1]
    assert asyncio.run(begun()) == [Gap(gaps[0].began, alive + 100.0)]


def five211(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "five211", "db", *arguments, "--lang", "en"]
    return subprocess.run(command, input=given, capture_output=True, timeout=100, check=False)


def test_the_commands_read_and_write_pipes(
    tmp_path: Path, exported: tuple[bytes, list[Thing]]
) -> None:
    database = str(sqlite_file(tmp_path))
    done = five211("import", "-", "--database", database, given=exported[0])
    assert (done.returncode, done.stderr) == (0, b"")
    done = five211("export", "-", "--database", database)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(lines_of(done.stdout)) == sorted(lines_of(exported[0]))


def test_what_cannot_be_done_is_one_line(tmp_path: Path) -> None:
    nothing = str(tmp_path / "nothing.sqlite")
    done = five211("export", str(tmp_path / "out"), "--database", nothing)
    line = f"five211: There is no file “{nothing}”.\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", line)
    assert list(tmp_path.iterdir()) == []


def test_the_commands_are_those_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other, file = (str(tmp_path / name) for name in ("one.sqlite", "other.sqlite", "all"))
    for arguments in (
        ("migrate", "--database", one),
        ("export", file, "--database", one),
        ("import", file, "--database", other),
    ):
        code, _, err = run_main(monkeypatch, capsys, "db", *arguments)
        assert (code, err) == (0, "")
    assert (tmp_path / "other.sqlite").exists()


def test_a_file_of_the_version_before_is_read(exported: tuple[bytes, list[Thing]]) -> None:
    old = exported[0].replace(b'"version":2', b'"version":1', 1)
    assert sorted(map(repr, read(lines_of(old), "old"))) == sorted(map(repr, exported[1]))


def test_an_export_goes_to_stdout_alone(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    database = str(sqlite_file(tmp_path))
    with pytest.raises(GameError, match="There is no file"):
        db.export("-", database, None, None)
    db.migrate(database, None, None)
    capsysbinary.readouterr()
    db.export("-", database, None, None)
    out = capsysbinary.readouterr().out
    assert out == b'{"format":"5211-store","version":2}\n["end",0]\n'


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    database, out = str(sqlite_file(tmp_path)), tmp_path / "out"
    db.migrate(database, None, None)
    out.write_text("mine")
    with pytest.raises(GameError, match="There is a file"):
        db.export(str(out), database, None, None)
    assert out.read_text() == "mine"
    with pytest.raises(GameError, match="cannot be written: No such file or directory"):
        db.export(str(tmp_path / "no" / "out"), database, None, None)
    with pytest.raises(GameError, match="There is no file"):
        db.import_(str(tmp_path / "no"), database, None, None)


def test_an_export_that_cannot_be_finished_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, out = str(sqlite_file(tmp_path)), tmp_path / "out"
    db.migrate(database, None, None)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(moving, "write", full)
        with pytest.raises(GameError, match="cannot be written: No space left on device"):
            db.export(str(out), database, None, None)
    sqlite_file(tmp_path).write_text("no database, " * 100)
    with pytest.raises(GameError, match=r"Cannot use the database .*: file is not a database"):
        db.export(str(out), database, None, None)
    assert not out.exists()
