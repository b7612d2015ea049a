"""Connections that break at every possible moment, and come back to exactly what was missed."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from five211.client import socket_url
from five211.server.live import TAIL
from tests.server.houses import House, house
from tests.server.players import (
    Raw,
    check_game,
    may_choose,
    play_on,
    raw,
    raw_seat,
    seated,
    some_choice,
)


async def watch_all(one: Raw, events: list[Any]) -> None:
    """An observer who never loses the connection."""
    while one.view.get("phase") != "over":
        events += (await one.frame())["events"]


async def watch_broken(
    house: House, seat: dict[str, Any], events: list[Any], frames: int
) -> dict[str, Any]:
    """The same seat, but the connection breaks after every so many frames."""
    seen: int | None = None
    view: dict[str, Any] = {}
    while view.get("phase") != "over":
        async with raw_seat(house, seat, seen=seen) as one:
            for number in range(frames):
                frame = await one.frame()
                if seen is not None and number == 0:
                    assert frame["n"] - seen == len(frame["events"])  # nothing is missing
                if seen is not None or number > 0:
                    events += frame["events"]
                assert number == 0 or frame["n"] == (seen or 0) + len(frame["events"])
                seen = frame["n"]
                view.update(frame["view"])
                if view["phase"] == "over":
                    break
            one.socket.transport.abort()
    return view


@pytest.mark.parametrize("frames", [1, 2, 3, 5])
def test_nothing_is_missed_when_the_connection_breaks_after_every_few_frames(
    tmp_path: Path, frames: int
) -> None:
    async def scene() -> None:
        rng = Random(frames)
        async with house(tmp_path) as h, seated(h, 3, bots=1) as (clients, table):
            steady: list[Any] = []
            broken: list[Any] = []
            async with raw_seat(h, table) as one:
                await one.frame()
                await clients[0].do("start")
                watching = asyncio.create_task(watch_all(one, steady))
                breaking = asyncio.create_task(watch_broken(h, table, broken, frames))
                await asyncio.gather(*(play_on(client, rng) for client in clients))
                await watching
                view = await breaking
            assert view == {**clients[0].view}
            assert broken == steady[-len(broken) :]
            assert len(broken) > 50
            await check_game(h, table, clients)

    asyncio.run(scene())


def test_a_player_whose_connection_breaks_at_every_turn_loses_no_choice(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(9)

        async def shaky(client: Any) -> None:
            while client.view["phase"] != "over":
                seen = await client.until(may_choose)
                if seen["phase"] == "over":
                    return
                sending = asyncio.create_task(client.choose(some_choice(seen, rng)))
                for _ in range(rng.randrange(4)):
                    await asyncio.sleep(0)
                client._socket.transport.abort()  # before, while or after it is sent
                await sending

        async with house(tmp_path) as h, seated(h, 2) as (clients, table):
            await clients[0].do("start")
            await asyncio.gather(shaky(clients[0]), play_on(clients[1], rng))
            await check_game(h, table, clients)

    asyncio.run(scene())


def test_who_was_away_for_long_gets_a_snapshot(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(11)
        async with house(tmp_path) as h, seated(h, 2) as (clients, table):
            await clients[0].do("start")
            await asyncio.gather(*(play_on(client, rng) for client in clients))
            assert clients[0].n is not None
            assert clients[0].n > TAIL
            for seen in (0, clients[0].n - TAIL - 1, -5, 10**9):
                async with raw_seat(h, table, seen=seen) as one:
                    frame = await one.frame()
                    assert frame["events"] == []
                    assert frame["view"] == clients[0].view
            async with raw_seat(h, table, seen=clients[0].n - 3) as one:
                assert len((await one.frame())["events"]) == 3

    asyncio.run(scene())


def test_somebody_who_does_not_read_is_closed_and_delays_nobody(tmp_path: Path) -> None:
    async def scene() -> None:
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.setblocking(False)
        long = "\N{LIZARD}" * 200
        async with (
            house(tmp_path, send_buffer=4096) as h,
            seated(h, 2, chat=True) as (clients, table),
        ):
            place = ("127.0.0.1", int(h.url.rsplit(":", 1)[1]))
            await asyncio.get_running_loop().sock_connect(small, place)
            async with connect(socket_url(h.url), sock=small, compression=None) as lazy:
                await lazy.send(json.dumps({"type": "hello", "watch": table["watch"]}))
                await lazy.recv()
                lazy.transport.pause_reading()
                for _ in range(400):  # more than its queue and the system's buffers hold
                    await asyncio.wait_for(clients[0].do("say", text=long), 60)
                lazy.transport.resume_reading()
                frames = [frame async for frame in _until_closed(lazy)]
                assert lazy.close_code == 4008
            last = json.loads(frames[-1])["n"]
            assert clients[0].n is not None
            assert last < clients[0].n
            async with raw(h, watch=table["watch"], seen=clients[0].n - 2) as back:
                assert len((await back.frame())["events"]) == 2

    asyncio.run(scene())


async def _until_closed(lazy: ClientConnection) -> AsyncIterator[str | bytes]:
    with suppress(ConnectionClosed):
        while True:
            yield await asyncio.wait_for(lazy.recv(), 60)


def test_whoever_comes_back_in_a_language_that_nobody_had_meanwhile(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, seated(h, 2) as (clients, table):
            async with raw(h, watch=table["watch"], language="fr") as one:
                await one.frame()  # before the game
            await clients[0].do("start")
            await clients[0].until(may_choose)
            async with raw(h, watch=table["watch"], language="fr") as one:
                await one.frame()
                for part in ("proof", "phase", "pile", "moment", "seats"):
                    assert one.view[part] == clients[0].view[part]
                assert one.view["proof"]["stage"] == "dealt"

    asyncio.run(scene())
