"""What the hub does when things go wrong, and what it does by itself."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from five211.client import Client, Left, Refused, read_view, socket_url
from five211.commands import Choose, Leave, Rematch, Sit, Start, Tick
from five211.errors import GameError
from five211.server import hub as hubs
from five211.server.entries import Closed
from five211.server.hub import Hub, Sources
from five211.server.live import Connection, Live
from five211.server.store import Commit, Conflict, StoreFailed
from five211.view import SPECTATOR
from tests.server.houses import House, house
from tests.server.players import Raw, may_choose, play_on, raw_seat, record_of, seated


@asynccontextmanager
async def with_hub(
    folder: Path, monkeypatch: pytest.MonkeyPatch, sources: Sources | None = None, **settings: Any
) -> AsyncIterator[tuple[House, Hub]]:
    """A server, and its hub to look into and to disturb."""
    made: list[Hub] = []

    class Known(Hub):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr("five211.server.app.Hub", Known)
    async with house(folder, sources, **settings) as h:
        yield h, made[0]


def failing(hub: Hub, error: Exception, times: int = 1) -> None:
    """The next commits fail."""
    commit, left = hub.store.commit, [times]

    async def fail(rows: Commit) -> None:
        if left[0]:
            left[0] -= 1
            raise error
        await commit(rows)

    hub.store.commit = fail  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize(
    "error", [StoreFailed("disk full"), Conflict(set()), RuntimeError("a bug")]
)
def test_what_could_not_be_written_did_not_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub), seated(h, 2) as (clients, _):
            await clients[0].do("start")
            seen = await clients[0].until(may_choose)
            failing(hub, error)
            # The choice is not acknowledged; the client comes back and sends it again.
            await clients[0].do("choose", moment=seen["moment"], cards=seen["choices"][0])
            assert clients[0].view["choice"] == seen["choices"][0]
            await clients[1].do("react", reaction="wow")  # everybody is back, and all is written
            failing(hub, error)
            answer = await h.post("/api/tables", name="Bob")
            assert answer.json()["error"]["code"] == "try_again"
            assert (await h.made("Bob"))["seat"] == 0

    asyncio.run(scene())


def test_only_the_tables_of_a_conflict_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            one, two = await h.made("Ana"), await h.made("Bob")
            lives = [hub.lives[table["table"]] for table in (one, two)]
            failing(hub, Conflict({one["table"]}))
            waits = [asyncio.create_task(hub.written(live)) for live in lives]
            for live in lives:
                hub.do(live, Tick())
            done = await asyncio.gather(*waits, return_exceptions=True)
            assert [type(result).__name__ for result in done] == ["GameError", "NoneType"]
            assert lives[0].gone
            assert not lives[1].gone
            with pytest.raises(GameError, match="try again"):
                hub.do(lives[0], Tick())
            with pytest.raises(GameError, match="try again"):
                await hub.written(lives[0])

    asyncio.run(scene())


def test_a_table_that_cannot_be_read_does_not_stop_the_server(tmp_path: Path) -> None:
    async def before() -> dict[str, Any]:
        async with house(tmp_path) as h:
            return await h.made()

    async def after(table: dict[str, Any]) -> None:
        async with house(tmp_path) as h, raw_seat(h, table) as one:
            assert (await one.frame())["answers"][0]["error"]["code"] == "table_broken"

    table = asyncio.run(before())
    with sqlite3.connect(tmp_path / "five211.sqlite") as file:
        row = file.execute("SELECT entries FROM log").fetchone()[0].replace(b"Ana", b"")
        file.execute("UPDATE log SET entries = ?", (row,))
        file.execute("UPDATE tables SET due = 0")
    file.close()
    asyncio.run(after(table))


def test_a_table_is_loaded_once_for_all_who_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            table = (await h.made())["table"]
            hub.forget(hub.lives[table])
            found = await asyncio.gather(*(hub.find(table) for _ in range(5)))
            assert len({id(live) for live in found}) == 1
            with pytest.raises(Exception, match="no such table"):
                await hub.find("nothing")

    asyncio.run(scene())


def test_tables_that_nobody_uses_leave_the_memory_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.01)

    async def scene() -> None:
        now = [0.0]
        sources = Sources(now=lambda: now[0])
        async with with_hub(tmp_path, monkeypatch, sources) as (h, hub):
            table, idle = await h.made(), await h.made()
            while hub.lives[idle["table"]].away:
                await asyncio.sleep(0.01)
            async with h.client(table) as client:
                now[0] = 10_000.0
                hub._unload()
                assert set(hub.lives) == {table["table"]}
                assert client.view["phase"] == "gathering"
            async with h.client(idle) as client:
                assert client.view["seats"][0]["name"] == "Ana"

    asyncio.run(scene())


def test_a_game_by_correspondence_leaves_the_memory_until_it_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.01)

    async def scene() -> None:
        now = [0.0]
        sources = Sources(now=lambda: now[0])
        day = {"seconds": 86400.0, "warning": 3600.0, "correspondence": True}
        async with with_hub(tmp_path, monkeypatch, sources) as (h, hub):
            async with seated(h, 2, clock=day) as (clients, made):
                await clients[0].do("start")
                await clients[0].until(may_choose)
            id_, started = made["table"], now[0]
            live = hub.lives[id_]
            while live.connections or live.away:
                await asyncio.sleep(0.01)
            await hub.written(live)
            now[0] = 40_000.0
            hub._unload()
            await hub._wake_due()
            assert id_ not in hub.lives  # nothing to do for many hours
            now[0] = started + 86400.0 + 1
            await hub._wake_due()
            while not all(seat.substitute for seat in hub.lives[id_].room.table.seats):
                await asyncio.sleep(0.01)

    asyncio.run(scene())


def test_a_table_of_many_games_has_a_short_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub), seated(h, 2) as (clients, made):
            id_, sizes = made["table"], []
            for game in (1, 2, 3):
                await clients[0].do("start")
                await asyncio.gather(*(play_on(client, _rng()) for client in clients))
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

    asyncio.run(scene())


def test_what_is_kept_no_longer_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        now = [0.0]
        settings: dict[str, Any] = {"gathering_hours": 1, "over_days": 1, "games_days": 2}
        sources = Sources(now=lambda: now[0])
        async with with_hub(tmp_path, monkeypatch, sources, **settings) as (h, hub):
            waiting = await h.made(public=True)
            playing = (await h.post("/api/play", players=2)).json()
            async with seated(h, 2, public=True) as (clients, over):
                await clients[0].do("start")
                await asyncio.gather(*(play_on(client, _rng()) for client in clients))
            record = f"/api/games/{over['table']}-1/record"
            now[0] = 1.5 * 86400
            hub.forget(hub.lives[over["table"]])
            await hub.expire()
            for table, gone in ((waiting, True), (playing, False), (over, True)):
                assert await _is_gone(hub, table["table"]) is gone
            assert (await h.get(record)).status_code == 200
            now[0] = 3 * 86400
            await hub.expire()
            assert (await h.get(record)).status_code == 404

    asyncio.run(scene())


def _rng() -> Any:
    from random import Random

    return Random(1)


async def _is_gone(hub: Hub, table: str) -> bool:
    try:
        await hub.find(table)
    except Exception as error:  # noqa: BLE001
        return "no such table" in str(error)
    return False


@pytest.mark.parametrize("error", [StoreFailed("disk full"), RuntimeError("a bug")])
def test_the_janitor_goes_on_when_the_store_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(hubs, "BEAT", 0.01)

    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (_, hub):
            beats = [0]

            async def beat(_now: float) -> None:
                beats[0] += 1
                if beats[0] % 2:
                    raise error

            hub.store.beat = beat  # type: ignore[method-assign, assignment]
            while beats[0] < 5:
                await asyncio.sleep(0.01)

    asyncio.run(scene())


def test_who_sits_down_and_never_connects_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "ARRIVE", 0.05)

    async def scene() -> None:
        async with house(tmp_path) as h:
            table = await h.made()
            await h.sat(table, "Bob")
            async with h.client(table) as client:
                assert client.view["seats"][1]["name"] == "Bob"
                await client.until(lambda seen: not seen["seats"][1]["present"])
                assert client.view["seats"][0]["present"]

    asyncio.run(scene())


def test_a_clock_warns_and_then_seats_a_substitute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("five211.server.routes.tables.SHORTEST_TURN", 0.1)

    async def scene() -> None:
        clock = {"seconds": 0.6, "reserve": 0.1}
        async with house(tmp_path) as h, seated(h, 2, clock=clock) as (clients, _):
            await clients[0].do("start")
            for client in clients:
                assert "deadline" in await _event(client, "time_short")
            for client in clients:
                assert (await _event(client, "substitute_came"))["why"] == "time"
            await clients[0].until(lambda seen: seen["turn"] > 0 or seen["round"] > 0)

    asyncio.run(scene())


async def _event(client: Client, name: str) -> dict[str, Any]:
    while True:
        event = await asyncio.wait_for(client.events.get(), 30)
        if event["event"] == name:
            return event


def test_a_closed_table_stays_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub), seated(h, 2) as (clients, table):
            await clients[0].do("start")
            await clients[0].until(may_choose)
            live = hub.lives[table["table"]]
            hub.do(live, Closed())
            hub.follow(live)
            hub._alarm(live)
            await hub.written(live)
            with pytest.raises(Left) as left:
                await clients[0].until(lambda _: False)
            assert left.value.code == 4004
            hub.forget(live)
            with pytest.raises(Refused, match="closed by the operator"):
                async with h.client(table):
                    pass

    asyncio.run(scene())


def test_late_work_for_a_table_that_has_gone_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch, bot_pace=0.05) as (h, hub):
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

    asyncio.run(scene())


def test_a_bot_whose_process_dies_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            table = (await h.post("/api/play", players=2)).json()
            async with h.client(table) as client:
                await client.until(lambda seen: seen["chosen"][1])
                pool = hub.thinkers._pool
                assert pool is not None
                for process in list(pool._processes.values()):
                    process.kill()
                await play_on(client, _rng())
            assert hub.thinkers._pool is not pool

    asyncio.run(scene())


def test_a_restart_is_nothing_to_a_table_without_a_game(tmp_path: Path) -> None:
    async def before() -> dict[str, Any]:
        async with house(tmp_path, Sources(now=lambda: 10.0)) as h:
            return await h.made()

    async def after(table: dict[str, Any]) -> None:
        async with house(tmp_path, Sources(now=lambda: 9000.0)) as h, h.client(table) as client:
            assert client.view["phase"] == "gathering"
            assert client.view["seats"][0]["present"]

    asyncio.run(after(asyncio.run(before())))


def test_an_alarm_that_comes_too_early_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub), seated(h, 2) as (clients, table):
            live = hub.lives[table["table"]]
            person = live.room.table.host
            assert person is not None
            hub.expect(live, person)  # is here already
            assert not live.away
            before = live.version
            hub._alarm(live)
            hub._leaves(live, person)  # is here again
            assert live.version == before
            assert clients[0].view["seats"][0]["present"]

    asyncio.run(scene())


def test_nobody_comes_in_while_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            table = await h.made()
            hub.closing = True
            assert (await h.get("/api/ready")).status_code == 503
            async with connect(socket_url(h.url)) as socket:
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == 1012
            hub.closing = False
            hub.forget(hub.lives[table["table"]])

            async def broken(_table: str) -> list[bytes]:
                raise StoreFailed("gone")

            hub.store.load = broken  # type: ignore[method-assign, assignment]
            async with connect(socket_url(h.url)) as socket:
                hello = {"type": "hello", "table": table["table"], "token": table["token"]}
                await socket.send(json.dumps(hello))
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == 1012

    asyncio.run(scene())


def test_a_bug_at_one_table_harms_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            one, two = await h.made("Ana"), await h.made("Bob")
            lives = [hub.lives[table["table"]] for table in (one, two)]
            take = Live.take

            def broken(live: Live) -> Any:
                if live is lives[0]:
                    raise RuntimeError("a bug")
                return take(live)

            monkeypatch.setattr(Live, "take", broken)
            done = await asyncio.gather(*map(hub.written, lives), return_exceptions=True)
            assert [type(result).__name__ for result in done] == ["GameError", "NoneType"]
            monkeypatch.setattr(Live, "take", take)
            hub.forget(lives[0])  # once more is no harm
            async with h.client(one) as client:
                assert client.view["seats"][0]["name"] == "Ana"

    asyncio.run(scene())


def test_somebody_who_does_not_wait_for_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            live = hub.lives[(await h.made())["table"]]
            for forget in (False, True):
                waiting = asyncio.ensure_future(hub.written(live))
                await asyncio.sleep(0)
                waiting.cancel()
                if forget:
                    hub.forget(live)
                await asyncio.sleep(0.05)
                assert waiting.cancelled()

    asyncio.run(scene())


def test_a_seat_that_is_somebody_elses_by_now_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leave, sit down elsewhere and the next one's game, all before the first commit is written."""

    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
            table = await h.made(players=3, words=False)
            left = await h.sat(table, "Bob", words=False)
            live = hub.lives[table["table"]]
            async with raw_seat(h, left) as spy, raw_seat(h, table) as host:
                await spy.frame()
                await host.frame()
                bob = live.room.person_with(left["token"])
                ana = live.room.person_with(table["token"])
                hub.command(live, Leave(bob))
                hub.command(live, Sit(bob, "Bob", 2))
                hub.command(live, Sit("cleo", "Cleo", 1))
                hub.command(live, Start(ana))
                with pytest.raises(ConnectionClosed):
                    await _drain(spy)
                assert spy.socket.close_code == 4001
                assert all(json.loads(text)["view"] == {} for text in spy.frames[1:])
                assert live.room.table.moment is not None

    asyncio.run(scene())


