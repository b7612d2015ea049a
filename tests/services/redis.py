"""A real Redis of the tests' own, from Debian's package, to be killed, paused and restarted.

It wants a password, speaks at a free port of this machine only, and keeps nothing.
"""

from __future__ import annotations

import atexit
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.ports import free_port

PASSWORD = "hidden"


class Redis:
    """One server."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="five211-redis-"))
        self.port = free_port()
        self.url = f"redis://:{PASSWORD}@127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "These tests need Redis. On Debian: apt-get install redis-server"
        settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "requirepass": PASSWORD,
            "save": "",
            "appendonly": "no",
            "databases": "10000",  # for tests that share it
            "dir": str(self._folder),
        }
        flags = [part for name, value in settings.items() for part in (f"--{name}", value)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [program, *flags], stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + 60
        while self.ask("PING") != "+PONG":
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def ask(self, *words: str) -> str:
        """The first line that it answers to a command; nothing, if it does not."""
        said = (f"${len(word.encode())}\r\n{word}\r\n" for word in words)
        text = f"AUTH {PASSWORD}\r\n*{len(words)}\r\n{''.join(said)}"
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
                connection.sendall(text.encode())
                with connection.makefile() as lines:
                    return [lines.readline().rstrip() for _ in range(2)][1]
        except OSError:
            return ""

    def _signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self) -> None:
        """Say goodbye to everybody, and end."""
        self._signal(signal.SIGTERM)
        assert self._process is not None
        self._process.wait(60)

    def kill(self) -> None:
        """As a machine dies."""
        self._signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait(60)

    def pause(self) -> None:
        """It neither answers nor hangs up."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def redis() -> Iterator[Redis]:
    """A server that runs; a test may do with it as it likes."""
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@cache
def shared_redis() -> Redis:
    """The server that the tests of this process share; nobody may stop this one."""
    server = Redis()
    atexit.register(server.remove)
    server.start()
    return server
