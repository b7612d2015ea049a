"""Races of several processes that a hostile reader found: each was lost once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect

from five211.client import socket_url
from five211.commands import Tick
from five211.server import sharing
from five211.server.bus import News
from five211.server.entries import Rewritten
from five211.server.store import StoreFailed
from tests.server.helpers import closed_with, hall, on_a_loop, until
from tests.server.players import may_choose, raw_seat, some_choice
from tests.server.several import End, Wire, around, halls, overtaken_by, quick  # noqa: F401 - quick: around every test

CLOCK = {"seconds": 5.0, "reserve": 0.0, "correspondence": False}


class Deaf(End):
    """Loses what is said of one table."""

    table = ""

    def tell(self, news: News) -> None:
        super().tell([one for one in news if one[0] != Deaf.table])


@on_a_loop
async def test_a_table_is_looked_up_however_much_is_said_of_others(tmp_path: Path) -> None:
    wire = Wire()
    async with hall(tmp_path, bus=Deaf(wire)) as one, hall(tmp_path, bus=Deaf(wire)) as other:
        quiet, noisy = await one.made(players=2, words=False), await one.made(players=2)
        Deaf.table = quiet["table"]
        ben = await one.sat(quiet, "Ben", words=False)

        async def noise() -> None:
            while True:
                live = one.hub.lives[noisy["table"]]
                one.hub.do(live, Tick())
                await one.hub.written(live)
                await asyncio.sleep(0.01)

        async with other.client(ben) as there, one.client(quiet) as ana:
            await other.hub.find(noisy["table"])
            going_on = asyncio.create_task(noise())
            await ana.do("start")
            await there.until(may_choose)
            going_on.cancel()


@on_a_loop
async def test_whoever_sits_there_and_does_nothing_keeps_the_substitute(tmp_path: Path) -> None:
    async with halls(tmp_path) as served, around(served, 2, clock=CLOCK) as (clients, made):
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
        await clients[0].choose(some_choice(clients[0].view, Random(1)))
        await clients[0].until(lambda seen: seen["moment"]["turn"] == 1)
        live = served[0].hub.lives[made["table"]]
        version = live.version
        await asyncio.sleep(0.3)
        assert live.version < version + 4  # nobody comes back again and again
        assert [seat.substitute for seat in live.room.table.seats] == [None, "hasty"]


@on_a_loop
async def test_a_commit_that_somebody_is_away_may_be_overtaken(tmp_path: Path) -> None:
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2, words=False)
        ben = await served[1].sat(made, "Ben", words=False)
        async with served[1].client(ben) as there:
            async with served[0].client(made):
                overtaken_by(served[0].hub, served[1].hub, made["table"], b'"Away"')
            await there.until(lambda seen: not seen["seats"][0]["present"])


@on_a_loop
async def test_talk_does_not_keep_a_bot_from_being_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "STUCK", 0.3)
    async with halls(tmp_path) as served, around(served, 3, bots=1) as (clients, _made):
        monkeypatch.setattr(served[0].hub, "_think", lambda *_: asyncio.sleep(0))
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
        for client in clients:
            await client.choose(some_choice(client.view, Random(1)))
        while clients[1].view["moment"]["turn"] == 0:
            await clients[1].do("react", reaction="hurry")
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("rewritten", [False, True])
@on_a_loop
async def test_a_refusal_is_said_though_another_was_quicker(
    tmp_path: Path, rewritten: bool
) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2, words=False)
        await served[1].sat(made, "Ben", words=False)
        async with raw_seat(served[0], made) as ana:
            await ana.frame()
            one, other = served[0].hub, served[1].hub
            if rewritten:
                live = await other.find(made["table"])
                other.do(live, Rewritten())
                await other.written(live)
            else:
                overtaken_by(one, other, made["table"])
            await ana.send(type="react", id="1", reaction="hello")
            await ana.send(type="seat_bot", id="2", bot="no such bot")
            await ana.send(type="choose", id="3", moment=None, cards=[])
            got: list[str] = []
            while len(got) < 2 or "2" not in got:
                got += [answer["id"] for answer in (await ana.frame())["answers"]]
            assert got[:2] == ["1", "2"]


@on_a_loop
async def test_a_device_that_lost_its_seat_meanwhile_is_refused(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2, words=False)
        served[0].hub.sharing._tasks[-1].cancel()  # it looks at nothing by itself
        async with raw_seat(served[0], made) as old:
            await old.frame()
            code = (await old.answer(type="move_device", id="1"))["code"]
            path = f"/api/tables/{made['table']}/device"
            assert (await served[1].post(path, code=code)).status_code == 201
            answer = await old.answer(type="seat_bot", id="2", bot="random")
            assert answer["error"]["code"] == "token"


@on_a_loop
async def test_a_table_that_was_dropped_is_looked_after(tmp_path: Path) -> None:
    """Its people may never come back, and others take them for connected."""
    async with halls(tmp_path) as served, around(served, 2) as (clients, made):
        await clients[1].until(lambda seen: all(seat["present"] for seat in seen["seats"]))
        hub, failed = served[0].hub, [0]
        load = hub.store.load

        async def away(table: str) -> Any:
            failed[0] += 1
            if failed[0] < 3:
                raise StoreFailed("away")
            return await load(table)

        hub.store.load = away  # type: ignore[method-assign]
        clients[0]._task.cancel()
        hub.forget(hub.lives[made["table"]])
        await clients[1].until(lambda seen: not seen["seats"][0]["present"])


@on_a_loop
async def test_an_older_reading_does_not_set_a_table_back(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2, words=False)
        hub = served[0].hub
        live = await hub.find(made["table"])
        await until(lambda: not live.busy)
        version, rows = live.version, await hub.store.load(made["table"])
        hub.store.load = lambda _: asyncio.sleep(0, rows[:1])  # type: ignore[method-assign, assignment]
        await hub.sharing._read_again(live)
        assert live.version == version


@on_a_loop
async def test_whoever_leaves_one_server_is_still_at_the_other(tmp_path: Path) -> None:
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2, words=False)
        async with raw_seat(served[0], made) as here:
            await here.frame()
            live, process = served[0].hub.lives[made["table"]], served[0].hub.sharing.process
            async with raw_seat(served[1], made) as there:
                await there.frame()
                await until(lambda: [len(at) for at in live.room.where.values()] == [2])
            await until(lambda: list(live.room.where.values()) == [(process,)])
            assert live.room.table.seats[0].present


@pytest.mark.parametrize("when", ["bans", "newer"])
@on_a_loop
async def test_while_the_store_is_away_people_are_told_to_come_back(
    tmp_path: Path, when: str
) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2, words=False)
        hub = served[0].hub
        for task in hub.sharing._tasks:
            task.cancel()

        async def away(*_: object) -> Any:
            raise StoreFailed("away")

        async with raw_seat(served[0], made) as here:
            if when == "newer":
                await here.frame()
                await until(lambda: not hub.lives[made["table"]].busy)
                hub.store.newer = away  # type: ignore[method-assign, assignment]
                await here.send(type="rematch", id="1")
                assert await closed_with(here.socket) == 1012
        if when == "bans":
            hub.store.bans = away  # type: ignore[method-assign]
            hub.sharing.look_up_bans.__self__._bans = None  # type: ignore[union-attr]
            async with connect(socket_url(served[0].url)) as socket:
                assert await closed_with(socket) == 1012


@on_a_loop
async def test_whoever_leaves_while_the_store_is_away_is_away(tmp_path: Path) -> None:
    """That it could not be written is no reason to take them for present for ever."""
    async with halls(tmp_path, away_after=0.1) as served:
        made = await served[0].made(players=2, words=False)
        ben = await served[0].sat(made, "Ben", words=False)
        hub, failed = served[1].hub, list[int]()
        commit = hub.store.commit

        async def fails(what: Any) -> None:
            if not failed and any(b'"Away"' in row.entries for row in what.rows):
                failed.append(1)
                raise StoreFailed("away")
            await commit(what)

        hub.store.commit = fails  # type: ignore[method-assign, assignment]
        async with served[0].client(made) as ana:
            async with raw_seat(served[1], ben) as there:
                await there.frame()
                await ana.do("start")  # so that the other does not see to it
                await ana.until(may_choose)
            await ana.until(lambda seen: not seen["seats"][1]["present"])
        assert failed
