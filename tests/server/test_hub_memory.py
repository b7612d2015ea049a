"""Tables come into the memory, leave it, and are forgotten in time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from five211.errors import GameError
from five211.server import hub as hubs
from five211.server.hub import Hub, Sources
from five211.server.live import Connection
from five211.view import SPECTATOR
from tests.server.helpers import Clock, hall, on_a_loop
from tests.server.houses import house
from tests.server.players import may_choose, play_on, raw_seat, record_of, seated
from tests.server.stores import KIND, sql_in


def test_a_table_that_cannot_be_read_does_not_stop_the_server(tmp_path: Path) -> None:
    async def before() -> dict[str, Any]:
        async with house(tmp_path) as h:
            return await h.made()

    async def after(table: dict[str, Any]) -> None:
        async with house(tmp_path) as h, raw_seat(h, table) as one:
            assert (await one.frame())["answers"][0]["error"]["code"] == "table_broken"

    table = asyncio.run(before())
    row = sql_in(tmp_path, "SELECT entries FROM log")[0][0].replace(b"Ana", b"")
    broken = f"x'{row.hex()}'" if KIND == "sqlite" else f"'\\x{row.hex()}'"
    sql_in(tmp_path, f"UPDATE log SET entries = {broken}")
    sql_in(tmp_path, "UPDATE tables SET due = 0")
    asyncio.run(after(table))


@on_a_loop
async def test_a_table_is_loaded_once_for_all_who_come(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        hub = h.hub
        table = (await h.made())["table"]
        hub.forget(hub.lives[table])
        found = await asyncio.gather(*(hub.find(table) for _ in range(5)))
        assert len({id(live) for live in found}) == 1
        with pytest.raises(Exception, match="no such table"):
            await hub.find("nothing")


@on_a_loop
async def test_tables_that_nobody_uses_leave_the_memory_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.01)
    clock = Clock(0.0)
    async with hall(tmp_path, clock.sources) as h:
        hub = h.hub
        table, idle = await h.made(), await h.made()
        while hub.lives[idle["table"]].away:
            await asyncio.sleep(0.01)
        async with h.client(table) as client:
            clock.now = 10_000.0
            hub._unload()
            assert set(hub.lives) == {table["table"]}
            assert client.view["phase"] == "gathering"
        async with h.client(idle) as client:
            assert client.view["seats"][0]["name"] == "Ana"


@on_a_loop
async def test_a_game_by_correspondence_leaves_the_memory_until_it_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.01)
    clock = Clock(0.0)
    day = {"seconds": 86400.0, "warning": 3600.0, "correspondence": True}
    async with hall(tmp_path, clock.sources) as h:
        hub = h.hub
        async with seated(h, 2, clock=day) as (clients, made):
            await clients[0].do("start")
            await clients[0].until(may_choose)
        id_, started = made["table"], clock.now
        live = hub.lives[id_]
        while live.connections or live.away:
            await asyncio.sleep(0.01)
        await hub.written(live)
        clock.now = 40_000.0
        hub._unload()
        await hub._wake_due()
        assert id_ not in hub.lives  # nothing to do for many hours
        clock.now = started + 86400.0 + 1
        hub._broken.add(id_)
        await hub._wake_due()
        assert id_ not in hub.lives  # one that could not be read is not tried at every beat
        await hub.expire()
        await hub._wake_due()  # but now and then
        assert id_ not in hub._broken
        while not all(seat.substitute for seat in hub.lives[id_].room.table.seats):
            await asyncio.sleep(0.01)


@on_a_loop
async def test_a_table_of_many_games_has_a_short_log(tmp_path: Path) -> None:
    async with hall(tmp_path) as h, seated(h, 2) as (clients, made):
        hub = h.hub
        id_, sizes = made["table"], []
        for game in (1, 2, 3):
            await clients[0].do("start")
            await asyncio.gather(*(play_on(client, Random(1)) for client in clients))
            await record_of(h, made, game)
            await clients[1].do("rematch")
            sizes.append(len(await hub.store.load(id_)))
        assert max(sizes) <= 2  # else there would be a row and more for each move
        before, n = hub.lives[id_], clients[0].n
        hub.forget(before)
        again = await hub.find(id_)
        assert again.room.tokens == before.room.tokens
        assert again.room.table.game == 3
        assert again.ids == before.ids
        await clients[0].do("start")  # they come back to the same counts
        assert n is not None
        assert clients[0].n is not None
        assert clients[0].n > n
        assert again.sequences[0].n >= n


@on_a_loop
async def test_what_is_kept_no_longer_is_deleted(tmp_path: Path) -> None:
    clock = Clock(0.0)
    settings: dict[str, Any] = {"gathering_hours": 1, "over_days": 1, "games_days": 2}
    async with hall(tmp_path, clock.sources, **settings) as h:
        hub = h.hub
        waiting = await h.made(public=True)
        playing = (await h.post("/api/play", players=2)).json()
        async with seated(h, 2, public=True) as (clients, over):
            await clients[0].do("start")
            await asyncio.gather(*(play_on(client, Random(1)) for client in clients))
        record = f"/api/games/{over['table']}-1/record"
        clock.now = 1.5 * 86400
        hub.forget(hub.lives[over["table"]])
        await hub.expire()
        for table, gone in ((waiting, True), (playing, False), (over, True)):
            assert await _is_gone(hub, table["table"]) is gone
        assert (await h.get(record)).status_code == 200
        clock.now = 3 * 86400
        await hub.expire()
        assert (await h.get(record)).status_code == 404


@on_a_loop
async def test_a_table_that_was_mended_is_taken_up(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        table = (await h.made())["table"]
        h.hub.forget(h.hub.lives[table])
        h.hub._broken.add(table)
        await h.hub.find(table)
        assert not h.hub._broken


async def _is_gone(hub: Hub, table: str) -> bool:
    try:
        await hub.find(table)
    except Exception as error:  # noqa: BLE001
        return "no such table" in str(error)
    return False


@on_a_loop
async def test_late_work_for_a_table_that_has_gone_does_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path, bot_pace=0.05) as h:
        hub = h.hub
        table = (await h.post("/api/play", players=2)).json()
        live = hub.lives[table["table"]]
        person = live.room.table.host
        assert person is not None
        hub.forget(live)
        hub._alarm(live)
        hub._leaves(live, person)
        while live.bots:  # the bot's choice comes, and finds no table
            await asyncio.sleep(0.01)
        async with h.client(table) as client:
            await client.until(lambda seen: seen["chosen"][1])


def test_a_restart_is_nothing_to_a_table_without_a_game(tmp_path: Path) -> None:
    async def before() -> dict[str, Any]:
        async with house(tmp_path, Sources(now=lambda: 10.0)) as h:
            return await h.made()

    async def after(table: dict[str, Any]) -> None:
        async with house(tmp_path, Sources(now=lambda: 9000.0)) as h, h.client(table) as client:
            assert client.view["phase"] == "gathering"
            assert client.view["seats"][0]["present"]

    asyncio.run(after(asyncio.run(before())))


@on_a_loop
async def test_a_table_that_has_gone_takes_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path) as h:
        hub = h.hub
        table = await h.made()
        live = hub.lives[table["table"]]
        hub.forget(live)
        hub.mark(live)
        await asyncio.sleep(0.01)  # there is nothing to write, and nobody to tell
        nobody = Connection(lambda _frame: None, lambda _code, _reason: None, SPECTATOR)
        with pytest.raises(GameError, match="try again"):
            hub.attach(live, nobody)

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        async with raw_seat(h, table) as one:
            await one.frame()
            monkeypatch.setattr(hub, "command", broken)
            await one.send(type="react", id="x", reaction="wow")
            with pytest.raises(ConnectionClosed):
                await one.frame()
            assert one.socket.close_code == 1011
