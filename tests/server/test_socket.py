"""The socket: who may say hello, what is refused and how, and every limit."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from five211.client import FOR_GOOD, Client, Left, Refused, socket_url
from five211.server import socket as sockets
from five211.server.room import REACTIONS
from tests.server.houses import House, house
from tests.server.players import Raw, may_choose, raw, raw_seat, seated


async def closed(one: Raw) -> int | None:
    """The code that the socket is closed with."""
    with pytest.raises(ConnectionClosed):
        await _drain(one)
    return one.socket.close_code


async def _drain(one: Raw) -> None:
    while True:
        await one.frame()


async def _answer(one: Raw) -> dict[str, Any]:
    """The next answer, in whichever frame it comes."""
    while not (frame := await one.frame())["answers"]:
        pass
    return dict(frame["answers"][0])


async def first_words(h: House, text: str) -> tuple[str, int | None]:
    """What is answered to a first message, and how the socket is closed."""
    async with connect(socket_url(h.url), compression=None) as socket:
        await socket.send(text)
        one = Raw(socket)
        frame = await one.frame()
        return frame["answers"][0]["error"]["code"], await closed(one)


def test_hello_comes_first_and_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            assert await first_words(h, '{"type": "rematch"}') == ("hello_first", 4003)
            assert await first_words(h, "hello") == ("message", 4003)
            assert await first_words(h, '{"type": "hello", "protocol": 2}') == ("protocol", 4003)
            table = await h.made()
            async with raw_seat(h, table) as one:
                again = await one.answer(type="hello", id="x")
                assert again["error"]["code"] == "hello_once"

    asyncio.run(scene())


def test_who_says_nothing_is_closed_and_may_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hello may be on its way still, or the server itself has slept for so long."""
    monkeypatch.setattr(sockets, "HELLO_WITHIN", 0.05)

    async def scene() -> None:
        async with house(tmp_path) as h, connect(socket_url(h.url)) as socket:
            assert await closed(Raw(socket)) == 4008
            async with connect(socket_url(h.url)) as quick:
                await quick.close()  # has gone before saying anything
            assert 4008 not in FOR_GOOD

    asyncio.run(scene())


