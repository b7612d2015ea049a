"""What the hub does by itself: it keeps house, watches clocks and people, asks bots, and stops."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from five211.client import Client, Left, Refused, socket_url
from five211.server import hub as hubs
from five211.server import sharing
from five211.server.entries import Closed
from five211.server.store import StoreFailed
from tests.server.helpers import hall, on_a_loop
from tests.server.houses import house
from tests.server.players import may_choose, play_on, seated


@pytest.mark.parametrize("error", [StoreFailed("disk full"), RuntimeError("a bug")])
@on_a_loop
async def test_the_janitor_goes_on_when_the_store_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(sharing, "BEAT_ALONE", 0.01)
    monkeypatch.setattr(hubs, "BEAT", 0.01)
    async with hall(tmp_path) as h:
        hub = h.hub
        beats = [0]

        async def beat(*_: object) -> list[str]:
            beats[0] += 1
            if beats[0] % 2:
                raise error
            return []

        hub.store.beat = hub.store.due = beat  # type: ignore[method-assign, assignment]
        while beats[0] < 9:
            await asyncio.sleep(0.01)


@on_a_loop
async def test_who_sits_down_and_never_connects_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.05)
    async with house(tmp_path) as h:
        table = await h.made()
        await h.sat(table, "Bob")
        async with h.client(table) as client:
            assert client.view["seats"][1]["name"] == "Bob"
            await client.until(lambda seen: not seen["seats"][1]["present"])
            assert client.view["seats"][0]["present"]


@on_a_loop
async def test_a_clock_warns_and_then_seats_a_substitute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("five211.server.routes.tables.SHORTEST_TURN", 0.1)
    clock = {"seconds": 0.6, "reserve": 0.1}
    async with house(tmp_path) as h, seated(h, 2, clock=clock) as (clients, _):
        await clients[0].do("start")
        for client in clients:
            assert "deadline" in await _event(client, "time_short")
        for client in clients:
            assert (await _event(client, "substitute_came"))["why"] == "time"
        await clients[0].until(lambda seen: seen["turn"] > 0 or seen["round"] > 0)


async def _event(client: Client, name: str) -> dict[str, Any]:
    while True:
        event = await asyncio.wait_for(client.events.get(), 30)
        if event["event"] == name:
            return event


@on_a_loop
async def test_a_closed_table_stays_closed(tmp_path: Path) -> None:
    async with hall(tmp_path) as h, seated(h, 2) as (clients, table):
        hub = h.hub
        await clients[0].do("start")
        await clients[0].until(may_choose)
        live = hub.lives[table["table"]]
        hub.do(live, Closed())
        hub.follow(live)
        hub._alarm(live)
        await hub.written(live)
        with pytest.raises(Left) as left:
            await clients[0].until(lambda _: False)
        assert left.value.code == 4004
        hub.forget(live)
        with pytest.raises(Refused, match="closed by the operator"):
            async with h.client(table):
                pass


@on_a_loop
async def test_a_bot_whose_process_dies_is_asked_again(tmp_path: Path) -> None:
    async with hall(tmp_path, processes=True) as h:
        hub = h.hub
        table = (await h.post("/api/play", players=2)).json()
        async with h.client(table) as client:
            await client.until(lambda seen: seen["chosen"][1])
            pool = hub.thinkers._pool
            assert pool is not None
            for process in list(pool._processes.values()):
                process.kill()
            await play_on(client, Random(1))
        assert hub.thinkers._pool is not pool


@on_a_loop
async def test_a_server_that_stops_does_not_wait_for_its_bots(tmp_path: Path) -> None:
    async with hall(tmp_path, bot_pace=3600.0) as h:
        await h.post("/api/play", players=2)
        thinking = list(h.hub._tasks)
        assert thinking
    assert all(task.cancelled() for task in thinking)


@on_a_loop
async def test_an_alarm_that_comes_too_early_does_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path) as h, seated(h, 2) as (clients, table):
        hub = h.hub
        live = hub.lives[table["table"]]
        person = live.room.table.host
        assert person is not None
        hub.expect(live, person)  # is here already
        assert not live.away
        before = live.version
        hub._alarm(live)
        hub._leaves(live, person)  # is here again
        assert live.version == before
        assert clients[0].view["seats"][0]["present"]


@on_a_loop
async def test_nobody_comes_in_while_the_server_stops(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        hub = h.hub
        table = await h.made()
        hub.closing = True
        assert (await h.get("/api/ready")).status_code == 503
        async with connect(socket_url(h.url)) as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 1012
        hub.closing = False
        hub.forget(hub.lives[table["table"]])

        async def broken(_table: str) -> list[bytes]:
            raise StoreFailed("gone")

        hub.store.load = broken  # type: ignore[method-assign, assignment]
        async with connect(socket_url(h.url)) as socket:
            hello = {"type": "hello", "table": table["table"], "token": table["token"]}
            await socket.send(json.dumps(hello))
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 1012
