"""Several processes at the same tables: whoever is second is judged again, and nobody notices.

Two servers with a store of their own each, on one file, and a bus that tells all, some or nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect

from five211.client import socket_url
from five211.commands import Tick
from five211.errors import GameError
from five211.server import sharing
from five211.server.entries import Opened, Reacted, Rewritten
from five211.server.hub import Hub
from five211.server.store import Conflict, Row, StoreFailed
from five211.table import Options
from tests.server.helpers import closed_with, leaves, on_a_loop, until
from tests.server.players import Raw, check_game, may_choose, play_on, raw_seat, some_choice
from tests.server.several import End, Wire, around, halls, quick  # noqa: F401 - quick: around every test


@pytest.mark.parametrize("loses", [0.0, 0.5, 1.0])
@on_a_loop
async def test_a_table_is_played_at_three_servers_at_once(tmp_path: Path, loses: float) -> None:
    async with (
        halls(tmp_path, 3, Wire(loses)) as served,
        around(served, 5, bots=1) as (clients, made),
    ):
        for game in (1, 2):
            await clients[0].do("start")
            playing = [
                play_on(client, Random(10 * game + n), fickle=True)
                for n, client in enumerate(clients)
            ]
            await asyncio.gather(*playing)
            for one in served:
                await check_game(one, made, clients, game)
            if game == 1:
                await clients[2].do("rematch")
                for client in clients:
                    await client.until(lambda seen: seen["phase"] == "gathering")


@on_a_loop
async def test_the_bus_says_nothing_but_tables_and_versions(tmp_path: Path) -> None:
    wire = Wire()
    async with halls(tmp_path, 2, wire) as served, around(served, 2) as (clients, made):
        await clients[0].do("start")
        await asyncio.gather(*(play_on(one, Random(n)) for n, one in enumerate(clients)))
    assert {table for table, _ in wire.said} == {made["table"]}
    assert [version for _, version in wire.said] == list(range(1, len(wire.said) + 1))


@on_a_loop
async def test_whoever_was_overtaken_is_judged_again(tmp_path: Path) -> None:
    """Both servers write at the same time, neither has heard of the other."""
    async with (
        halls(tmp_path, 2, Wire(1.0)) as served,
        around(served, 2) as (clients, made),
    ):
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
        await asyncio.gather(
            *(client.choose(some_choice(client.view, Random(1))) for client in clients)
        )
        await asyncio.gather(*(play_on(one, Random(n)) for n, one in enumerate(clients)))
        await check_game(served[0], made, clients)
        assert sum(one.hub.metrics.overtaken._value.get() for one in served) > 0


def commit_together(hubs: list[Hub]) -> None:
    """Whoever writes waits a little for the others: of those who write at once, one is first."""
    waiting: list[asyncio.Event] = []

    def late(commit: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
        async def wait(what: Any) -> None:
            mine = asyncio.Event()
            waiting.append(mine)
            if len(waiting) == len(hubs):
                for one in waiting:
                    one.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(mine.wait(), 0.05)
            waiting.remove(mine)
            await commit(what)

        return wait

    for hub in hubs:
        hub.store.commit = late(hub.store.commit)  # type: ignore[method-assign, assignment]


@on_a_loop
async def test_what_people_saw_bit_by_bit_is_what_there_is_though_they_were_overtaken(
    tmp_path: Path,
) -> None:
    async with halls(tmp_path, 2, Wire()) as served:
        commit_together([house.hub for house in served])
        made = await served[0].made(players=2, words=False)
        seats = [made, await served[0].sat(made, "Ben", words=False)]
        async with raw_seat(served[0], seats[0]) as ana, raw_seat(served[1], seats[1]) as ben:
            both = [ana, ben]
            firsts = [await one.frame() for one in both]
            assert (await ana.answer(type="start", id="s"))["done"]

            async def play(one: Raw, rng: Random) -> None:
                for turn in range(100):
                    while not may_choose(one.view):
                        await one.frame()
                    if one.view["phase"] == "over":
                        return
                    moment, cards = one.view["moment"], rng.choice(one.view["choices"])
                    asked = {"type": "choose", "moment": moment, "cards": cards}
                    assert (await one.answer(**asked, id=f"c{turn}"))["done"]
                    await one.send(type="react", reaction="wow", id=f"r{turn}")

            await asyncio.gather(*(play(one, Random(n)) for n, one in enumerate(both)))
            overtaken = sum(one.hub.metrics.overtaken._value.get() for one in served)
            assert overtaken > 20
            for one, first, seat, where in zip(both, firsts, seats, served, strict=True):
                async with raw_seat(where, seat) as again:
                    await again.frame()
                    while one.n < again.n:
                        await one.frame()
                    assert (again.view, again.n) == (one.view, one.n)
                frames = [json.loads(text) for text in one.frames]
                assert one.n == first["n"] + sum(len(frame["events"]) for frame in frames[1:])
                assert sum("now" in frame for frame in frames) == 1, "the whole was sent once"


@on_a_loop
async def test_a_choice_for_a_turn_that_another_server_began_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "POLL", 1000.0)
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2, words=False)
        ben = await served[0].sat(made, "Ben", words=False)
        async with served[0].client(made) as ana, raw_seat(served[1], ben) as there:
            await there.frame()
            async with served[0].client(ben) as here:
                await ana.do("start")
                for client in (ana, here):
                    await client.until(may_choose)
                    await client.choose(some_choice(client.view, Random(1)))
                seen = await here.until(lambda seen: seen["moment"]["turn"] == 1)
            # The other server knows nothing of the game yet, but Ben does.
            assert there.view["phase"] == "gathering"
            chosen = {"moment": seen["moment"], "cards": seen["choices"][0]}
            assert (await there.answer(type="choose", id="1", **chosen))["done"]
            assert there.view["choice"] == seen["choices"][0]


@on_a_loop
async def test_the_last_seat_is_given_once(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        for _ in range(5):
            made = await served[0].made(players=2)
            await served[1].hub.find(made["table"])
            path = f"/api/tables/{made['table']}/seats"
            answers = await asyncio.gather(
                *(one.post(path, name=f"B{n}", code=made["code"]) for n, one in enumerate(served))
            )
            assert sorted(answer.status_code for answer in answers) == [201, 400]
            (refused,) = [one.json()["error"]["code"] for one in answers if one.status_code == 400]
            assert refused == "table_full"


@on_a_loop
async def test_nobody_is_away_who_is_at_another_server(tmp_path: Path) -> None:
    async with halls(tmp_path) as served, around(served, 2) as (clients, made):
        await clients[0].until(lambda seen: all(seat["present"] for seat in seen["seats"]))
        table = made["table"]
        # Ana comes to the other server, too, and leaves the first.
        async with served[1].client(made) as again:
            await again.until(lambda seen: seen["seats"][0]["present"])
            await clients[0].__aexit__()
            await asyncio.sleep(0.2)
            assert all(seat.present for seat in served[1].hub.lives[table].room.table.seats)
            assert again.view["seats"][0]["present"]
        await clients[1].until(lambda seen: not seen["seats"][0]["present"])


@on_a_loop
async def test_those_of_a_dead_server_are_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "DEAD", 0.3)
    async with halls(tmp_path) as served, around(served, 2) as (clients, _made):
        await clients[1].until(lambda seen: all(seat["present"] for seat in seen["seats"]))
        for task in served[0].hub.sharing._tasks:  # its connections stay, but it says nothing
            task.cancel()
        await clients[1].until(lambda seen: not seen["seats"][0]["present"])


@on_a_loop
async def test_what_is_due_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server that began a turn does not see to its bots: the other does, and to its clock."""
    monkeypatch.setattr(sharing, "TAKE_OVER", 0.1)
    monkeypatch.setattr(sharing, "STUCK", 0.1)
    clock = {"seconds": 5.0, "reserve": 0.0, "correspondence": False}
    async with halls(tmp_path) as served, around(served, 3, bots=1, clock=clock) as (clients, made):
        idle = served[0].hub
        monkeypatch.setattr(idle, "_think", lambda *_: asyncio.sleep(0))
        monkeypatch.setattr(idle, "_alarm", lambda *_: None)
        await clients[0].do("start")
        for client in clients:
            await client.until(may_choose)
        await clients[0].choose(some_choice(clients[0].view, Random(1)))
        turn = lambda seen: seen["moment"]["turn"] == 1  # noqa: E731
        await clients[0].until(turn)  # a substitute played for Ben, whose time was up
        other = served[1].hub
        assert other.drives(other.lives[made["table"]])


