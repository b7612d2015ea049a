"""Where a bot plays: the address as people paste it, the server that answers, and the seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import httpx
import pytest

from five211 import GameError
from five211.joining import Address, read_address, take_seat
from tests.server.bot.helpers import made, said_by
from tests.server.houses import ServerProcess

# The table's address


@pytest.mark.parametrize(
    ("url", "more", "place"),
    [
        ("http://h:1/t/abc#C0DE", (None, None), Address("http://h:1", "abc", "C0DE")),
        ("https://h/t/abc/", (None, None), Address("https://h", "abc", None)),
        ("http://h:1", ("abc", "C0DE"), Address("http://h:1", "abc", "C0DE")),
        ("http://h:1/", (None, "C0DE"), Address("http://h:1", None, "C0DE")),
        ("http://h:1/#C0DE", (None, None), Address("http://h:1", None, "C0DE")),
        ("http://h:1/t/abc#C0DE", ("x", "y"), Address("http://h:1", "x", "y")),
        ("http://me:secret@h:1/t/abc", (None, None), Address("http://h:1", "abc", None)),
        ("http://[::1]:5211/t/abc", (None, None), Address("http://[::1]:5211", "abc", None)),
    ],
)
def test_an_address_as_people_paste_it(
    url: str, more: tuple[str | None, str | None], place: Address
) -> None:
    assert read_address(url, *more) == place


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:5211/t/abc",
        "ftp://h/t/abc",
        "http://",
        "http://h:x/t/abc",
        "http://h:99999",
        "http://h:0",
        "http://[::1/t/abc",
        "http://h/x/abc",
        "http://h/t",
        "http://h/t/abc/d",
    ],
)
def test_what_is_no_address_of_a_table(url: str) -> None:
    with pytest.raises(GameError) as error:
        read_address(url, None, None)
    assert error.value.code == "join_url"
    assert "http://host:port/t/TABLE#CODE" in said_by(error)


class Stranger(BaseHTTPRequestHandler):
    """A server that is not ours."""

    answer = b""
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def stranger(status: int, answer: bytes) -> Iterator[str]:
    handler = type("Handler", (Stranger,), {"status": status, "answer": answer})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "answer"),
    [(200, b"<html>"), (200, b"[1]"), (404, b"nothing"), (500, b"{}"), (500, b"[]")],
)
def test_a_server_that_is_another_one(status: int, answer: bytes) -> None:
    with stranger(status, answer) as url, pytest.raises(GameError) as error:
        take_seat(Address(url, "abc", None), ["Ana"], None, None, "en")
    assert error.value.code == "join_server"
    assert url in said_by(error)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://a..b"])
def test_a_server_that_is_not_there(url: str) -> None:
    with pytest.raises(GameError) as error:
        take_seat(Address(url, "abc", None), ["Ana"], "token", None, "en")
    assert error.value == GameError("join_server", url=f"“{url}”")


# Sitting down


def seats(server: ServerProcess, table: dict[str, Any]) -> list[str]:
    found = httpx.post(f"{server.url}/api/doors", json={"door": table["code"]}).json()
    return [seat["name"] for seat in found["table"]["seats"]]


def test_a_code_alone_finds_the_table(server: ServerProcess) -> None:
    table = made(server, players=3)
    place = Address(server.url, None, table["code"].lower())
    found, token = take_seat(place, ["Bo"], None, 3, "en")
    assert found == table["table"]
    assert token != table["token"]
    assert seats(server, table) == ["Ana", "", "Bo"]


def test_a_name_that_is_taken_gets_a_number_unless_it_was_wished_for(
    server: ServerProcess,
) -> None:
    table = made(server, players=5)
    place = Address(server.url, table["table"], table["code"])
    for _ in range(2):
        take_seat(place, ["Bo", "Bo 2", "Bo 3"], None, None, "en")
    assert seats(server, table)[1:3] == ["Bo", "Bo 2"]
    with pytest.raises(GameError) as error:
        take_seat(place, ["Bo"], None, None, "en")
    assert "Somebody at this table is called “Bo” already" in said_by(error)


def test_a_token_needs_no_other_seat(server: ServerProcess) -> None:
    table = made(server)
    place = Address(server.url, table["table"], None)
    assert take_seat(place, [], table["token"], None, "en") == (table["table"], table["token"])


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"code": "WRONG2"}, "The server says: That is not the code of this table."),
        ({"code": None}, "The server says: That is not the code of this table."),
        ({"table": "nowhere"}, "The server says: There is no such table, or it is gone."),
        ({"table": "a/b?c"}, "The server says: There is nothing here."),
        ({"table": None, "code": "WRONG2"}, "The server says: There is no such table"),
        ({"table": None, "code": None}, "Which table? Give its whole address"),
        ({"table": None, "code": "watch"}, "That is not the code of this table."),
    ],
)
def test_a_table_that_does_not_let_one_in(
    server: ServerProcess, place: dict[str, Any], words: str
) -> None:
    table = made(server)
    place = {"table": table["table"], "code": table["code"], **place}
    if place["code"] == "watch":
        place["code"] = table["watch"]
    with pytest.raises(GameError) as error:
        take_seat(Address(server.url, **place), ["Bo"], None, None, "en")
    assert said_by(error).startswith(words)


def test_the_server_speaks_the_language_that_is_wanted(server: ServerProcess) -> None:
    place = Address(server.url, made(server)["table"], None)
    with pytest.raises(GameError) as error:
        take_seat(place, ["Bo"], None, None, "fr")
    assert error.value.fields["text"] == "Ce n’est pas le code de cette table"
