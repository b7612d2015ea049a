"""A fuzzer on the socket: whatever is sent, no traceback, no leak, no harm to anybody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from five211.client import Client, socket_url
from five211.server.protocol import Message
from tests.conftest import SOAK
from tests.server.houses import House, ServerProcess, server_process
from tests.server.players import may_choose, play_on, raw, seated

ROUNDS = 400 if SOAK else 40
DROPPED = 10_000 if SOAK else 300
KINDS = [kind.__struct_config__.tag for kind in Message.__args__]
CODES = (None, 1000, 1001, 1003, 1005, 1006, 1007, 1009, 4001, 4003, 4008, 4029)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with server_process(folder, log="info", sockets_an_address=20_000) as running:
        yield running
        assert "Traceback" not in running.log
        assert '"bug"' not in running.log


def junk(rng: Random, depth: int = 0) -> Any:
    """Something that a message could hold and should not."""
    kinds: list[Any] = [
        None,
        True,
        rng.randrange(-5, 10),
        10 ** rng.randrange(30),
        -1.5e300,
        "",
        "\0\ud7ff" * rng.randrange(5),
        "G2",
        "x" * rng.randrange(3000),
        [],
        {},
    ]
    if depth < 3:
        kinds += [
            [junk(rng, depth + 1) for _ in range(rng.randrange(4))],
            {rng.choice(["moment", "game", "cards", "id"]): junk(rng, depth + 1)},
        ]
    return rng.choice(kinds)


def message(rng: Random, view: dict[str, Any]) -> str | bytes:
    """A message that is wrong in some way, or is not, but comes when nobody expects it."""
    fields = ("id", "moment", "cards", "seat", "bot", "fill", "text", "hash", "words", "target")
    shape: dict[str, Any] = {"type": rng.choice(KINDS)}
    if shape["type"] in ("leave", "alert"):
        shape["type"] = "choose"
    shape |= {name: junk(rng) for name in rng.sample(fields, rng.randrange(5))}
    if rng.random() < 0.5:
        shape["moment"] = view.get("moment")
        shape["cards"] = rng.choice([["Y1"], ["Y1", "Y1", "Y1"], ["Y7", "Z1"], [1], "Y1"])
    text = json.dumps(shape)
    how = rng.randrange(8)
    if how == 0:
        return text[: rng.randrange(len(text))]
    if how == 1:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(60)))
    if how == 2:
        return "[" * rng.randrange(4000)
    if how == 3:
        return "x" * 5000
    if how == 4:
        return text.encode()
    return text


def test_nonsense_at_a_table_harms_nobody(server: ServerProcess) -> None:
    async def scene() -> None:
        h, rng = House(server.url), Random(1)
        async with seated(h, 3, bots=1) as (clients, table):
            await clients[0].do("start")
            seen = await clients[0].until(may_choose)
            hello = {"table": table["table"], "token": table["token"]}
            for _ in range(ROUNDS):
                async with raw(h, **hello) as one:
                    with suppress(ConnectionClosed):
                        for _ in range(10):
                            await one.send_text(message(rng, seen))
                            await one.frame()
                    assert one.socket.close_code in CODES
            # The others noticed nothing, and the game goes on to its end.
            await asyncio.gather(*(play_on(client, rng) for client in clients))

    asyncio.run(scene())


def test_nonsense_before_hello(server: ServerProcess) -> None:
    async def scene() -> None:
        rng = Random(2)
        for _ in range(ROUNDS):
            async with connect(socket_url(server.url), compression=None) as socket:
                with suppress(ConnectionClosed):
                    await socket.send(message(rng, {}))
                    answer = json.loads(await socket.recv())
                    assert answer["view"] == {}
                    await socket.recv()
                assert socket.close_code in (1009, 4003, 1007)

    asyncio.run(scene())


def test_other_peoples_tokens_open_nothing(server: ServerProcess) -> None:
    async def scene() -> None:
        h = House(server.url)
        mine, theirs = await h.made("Ana"), await h.made("Bob")
        wrong: list[dict[str, Any]] = [
            {"table": mine["table"], "token": theirs["token"]},
            {"table": mine["table"], "token": ""},
            {"table": mine["table"], "token": "x" * 900},
            {"table": mine["table"], "token": mine["token"][:-1]},
            {"table": mine["table"], "token": mine["code"]},
            {"table": mine["table"], "token": mine["watch"]},
            {"table": "nothing", "token": mine["token"]},
            {"table": mine["table"]},
            {"watch": mine["code"]},
            {"watch": mine["table"]},
            {"watch": mine["token"]},
            {"watch": ""},
        ]
        for hello in wrong:
            async with raw(h, **hello) as one:
                refused = await one.frame()
                assert refused["view"] == {}
                assert refused["answers"][0]["error"]["code"] in (
                    "token",
                    "table_unknown",
                    "watch_link",
                )
                with pytest.raises(ConnectionClosed):
                    await one.frame()
                assert one.socket.close_code == 4003
        for door in ("watch", "screen"):
            async with Client(h.url, watch=mine[door]) as watcher:
                assert "hand" not in watcher.view
                assert (watcher.view["info"]["code"] is None) == (door == "watch")
                assert mine["watch"] not in json.dumps(watcher.view)

    asyncio.run(scene())


def test_connections_that_come_and_go_leave_nothing_behind(server: ServerProcess) -> None:
    async def scene() -> int:
        h, rng = House(server.url), Random(3)
        table = await h.made(players=2)
        await _drop_many(server, table, rng, 100)
        before = server.memory
        await _drop_many(server, table, rng, DROPPED)
        answer = httpx.get(f"{server.url}/api/ready")
        assert answer.status_code == 200
        async with h.client(table) as client:
            assert client.view["phase"] == "gathering"
        return server.memory - before

    grown = asyncio.run(scene())
    print(f"{DROPPED} connections dropped: {grown // 1024} kB more")
    assert grown < 30_000 * 1024  # a connection that was kept would be some 20 kB each


async def _drop_many(server: ServerProcess, table: dict[str, Any], rng: Random, count: int) -> None:
    """Open connections and drop them: at once, in the handshake, before and after hello."""
    hello = json.dumps({"type": "hello", "table": table["table"], "token": table["token"]})

    async def one() -> None:
        how = rng.randrange(5)
        if how == 0:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(rng.choice([b"", b"GET /socket HTT", b"\x16\x03\x01", b"\r\n" * 9]))
            writer.transport.abort()
            return
        with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError):
            async with connect(socket_url(server.url), compression=None) as socket:
                if how > 1:
                    await socket.send(hello)
                if how > 2:
                    await socket.recv()
                if how > 3:
                    await socket.send('{"type":"react","reaction":"wow"}')
                socket.transport.abort()

    for start in range(0, count, 50):
        await asyncio.gather(*(one() for _ in range(min(50, count - start))))
