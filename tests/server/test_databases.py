"""Which database a server uses, and what is shown of its address."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from five211.errors import GameError
from five211.server import databases
from five211.server.settings import Settings
from five211.server.sqlite import SqliteStore
from tests.commands import plain_surroundings, run_main
from tests.server.helpers import on_a_loop
from tests.server.stores import opened, postgres_url, sqlite_file

__all__ = ["plain_surroundings"]

PUBLIC = "https://5211.example.org"
SHOWN = {
    "club.sqlite": "club.sqlite",
    "/srv/a@b/club.sqlite": "/srv/a@b/club.sqlite",
    "postgresql://localhost/five211": "postgresql://localhost/five211",
    "postgres://": "postgres://",
    "postgresql://me:hidden@db.example.org:5433/club-1": "postgresql://db.example.org:5433/club-1",
    "postgresql://me:hid:den@[::1]:5432,other:5433/club": "postgresql://[::1]:5432,other:5433/club",
    "postgresql://me:hid@den@host/club?password=hidden": "postgresql://host/club",
    "postgresql:///club?host=/run/postgresql&password=hidden": "postgresql:///club",
    "postgresql://me:p@ss/hidden@host/club": "postgresql://…",
    "postgresql://me:hidden/ hidden": "postgresql://…",
    "postgresql://me:hidden/club": "postgresql://…",
    "postgresql://me:a@hid?b/c@host": "postgresql://…",
    "postgresql://%2Frun%2Fpostgresql/club": "postgresql://%2Frun%2Fpostgresql/club",
}


@pytest.mark.parametrize("database", SHOWN)
def test_an_address_is_shown_without_its_secrets(database: str) -> None:
    assert databases.name(database) == SHOWN[database]
    assert "hid" not in databases.name(database)


@pytest.mark.parametrize("database", ["mysql://me:hidden@host/club", "redis://x", "://x"])
def test_another_kind_of_database_is_refused(database: str) -> None:
    with pytest.raises(GameError, match="The database is a file or postgresql://…, not “") as said:
        databases.prepare(Settings(database=database))
    assert "hidden" not in said.value.say("fr")


def test_a_file_is_sqlite_and_an_address_is_postgres(tmp_path: Path) -> None:
    from five211.server.postgres import PostgresStore

    settings = Settings(database="postgres://x/y", database_connections=3, database_patience=0.5)
    store = databases.make_store(settings)
    assert isinstance(store, PostgresStore)
    assert (store._connections, store._patience) == (3, 0.5)
    assert isinstance(databases.make_store(Settings(database=str(tmp_path))), SqliteStore)


@pytest.mark.parametrize("address", [postgres_url, lambda folder: str(sqlite_file(folder))])
def test_either_is_made_ready(tmp_path: Path, address: Callable[[Path], str]) -> None:
    settings = Settings(database=address(tmp_path))
    databases.prepare(settings)

    @on_a_loop
    async def test() -> None:
        async with opened(databases.make_store(settings)) as store:
            assert await store.lobby(5) == []

    test()


def test_without_asyncpg_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "five211.server.postgres", None)
    monkeypatch.delattr("five211.server.postgres", raising=False)
    with pytest.raises(GameError, match=r"install five211\[scale\]"):
        databases.make_store(Settings(database="postgresql://x/y"))


def test_a_file_needs_no_asyncpg(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['asyncpg'] = None\n"
        "from five211.server import databases, serve\n"
        "from five211.server.settings import Settings\n"
        "databases.prepare(Settings(database=sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, str(sqlite_file(tmp_path))]
    subprocess.run(command, check=True, timeout=100)
    assert sqlite_file(tmp_path).exists()


def clean() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FIVE211_")}
    return {**kept, "LANG": "C.UTF-8", "COLUMNS": "200"}


def test_the_command_serves_from_postgres_and_never_says_the_password(tmp_path: Path) -> None:
    url = postgres_url(tmp_path)
    assert ":hidden@" in url
    process = subprocess.Popen(
        [sys.executable, "-m", "five211", "serve", "--port", "0", "--bus", "postgres"],
        env={**clean(), "FIVE211_DATABASE": url, "FIVE211_LOG": "debug", "FIVE211_URL": PUBLIC},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first, second, third, fourth = (process.stdout.readline() for _ in range(4))
    assert first == f"five211 is running at {PUBLIC}  (Ctrl-C stops it)\n"
    assert second == f"games are kept in {databases.name(url)}\n"
    assert third.startswith("this process listens at http://127.0.0.1:")
    assert fourth == "other processes are told of moves by postgres\n"
    address = third.split()[-1]
    made = httpx.post(f"{address}/api/tables", json={"name": "Ana"}, timeout=60)
    assert made.status_code == 201
    process.send_signal(signal.SIGTERM)
    out, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "hidden" not in first + second + third + fourth + out + log


def test_a_server_that_finds_no_postgres_says_so_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "five211", "serve", "--database", "postgres://a:hidden@127.0.0.1:1"],
        env=clean(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("five211: Cannot use the database postgres://127.0.0.1:1: ")
    assert len(done.stderr.splitlines()) == 1
    assert "hidden" not in done.stderr


@pytest.mark.parametrize("command", ["migrate", "export"])
def test_a_database_that_cannot_be_used_is_named(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "postgresql://me:hidden@db.nowhere.invalid/club"
    args = ["db", command, *(["-"] if command == "export" else []), "--database", url]
    code, _, said = run_main(monkeypatch, capsys, *args)
    assert code == 2
    place = "postgresql://db.nowhere.invalid/club"
    assert said.startswith(f"five211: Cannot use the database {place}: ")
    assert "hidden" not in said


def test_what_is_up_to_date_is_named_as_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = postgres_url(tmp_path)
    code, out, _ = run_main(monkeypatch, capsys, "db", "migrate", "--database", url)
    assert (code, out) == (0, f"{databases.name(url)} is up to date.\n")
