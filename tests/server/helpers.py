"""A server whose inside a test may look at, and other things that the tests of routes share."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, ParamSpec
from unittest.mock import patch

import httpx
from structlog.testing import capture_logs
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from five211.server.app import make_app
from five211.server.hub import Hub, Sources
from five211.server.serve import set_up_log
from five211.server.thinking import Thinkers
from tests.server import houses
from tests.server.houses import House, house
from tests.server.players import play_on, raw_seat
from tests.server.stores import KIND, sql_in

P = ParamSpec("P")
LONG = 120  # seconds until something that hangs is given up
DAY = {"seconds": 86400.0, "reserve": 0.0, "correspondence": True}
THREADS = ThreadPoolExecutor(4)  # for bots that think in this process


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine, as one that pytest can call."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), LONG))

    return run


async def until(good: Callable[[], bool]) -> None:
    """Wait for something that comes by itself."""
    while not good():
        await asyncio.sleep(0.005)


class Clock:
    """A time that goes on when a test says so."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    @property
    def sources(self) -> Sources:
        return Sources(now=lambda: self.now)


def pinned(seed: int) -> Sources:
    """The same secrets, and so the same decks, every time."""
    return Sources(secret=Random(seed).randbytes)


class Hall(House):
    """A server that runs, with its inside."""

    def __init__(self, url: str, hub: Hub, client: httpx.AsyncClient) -> None:
        super().__init__(url)
        self.hub = hub
        self._client = client

    async def ask(
        self,
        method: str,
        path: str,
        key: str | None = None,
        headers: dict[str, str] | None = None,
        **body: Any,
    ) -> httpx.Response:
        """Any request; fields go as JSON."""
        given = dict(headers or {})
        if key is not None:
            given["authorization"] = f"Bearer {key}"
        return await self._client.request(method, path, json=body or None, headers=given)

    async def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request just as it is."""
        return await self._client.request(method, path, **more)

    async def good(self, method: str, path: str, key: str | None = None, **body: Any) -> Any:
        """What is answered to a request that is all right."""
        answer = await self.ask(method, path, key, **body)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def refused(
        self, method: str, path: str, key: str | None = None, **body: Any
    ) -> tuple[int, str]:
        """The status and the code of an error."""
        answer = await self.ask(method, path, key, **body)
        return answer.status_code, code_of(answer)

    async def make(self, key: str | None = None, **body: Any) -> dict[str, Any]:
        """A table for two whose deck does not wait for anybody's words."""
        made = await self.good("POST", "/api/tables", key, **{"name": "Ana", "players": 2, **body})
        return dict(made)

    async def join(self, table: dict[str, Any], key: str | None = None, **body: Any) -> Any:
        """A seat at it."""
        path = f"/api/tables/{table['table']}/seats"
        return await self.good("POST", path, key, **{"name": "Ben", "code": table["code"], **body})

    async def profile(self, name: str) -> tuple[str, str]:
        """A new player's id and key."""
        made = await self.good("POST", "/api/players", name=name)
        return made["player"]["id"], made["key"]

    async def play(self, ana: dict[str, Any], ben: dict[str, Any], seed: int = 1) -> None:
        """A whole game of two people who choose at random."""
        async with self.client(ana) as one, self.client(ben) as two:
            if one.view["phase"] == "gathering":
                await one.do("start")
            await asyncio.gather(play_on(one, Random(seed)), play_on(two, Random(seed + 1)))


def code_of(answer: httpx.Response) -> str:
    """The code of an error, which has a sentence, too."""
    error = answer.json()["error"]
    assert set(error) == {"code", "text"}
    assert error["text"]
    return str(error["code"])


@asynccontextmanager
async def hall(
    folder: Path, sources: Sources | None = None, *, processes: bool = False, **settings: Any
) -> AsyncIterator[Hall]:
    """`house`, with the hub; its bots think in threads, which are there at once, if we may."""
    made: list[Any] = []

    def make(*args: Any, **kwargs: Any) -> Any:
        made.append(make_app(*args, **kwargs))
        return made[0]

    with (
        patch.object(houses, "make_app", make),
        nullcontext() if processes else patch.object(Thinkers, "_started", lambda _: THREADS),
    ):
        async with (
            house(folder, sources, **settings) as one,
            httpx.AsyncClient(base_url=one.url, verify=False, trust_env=False) as client,
        ):
            yield Hall(one.url, made[0]._app.state["hub"], client)


async def closed_with(socket: ClientConnection) -> int:
    """The code that a socket is closed with, whatever comes before."""
    with suppress(ConnectionClosed):
        while True:
            await socket.recv()
    assert socket.close_code is not None
    return socket.close_code


@contextmanager
def heard() -> Iterator[list[Any]]:
    """What the server logs, whatever its level."""
    set_up_log("debug")
    with capture_logs() as logged:
        yield logged


async def leaves(one: House, seat: dict[str, Any]) -> None:
    """Somebody gets up for good."""
    async with raw_seat(one, seat) as guest:
        await guest.send(type="leave", id="leave")
        assert await closed_with(guest.socket) == 4001


def everything_in(folder: Path) -> str:
    """All that a server's database holds, as text; records unpacked."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    if KIND == "postgres":
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    rows = [row for (name,) in sql_in(folder, tables) for row in sql_in(folder, f"TABLE {name}")]
    return "\n".join(_text(value) for row in rows for value in row)


def _text(value: object) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompress(value).decode()
    except zlib.error:
        return value.decode()
