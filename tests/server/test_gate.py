"""Names, origins, headers and limits: what every request passes."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from five211 import texts
from five211.client import socket_url
from five211.server.app import hosts
from five211.server.gate import HEADERS
from five211.server.network import addresses
from five211.server.settings import Settings
from tests.server.helpers import Hall, code_of, hall, on_a_loop

TABLE = {"name": "Ana"}


def guarded(answer: httpx.Response) -> bool:
    return all(
        answer.headers.get_list(name.decode()) == [value.decode()] for name, value in HEADERS
    )


async def made_from(one: Hall, host: str, origin: str | None) -> int:
    """The status of a table made by a page from there."""
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    return (await one.send("POST", "/api/tables", json=TABLE, headers=headers)).status_code


@on_a_loop
async def test_a_name_that_is_not_this_servers_is_refused(tmp_path: Path) -> None:
    async with hall(tmp_path, hosts=("Cards.Example",), url="https://play.example/x") as one:
        for host in ("evil.example", "127.0.0.1.evil.example", "[", "", "cards.example@evil"):
            answer = await one.send("GET", "/api/health", headers={"host": host})
            assert (answer.status_code, code_of(answer)) == (421, "host"), host
            assert guarded(answer)
        for host in ("cards.example", "CARDS.example:99", "play.example", "localhost", "[::1]:5"):
            answer = await one.send("GET", "/api/health", headers={"host": host})
            assert answer.status_code == 200, host


@on_a_loop
async def test_the_gate_speaks_the_language_that_was_asked_for(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for wanted, spoken in (("fr", "fr"), ("xx", "en")):
            headers = {"host": "evil.example", "accept-language": wanted}
            answer = await one.send("GET", "/", headers=headers)
            assert answer.json()["error"]["text"] == texts.say(spoken, "errors.host")


@on_a_loop
async def test_another_sites_page_makes_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path, hosts=("cards.example",)) as one:
        here = one.url.removeprefix("http://")
        for host, origin in (
            (here, "http://evil.example"),
            (here, "null"),
            (here, "http://127.0.0.1"),  # another program on this machine
            (here, "http://127.0.0.1:1"),
            (here, "http://["),
            (here, "http://127.0.0.1:99999"),
            (here, ""),
            ("cards.example:8000", "https://cards.example:1"),
            ("cards.example", "https://cards.example.evil.example"),
        ):
            assert await made_from(one, host, origin) == 403, origin
        assert one.hub.lives == {}
        answer = await one.send(
            "DELETE", "/api/me", headers={"origin": "http://evil.example", "host": here}
        )
        assert (answer.status_code, code_of(answer)) == (403, "origin")
        assert guarded(answer)


@on_a_loop
async def test_our_own_page_and_a_program_are_let_in(tmp_path: Path) -> None:
    async with hall(tmp_path, hosts=("cards.example",)) as one:
        here = one.url.removeprefix("http://")
        assert await made_from(one, here, None) == 201
        assert await made_from(one, here, one.url) == 201
        assert await made_from(one, "cards.example", "https://cards.example") == 201
        assert await made_from(one, "cards.example:8000", "https://Cards.Example") == 201
        answer = await one.send("GET", "/api/health", headers={"origin": "http://evil.example"})
        assert answer.status_code == 200
        assert "access-control-allow-origin" not in answer.headers


@on_a_loop
async def test_another_sites_socket_is_refused_before_it_opens(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(socket_url(one.url), additional_headers=headers):
                    pass
            assert refused.value.response.status_code in (400, 403)
        for origin in (None, one.url):
            more = {} if origin is None else {"origin": origin}
            async with connect(socket_url(one.url), additional_headers=more) as opened:
                await opened.send("{}")
                assert '"code":"message"' in str(await opened.recv())


@on_a_loop
async def test_every_answer_carries_the_headers(tmp_path: Path) -> None:
    async with hall(tmp_path, metrics=True, docs=True) as one:
        for method, path, status in (
            ("GET", "/api/about", 200),
            ("GET", "/metrics", 200),
            ("GET", "/docs/openapi.json", 200),
            ("GET", "/nowhere", 404),
            ("GET", "/socket", 404),
            ("PATCH", "/api/tables", 405),
            ("POST", "/api/tables", 400),
            ("GET", "/api/me", 401),
        ):
            answer = await one.send(method, path)
            assert answer.status_code == status, path
            assert guarded(answer), path


@on_a_loop
async def test_what_is_not_there_says_so_in_the_usual_form(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for method, path in (("GET", "/nowhere"), ("DELETE", "/api/tables"), ("GET", "/socket")):
            answer = await one.send(method, path)
            assert answer.status_code in (404, 405)
            assert code_of(answer) == "not_found"


@on_a_loop
async def test_a_body_has_a_largest_size(tmp_path: Path) -> None:
    async def endless() -> object:
        for _ in range(40):
            yield b" " * 10_000

    async with hall(tmp_path) as one:
        for body in (b" " * 200_000, endless()):
            answer = await one.send("POST", "/api/tables", content=body)
            assert (answer.status_code, code_of(answer)) == (413, "request")
            assert guarded(answer)
        assert one.hub.lives == {}


@on_a_loop
async def test_too_many_requests_of_one_address_are_refused(tmp_path: Path) -> None:
    async with hall(tmp_path, requests_a_minute=3, metrics=True) as one:
        statuses = [(await one.send("GET", "/api/about")).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        answer = await one.send("POST", "/api/tables", json=TABLE)
        assert (answer.status_code, code_of(answer)) == (429, "too_fast")
        assert guarded(answer)
        assert one.hub.lives == {}
        for path in ("/api/health", "/api/ready", "/metrics"):  # whoever watches comes often
            assert (await one.send("GET", path)).status_code == 200


@on_a_loop
async def test_metrics_and_docs_are_closed_unless_they_are_opened(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        answer = await one.send("GET", "/metrics")
        assert (answer.status_code, code_of(answer)) == (404, "closed")
        for path in ("/docs", "/docs/openapi.json", "/schema", "/schema/openapi.json"):
            assert (await one.send("GET", path)).status_code == 404


@on_a_loop
async def test_metrics_are_sums_without_tables_or_names(tmp_path: Path) -> None:
    async with hall(tmp_path, metrics=True) as one:
        seat = await one.make(name="Zebedee")
        async with one.client(seat):
            answer = await one.send("GET", "/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
        assert "five211_tables 1.0" in lines
        assert "five211_sockets 1.0" in lines
        assert not [line for line in lines if "{" in line]
        for secret in (seat["table"], seat["code"], "Zebedee"):
            assert secret not in answer.text


@on_a_loop
async def test_docs_are_open_by_setting_and_hide_the_operators_side(tmp_path: Path) -> None:
    async with hall(tmp_path, docs=True) as one:
        schema = (await one.send("GET", "/docs/openapi.json")).json()
        assert "/api/tables" in schema["paths"]
        assert not [path for path in schema["paths"] if "operator" in path or "metrics" in path]


@on_a_loop
async def test_where_others_find_a_server_is_told_on_the_machine_itself(tmp_path: Path) -> None:
    async def told(host: str) -> object:
        answer = await one.send("GET", "/api/about", headers={"host": host})
        return answer.json()["addresses"]

    async with hall(tmp_path) as one:
        assert await told("localhost") == []
    async with hall(tmp_path, lan=True) as one:
        port = one.url.rsplit(":", 1)[1]
        numbers = [one for one in addresses() if one[0].isdigit() and one[:4] != "127."]
        assert await told(f"127.0.0.1:{port}") == [f"http://{number}:{port}" for number in numbers]
        assert await told(addresses()[-1]) == []
    async with hall(tmp_path, lan=True, url="https://play.test/") as one:
        assert await told("[::1]:5") == ["https://play.test"]
        assert await told("play.test") == []


@on_a_loop
async def test_a_server_says_what_it_is_and_how_it_is(tmp_path: Path) -> None:
    async with hall(tmp_path, smtp="smtp://x") as one:
        about = await one.good("GET", "/api/about")
        assert (about["name"], about["languages"]) == ("five211", ["en", "fr"])
        assert (about["webhooks"], about["email"]) == (True, True)
        assert {"name": "hasty", "called": "Maxi", "level": "easy"} in about["bots"]
        assert {"name": "greedy", "called": "Greedy", "level": None} in about["bots"]
        assert await one.good("GET", "/api/health") == {"status": "ok"}
        assert await one.good("GET", "/api/ready") == {"status": "ready"}
        one.hub.closing = True
        assert await one.refused("GET", "/api/ready") == (503, "stopping")
        one.hub.closing = False


@on_a_loop
async def test_the_gate_lets_through_what_is_no_request(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        reader, writer = await asyncio.open_connection(*one.url.removeprefix("http://").split(":"))
        writer.write(b"GET /api/health HTTP/1.0\r\n\r\n")
        answer = await reader.read()
        assert b" 421 " in answer.splitlines()[0]  # no Host at all
        writer.close()
        await writer.wait_closed()


def test_a_server_on_the_network_answers_to_the_machines_names() -> None:
    ours = set(addresses())
    local = f"{socket.gethostname().lower()}.local"
    assert local in ours
    assert local not in hosts(Settings())
    assert ours < hosts(Settings(lan=True))
    assert ours < hosts(Settings(host="0.0.0.0"))


@on_a_loop
async def test_the_opener_policy_is_only_sent_where_browsers_take_it(tmp_path: Path) -> None:
    name = "cross-origin-opener-policy"
    async with hall(tmp_path, hosts=("table.test",)) as one:
        assert (await one.ask("GET", "/api/health")).headers[name] == "same-origin"
        plain = await one.ask("GET", "/api/health", headers={"host": "table.test"})
        assert plain.status_code == 200
        assert name not in plain.headers
