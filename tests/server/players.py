"""People at a table, for tests: they choose at random, change their minds, and lose connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from five211.cards import Cards
from five211.client import Client, Refused, read_view, socket_url
from five211.proof import check_proof
from five211.record import Record, parse
from five211.view import view
from tests.server.houses import House


def may_choose(seen: dict[str, Any]) -> bool:
    return bool(seen["phase"] == "over" or (seen["phase"] == "choosing" and seen["choice"] is None))


def some_choice(seen: dict[str, Any], rng: Random) -> Cards:
    return rng.choice(read_view(seen).choices)


async def play_on(client: Client, rng: Random, fickle: bool = False) -> None:
    """Choose at random until the game is over; the fickle change their minds before."""
    while True:
        seen = await client.until(may_choose)
        if seen["phase"] == "over":
            return
        if fickle and rng.random() < 0.3:
            moment = seen["moment"]
            await client.choose(some_choice(seen, rng))
            with suppress(Refused):  # it was the last choice of the turn
                await client.do("take_back", moment=moment)
            continue
        try:
            await client.choose(some_choice(seen, rng))
        except Refused as refused:
            if refused.code != "turn_over":  # a substitute was quicker
                raise


@asynccontextmanager
async def seated(
    house: House, players: int, bots: int = 0, **options: Any
) -> AsyncIterator[tuple[list[Client], dict[str, Any]]]:
    """A table with everyone connected, not started yet."""
    made = await house.made(players=players, bots=["random"] * bots, **options)
    others = range(1, players - bots)
    seats = [made, *[await house.sat(made, f"Player {number}") for number in others]]
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(house.client(seat)) for seat in seats]
        yield clients, made


async def record_of(house: House, table: dict[str, Any], game: int = 1) -> Record:
    """The record of a finished game, verified with its proof."""
    answer = await house.get(f"/api/games/{table['table']}-{game}/record")
    assert answer.status_code == 200, answer.text
    record = parse(answer.text)
    check_proof(record)
    assert record.finished
    return record


async def check_game(
    house: House, table: dict[str, Any], clients: list[Client], game: int = 1
) -> Record:
    """Everyone has seen the game that was recorded."""
    record = await record_of(house, table, game)
    for client in clients:
        you = client.view["you"]
        seen = read_view(client.view)
        if you is None:
            assert seen.rounds == record.match.state.rounds
        else:
            assert seen == view(record.match, you)
    return record


class Raw:
    """One socket, frame by frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}
        self.n = 0
        self.frames: list[str] = []

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def send_text(self, message: str | bytes) -> None:
        await self.socket.send(message)

    async def frame(self) -> dict[str, Any]:
        text = await asyncio.wait_for(self.socket.recv(), 20)
        self.frames.append(str(text))
        frame: dict[str, Any] = json.loads(text)
        self.view.update(frame["view"])
        self.n = frame["n"]
        return frame

    async def answer(self, **message: Any) -> dict[str, Any]:
        """The answer to a command, whatever else comes before it."""
        await self.send(**message)
        while True:
            for one in (await self.frame())["answers"]:
                if one["id"] == message.get("id"):
                    return dict(one)


@asynccontextmanager
async def raw(house: House, **hello: Any) -> AsyncIterator[Raw]:
    """A socket that has said hello."""
    async with connect(socket_url(house.url), compression=None) as socket:
        one = Raw(socket)
        await one.send(type="hello", **hello)
        yield one


@asynccontextmanager
async def raw_seat(house: House, seat: dict[str, Any], **hello: Any) -> AsyncIterator[Raw]:
    async with raw(house, table=seat["table"], token=seat["token"], **hello) as one:
        yield one
