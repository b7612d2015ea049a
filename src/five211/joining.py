"""Sitting down at a server's table, for programs: from the address that people pass on to a token.

HTTP and nothing else; the token is what `five211.client` plays with. Everything that goes wrong is
a `GameError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from five211.client import Refused
from five211.errors import GameError, file_name, short

NAMESAKES = 5  # of one name at a table


@dataclass(frozen=True, slots=True)
class Address:
    """Where to play: a server, and what was said of the table."""

    server: str
    table: str | None
    code: str | None


@dataclass(frozen=True, slots=True)
class House:
    """What a server says of itself, as far as somebody who plays there needs it."""

    server: str
    """Where we found it."""
    reactions: tuple[str, ...]
    addresses: tuple[str, ...]
    """Where others find it, if it knows better than we do; the best first."""


def read_address(url: str, table: str | None, code: str | None) -> Address:
    """The address that a person would paste, http://host:port/t/TABLE#CODE, or the server's own."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise GameError("join_url", url=file_name(url))
    steps = [step for step in parts.path.split("/") if step]
    if steps and (steps[0] != "t" or len(steps) != 2):
        raise GameError("join_url", url=file_name(url))
    server = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return Address(server, table or (steps[1] if steps else None), code or parts.fragment or None)


def namesakes(name: str) -> list[str]:
    """A name that nobody has wished for, and what it becomes where it is taken."""
    return [name, *(f"{name} {n}" for n in range(2, NAMESAKES + 1))]


def look_up(address: Address, language: str) -> tuple[House, str]:
    """The server, and the table's id."""
    with _talking(address, language) as http:
        about = ask(http, "GET", "/api/about")
        reactions, addresses = (tuple(map(str, about[key])) for key in ("reactions", "addresses"))
        return House(address.server, reactions, addresses), find_table(http, address)


def take_seat(
    address: Address, names: Sequence[str], token: str | None, seat: int | None, language: str
) -> tuple[str, str]:
    """The table's id, and the token of a seat at it."""
    with _talking(address, language) as http:
        ask(http, "GET", "/api/about")  # else a server that is not there is awaited for ever
        table = find_table(http, address)
        return table, token or sit(http, address, table, names, seat)


@contextmanager
def _talking(address: Address, language: str) -> Iterator[httpx.Client]:
    try:
        with httpx.Client(base_url=address.server, headers={"accept-language": language}) as http:
            yield http
    except GameError:
        raise
    except Refused as refused:
        raise GameError("join_refused", text=short(str(refused))) from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        raise GameError("join_server", url=file_name(address.server)) from None


def find_table(http: httpx.Client, address: Address) -> str:
    """The table's id; a code alone is enough to find it."""
    if address.table is not None:
        return address.table
    if address.code is None:
        raise GameError("join_table")
    door = ask(http, "POST", "/api/doors", door=address.code)
    if door["kind"] != "code":
        raise GameError("code")
    return str(door["table"]["id"])


def sit(
    http: httpx.Client, address: Address, table: str, names: Sequence[str], seat: int | None
) -> str:
    """Sit down under the first of these names that is not taken; the token of the seat."""
    name, *others = names
    body = {"code": address.code, "seat": None if seat is None else seat - 1, "words": True}
    try:
        path = f"/api/tables/{quote(table, safe='')}/seats"
        return str(ask(http, "POST", path, name=name, **body)["token"])
    except Refused as refused:
        if refused.code != "name_taken" or not others:
            raise
    return sit(http, address, table, others, seat)


def ask(http: httpx.Client, method: str, path: str, **body: Any) -> dict[str, Any]:
    """What the server answers; `Refused` with its own sentence if it does not like it."""
    answer = http.request(method, path, json=body or None)
    if answer.is_success:
        return dict(answer.json())
    error = answer.json()["error"]
    raise Refused(error["code"], error["text"])