@on_a_loop
async def test_a_seat_that_moves_is_closed_at_every_server(tmp_path: Path) -> None:
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2)
        async with raw_seat(served[0], made) as here, raw_seat(served[1], made) as there:
            await here.frame()
            await there.frame()
            code = (await here.answer(type="move_device", id="1"))["code"]
            path = f"/api/tables/{made['table']}/device"
            answer = await served[1].post(path, code=code)
            assert answer.status_code == 201, answer.text
            assert [await closed_with(one.socket) for one in (here, there)] == [4001, 4001]


@on_a_loop
async def test_a_name_that_is_forgotten_is_forgotten_at_every_server(tmp_path: Path) -> None:
    async with halls(tmp_path) as served:
        _, key = await served[0].profile("Anastasia")
        made = await served[0].good("POST", "/api/tables", key, name="Anastasia", players=2)
        ben = await served[1].sat(made, "Ben")
        async with served[1].client(ben) as client:
            await client.until(lambda seen: seen["seats"][0]["name"] == "Anastasia")
            await served[0].good("DELETE", "/api/me", key)
            await client.until(lambda seen: seen["seats"][0]["name"].startswith("?"))


@on_a_loop
async def test_a_table_that_was_deleted_is_forgotten_at_every_server(tmp_path: Path) -> None:
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2)
        for one in served:
            await one.hub.find(made["table"])
        await leaves(served[0], made)
        hub = served[0].hub
        assert await hub.store.expire("gathering", hub.now + 1) == [made["table"]]
        await until(lambda: made["table"] not in served[1].hub.lives)


