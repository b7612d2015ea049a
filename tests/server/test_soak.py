"""Games and games over sockets: memory stays flat, and how much disk a game takes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.server.houses import House, ServerProcess, server_process
from tests.server.players import check_game, play_on, seated
from tests.server.stores import KIND, size_in


@dataclass
class Figures:
    """What was measured."""

    games: int
    memory: list[int]
    """The server's memory after each tenth of the games, in bytes."""
    file: int
    """The database's size, in bytes."""

    @property
    def bytes_a_game(self) -> int:
        return self.file // self.games


async def _table(h: House, number: int, games: int) -> None:
    """Two people and two bots play one game after the other."""
    async with seated(h, 4, bots=2, words=False) as (clients, table):
        for game in range(1, games + 1):
            await clients[0].do("start")
            await asyncio.gather(*(play_on(one, Random(number)) for one in clients))
            await check_game(h, table, clients, game)
            await clients[0].do("rematch")
        for client in clients:
            await client.do("leave")


def soak(folder: Path, games: int, tables: int, **settings: float) -> Figures:
    """So many games, some at a time; tables come and go."""
    each = max(1, games // (10 * tables))
    memory = []

    async def scene(server: ServerProcess) -> None:
        for _ in range(10):
            h = House(server.url)
            await asyncio.gather(*(_table(h, number, each) for number in range(tables)))
            memory.append(server.memory)

    with server_process(folder, **settings) as server:
        empty = size_in(folder) if KIND == "postgres" else 0
        asyncio.run(scene(server))
    return Figures(10 * tables * each, memory, size_in(folder) - empty)


def test_a_few_games_are_played_and_kept(tmp_path: Path) -> None:
    found = soak(tmp_path, games=10, tables=1)
    assert found.games == 10
    assert found.bytes_a_game < 100_000


@pytest.mark.soak
def test_thousands_of_games_leave_the_memory_flat(tmp_path: Path) -> None:
    found = soak(tmp_path, games=2000, tables=20, unload_after=5)
    megabytes = [round(size / 2**20, 1) for size in found.memory]
    print(f"{found.games} games, {found.bytes_a_game} bytes a game, memory in MB: {megabytes}")
    later = found.memory[4:]
    assert max(later) < 1.15 * min(later)
