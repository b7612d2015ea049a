"""Who of several processes does what happens by itself, and that it is done once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211.commands import Tick
from five211.errors import GameError
from five211.server import live as lives
from five211.server import room, sharing
from five211.server.databases import make_store
from five211.server.entries import Reacted
from five211.server.hub import Hub, Sources
from five211.server.live import Live
from five211.server.settings import Settings
from five211.server.store import StoreFailed
from tests.server.helpers import DAY, Clock, Hall, hall, on_a_loop, until
from tests.server.players import may_choose, raw_seat, some_choice
from tests.server.several import End, Wire, around, halls, left_tables, quick  # noqa: F401 - quick: around every test
from tests.server.stores import database_in


@asynccontextmanager
async def hubs(folder: Path, number: int, sources: Sources) -> AsyncIterator[list[Hub]]:
    """So many hubs that start at the same time, without a server around them."""
    settings, wire = Settings(database=database_in(folder), bot_pace=0.0), Wire()
    made = [Hub(settings, make_store(settings), sources, End(wire)) for _ in range(number)]
    await asyncio.gather(*(hub.start() for hub in made))
    try:
        yield made
    finally:
        await asyncio.gather(*(hub.stop() for hub in made))


def silence(hub: Hub) -> None:
    """It shows no sign of life any more, and does nothing by itself, as if it were dead."""
    for task in hub.sharing._tasks:
        task.cancel()
    hub.follow = lambda _: None  # type: ignore[method-assign, assignment]


# Nobody was there


@on_a_loop
async def test_processes_that_start_together_give_back_what_clocks_lost_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(1_800_000_000.0)
    async with hall(tmp_path, clock.sources, bus=End(Wire())) as one:
        made = await one.make(players=2, bots=["random"], clock=DAY, words=False)
        async with one.client(made) as ana:
            await ana.do("start")
            await ana.until(may_choose)
        left = one.hub.lives[made["table"]].room.table.deadline(0)
    assert left is not None
    clock.now += 20 * 3600.0
    beat, gate = sharing.Sharing._beat, asyncio.Barrier(2)

    async def together(self: sharing.Sharing) -> None:
        await beat(self)
        if not self.others:  # each has said that it is there before the other looks around
            await gate.wait()

    monkeypatch.setattr(sharing.Sharing, "_beat", together)
    async with hubs(tmp_path, 2, clock.sources) as both:
        monkeypatch.setattr(sharing.Sharing, "_beat", beat)
        for hub in both:
            live = await hub.find(made["table"])
            await until(lambda live=live: not live.busy)  # type: ignore[misc]
            deadline = live.room.table.deadline(0)
            assert deadline is not None
            assert left + 20 * 3600.0 - 60 < deadline < left + 20 * 3600.0 + 60


# Bots


@on_a_loop
async def test_a_slow_bot_thinks_at_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "TAKE_OVER", 0.05)
    async with halls(tmp_path, 3) as served, around(served, 4, bots=1) as (clients, made):
        thinking, go_on = list[int](), asyncio.Event()

        def slowly(number: int, hub: Hub) -> Any:
            think = hub.thinkers.think

            async def thought(*given: Any) -> Any:
                thinking.append(number)
                await go_on.wait()
                return await think(*given)

            return lambda *given: asyncio.ensure_future(thought(*given))

        for number, one in enumerate(served):
            monkeypatch.setattr(one.hub.thinkers, "think", slowly(number, one.hub))
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
            await client.choose(some_choice(client.view, Random(1)))
        await asyncio.sleep(0.5)  # many times what something is left to a dead one
        assert len(thinking) == 1
        driver = served[thinking[0]].hub.sharing.process
        assert {one.hub.lives[made["table"]].room.driver for one in served} == {driver}
        go_on.set()
        await clients[1].until(lambda seen: seen["moment"]["turn"] == 1)


@on_a_loop
async def test_of_those_who_are_left_one_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "DEAD", 0.5)
    monkeypatch.setattr(sharing, "STEP", 2.0)
    async with halls(tmp_path, 3) as served, around(served, 4, bots=1) as (clients, made):
        await until(lambda: all(len(one.hub.sharing.others) == 2 for one in served))
        table, dead = made["table"], served[0].hub
        thinking = list[str]()

        def noted(hub: Hub) -> Any:
            think = hub.thinkers.think

            def thought(*given: Any) -> Any:
                thinking.append(hub.sharing.process)
                return think(*given)

            return thought

        for one in served[1:]:
            monkeypatch.setattr(one.hub.thinkers, "think", noted(one.hub))
        monkeypatch.setattr(dead, "_think", lambda *_: asyncio.sleep(0))
        await clients[0].do("start")
        await clients[1].until(may_choose)
        silence(dead)
        await until(lambda: bool(thinking))
        first = [one.hub for one in served[1:] if one.hub.sharing.comes_first(table)]
        assert [hub.sharing.process for hub in first] == thinking


@on_a_loop
async def test_whoever_stops_says_so(tmp_path: Path) -> None:
    wire = Wire()
    async with hall(tmp_path, bus=End(wire)) as stays:
        async with hall(tmp_path, bus=End(wire)) as goes:
            process = goes.hub.sharing.process
            await until(lambda: process in stays.hub.sharing.others)
        assert process not in await stays.hub.store.processes(1000.0)
        await until(lambda: process not in stays.hub.sharing.others)
        assert stays.hub.sharing._patience(process) == 0.0


@on_a_loop
async def test_signs_of_life_need_no_common_clock(tmp_path: Path) -> None:
    wire, fast = Wire(), Sources(now=lambda: time.time() + 1000.0)
    async with (
        hall(tmp_path, bus=End(wire)) as one,
        hall(tmp_path, fast, bus=End(wire)) as other,
    ):
        await until(lambda: bool(one.hub.sharing.others and other.hub.sharing.others))
        for hub in (one.hub, other.hub):
            await hub.sharing._look_around()
            assert len(hub.sharing.others) == 1


@on_a_loop
async def test_whoever_looks_late_takes_nobody_for_dead_at_once(tmp_path: Path) -> None:
    async with hall(tmp_path, bus=End(Wire())) as one:
        known = one.hub.sharing
        known._tasks[0].cancel()
        known._meet(frozenset({"other"}))
        known._looked -= sharing.DEAD  # the store was away for so long, for the other, too
        known._meet(frozenset())
        assert known.others == {"other"}
        known._meet(frozenset())
        assert not known.others
        assert known._patience("other") == 0.0


@on_a_loop
async def test_whoever_drives_no_longer_lets_go_of_the_clock(tmp_path: Path) -> None:
    clock = {"seconds": 500.0, "reserve": 0.0, "correspondence": False}
    async with halls(tmp_path) as served, around(served, 2, clock=clock) as (clients, made):
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
        one, other = (hall_.hub for hall_ in served)
        here = one.lives[made["table"]]
        assert one.drives(here)
        assert here.timer is not None
        other.take_over(other.lives[made["table"]])
        await until(lambda: here.timer is None and here.watch is not None)
        one.take_over(here)
        await until(lambda: here.timer is not None and here.watch is None)
        await one.written(here)
        one.take_over(here)  # once more is nothing more
        assert not here.entries


@on_a_loop
async def test_a_table_that_its_driver_dropped_is_taken_up_by_it(tmp_path: Path) -> None:
    """Others leave it to a process that lives, and here nobody is connected to it."""
    async with halls(tmp_path) as served, around(served, 3, bots=1) as (clients, made):
        one = served[0].hub
        await clients[0].do("start")
        await clients[1].until(may_choose)
        live = one.lives[made["table"]]
        assert one.drives(live)
        commit = one.store.commit

        async def fails(_commit: Any) -> None:
            one.store.commit = commit  # type: ignore[method-assign]
            raise StoreFailed("away")

        live.connections.clear()
        one.store.commit = fails  # type: ignore[method-assign, assignment]
        one.do(live, Tick())
        await until(lambda: live.gone)
        await until(lambda: made["table"] in one.lives)


# Games by correspondence


@on_a_loop
async def test_a_table_that_is_due_is_taken_up_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "TAKE_OVER", 0.05)
    clock = Clock(0.0)
    tables = await left_tables(tmp_path, clock, 4)
    async with hubs(tmp_path, 3, clock.sources) as many:
        await until(lambda: all(len(hub.sharing.others) == 2 for hub in many))
        clock.now += 2 * 86400.0
        for hub in many:
            for live in list(hub.lives.values()):
                hub.forget(live)
            await hub._wake_due()
        assert sorted(table for hub in many for table in hub.lives) == sorted(tables)
        for hub in many:
            for live in hub.lives.values():
                await until(lambda live=live: bool(live.room.table.seats[0].substitute))  # type: ignore[misc]
        # Whoever has one in memory that is another's to see to lets it go.
        table = tables[0]
        others = [hub for hub in many if table not in hub.lives]
        live = await others[0].find(table)
        clock.now += 86400.0
        live.away.clear()
        await until(lambda: not live.busy)
        others[0]._unload()
        assert table not in others[0].lives


# Alerts


@on_a_loop
async def test_somebody_is_told_of_a_turn_once_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []

    async def post(_alerts: Any, target: str, _message: Any) -> None:
        sent.append(target)

    monkeypatch.setattr("five211.server.alerts.Alerts._post", post)
    monkeypatch.setattr(sharing, "TAKE_OVER", 0.05)
    async with halls(tmp_path, 2, webhooks=True, private_webhooks=True) as served:
        made = await served[0].made(players=3, words=False)
        ben = await served[0].sat(made, "Ben", words=False)
        cy = await served[1].sat(made, "Cy", words=False)
        async with raw_seat(served[1], cy) as there:
            alert = {"type": "alert", "kind": "webhook", "target": "http://example.org/x"}
            assert (await there.answer(**alert, id="1"))["done"]
        async with served[0].client(made) as ana, served[1].client(ben) as client:
            await ana.until(lambda seen: not seen["seats"][2]["present"])
            await ana.do("start")
            for one in (ana, client):
                await one.until(may_choose)
                await one.choose(some_choice(one.view, Random(1)))
            await until(lambda: bool(sent))
            # Another drives the same turn, and somebody goes.
            other = served[1].hub
            other.take_over(other.lives[made["table"]])
            await other.written(other.lives[made["table"]])
        await asyncio.sleep(0.3)
        assert len(sent) == 1
    async with hall(tmp_path, webhooks=True, private_webhooks=True) as again:
        live = await again.hub.find(made["table"])
        await until(lambda: not live.busy)
        await until(lambda: not again.hub.alerts._tasks)
    assert len(sent) == 1  # nor after a restart


# Commits


@on_a_loop
async def test_whoever_was_not_overtaken_does_not_wait_for_those_who_were(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        hub, other = served[0].hub, served[1].hub
        stale, good = [(await served[0].made(players=2))["table"] for _ in range(2)]
        one, two = hub.lives[stale], hub.lives[good]
        there = await other.find(stale)
        other.do(there, Tick())
        await other.written(there)
        load, read = hub.store.load, asyncio.Event()

        async def slow(table: str) -> Any:
            await read.wait()
            return await load(table)

        hub.store.load = slow  # type: ignore[method-assign]
        hub.sharing._tasks[-1].cancel()
        for live in (one, two):
            hub.do(live, Tick())
        late = asyncio.create_task(hub.written(one))
        assert await hub.written(two)
        hub.do(one, Tick())  # is judged, and waits
        hub.do(two, Tick())
        assert await hub.written(two)  # nor at the next commit
        read.set()
        assert not await late
        await until(lambda: not one.busy)
        assert hub.metrics.overtaken._value.get() == 1


async def left_behind(served: list[Hall]) -> tuple[Hub, Live]:
    """A hub, and a table at which another wrote a row that it will not hear of."""
    hub, other = served[0].hub, served[1].hub
    table = (await served[0].made(players=2))["table"]
    here, there = hub.lives[table], await other.find(table)
    hub.sharing._tasks[-1].cancel()
    other.do(there, Tick())
    await other.written(there)
    return hub, here


@on_a_loop
async def test_what_is_overtaken_is_written_though_the_server_stops(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        hub, here = await left_behind(served)
        hub.do(here, Tick())
        late = asyncio.create_task(hub.written(here))
        await asyncio.sleep(0)
        await hub.commits.finish()
        assert not await late
        hub.commits.start()


@on_a_loop
async def test_a_fault_while_it_is_read_again_drops_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        hub, here = await left_behind(served)

        async def fails(_batch: Any) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr(hub, "overtaken", fails)
        hub.do(here, Tick())
        with pytest.raises(GameError):
            await hub.written(here)
        assert here.gone


# Those who are lost


@on_a_loop
async def test_whom_the_dead_had_is_asked_only_when_somebody_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path, bus=End(Wire())) as one:
        await one.made(players=2)
        hub, missed = one.hub, list[Live]()
        hub.sharing._tasks[0].cancel()
        monkeypatch.setattr(hub, "miss_lost", missed.append)
        await hub.sharing._look_around()
        assert missed == []
        hub.sharing.others = frozenset({"other"})
        await hub.sharing._look_around()
        assert missed == list(hub.lives.values())


@on_a_loop
async def test_what_is_good_is_judged_once_and_what_is_refused_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2, words=False)
        async with raw_seat(served[0], made) as ana:
            await ana.frame()
            hub, judged, looked = served[0].hub, list[Any](), list[str]()
            await until(lambda: not hub.lives[made["table"]].busy)
            apply, look_up = room.apply, hub.look_up

            def judge(before: Any, entry: Any, now: float) -> Any:
                judged.append(entry)
                return apply(before, entry, now)

            async def look(live: Live) -> None:
                looked.append(live.room.id)
                await look_up(live)

            monkeypatch.setattr(lives, "apply", judge)
            monkeypatch.setattr(hub, "look_up", look)
            assert (await ana.answer(type="react", id="1", reaction="hello"))["done"]
            mine = [one for one in judged if isinstance(one, Reacted)]
            assert (len(mine), looked) == (1, [])
            assert not (await ana.answer(type="rematch", id="2"))["done"]
            assert looked == [made["table"]]
            assert not (await ana.answer(type="seat_bot", id="3", bot="no such bot"))["done"]
            assert looked == [made["table"]]  # what can never be is not looked up
