"""Whole games over real sockets: everyone at once, minds changed, spectators, bots, rematches."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211.client import Client, Left, Refused
from tests.server.houses import house
from tests.server.players import (
    check_game,
    may_choose,
    play_on,
    raw_seat,
    record_of,
    seated,
    some_choice,
)

CASES = [(players, variant) for players in (2, 3, 4, 5) for variant in ("standard", "long")]
SAMPLE = [(2, "long"), (3, "standard"), (4, "standard"), (5, "long")]


@pytest.mark.parametrize(
    ("players", "variant"),
    [pytest.param(*case, marks=[] if case in SAMPLE else [pytest.mark.soak]) for case in CASES],
)
def test_a_whole_game_with_everyone_at_once(tmp_path: Path, players: int, variant: str) -> None:
    async def scene() -> None:
        rng = Random(f"{players} {variant}")
        async with (
            house(tmp_path) as h,
            seated(h, players, variant=variant) as (clients, table),
            Client(h.url, watch=table["watch"]) as watcher,
        ):
            await clients[0].do("start")
            minds = enumerate(clients)
            await asyncio.gather(*(play_on(one, rng, fickle=n % 2 == 0) for n, one in minds))
            await watcher.until(lambda seen: seen["phase"] == "over")
            record = await check_game(h, table, [*clients, watcher])
        assert record.match.rules.players == players
        assert record.match.rules.variant == variant
        assert all(words for words in record.extra["proof"]["words"])

    asyncio.run(scene())


def test_play_at_once_against_bots(tmp_path: Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            answer = await h.post("/api/play", players=5, level="beginner", words=True)
            table = answer.json()
            async with h.client(table) as client:
                await play_on(client, Random(1))
                record = await check_game(h, table, [client])
            assert [player.bot for player in record.players] == [None, *["random"] * 4]
            words = record.extra["proof"]["words"]
            assert words[0]
            assert words[1:] == [None] * 4

    asyncio.run(scene())


def test_a_rematch_is_a_new_game_with_its_own_deck_and_record(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(3)
        async with house(tmp_path) as h, seated(h, 3, bots=1) as (clients, table):
            for game in (1, 2):
                await clients[0].do("start")
                await asyncio.gather(*(play_on(client, rng) for client in clients))
                await check_game(h, table, clients, game)
                early = {"game": game, "deal": 0, "round": 0, "turn": 0}
                with pytest.raises(Refused, match="nothing to choose"):
                    await clients[1].do("choose", moment=early, cards=[])
                await clients[1].do("rematch")
            first, second = [await record_of(h, table, game) for game in (1, 2)]
        assert first.extra["proof"]["commitment"] != second.extra["proof"]["commitment"]
        assert first.match.state.deck != second.match.state.deck

    asyncio.run(scene())


def test_the_same_command_twice_is_done_once(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(5)
        async with house(tmp_path) as h, seated(h, 2) as (clients, table):
            await clients[0].do("start")
            seen = await clients[0].until(may_choose)
            seat = {"table": table["table"], "token": table["token"]}
            async with raw_seat(h, seat) as one:
                first = {"type": "choose", "moment": seen["moment"], "cards": seen["choices"][0]}
                other = {"type": "choose", "moment": seen["moment"], "cards": seen["choices"][1]}
                assert (await one.answer(id="a", **first))["done"]
                assert (await one.answer(id="b", **other))["done"]
                before = one.n
                assert (await one.answer(id="a", **first))["done"]  # resent: it changes nothing
                assert one.n == before
                assert one.view["choice"] == seen["choices"][1]
                # After the turn it is still known, and another choice for that turn is answered.
                await clients[1].choose(some_choice(await clients[1].until(may_choose), rng))
                assert (await one.answer(id="b", **other))["done"]
                late = await one.answer(id="c", **other)
                assert late["error"]["code"] == "turn_over"

    asyncio.run(scene())


def test_who_leaves_is_played_for_and_comes_back_to_the_same_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(7)
        async with house(tmp_path) as h, seated(h, 3) as (clients, table):
            await clients[0].do("start")
            gone = clients[2]
            await gone.until(may_choose)
            path = f"/api/tables/{table['table']}/seats"
            await gone.do("leave")
            with pytest.raises(Left) as left:
                await gone.until(lambda _: False)
            assert left.value.code == 4001
            await clients[0].until(lambda seen: seen["seats"][2]["substitute"] == "hasty")
            refused = await h.post(path, name="Cleo", code=table["code"], seat=1)
            assert refused.json()["error"]["code"] == "seat_taken"
            token = gone._hello["token"]
            back = await h.post(path, name="Cleo", token=token)
            assert back.json()["seat"] == 2
            async with h.client(back.json()) as again:
                everyone = [*clients[:2], again]
                await asyncio.gather(*(play_on(client, rng) for client in everyone))
                await check_game(h, table, everyone)

    asyncio.run(scene())


def test_without_a_clock_a_substitute_can_be_called_after_a_while(tmp_path: Path) -> None:
    async def scene() -> None:
        rng = Random(8)
        async with house(tmp_path, patience=0.0) as h, seated(h, 2) as (clients, table):
            await clients[0].do("start")
            await clients[0].choose(some_choice(await clients[0].until(may_choose), rng))
            await clients[0].do("call_substitute", seat=1)
            await clients[0].until(lambda seen: seen["turn"] == 1)
            await clients[1].until(lambda seen: seen["turn"] == 1)
            assert clients[1].view["seats"][1]["substitute"] == "hasty"
            # Who chooses takes the seat back.
            await asyncio.gather(*(play_on(client, rng) for client in clients))
            record = await check_game(h, table, clients)
            assert record.played_by[0] == (None, "hasty")

    asyncio.run(scene())


def test_a_clock_warns_and_then_seats_a_substitute(tmp_path: Path) -> None:
    async def scene() -> None:
        from five211.server.hub import Sources

        now = [1000.0]
        async with house(tmp_path, Sources(now=lambda: now[0])) as h:
            clock = {"seconds": 30, "reserve": 5}
            async with seated(h, 2, clock=clock) as (clients, _):
                await clients[0].do("start")
                for client in clients:
                    await client.until(may_choose)
                assert clients[0].view["deadlines"] == [1035.0, 1035.0]
                await clients[0].choose(some_choice(clients[0].view, Random(1)))
                assert clients[0].view["deadlines"] == [None, 1035.0]
                now[0] = 1030.0
                await clients[0].do("react", reaction="hurry")  # any entry lets time pass
                await _event(clients[1], "reaction")
                now[0] = 1036.0
                await clients[0].do("react", reaction="ouch")

    asyncio.run(scene())


async def _event(client: Client, name: str) -> dict[str, Any]:
    while True:
        event = await asyncio.wait_for(client.events.get(), 20)
        if event["event"] == name:
            return event
