"""Real servers for tests: in this process on a real port, or as a process of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from five211.client import Client
from five211.server.app import make_app
from five211.server.bus import Bus
from five211.server.hub import Sources
from five211.server.settings import Settings
from five211.server.socket import LARGEST
from tests.ports import free_port
from tests.server.stores import bus_in, database_in

QUICK = {
    "bot_pace": 0.0,
    "away_after": 0.05,
    "requests_a_minute": 1_000_000,
    "messages_a_second": 1e6,
    "messages_at_once": 1_000_000,
}


class House:
    """A server that runs, and how to use it."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def post(self, path: str, key: str | None = None, **body: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        async with httpx.AsyncClient(base_url=self.url) as client:
            return await client.post(path, json=body, headers=headers)

    async def get(self, path: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(base_url=self.url) as client:
            return await client.get(path, headers=headers)

    async def made(self, name: str = "Ana", **body: Any) -> dict[str, Any]:
        """A table that was made, with the host's seat."""
        answer = await self.post("/api/tables", **{"name": name, "words": True, **body})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def sat(self, table: dict[str, Any], name: str, **body: Any) -> dict[str, Any]:
        """A seat at a table."""
        path = f"/api/tables/{table['table']}/seats"
        answer = await self.post(
            path, **{"name": name, "code": table["code"], "words": True, **body}
        )
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def client(self, seat: dict[str, Any], **more: Any) -> Client:
        return Client(self.url, seat["table"], seat["token"], **more)


@asynccontextmanager
async def house(
    folder: Path,
    sources: Sources | None = None,
    send_buffer: int = 0,
    bus: Bus | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """A server on a real port, in this process and on this loop."""
    listener = socket.socket()
    if send_buffer:  # so that somebody who does not read is noticed soon
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    listener.bind(("127.0.0.1", 0))
    own = bus is not None or "database" in settings  # the test is about that
    services = {"database": database_in(folder), "bus": "" if own else bus_in(folder)}
    made = Settings(**{**services, **QUICK, **settings})
    config = uvicorn.Config(
        make_app(made, sources=sources, bus=bus),
        ws="websockets-sansio",
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.01)
    try:
        yield House(f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        server.should_exit = True
        await task
        listener.close()


def until_ready(url: str, process: subprocess.Popen[bytes], log: Callable[[], str]) -> None:
    """Wait until a server of its own process takes people in."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, log()
        try:
            if httpx.get(f"{url}/api/ready", trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError(log())


class ServerProcess:
    """`five211 serve` as a process of its own, to be killed."""

    def __init__(self, folder: Path, port: int | None = None, **settings: Any) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **os.environ,
            **{
                f"FIVE211_{name.upper()}": str(value)
                for name, value in {"bus": bus_in(folder), **QUICK, **settings}.items()
            },
        }
        self._folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "five211", "serve", "--port", str(self.port)]
        with (self._folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--database", database_in(self._folder)],
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until_ready(self.url, self.process, lambda: self.log)

    @property
    def log(self) -> str:
        return (self._folder / "log.txt").read_text()

    @property
    def memory(self) -> int:
        """The server's own memory now, in bytes."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """As a machine dies: at once, with everything it started."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(30)


@contextmanager
def server_process(folder: Path, **settings: Any) -> Iterator[ServerProcess]:
    server = ServerProcess(folder, **settings)
    server.start()
    try:
        yield server
    finally:
        if server.process is not None and server.process.poll() is None:
            server.stop()


__all__ = ["House", "ServerProcess", "house", "server_process", "threading"]
