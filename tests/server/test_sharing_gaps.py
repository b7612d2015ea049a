"""When no process was there: what clocks lost is given back, and nothing else."""

from __future__ import annotations

from pathlib import Path

from five211.commands import Standstill
from five211.server.codec import read_row
from five211.server.databases import make_store
from five211.server.settings import Settings
from five211.server.store import Gap
from tests.server.helpers import DAY, Clock, Hall, hall, on_a_loop, until
from tests.server.players import may_choose
from tests.server.several import End, Wire
from tests.server.stores import database_in, opened


async def standstills(one: Hall, table: str) -> list[float]:
    """What was given back."""
    live = await one.hub.find(table)
    await until(lambda: not live.busy)
    rows = await one.hub.store.load(table)
    entries = [entry for row in rows for entry, _, _ in read_row(row.entries)]
    return [entry.seconds for entry in entries if isinstance(entry, Standstill)]


@on_a_loop
async def test_a_clock_that_was_wrong_at_boot_gives_nothing_back(tmp_path: Path) -> None:
    clock, wire = Clock(), Wire()
    async with hall(tmp_path, clock.sources, bus=End(wire)):
        pass
    clock.now += 7200.0  # the machine boots with its clock two hours ahead
    async with hall(tmp_path, clock.sources, bus=End(wire)) as one:
        clock.now -= 7199.0  # and it is set right
        async with hall(tmp_path, clock.sources, bus=End(wire)) as other:
            assert other.hub.sharing.gaps == []
            made = await one.make(players=2, bots=["random"], clock=DAY, words=False)
            async with one.client(made) as ana:
                await ana.do("start")
                await ana.until(may_choose)
            assert one.hub.sharing.gaps  # it was not asked for yet, and a game is played
            clock.now += 10.0
            one.hub.forget(one.hub.lives[made["table"]])
            assert await standstills(one, made["table"]) == []
            assert await standstills(other, made["table"]) == []
            assert one.hub.sharing.gaps == []  # nor when its time comes


@on_a_loop
async def test_however_often_it_starts_again_that_is_one_standstill(tmp_path: Path) -> None:
    clock = Clock()
    async with hall(tmp_path, clock.sources) as one:
        made = await one.make(players=2, bots=["random"], clock=DAY, words=False)
        async with one.client(made) as ana:
            await ana.do("start")
            await ana.until(may_choose)
        began = clock.now
    async with opened(make_store(Settings(database=database_in(tmp_path)))) as store:
        for n in range(30):  # and dies at once, each time
            clock.now += 5.0
            gaps = await store.arrive(f"p{n}", clock.now, 0.0)
    assert gaps == [Gap(began, clock.now)]
    async with hall(tmp_path, clock.sources) as one:
        assert await standstills(one, made["table"]) == [150.0]


@on_a_loop
async def test_gaps_far_apart_are_added_up(tmp_path: Path) -> None:
    async with hall(tmp_path, Clock(1000.0).sources) as one:
        sharing = one.hub.sharing
        sharing.gaps = [Gap(100.0, 200.0), Gap(300.0, 400.0), Gap(390.0, 410.0)]
        assert sharing.lost_since(50.0) == (210.0, 410.0)
        assert sharing.lost_since(150.0) == (160.0, 410.0)
        assert sharing.lost_since(405.0) == (5.0, 410.0)
        assert sharing.lost_since(410.0) == (0.0, 410.0)
