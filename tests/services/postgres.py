"""A real PostgreSQL of the tests' own, from Debian's package, to be killed, paused and restarted.

It refuses to run as root, so for root it runs as the user `postgres`; its folder lies outside of
pytest's, into which that user could not look. It speaks at a free port of this machine only.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import psutil

from five211.server.postgres import migrate
from tests.ports import free_port

T = TypeVar("T")
USER = "postgres"
QUICK = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
TEMPLATE = "five211_template"


def programs() -> Path:
    """Where the newest PostgreSQL of this machine has its programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_version)
    assert found, "These tests need PostgreSQL. On Debian: apt-get install postgresql"
    return found[-1].parent


def _version(program: Path) -> int:
    return int(program.parts[-3])


def now(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine gives, though this thread may have a loop that runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work()).result()


class Postgres:
    """One server."""

    def __init__(self, **settings: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="five211-postgres-"))
        self._data = self._folder / "data"
        self._settings = settings
        self.port = free_port()
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            shutil.chown(self._folder, USER, USER)
            self._as = {"user": USER, "group": USER, "extra_groups": []}
        flags = ["--no-sync", "-A", "trust", "-U", USER, "-E", "UTF8", "--no-locale"]
        self._run("initdb", "-D", str(self._data), *flags)
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(programs() / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, **self._as)

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:hidden@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "shared_buffers": "32MB",
            "autovacuum": "off",
            **self._settings,
        }
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(programs() / "postgres"), "-D", str(self._data), *flags],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
                **self._as,
            )
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)

    def _answers(self) -> bool:
        command = [str(programs() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command, check=False).returncode == 0

    @property
    def log(self) -> str:
        """What it said; it may quote what was written."""
        return (self._folder / "log").read_text()

    def _all(self) -> list[psutil.Process]:
        assert self._process is not None
        first = psutil.Process(self._process.pid)
        return [first, *first.children()]

    def stop(self, number: int = signal.SIGINT) -> None:
        """Throw everybody out, and end."""
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(60)

    def kill(self) -> None:
        """As a machine dies."""
        assert self._process is not None
        processes = self._all()
        for process in processes:
            with suppress(psutil.NoSuchProcess):  # one that ended by itself
                process.kill()
        self._process.wait(60)
        psutil.wait_procs(processes, 60)

    def pause(self) -> None:
        """It neither answers nor hangs up."""
        for process in self._all():
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def go_on(self) -> None:
        for process in self._all():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.go_on()
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def execute(self, database: str, *statements: str) -> list[Any]:
        """What the last of these statements finds."""

        async def work() -> list[Any]:
            connection = await asyncpg.connect(self.url(database))
            try:
                for sql in statements[:-1]:
                    await connection.execute(sql)
                return [tuple(row) for row in await connection.fetch(statements[-1])]
            finally:
                await connection.close()

        return now(work)


@cache
def postgres() -> Postgres:
    """The server that the tests of this process share; nobody may stop this one for long."""
    server = Postgres(**QUICK)
    atexit.register(server.remove)
    server.start()
    server.execute("postgres", f"CREATE DATABASE {TEMPLATE}")
    now(lambda: migrate(server.url(TEMPLATE)))
    return server


def new_database(name: str, template: str = TEMPLATE) -> str:
    """The address of a database that has just been made, and has its tables."""
    server = postgres()
    server.execute("postgres", f'CREATE DATABASE "{name}" TEMPLATE {template}')
    return server.url(name)


def drop_database(name: str) -> None:
    postgres().execute("postgres", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