def test_the_language_is_the_clients(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            table = await h.made()
            for language, text in (
                ("fr", "Ce message ne convient pas ; voyez la documentation."),
                ("en", "This message does not fit; see the documentation."),
                ("xx", "This message does not fit; see the documentation."),
                (None, "This message does not fit; see the documentation."),
            ):
                async with raw_seat(h, table, language=language) as one:
                    await one.send_text("{")
                    answer = await _answer(one)
                    assert answer["error"]["text"] == text
                    assert answer["id"] is None

    asyncio.run(scene())


def test_public_tables_can_be_watched_by_their_id_and_others_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            public, private = await h.made(public=True), await h.made()
            async with Client(h.url, public["table"]) as watcher:
                assert watcher.view["you"] is None
                assert watcher.view["info"]["code"] is None
                with pytest.raises(Refused, match="sit down first"):
                    await watcher.do("start")
            with pytest.raises(Refused, match="not public"):
                async with Client(h.url, private["table"]):
                    pass
            with pytest.raises(Refused, match="no such table"):  # a code is no watch link
                async with Client(h.url, watch=private["code"]):
                    pass

    asyncio.run(scene())


def test_the_host_runs_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, seated(h, 5, bots=2) as (clients, _table):
            host, guest, other = clients
            with pytest.raises(Refused, match="Only Ana"):
                await guest.do("start")
            with pytest.raises(Refused, match="no bot"):
                await host.do("seat_bot", bot="nobody")
            with pytest.raises(Refused, match="no bot"):
                await host.do("start", fill="nobody")
            seats = host.view["seats"]
            bot = next(number for number, seat in enumerate(seats) if seat["bot"])
            await host.do("remove", seat=bot)
            await host.do("seat_bot", bot="easy", seat=bot)
            assert host.view["seats"][bot]["bot"] == "hasty"
            await host.do("remove", seat=other.view["you"])
            with pytest.raises(Exception, match="4001"):
                await other.until(lambda _: False)
            await host.do("leave")
            await guest.until(lambda seen: seen["seats"][guest.view["you"]]["host"])
            await guest.do("start", fill="beginner")
            await guest.until(may_choose)

    asyncio.run(scene())


def test_reactions_and_free_text(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, seated(h, 2, chat=True) as (clients, _):
            for reaction in REACTIONS:
                await clients[0].do("react", reaction=reaction)
            await clients[1].do("say", text="<script>alert(1)</script>")
            events: list[dict[str, Any]] = []
            while len(events) < len(REACTIONS) + 1:
                event = await asyncio.wait_for(clients[0].events.get(), 20)
                if event["event"] in ("reaction", "message"):
                    events.append(event)
            assert [event.get("reaction") for event in events[:-1]] == list(REACTIONS)
            assert events[-1]["said"] == "<script>alert(1)</script>"
            with pytest.raises(Refused, match="no such reaction"):
                await clients[0].do("react", reaction="rude")

    asyncio.run(scene())


def test_words_that_are_no_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            table = await h.made(players=2)
            async with raw_seat(h, table) as one:
                for words in ("xyz", "00"):
                    refused = await one.answer(type="words", id=words, words=words)
                    assert not refused["done"]
                refused = await one.answer(type="hash", id="h", hash="00")
                assert refused["error"]["code"] == "words_not_asked"

    asyncio.run(scene())


def test_a_game_starts_without_those_who_send_no_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("five211.server.room.PATIENCE", 0.05)

    async def scene() -> None:
        async with house(tmp_path) as h:
            table = await h.made(players=2, bots=["easy"])  # says that it will send words
            async with raw_seat(h, table) as one:
                assert (await one.answer(type="start", id="s"))["done"]
                while one.view["phase"] != "choosing":
                    await one.frame()
                assert one.view["proof"]["stage"] == "dealt"
                assert one.view["proof"]["hashes"] == [None, None]

    asyncio.run(scene())


def test_limits_of_messages_and_connections(tmp_path: Path) -> None:
    async def scene() -> None:
        limits: dict[str, Any] = {
            "messages_at_once": 5,
            "messages_a_second": 0.001,
            "sockets_an_address": 2,
        }
        async with house(tmp_path, **limits) as h:
            table = await h.made()
            async with raw_seat(h, table) as one:
                await one.frame()
                for _ in range(6):
                    await one.send(type="react", reaction="wow")
                assert await closed(one) == 4029
                last = json.loads(one.frames[-1])
                assert last["answers"][0]["error"]["code"] == "too_fast"
            async with raw_seat(h, table) as first, raw_seat(h, table) as second:
                await first.frame()
                await second.frame()
                async with connect(socket_url(h.url)) as third:
                    assert await closed(Raw(third)) == 1013

    asyncio.run(scene())


def test_a_full_server_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, sockets=0, tables=1) as h:
            await h.made()
            answer = await h.post("/api/tables", name="Bob")
            assert answer.status_code == 503
            async with connect(socket_url(h.url)) as socket:
                assert await closed(Raw(socket)) == 1013

    asyncio.run(scene())


def test_a_message_that_is_too_long_closes_the_socket(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            async with raw_seat(h, await h.made()) as one:
                await one.send_text("x" * (sockets.LARGEST + 1))
                assert await closed(one) == 1009
            async with raw_seat(h, await h.made()) as one:
                await one.send_text(b"")
                assert (await _answer(one))["error"]["code"] == "message"

    asyncio.run(scene())


def test_alerts_are_asked_for_at_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, seated(h, 2) as (clients, _):
            await clients[0].do("alert", kind="webhook", target="https://example.org/x")
            await clients[0].do("alert", kind="")
            for kind, target in (("pigeon", "x"), ("email", "a@b.org"), ("webhook", "ftp://x")):
                with pytest.raises(Refused):
                    await clients[0].do("alert", kind=kind, target=target)

    asyncio.run(scene())


def test_a_seat_moves_to_another_device(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, seated(h, 2) as (clients, table):
            code = (await clients[0].do("move_device"))["code"]
            answer = await h.post(f"/api/tables/{table['table']}/device", code=code)
            async with h.client(answer.json()) as there:
                assert there.view["you"] == 0
                await there.do("react", reaction="hello")
            with pytest.raises(Exception, match="moved"):
                await clients[0].until(lambda _: False)
            async with raw(h, table=table["table"], token=table["token"]) as old:
                assert (await old.frame())["answers"][0]["error"]["code"] == "token"

    asyncio.run(scene())


def test_an_address_that_is_kept_out_loses_what_it_has_open(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, operator_token="o" * 20) as h:
            async with raw_seat(h, await h.made()) as one:
                await one.frame()
                answer = await h.post("/api/operator/bans", key="o" * 20, what="127.0.0.1")
                assert answer.status_code == 204
                assert await closed(one) == 4003
            async with connect(socket_url(h.url)) as again:
                assert await closed(Raw(again)) == 4003

    asyncio.run(scene())


def test_the_docs_are_one_plain_page_of_our_own(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, docs=True) as h:
            page = await h.get("/docs")
            assert page.status_code == 200
            assert "POST /api/tables" in page.text
            assert "<code>show_chosen</code>" in page.text
            assert "<script" not in page.text
            assert "://" not in page.text.replace("http://www.w3.org", "")
            schema = (await h.get("/docs/openapi.json")).json()
            assert schema["paths"]["/api/play"]["post"]["description"]
            nested = await h.get("/docs/nothing")
            assert nested.status_code == 404

    asyncio.run(scene())


def test_a_body_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h, httpx.AsyncClient(base_url=h.url) as client:
            kind = {"content-type": "application/json"}
            answer = await client.post("/api/tables", content=b"[" * 50_000, headers=kind)
            assert answer.status_code == 400
            assert answer.json()["error"]["code"] == "request"

    asyncio.run(scene())


def test_a_player_who_is_kept_out_cannot_come_back_with_a_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, operator_token="o" * 20) as h:
            profile = (await h.post("/api/players", name="Ana")).json()
            table = (await h.post("/api/tables", key=profile["key"], name="Ana")).json()
            what = profile["player"]["id"]
            async with h.client(table) as client:
                await h.post("/api/operator/bans", key="o" * 20, what=what)
                with pytest.raises(Left, match="4003 banned"):
                    await client.until(lambda _: False)
            with pytest.raises(Refused, match="kept out"):
                async with h.client(table):
                    pass

    asyncio.run(scene())
