"""Three server processes behind nginx, and the network between everything.

Everything is real: `five211 serve` as processes, PostgreSQL, Redis, nginx with the file that
operators are given, and proxies that are the network. PostgreSQL's data lie on a small disk of
their own, if we may mount one.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import httpx

from five211.server.postgres import PostgresStore, migrate
from five211.server.store import Game, Row, StoreFailed
from tests.ports import free_port
from tests.server.houses import QUICK
from tests.services.disk import Disk
from tests.services.history import History, Problem
from tests.services.nginx import Nginx
from tests.services.postgres import Postgres, now
from tests.services.proxy import Proxy, proxy
from tests.services.redis import PASSWORD, Redis

SERVERS = 3
DATABASE = "five211"
LONG = 120.0  # seconds until something is given up
UNKNOWN = (502, 503, 504)  # nobody knows whether it was done


class Server:
    """`five211 serve` as a process, started again until it is up, as systemd does."""

    def __init__(self, folder: Path, number: int, **settings: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.up = False
        self.figures: Counter[str] = Counter()
        self._log = folder / f"log{number}.txt"
        self._environment = {
            **{name: value for name, value in os.environ.items() if "FIVE211" not in name},
            **{f"FIVE211_{name.upper()}": str(value) for name, value in settings.items()},
            "PYTHONFAULTHANDLER": "1",
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        return self._log.read_text() if self._log.exists() else ""

    @property
    def bugs(self) -> list[str]:
        """What it says of itself."""
        lines = [line for line in self.log.splitlines() if line.startswith("{")]
        return [line for line in lines if json.loads(line).get("event") == "bug"]

    def _spawn(self) -> None:
        command = [sys.executable, "-m", "five211", "serve", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )

    async def start(self) -> None:
        deadline = time.monotonic() + LONG
        async with httpx.AsyncClient(base_url=self.url) as client:
            while True:
                assert time.monotonic() < deadline, self.log[-4000:]
                if self._process is None or self._process.poll() is not None:
                    self._spawn()  # its database may have been away
                with suppress(httpx.HTTPError):
                    ready = (await client.get("/api/ready", timeout=5)).status_code == 200
                    if ready and self._process is not None and self._process.poll() is None:
                        self.up = True
                        return
                await asyncio.sleep(0.05)

    async def count(self) -> None:
        """Note its figures, which die with it."""
        with suppress(httpx.HTTPError):
            async with httpx.AsyncClient(base_url=self.url) as client:
                text = (await client.get("/metrics", timeout=2)).text
            for name, value in re.findall(r"^five211_(\w+)_total ([0-9.e+]+)$", text, re.M):
                self.figures[name] += int(float(value))

    def signal(self, number: int) -> None:
        """To it, and to all that it has started."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        if self._process is not None:
            self.up = False
            self.signal(signal.SIGKILL)
            self._process.wait()

    async def stop(self) -> None:
        """As an operator does; whatever it started, it ends itself."""
        assert self._process is not None
        self.up = False
        self._process.terminate()
        try:
            await asyncio.to_thread(self._process.wait, 30)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGABRT)  # so that it says where it hangs
            await asyncio.to_thread(self._process.wait, 30)
            raise AssertionError(f"does not stop\n{self.log[-4000:]}") from None
        finally:
            self.kill()


class Cluster:
    """All that is needed to play."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.folder, self.rng = folder, rng
        self.history = History()
        self.problems: list[Problem] = []
        self.servers: list[Server] = []
        self.to_postgres: list[Proxy] = []
        self.to_redis: list[Proxy] = []
        self.games = self.choices = self.rows = 0
        self.full = 0
        """How often PostgreSQL had no space left."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Cluster]:
        async with AsyncExitStack() as stack:
            self.disk = Disk()
            stack.callback(self.disk.remove)
            with patch.object(tempfile, "tempdir", str(self.disk.folder)):
                self.postgres = await asyncio.to_thread(
                    Postgres, min_wal_size="32MB", max_wal_size="64MB"
                )
            stack.callback(self.postgres.remove)
            await asyncio.to_thread(self.postgres.start)
            self.postgres.execute("postgres", f"CREATE DATABASE {DATABASE}")
            now(lambda: migrate(self.postgres.url(DATABASE)))
            self.redis = Redis()
            stack.callback(self.redis.remove)
            await asyncio.to_thread(self.redis.start)
            for number in range(SERVERS):
                await self._add(number, stack)
            self.nginx = Nginx([server.port for server in self.servers])
            stack.callback(self.nginx.remove)
            await asyncio.to_thread(self.nginx.start)
            self.front = await stack.enter_async_context(proxy(self.nginx.port, self.rng))
            self.url = f"http://127.0.0.1:{self.front.port}"
            await asyncio.gather(*(server.start() for server in self.servers))
            self.store = PostgresStore(self.postgres.url(DATABASE))
            await self.store.open()
            stack.push_async_callback(self.store.close)
            yield self
            for server in self.servers:
                await server.count()
            self.full = self.postgres.log.count("No space left on device")

    async def _add(self, number: int, stack: AsyncExitStack) -> None:
        postgres = await stack.enter_async_context(proxy(self.postgres.port))
        redis = await stack.enter_async_context(proxy(self.redis.port))
        self.to_postgres.append(postgres)
        self.to_redis.append(redis)
        url = self.postgres.url(DATABASE)
        settings = {
            **QUICK,
            "database": url.replace(f":{self.postgres.port}/", f":{postgres.port}/"),
            "database_patience": 1.5,
            "bus": f"redis://:{PASSWORD}@127.0.0.1:{redis.port}",
            "away_after": 0.2,
            "proxies": "127.0.0.1",  # nginx
            "sockets_an_address": 10_000,
            "metrics": True,
        }
        server = Server(self.folder, number, **settings)
        stack.callback(server.kill)
        self.servers.append(server)

    # What people need

    async def post(self, path: str, **body: Any) -> dict[str, Any] | None:
        """What was made; nothing if nobody knows whether it was."""
        with suppress(httpx.HTTPError):
            async with httpx.AsyncClient(base_url=self.url) as client:
                answer = await client.post(path, json={"words": True, **body}, timeout=10)
            assert answer.status_code in (201, *UNKNOWN), answer.text
            return dict(answer.json()) if answer.status_code == 201 else None
        return None

    async def seats(self, players: int, bots: int, **options: Any) -> list[dict[str, Any]]:
        """The seats at a new table; at another, if anything went wrong at the first."""
        while True:
            names = [f"Player {number}" for number in range(players - bots)]
            body = {"players": players, "bots": ["random"] * bots, **options}
            made = await self.post("/api/tables", name=names[0], **body)
            found = [made]
            for name in names[1:]:
                if found[-1] is not None and made is not None:
                    path = f"/api/tables/{made['table']}/seats"
                    found.append(await self.post(path, name=name, code=made["code"]))
            seats = [seat for seat in found if seat is not None]
            if len(seats) == len(names):
                return seats
            await asyncio.sleep(0.2)

    async def written(self, table: str, game: int) -> tuple[list[Row], Game]:
        """A table's log and the game, from the store itself."""
        for _ in range(600):
            with suppress(StoreFailed):
                rows = await self.store.load(table)
                found = await self.store.game(f"{table}-{game}")
                assert found is not None, f"the game of {table} is over, and not kept"
                return rows, found
            await asyncio.sleep(0.1)
        raise AssertionError("PostgreSQL did not come back")
