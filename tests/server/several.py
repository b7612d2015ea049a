"""Several servers in one process, on one file, and a bus between them: what tests of it share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211.client import Client
from five211.server import sharing
from five211.server.bus import Heard, News
from five211.server.entries import Reacted
from five211.server.hub import Hub
from tests.server.helpers import DAY, Clock, Hall, hall
from tests.server.players import may_choose


class Wire:
    """A bus between servers in this process; `loses` says how much of it is lost."""

    def __init__(self, loses: float = 0.0) -> None:
        self.ends: list[End] = []
        self.loses, self.rng = loses, Random(1)
        self.said: list[tuple[str, int]] = []


class End:
    """One server's end of it."""

    shared = up = True
    kind = "wire"

    def __init__(self, wire: Wire) -> None:
        self._wire, self._heard = wire, None  # type: Wire, Heard | None
        wire.ends.append(self)

    async def start(self, heard: Heard) -> None:
        self._heard = heard

    async def stop(self) -> None:
        self._heard = None

    def tell(self, news: News) -> None:
        self._wire.said += news
        for end in self._wire.ends:
            if end._heard is not None and self._wire.rng.random() >= self._wire.loses:
                end._heard(news)


@asynccontextmanager
async def halls(
    folder: Path, number: int = 2, wire: Wire | None = None, **settings: Any
) -> AsyncIterator[list[Hall]]:
    """So many servers on one file."""
    wire = wire or Wire()
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(hall(folder, bus=End(wire), **settings))
            for _ in range(number)
        ]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are looked at many times a second."""
    monkeypatch.setattr(sharing, "POLL", 0.05)
    monkeypatch.setattr(sharing, "BEAT", 0.05)
    monkeypatch.setattr(sharing, "STEP", 0.05)


@asynccontextmanager
async def around(
    served: list[Hall], players: int, bots: int = 0, **options: Any
) -> AsyncIterator[tuple[list[Client], dict[str, Any]]]:
    """A table whose people sit at one server after the other."""
    at = cycle(served)
    made = await next(at).made(players=players, bots=["random"] * bots, **options)
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(served[0].client(made))]
        for number in range(1, players - bots):
            one = next(at)
            seat = await one.sat(made, f"Player {number}")
            clients.append(await stack.enter_async_context(one.client(seat)))
        yield clients, made


def overtaken_by(hub: Hub, other: Hub, table: str, when: bytes = b"") -> None:
    """The next commit of a hub (with these bytes in it) comes after one of the other."""
    commit, done = hub.store.commit, list[int]()

    async def second(what: Any) -> None:
        if not done and any(when in row.entries for row in what.rows):
            done.append(1)
            live = await other.find(table)
            person = live.room.table.seats[1].person
            assert person is not None
            other.do(live, Reacted(person, "hello"))
            await other.written(live)
        await commit(what)

    hub.store.commit = second  # type: ignore[method-assign, assignment]


async def left_tables(folder: Path, clock: Clock, number: int) -> list[str]:
    """Games by correspondence of a server that has stopped, each at its first turn."""
    tables = []
    async with hall(folder, clock.sources, bus=End(Wire())) as one:
        for _ in range(number):
            made = await one.make(players=2, bots=["random"], clock=DAY, words=False)
            async with one.client(made) as ana:
                await ana.do("start")
                await ana.until(may_choose)
            tables.append(made["table"])
    return tables