@on_a_loop
async def test_a_table_that_is_closed_is_closed_at_every_server(tmp_path: Path) -> None:
    async with halls(tmp_path, operator_token="secret") as served:
        made = await served[0].made(players=2)
        async with raw_seat(served[1], made) as there:
            await there.frame()
            path = f"/api/operator/tables/{made['table']}/close"
            await served[0].good("POST", path, "secret")
            assert await closed_with(there.socket) == 4004


@on_a_loop
async def test_a_store_that_fails_is_asked_again(tmp_path: Path) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served, around(served, 2) as (clients, made):
        hub, failed = served[1].hub, [0]
        newer = hub.store.newer

        async def fail(tables: Any) -> Any:
            failed[0] += 1
            if failed[0] % 2:
                raise RuntimeError("a bug")
            return await newer(tables)

        hub.store.newer = fail  # type: ignore[method-assign]
        await clients[0].do("start")
        await clients[1].until(lambda seen: seen["phase"] != "gathering")
        hub.do(hub.lives[made["table"]], Tick())
        await until(lambda: failed[0] > 4)


@on_a_loop
async def test_whoever_is_kept_out_is_kept_out_at_every_server(tmp_path: Path) -> None:
    async with halls(tmp_path, operator_token="secret") as served:
        id_, key = await served[0].profile("Ana")
        made = await served[0].good("POST", "/api/tables", key, name="Ana", players=2)
        async with raw_seat(served[1], made) as there:
            await there.frame()
            ban = {"what": id_, "days": 1, "reason": "why"}
            await served[0].good("POST", "/api/operator/bans", "secret", **ban)
            assert await closed_with(there.socket) == 4003
        await served[0].good("DELETE", f"/api/operator/bans/{id_}", "secret")
        seen = False
        while not seen:  # by and by
            async with raw_seat(served[1], made) as there:
                seen = bool((await there.frame())["view"])


