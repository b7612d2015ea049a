"""Help for tests of a seat at a server's table: people who play there, and servers that say odd
things.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import httpx
from websockets.asyncio.server import ServerConnection, serve

from five211.proof import check_proof
from five211.record import Record, faults, parse
from five211.table import Options, Table
from five211.tableview import TableView, table_view
from five211.terminal.away import Away, join
from five211.view import View, Viewer
from tests.server.helpers import Hall

Look = Callable[[Away], Awaitable[None]]


async def host_of(h: Any, made: dict[str, Any], language: str = "en") -> Away:
    """The seat of whoever made a table."""
    return await join(h.url, made["table"], None, None, made["token"], language)


async def guest_of(
    h: Any, made: dict[str, Any], name: str | None = "Ben", language: str = "en"
) -> Away:
    """Somebody who was told the table's address."""
    return await join(f"{h.url}/t/{made['table']}#{made['code']}", None, None, name, None, language)


def seen_by(away: Away) -> TableView:
    """What the one person of a place may see."""
    (seat,) = away.people
    return away.look(seat)


def game_of(away: Away) -> View:
    """The game that this person sees."""
    view = seen_by(away).view
    assert view is not None
    return view


def is_over(away: Away) -> bool:
    """Whether there is a game, and it is over."""
    view = seen_by(away).view
    return view is not None and view.result is not None


async def until(away: Away, good: Callable[[], bool]) -> None:
    """Wait as an interface does, for news alone."""
    seen = away.version
    while not good():
        seen = await away.after(seen)


async def awaited(away: Away) -> bool:
    """Wait for one's turn; false if the game is over instead."""

    def mine() -> bool:
        now = seen_by(away)
        return is_over(away) or (now.moment is not None and now.choice is None)

    await until(away, mine)
    return not is_over(away)


async def play_on(away: Away, rng: Random, look: Look | None = None) -> None:
    """Choose at random until the game is over."""
    (seat,) = away.people
    while await awaited(away):
        if look is not None:
            await look(away)
        await away.choose(seat, rng.choice(game_of(away).choices))


def told(table: Table, seat: Viewer) -> TableView:
    """What the server itself lets a seat see; who substitutes, and the patience, are not sent."""
    known = table_view(table, seat)
    sent = Options(known.options.edition, known.options.clock, known.options.show_chosen)
    return replace(known, options=sent)


async def table_of(h: Hall, made: dict[str, Any]) -> Table:
    """The table as the server has it."""
    return (await h.hub.find(made["table"])).room.table


async def record_of(away: Away) -> Record:
    """The record of the game that is over: nothing is wrong with it, and its deal is proven."""
    assert away.record_url is not None
    async with httpx.AsyncClient() as http:
        text = (await http.get(away.record_url)).text
    assert faults(text) == ()
    record = parse(text)
    check_proof(record)
    return record


# A server that says what it is told to


ABOUT = {"reactions": ["hello", "zap"], "addresses": []}
INFO = {
    "id": "odd",
    "players": 2,
    "variant": "standard",
    "edition": "classic",
    "clock": None,
    "show_chosen": True,
    "show_points": False,
}
SEAT = {"bot": None, "substitute": None, "free": False, "present": True}
VIEW: dict[str, Any] = {
    "info": INFO,
    "you": 1,
    "seats": [
        {"name": "Ana\x1b[2J", "host": True, **SEAT},
        {"name": "Ben", "host": False, **SEAT},
    ],
    "phase": "gathering",
    "moment": None,
    "proof": None,
    "chosen": [None, None],
    "deadlines": [None, None],
    "call_from": None,
    "paused": False,
}


def frame(n: int = 1, events: tuple[dict[str, Any], ...] = (), **view: Any) -> str:
    """A frame as the protocol has it."""
    return json.dumps({"n": n, "events": events, "view": view, "answers": []})


@asynccontextmanager
async def odd_server(talk: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that says of itself what ours does; `talk` is its side of the socket after hello."""

    def about(connection: ServerConnection, request: Any) -> Any:
        if request.path.partition("?")[0] != "/socket":
            return connection.respond(200, json.dumps(ABOUT))
        return None

    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        await talk(socket)

    async with serve(handle, "127.0.0.1", 0, process_request=about) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
