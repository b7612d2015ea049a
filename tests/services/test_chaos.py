"""Three processes behind nginx, and everything that can die dies: nothing acknowledged is lost.

The short form breaks everything once; `make soak-services` does so for hundreds of games, or for as
many as `TEST_GAMES` says.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.server.helpers import on_a_loop
from tests.services.chaos import survive
from tests.services.cluster import LONG, Cluster
from tests.services.nemesis import FAULTS, Nemesis
from tests.services.proxy import proxy


def check(cluster: Cluster, nemesis: Nemesis) -> None:
    """Nothing is wrong; and what happened, for whoever reads it."""
    history = cluster.history
    figures: Counter[str] = sum((server.figures for server in cluster.servers), Counter())
    print(f"{cluster.games} games, {cluster.choices} acknowledged choices, {cluster.rows} rows")
    print(f"operations {dict(history.outcomes())}, refused {dict(history.refusals())}")
    print(f"faults {sum(nemesis.done.values())}: {dict(nemesis.done)}")
    print(f"{nemesis.sprung} commits caught on their way")
    print(f"as far as counted: {dict(figures)}, no space left {cluster.full} times")
    assert not cluster.problems, cluster.problems[:20]
    assert not [bug for server in cluster.servers for bug in server.bugs]


async def echoes() -> asyncio.Server:
    """Says which address it is called from, and then what it is told."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(writer.get_extra_info("peername")[0].encode() + b"\n")
            while piece := await reader.read(100):
                writer.write(piece)
        writer.transport.abort()

    return await asyncio.start_server(echo, "127.0.0.1", 0)


@on_a_loop
async def test_the_proxy_comes_from_anywhere_holds_cuts_and_refuses() -> None:
    server = await echoes()
    async with proxy(int(server.sockets[0].getsockname()[1]), Random(1)) as one:
        writers = []

        async def begin() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
            writers.append(writer)
            return reader, writer

        met: set[bytes] = set()
        while len(met) < 3:
            reader, writer = await begin()
            met.add(await reader.readline())
        one.delay = 0.01
        writer.write(b"1")
        assert await reader.readexactly(1) == b"1"
        for hold in (one.hold, one.hold_answers):
            hold()
            writer.write(b"2")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.readexactly(1), 0.1)
            one.let_go()
            assert await reader.readexactly(1) == b"2"
        one.trap = (b"trap", one.hold)
        writer.write(b"a trap")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(1), 0.1)
        one.refuses = True
        one.cut()
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await (await begin())[0].readexactly(1)
        one.refuses = False
        server.close()
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await (await begin())[0].readexactly(1)
        for writer in writers:
            writer.transport.abort()


def test_nothing_acknowledged_is_lost_whatever_dies(tmp_path: Path) -> None:
    cluster, nemesis = asyncio.run(survive(tmp_path, 6, 1, lambda _: FAULTS, (0.05, 0.3), 2 * LONG))
    check(cluster, nemesis)
    assert set(nemesis.done) == set(FAULTS)
    assert cluster.games >= 6
    assert cluster.choices > 100


GAMES = int(os.environ.get("TEST_GAMES", "300"))


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_in_hundreds_of_games(tmp_path: Path) -> None:
    rng = Random(2)

    def faults(cluster: Cluster) -> Iterator[str]:
        while cluster.games < GAMES:
            yield from rng.sample((*FAULTS, "pause_server_for_long"), len(FAULTS) + 1)

    cluster, nemesis = asyncio.run(survive(tmp_path, 12, 2, faults, (0.1, 1.5), 3600))
    check(cluster, nemesis)
    assert cluster.games >= GAMES
