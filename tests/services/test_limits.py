"""Requests are counted in Redis for all servers together, and in memory while it is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.stores.base import Store

from five211.server import limits
from five211.server.app import make_app
from five211.server.bus.redis import RedisBus
from five211.server.limits import OwnLimits, SharedLimits, make_limits
from five211.server.settings import Settings
from tests.server.helpers import Hall, code_of, hall, on_a_loop
from tests.services.redis import Redis, redis

FEW = 6  # requests a minute


@pytest.fixture(scope="module")
def server() -> Iterator[Redis]:
    with redis() as one:
        yield one


@pytest.fixture
def empty(server: Redis) -> Redis:
    """A Redis that has counted nothing."""
    server.ask("FLUSHALL")
    return server


@asynccontextmanager
async def counting(url: str) -> AsyncIterator[SharedLimits]:
    made = make_limits(Settings(bus=url))
    assert isinstance(made, SharedLimits)
    async with made:
        yield made


def keys(server: Redis) -> int:
    return int(server.ask("DBSIZE").removeprefix(":"))


@pytest.mark.parametrize("bus", ["", "postgres"])
def test_without_redis_each_counts_by_itself(bus: str) -> None:
    assert isinstance(make_limits(Settings(bus=bus)), OwnLimits)


async def check_store(store: Store) -> None:
    """What any store does."""
    assert await store.get("a") is None
    assert not await store.exists("a")
    assert await store.expires_in("a") in (None, -2)  # as Redis says it
    await store.set("a", b"1", 60)
    await store.set("b", "2")
    assert await store.get("a") == b"1"
    assert await store.get("a", renew_for=100) == b"1"
    assert await store.exists("a")
    left = await store.expires_in("a")
    assert left is not None
    assert 0 < left <= 100
    await store.delete("a")
    assert not await store.exists("a")
    assert await store.exists("b")
    await store.delete_all()
    assert not await store.exists("b")


@on_a_loop
async def test_counts_in_redis(empty: Redis) -> None:
    async with counting(empty.url) as one, counting(empty.url) as two:
        await check_store(one)
        await one.set("a", b"1", 60)
        assert await two.get("a") == b"1"
    assert keys(empty) == 1


@on_a_loop
async def test_counts_in_memory_while_redis_is_away(
    empty: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with counting(empty.url) as store:
        await store.set("a", b"1", 60)
        empty.kill()
        try:
            await check_store(store)
        finally:
            empty.start()
        assert await store.get("a") is None  # it is not asked yet
        monkeypatch.setattr(limits, "AGAIN", 0.0)
        store._asked_from = 1.0
        await store.set("b", b"2", 60)
        assert store._asked_from == 0.0
        assert keys(empty) == 1


@on_a_loop
async def test_of_many_one_asks_whether_it_is_back(
    empty: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    async with counting(empty.url) as store:
        shared = store._shared.get

        async def get(*given: Any) -> bytes | None:
            asked.append(given)
            return await shared(*given)

        monkeypatch.setattr(limits, "AGAIN", 1000.0)
        monkeypatch.setattr(type(store._shared), "get", lambda _, *given: get(*given))
        empty.pause()
        try:
            store._asked_from = 1.0  # it was away
            assert await asyncio.gather(*(store.get("a") for _ in range(20))) == [None] * 20
        finally:
            empty.go_on()
        assert len(asked) == 1


@on_a_loop
async def test_a_redis_that_says_nothing_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes connections and never answers: of those who ask only the first waits, and once."""
    asked = []

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(1)
        await reader.read()
        writer.close()

    monkeypatch.setattr(limits, "PATIENCE", 0.1)
    monkeypatch.setattr(limits, "AGAIN", 1000.0)
    server = await asyncio.start_server(mute, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, counting(f"redis://127.0.0.1:{port}") as store:
        # Redis' own client would wait for ever: what ends it is the patience for the whole.
        store._shared._redis.connection_pool.connection_kwargs |= {"socket_timeout": None}
        for _ in range(20):
            await store.set("a", b"1", 60)
            assert await store.get("a") == b"1"
        assert len(asked) == 1


@on_a_loop
async def test_stopping_while_redis_is_away(empty: Redis) -> None:
    async with counting(empty.url) as store:
        await store.set("a", b"1", 60)
        empty.pause()
    empty.go_on()


@on_a_loop
async def test_what_is_over_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TIDY", 10)
    store = OwnLimits()
    for n in range(9):
        await store.set(f"{n}", b"1", -1)
    assert len(store._store) == 9
    await store.set("a", b"1", 60)
    assert list(store._store) == ["a"]


# Servers


@asynccontextmanager
async def halls(folder: Path, server: Redis, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """Two servers that count in Redis, as `five211 serve --bus redis://…` does."""
    monkeypatch.setattr("five211.server.app.make_limits", lambda _: SharedLimits(server.url))
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                hall(folder, bus=RedisBus(server.url), requests_a_minute=FEW)
            )
            for _ in range(2)
        ]


async def statuses(served: list[Hall], number: int) -> list[int]:
    """What is answered, at one server after the other."""
    answers = [await served[n % 2].ask("GET", "/api/tables") for n in range(number)]
    assert {code_of(one) for one in answers if one.status_code != 200} <= {"too_fast"}
    return [one.status_code for one in answers]


@on_a_loop
async def test_two_servers_count_together(
    tmp_path: Path, empty: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 60.0)
    async with halls(tmp_path, empty, monkeypatch) as served:
        assert await statuses(served, FEW + 2) == [200] * FEW + [429] * 2


@pytest.mark.parametrize("how", ["killed", "paused"])
@on_a_loop
async def test_nobody_is_kept_out_because_redis_is_away(
    tmp_path: Path, empty: Redis, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Each counts by itself then; and together again, when it is back."""
    monkeypatch.setattr(limits, "PATIENCE", 1.0 if how == "paused" else 60.0)
    monkeypatch.setattr(limits, "AGAIN", 1000.0)
    async with halls(tmp_path, empty, monkeypatch) as served:
        assert await statuses(served, FEW + 1) == [200] * FEW + [429]
        if how == "killed":
            empty.kill()
        else:
            empty.pause()
        try:
            assert await statuses(served, 2 * FEW + 2) == [200] * 2 * FEW + [429] * 2
        finally:
            if how == "killed":
                empty.start()
            else:
                empty.go_on()


def test_the_bus_of_the_settings_is_where_an_app_counts() -> None:
    app: Any = make_app(Settings(database="postgresql://x/y", bus="redis://127.0.0.1:1"))
    assert isinstance(app._app.stores.get("limits"), SharedLimits)
