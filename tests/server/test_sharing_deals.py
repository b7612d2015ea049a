"""A bot thinks of the hand that it has, though another process was quicker with the deal."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from five211.commands import BotChooses, Tick
from five211.view import view
from tests.server.helpers import hall, on_a_loop, until
from tests.server.players import may_choose, raw_seat
from tests.server.several import End, Wire, halls


@on_a_loop
async def test_a_deal_that_never_was_is_not_thought_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path, 2, Wire(1.0)) as served:
        for one in served:
            one.hub.sharing._tasks[-1].cancel()  # they look at nothing by themselves
        made = await served[0].made(players=2, bots=["random"], words=False)
        hub, table = served[0].hub, made["table"]
        seen, go_on = list[Any](), asyncio.Event()
        think = hub.thinkers.think

        async def thought(number: int, *given: Any) -> Any:
            if number == 1:
                await go_on.wait()
            return await think(*given)

        def thinks(bot: str, view: Any, seed: int) -> Any:
            seen.append(view.hand)
            return asyncio.ensure_future(thought(len(seen), bot, view, seed))

        monkeypatch.setattr(hub.thinkers, "think", thinks)
        async with raw_seat(served[0], made) as ana:
            await ana.frame()
            live = hub.lives[table]
            await until(lambda: not live.busy)
            there = await served[1].hub.find(table)
            served[1].hub.do(there, Tick())
            await served[1].hub.written(there)
            assert (await ana.answer(type="start", id="1"))["done"]
            await until(lambda: live.room.table.seats[1].choice is not None)
            match, choice = live.room.table.match, live.room.table.seats[1].choice
            assert match is not None
            assert seen[1:] == [match.state.hands[1]]
            go_on.set()  # the first thought comes to nothing
            await until(lambda: not live.bots)
            assert live.room.table.seats[1].choice == choice


@pytest.mark.parametrize("same", [True, False])
@on_a_loop
async def test_what_a_bot_chose_is_judged_again_in_the_same_deal_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    async with hall(tmp_path, bus=End(Wire())) as one:
        made = await one.make(players=2, bots=["random"], words=False)
        hub = one.hub
        monkeypatch.setattr(hub, "_think", lambda *_: asyncio.sleep(0))
        async with one.client(made) as ana:
            await ana.do("start")
            await ana.until(may_choose)
            live = hub.lives[made["table"]]
            await until(lambda: not live.busy)
            rows, room = await hub.store.load(made["table"]), live.room
            assert room.table.match is not None
            assert room.table.moment is not None
            assert room.dealing is not None
            cards = view(room.table.match, 1).choices[0]
            live.thought = [BotChooses(1, room.table.moment, cards)]
            if not same:
                live.room = replace(room, dealing=replace(room.dealing, seed=bytes(32)))
            hub.begin_again(live, rows)
            assert (live.room.table.seats[1].choice is not None) is same