def test_a_rematch_in_the_same_breath_as_the_last_choice_keeps_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub), seated(h, 2) as (clients, table):
            await clients[0].do("start")
            live = hub.lives[table["table"]]

            def last(seen: dict[str, Any]) -> bool:
                return bool(seen["last_round"] and seen["turn"] == 2 and seen["choice"] is None)

            playing = [asyncio.create_task(_play_until(one, last)) for one in clients]
            await asyncio.gather(*playing)
            persons = [seat.person or "" for seat in live.room.table.seats]
            for person, client in zip(persons, clients, strict=True):
                assert live.room.table.moment is not None
                cards = read_view(client.view).choices[0]
                hub.command(live, Choose(person, live.room.table.moment, cards))
            hub.command(live, Rematch(persons[0]))
            await hub.written(live)
            await clients[0].until(lambda seen: seen["phase"] == "gathering")
            await record_of(h, table)

    asyncio.run(scene())


async def _drain(one: Raw) -> None:
    while True:
        await one.frame()


async def _play_until(client: Client, good: Any) -> None:
    while True:
        seen = await client.until(lambda seen: good(seen) or may_choose(seen))
        if good(seen):
            return
        await client.choose(read_view(seen).choices[0])


def test_a_table_that_has_gone_takes_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with with_hub(tmp_path, monkeypatch) as (h, hub):
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

    asyncio.run(scene())
