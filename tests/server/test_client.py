"""The client for programs: what it does when a server refuses it, goes away, or is slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from five211.client import PAUSE, Client, Left, Refused, socket_url
from tests.server.houses import house

Handler = Callable[[ServerConnection], Awaitable[None]]
EMPTY: dict[str, Any] = {"n": 0, "events": [], "view": {}, "answers": []}
FIRST = {**EMPTY, "n": 3, "view": {"phase": "gathering", "proof": None, "you": 0}}


async def against(handler: Handler, scene: Callable[[Client], Awaitable[None]]) -> None:
    """A client against a server that does as it is told."""
    async with serve(handler, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with Client(f"http://127.0.0.1:{port}", "table", "token") as client:
            await scene(client)


def test_addresses() -> None:
    assert socket_url("http://localhost:5211/t/x#y") == "ws://localhost:5211/socket"
    assert socket_url("https://example.org") == "wss://example.org/socket"
    assert socket_url("ws://example.org:1") == "ws://example.org:1/socket"
    assert socket_url("http://x", "a&b") == "ws://x/socket?table=a%26b"


def test_a_refusal_for_good_is_raised_with_its_sentence(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            with pytest.raises(Refused, match="no such table") as refused:
                async with Client(h.url, "nothing", "token"):
                    pass
            assert refused.value.code == "table_unknown"
            table = await h.made()
            async with Client(h.url, table["table"], table["token"]) as client:
                await client.do("leave")
                with pytest.raises(Left):
                    await client.until(lambda _: False)
                with pytest.raises(Left):
                    await client.do("start")

    asyncio.run(scene())


def test_a_server_that_does_not_want_us_is_left_alone() -> None:
    async def handler(_socket: ServerConnection) -> None:
        raise AssertionError("nobody gets in")

    def refuse(connection: ServerConnection, _request: object) -> Any:
        return connection.respond(403, "go away")

    async def scene() -> None:
        async with serve(handler, "127.0.0.1", 0, process_request=refuse) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(Left, match="4003"):
                async with Client(f"http://127.0.0.1:{port}", "table", "token"):
                    pass

    asyncio.run(scene())


def test_what_was_not_answered_is_sent_again_after_coming_back() -> None:
    heard: list[list[dict[str, Any]]] = []

    async def handler(socket: ServerConnection) -> None:
        heard.append([json.loads(await socket.recv())])
        await socket.send(json.dumps(FIRST))
        message = json.loads(await socket.recv())
        heard[-1].append(message)
        if len(heard) == 1:
            refusal = {"id": None, "done": False, "error": {"code": "too_fast", "text": "wait"}}
            await socket.send(json.dumps({**EMPTY, "answers": [refusal]}))
            await socket.close(4029)  # and now it comes back
            return
        answer = {"id": message["id"], "done": True}
        await socket.send(json.dumps({**EMPTY, "n": 3, "view": {"x": 1}, "answers": [answer]}))
        await socket.wait_closed()

    async def scene(client: Client) -> None:
        assert (await client.do("react", reaction="wow"))["done"]

    asyncio.run(against(handler, scene))
    assert heard[0][1] == heard[1][1]
    assert [one[0]["seen"] for one in heard] == [None, 3]


def test_a_server_that_is_just_starting_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("five211.client.PAUSE", (0.001, PAUSE[1]))
    tries = [0]

    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(FIRST))
        await socket.wait_closed()

    def busy(connection: ServerConnection, _request: object) -> Any:
        tries[0] += 1
        return connection.respond(502, "not yet") if tries[0] < 3 else None

    async def scene() -> None:
        async with serve(handler, "127.0.0.1", 0, process_request=busy) as server:
            port = server.sockets[0].getsockname()[1]
            async with Client(f"http://127.0.0.1:{port}", "table", "token") as client:
                assert client.view["phase"] == "gathering"

    asyncio.run(scene())
    assert tries[0] == 3


def test_nobody_there_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("five211.client.PAUSE", (0.001, 0.01))

    async def scene() -> None:
        client = Client("http://127.0.0.1:9", "table", "token")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.__aenter__(), 0.2)
        await client.__aexit__()

    asyncio.run(scene())


def test_answers_that_nobody_waits_for_any_more() -> None:
    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(FIRST))
        for _ in range(2):
            message = json.loads(await socket.recv())
            answer: dict[str, Any] = {"id": message["id"], "done": message["reaction"] == "wow"}
            answer["error"] = {"code": "no", "text": "no"}
            await asyncio.sleep(0.05)
            await socket.send(json.dumps({**FIRST, "answers": [answer, {"id": "x", "done": True}]}))
        await socket.send(json.dumps({**FIRST, "n": 4}))
        await socket.wait_closed()

    async def scene(client: Client) -> None:
        for reaction in ("wow", "no"):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.do("react", reaction=reaction), 0.01)
        while client.n != 4:
            await asyncio.sleep(0.01)

    asyncio.run(against(handler, scene))


def test_who_waits_for_an_answer_hears_that_the_table_is_gone() -> None:
    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(FIRST))
        for _ in range(3):
            await socket.recv()
        await socket.close(1000, "closed")

    async def scene(client: Client) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.do("react", reaction="wow"), 0.01)
        answers = [client.do("react", reaction="wow") for _ in range(2)]
        done = await asyncio.gather(*answers, return_exceptions=True)
        assert [str(one) for one in done] == ["1000 closed"] * 2

    asyncio.run(against(handler, scene))