@on_a_loop
async def test_an_address_has_so_many_sockets_at_all_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "CROWD", 1)
    async with halls(tmp_path, sockets_an_address=2) as served:
        made = await served[0].made(players=2)
        async with raw_seat(served[0], made) as one, raw_seat(served[0], made) as two:
            for there in (one, two):
                await there.frame()
            await until(lambda: served[1].hub.sharing.connections("127.0.0.1") == 2)
            async with connect(socket_url(served[1].url)) as three:
                assert await closed_with(three) == 1013


# What may happen while one looks away


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[tuple[Any, Any, dict[str, Any]]]:
    """Two hubs with one table, which have heard of nothing and look at nothing by themselves."""
    async with halls(folder, 2, Wire(1.0)) as served:
        made = await served[0].made(players=2)
        hubs = [one.hub for one in served]
        for hub in hubs:
            hub.sharing._tasks[-1].cancel()
            await hub.find(made["table"])
        yield hubs[0], hubs[1], made


@on_a_loop
async def test_a_table_is_looked_up_as_it_is_now(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, other, made):
        id_ = made["table"]
        here, there = one.lives[id_], other.lives[id_]
        for busy in (False, True):
            one.do(await one.find(id_), Tick())
            await one.written(here)
            assert there.version < here.version
            if busy:  # something is to be written here, too, and comes too late
                other.do(there, Tick())
            assert (await other.find(id_)).version >= here.version
        await one.store.expire("gathering", one.now + 1)
        with pytest.raises(GameError, match="no such table"):
            await other.find(id_)


@on_a_loop
async def test_whoever_is_always_overtaken_is_told_so(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, _other, made):

        async def quicker(_commit: Any) -> None:
            raise Conflict({made["table"]})

        one.store.commit = quicker
        with pytest.raises(GameError, match="try again"):
            await one.settled(made["table"], lambda live: one.do(live, Tick()))


@on_a_loop
async def test_whoever_is_to_be_shown_it_whole_is_though_an_older_frame_is_on_its_way(
    tmp_path: Path,
) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        one, other = served[0].hub, served[1].hub
        made = await served[0].made(players=2, words=False)
        await served[1].sat(made, "Ben", words=False)
        busy = await served[0].made(players=2, words=False)
        async with raw_seat(served[0], made) as ana:
            await ana.frame()
            while ana.view["seats"][1]["name"] != "Ben":
                await ana.frame()
            one.sharing._tasks[-1].cancel()
            live = await one.find(made["table"])
            commit, begun, go_on = one.store.commit, asyncio.Event(), asyncio.Event()

            async def slow(what: Any) -> None:
                begun.set()
                await go_on.wait()
                await commit(what)

            one.store.commit = slow  # type: ignore[method-assign, assignment]
            one.mark(live)  # nothing of it is to be written, but of the other table
            one.do(one.lives[busy["table"]], Tick())
            await begun.wait()
            there = await other.find(made["table"])
            person = there.room.table.seats[1].person
            assert person is not None
            for entry in (Reacted(person, "hello"), Rewritten()):
                other.do(there, entry)
                await other.written(there)
            await one.sharing.catch_up([live])
            go_on.set()
            while "now" not in (frame := await ana.frame()):
                pass
            assert [event["event"] for event in frame["events"]] == ["reaction"]
            assert frame["view"]["you"] == 0


