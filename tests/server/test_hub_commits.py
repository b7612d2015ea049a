"""Judge, write, then show: what a commit does, and what is not written did not happen."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from five211.client import Client, read_view
from five211.commands import Choose, Leave, Rematch, Sit, Start, Tick
from five211.errors import GameError
from five211.server.bus import Alone
from five211.server.hub import Hub
from five211.server.live import Live
from five211.server.store import Commit, Conflict, StoreFailed
from tests.server.helpers import hall, on_a_loop
from tests.server.players import Raw, may_choose, raw_seat, record_of, seated


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
@on_a_loop
async def test_what_could_not_be_written_did_not_happen(tmp_path: Path, error: Exception) -> None:
    async with hall(tmp_path) as h, seated(h, 2) as (clients, _):
        hub = h.hub
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


@on_a_loop
async def test_only_the_tables_of_a_conflict_are_dropped(tmp_path: Path) -> None:
    async with hall(tmp_path, bus=Alone()) as h:  # with others, they are judged again
        hub = h.hub
        one, two = await h.made("Ana"), await h.made("Bob")
        lives = [hub.lives[table["table"]] for table in (one, two)]
        failing(hub, Conflict({one["table"]}))
        waits = [asyncio.create_task(hub.written(live)) for live in lives]
        for live in lives:
            hub.do(live, Tick())
        done = await asyncio.gather(*waits, return_exceptions=True)
        assert [type(result).__name__ for result in done] == ["GameError", "bool"]
        assert lives[0].gone
        assert not lives[1].gone
        with pytest.raises(GameError, match="try again"):
            hub.do(lives[0], Tick())
        with pytest.raises(GameError, match="try again"):
            await hub.written(lives[0])


@on_a_loop
async def test_a_bug_at_one_table_harms_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path) as h:
        hub = h.hub
        one, two = await h.made("Ana"), await h.made("Bob")
        lives = [hub.lives[table["table"]] for table in (one, two)]
        take = Live.take

        def broken(live: Live, now: float) -> Any:
            if live is lives[0]:
                raise RuntimeError("a bug")
            return take(live, now)

        monkeypatch.setattr(Live, "take", broken)
        done = await asyncio.gather(*map(hub.written, lives), return_exceptions=True)
        assert [type(result).__name__ for result in done] == ["GameError", "bool"]
        monkeypatch.setattr(Live, "take", take)
        hub.forget(lives[0])  # once more is no harm
        async with h.client(one) as client:
            assert client.view["seats"][0]["name"] == "Ana"


@on_a_loop
async def test_somebody_who_does_not_wait_for_the_commit(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        hub = h.hub
        live = hub.lives[(await h.made())["table"]]
        for forget in (False, True):
            waiting = asyncio.ensure_future(hub.written(live))
            await asyncio.sleep(0)
            waiting.cancel()
            if forget:
                hub.forget(live)
            await asyncio.sleep(0.05)
            assert waiting.cancelled()


@on_a_loop
async def test_a_seat_that_is_somebody_elses_by_now_shows_nothing(tmp_path: Path) -> None:
    """Leave, sit down elsewhere and the next one's game, all before the first commit is written."""
    async with hall(tmp_path) as h:
        hub = h.hub
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


@on_a_loop
async def test_a_rematch_in_the_same_breath_as_the_last_choice_keeps_the_game(
    tmp_path: Path,
) -> None:
    async with hall(tmp_path) as h, seated(h, 2) as (clients, table):
        hub = h.hub
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


async def _drain(one: Raw) -> None:
    while True:
        await one.frame()


async def _play_until(client: Client, good: Any) -> None:
    while True:
        seen = await client.until(lambda seen: good(seen) or may_choose(seen))
        if good(seen):
            return
        await client.choose(read_view(seen).choices[0])
