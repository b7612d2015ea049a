"""`kill -9` of the server under load: nothing that was acknowledged is ever lost.

People play over real sockets against a real process, which is killed at random moments and started
again on the same file. Every choice that was acknowledged is in the record, every game is finished,
and everyone has seen the game that was recorded.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil
import pytest

from five211.client import Client, Refused, read_view
from five211.record import Record
from five211.server.hub import Sources
from tests.server.houses import House, ServerProcess, house
from tests.server.players import check_game, may_choose, seated, some_choice

Acknowledged = dict[tuple[int, int, int, int], list[str]]


class Person:
    """Somebody who plays game after game, and remembers what was acknowledged."""

    def __init__(self, client: Client, rng: Random) -> None:
        self.client, self.rng = client, rng
        self.kept: Acknowledged = {}

    async def play(self) -> None:
        while True:
            seen = await self.client.until(may_choose)
            if seen["phase"] == "over":
                return
            for cards in (some_choice(seen, self.rng), some_choice(seen, self.rng)):
                moment = seen["moment"]
                last = self.rng.random() < 0.7
                codes = [card.code for card in cards]
                if await self._choose(moment, codes):
                    self.kept[_key(moment)] = codes
                if last or self.client.view["moment"] != moment:
                    break

    async def _choose(self, moment: dict[str, int], codes: list[str]) -> bool:
        try:
            await self.client.do("choose", moment=moment, cards=codes)
        except Refused as refused:
            assert refused.code in ("turn_over", "nothing_to_choose"), refused  # noqa: PT017
            return False
        return True

    def check(self, record: Record, game: int) -> int:
        """Everything that was acknowledged is in the record; how much that was."""
        seat, count = self.client.view["you"], 0
        for deal, state in enumerate(record.match.deals):
            for number, round_ in enumerate(state.rounds):
                for turn, choices in enumerate(round_.turns):
                    kept = self.kept.get((game, deal, number, turn))
                    if kept is not None:
                        assert [card.code for card in choices[seat]] == kept
                        count += 1
        return count


def _key(moment: dict[str, int]) -> tuple[int, int, int, int]:
    return (moment["game"], moment["deal"], moment["round"], moment["turn"])


class Table:
    """People around one table, who play game after game."""

    def __init__(self, clients: list[Client], made: dict[str, Any], rng: Random) -> None:
        self.persons = [Person(client, Random(rng.random())) for client in clients]
        self.clients, self.made = clients, made
        self.games = self.checked = 0

    async def play(self, h: House, enough: asyncio.Event) -> None:
        while True:
            self.games += 1
            await _persist(self.clients[0], "start", self.games)
            await asyncio.gather(*(person.play() for person in self.persons))
            record = await _until_up(lambda: check_game(h, self.made, self.clients, self.games))
            self.checked += sum(person.check(record, self.games) for person in self.persons)
            if enough.is_set():
                return
            await _persist(self.clients[-1], "rematch", self.games)


async def _persist(client: Client, kind: str, game: int) -> None:
    """Start and rematch are commands like any other: acknowledged once, they are done."""
    await client.do(kind)
    if kind == "rematch":
        await client.until(lambda seen: seen["phase"] == "gathering")
    else:
        await client.until(lambda seen: seen["proof"] is not None and seen["phase"] != "gathering")
        assert client.view["proof"]["table"].endswith(f"/{game}")


async def _until_up(ask: Any) -> Any:
    """HTTP does not come back by itself as the socket's client does."""
    for _ in range(600):
        try:
            return await ask()
        except httpx.HTTPError:
            await asyncio.sleep(0.05)
    raise AssertionError("the server did not come back")


async def killed(server: ServerProcess, times: int, rng: Random, enough: asyncio.Event) -> None:
    """Kill and start the server so many times, at random moments."""
    for _ in range(times):
        await asyncio.sleep(rng.uniform(0.05, 0.8))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    enough.set()


def survive(folder: Path, kills: int, tables: int, seed: int) -> tuple[int, int]:
    """Games under a server that is killed; how many games, and how many acknowledged choices."""

    async def scene() -> tuple[int, int]:
        rng = Random(seed)
        server = ServerProcess(folder, away_after=0.2)
        server.start()
        h = House(server.url)
        try:
            async with AsyncExitStack() as stack:
                all_tables = []
                for number in range(tables):
                    scene = seated(h, 2 + number % 4, bots=number % 2)
                    all_tables.append(Table(*await stack.enter_async_context(scene), rng))
                enough = asyncio.Event()
                playing = [table.play(h, enough) for table in all_tables]
                await asyncio.gather(killed(server, kills, rng, enough), *playing)
            checked = sum(table.checked for table in all_tables)
            return sum(table.games for table in all_tables), checked
        finally:
            server.kill()

    return asyncio.run(scene())


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    games, choices = survive(tmp_path, kills=3, tables=4, seed=1)
    assert games >= 4
    assert choices > 100


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    games, choices = survive(tmp_path, kills=100, tables=8, seed=2)
    print(f"100 kills, {games} games, {choices} acknowledged choices, none lost")


def test_whatever_a_killed_server_started_ends(tmp_path: Path) -> None:
    """The server itself is killed and nothing else, as by a kernel without memory."""
    server = ServerProcess(tmp_path)

    async def bots_think() -> None:
        h = House(server.url)
        made = (await h.post("/api/play", level="beginner")).json()
        async with h.client(made) as client:
            await client.until(lambda view: view["chosen"] == [False, True, True, True])

    server.start()
    assert server.process is not None
    try:
        asyncio.run(bots_think())
        started = psutil.Process(server.process.pid).children(recursive=True)
        assert started
    finally:
        server.process.kill()
        server.process.wait()
    left = psutil.wait_procs(started, timeout=60)[1]
    for process in left:
        process.kill()
    assert left == []


CLOCKS: list[tuple[dict[str, Any], float]] = [
    ({"seconds": 60, "reserve": 10}, 70.0),
    ({"seconds": 86400, "correspondence": True}, 86400.0),
]


@pytest.mark.parametrize(("clock", "time"), CLOCKS)
def test_nobody_loses_time_to_a_restart(tmp_path: Path, clock: dict[str, Any], time: float) -> None:
    async def before() -> tuple[dict[str, Any], dict[str, Any]]:
        sources = Sources(now=lambda: 1000.0)
        async with house(tmp_path, sources) as h, seated(h, 2, clock=clock) as (clients, table):
            await clients[0].do("start")
            seen = await clients[0].until(may_choose)
            await clients[0].choose(read_view(seen).choices[0])
            assert clients[0].view["deadlines"] == [None, 1000.0 + time]
            return table, dict(clients[1]._hello)

    async def after(table: dict[str, Any], other: dict[str, Any]) -> None:
        now = 500_000.0
        async with house(tmp_path, Sources(now=lambda: now)) as h, h.client(table) as client:
            assert client.view["choice"] is not None  # what lay face down still lies there
            async with Client(h.url, other["table"], other["token"]) as late:
                # Not a second of those days is charged; what had passed before still counts.
                assert late.view["deadlines"] == [None, now + time]
                await late.choose(read_view(late.view).choices[0])
                await client.until(lambda seen: seen["turn"] == 1)

    table, other = asyncio.run(before())
    asyncio.run(after(table, other))