@on_a_loop
async def test_a_table_that_was_never_written_is_dropped_if_another_has_its_name(
    tmp_path: Path,
) -> None:
    async with two(tmp_path) as (one, _other, _made):

        async def quicker(commit: Any) -> None:
            raise Conflict({row.table for row in commit.rows})

        one.store.commit = quicker
        opened = Opened("t", "c", "w", "s", 2, "standard", Options())
        with pytest.raises(GameError, match="try again"):
            await one.written(one.open_table(opened))
        assert "t" not in one.lives


@pytest.mark.parametrize("how", ["gone", "strange", "failed"])
@pytest.mark.parametrize("whole", [True, False])
@on_a_loop
async def test_what_was_overtaken_and_cannot_be_read_is_dropped(
    tmp_path: Path, how: str, whole: bool
) -> None:
    async with two(tmp_path) as (one, other, made):
        id_ = made["table"]
        other.do(other.lives[id_], Tick())
        await other.written(other.lives[id_])
        live = one.lives[id_]

        async def failing(asked: Any) -> Any:
            if how == "failed":
                raise StoreFailed("disk full")
            if how == "gone":
                one.forget(live)
            return [Row(id_, 1, b"[]")] if whole else {id_: [Row(id_, asked[id_] + 1, b"?")]}

        async def nothing(_asked: Any) -> Any:
            return {}

        one.store.newer = nothing if whole else failing
        one.store.load = failing
        one.do(live, Tick())
        if how == "strange" and whole:
            assert not await one.written(live)
        else:
            with pytest.raises(GameError, match="try again"):
                await one.written(live)
        await until(lambda: live.gone)


@on_a_loop
async def test_whoever_was_overtaken_goes_on_from_what_it_knew(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, other, made):
        here, there = one.lives[made["table"]], other.lives[made["table"]]

        async def whole(_table: str) -> list[Row]:
            raise AssertionError("nobody need read the whole log")

        one.store.load = whole
        for _ in range(3):
            other.do(there, Tick())
            await other.written(there)
            one.do(here, Tick())
            assert not await one.written(here)
            assert here.version == there.version
            assert (here.room, here.ids) == (there.room, there.ids)
            told = [
                {viewer: seen.n for viewer, seen in it.sequences.items()} for it in (here, there)
            ]
            assert told[0] == told[1]
            assert here.written is None
            one.do(here, Tick())  # and what it writes next is right
            assert await one.written(here)
            await other.sharing.catch_up([there])
            assert here.version == there.version


@on_a_loop
async def test_what_others_wrote_is_left_while_something_is_to_be_written(tmp_path: Path) -> None:
    async with two(tmp_path) as (one, other, made):
        here, there = one.lives[made["table"]], other.lives[made["table"]]
        newer, load = one.store.newer, one.store.load
        other.do(there, Tick())
        await other.written(there)

        async def busy(tables: Any) -> Any:
            found = await newer(tables)
            here.writing = True
            return found

        one.store.newer = busy
        await one.sharing.catch_up([here])
        assert here.version == there.version - 1
        here.writing = False
        one.store.newer = newer
        other.do(there, Rewritten())
        await other.written(there)

        async def busy_again(table: str) -> Any:
            here.writing = True
            return await load(table)

        one.store.load = busy_again
        await one.sharing.catch_up([here])
        assert here.version == there.version - 2
        here.writing, one.store.load = False, load
        await one.sharing.catch_up([here])
        assert here.version == there.version
        one.miss(here, "Ana")
        one.miss(here, "Ana")
        assert list(here.away)[-1:] == ["Ana"]
        one.forget(here)
        one.take_over(here)
        assert not here.room.driver


@on_a_loop
async def test_a_row_that_cannot_be_read_harms_no_other_table(tmp_path: Path) -> None:
    """It may be one of a newer version."""
    async with two(tmp_path) as (one, other, made):
        live = one.lives[made["table"]]
        strange = Row(made["table"], live.version + 1, b'[["Unheard",1.0,null,{}]]')
        assert not one.go_on(live, [strange])
        assert live.gone
        live = other.lives[made["table"]]
        other.begin_again(live, [strange])
        assert live.gone
