"""Games that are over: records, replays; and bots that think."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import Match, Rules, shuffled, stream, view
from five211.errors import GameError
from five211.proof import check_proof
from five211.record import parse, replay
from five211.server import thinking
from five211.server.thinking import Thinkers, choose
from five211.view import View
from tests.server.helpers import THREADS, code_of, hall, heard, on_a_loop, until
from tests.server.players import raw


@on_a_loop
async def test_while_a_game_runs_nobody_gets_its_record(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make(public=True)
        ben = await one.join(ana)
        other = await one.make(name="Cy")
        async with one.client(ana) as host:
            await host.do("start")
            tokens = (None, ana["token"], ben["token"], other["token"], ana["watch"], ana["code"])
            for part in ("", "/record", "/replay"):
                path = f"/api/games/{ana['table']}-1{part}"
                for token in tokens:
                    assert await one.refused("GET", path, token) == (404, "game_unknown")
            assert (await one.good("GET", "/api/games"))["games"] == []
            hidden = one.hub.lives[ana["table"]].room.table.match
            assert hidden is not None
            async with raw(one, watch=ana["watch"]) as watcher:
                seen = (await watcher.frame())["view"]
                assert seen["you"] is None
                assert not {"hand", "choices", "choice"} & set(seen)
                assert seen["turns"] == []


@on_a_loop
async def test_a_finished_games_record_replays_and_proves_its_deal(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make(public=True, edition="azul", words=True)
        await one.play(ana, await one.join(ana, words=True))
        path = f"/api/games/{ana['table']}-1"
        answer = await one.ask("GET", f"{path}/record")
        assert answer.headers["content-type"] == "application/json"
        name = f'attachment; filename="five211-{ana["table"]}-1.json"'
        assert answer.headers["content-disposition"] == name
        record = parse(answer.text)
        proof = check_proof(record)
        assert all(proof.words)
        assert record.finished
        assert record.edition == "azul"
        result = record.match.result
        assert result is not None
        game = await one.good("GET", path)
        assert [seat["points"] for seat in game["standings"]] == list(result.points)
        winners = tuple(n for n, seat in enumerate(game["standings"]) if seat["rank"] == 0)
        assert winners == result.winners
        assert (await one.good("GET", "/api/games"))["games"] == [game]


@on_a_loop
async def test_a_replay_has_each_step_with_all_hands(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make()
        await one.play(ana, await one.join(ana))
        path = f"/api/games/{ana['table']}-1"
        record = parse((await one.ask("GET", f"{path}/record")).text)
        told = await one.good("GET", f"{path}/replay")
        states = [after.state for _, after in replay(record.match)]
        assert [step["hands"] for step in told["steps"]] == [
            [[card.code for card in hand] for hand in state.hands] for state in states
        ]
        assert len(states) == 1 + sum(len(one.turns) for one in record.match.state.rounds)
        assert told["steps"][-1]["points"] == told["result"]["points"]
        assert (told["players"], told["bots"]) == (["Ana", "Ben"], [None, None])
        assert told["proof"]["table"] == f"{ana['table']}/1"
        french = await one.good("GET", f"{path}/replay?lang=fr")
        assert french != told
        assert await one.good("GET", f"{path}/replay?lang=../fr") == told
        assert (await one.good("GET", "/api/games"))["games"] == []  # it was not public


@on_a_loop
async def test_a_players_games_are_the_public_ones_however_many_others(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana, key = await one.profile("Ana")
        for public in (True, False):
            table = await one.make(key, public=public)
            await one.play(table, await one.join(table))
        games = (await one.good("GET", f"/api/games?player={ana}&limit=1"))["games"]
        assert len(games) == 1
        assert games == (await one.good("GET", "/api/games"))["games"]
        assert (await one.good("GET", "/api/games?player=nobody"))["games"] == []
        for query in ("limit=0", "limit=101", "player=" + "x" * 101):
            answer = await one.ask("GET", f"/api/games?{query}")
            assert (answer.status_code, code_of(answer)) == (400, "request")


@on_a_loop
async def test_a_rematch_is_a_game_of_its_own(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make()
        ben = await one.join(ana)
        await one.play(ana, ben)
        async with one.client(ana) as host:
            await host.do("rematch")
        await one.play(ana, ben, seed=3)
        texts = [
            (await one.ask("GET", f"/api/games/{ana['table']}-{game}/record")).text
            for game in (1, 2)
        ]
        proofs = [check_proof(parse(text)) for text in texts]
        assert proofs[0].seed != proofs[1].seed
        assert await one.refused("GET", f"/api/games/{ana['table']}-3") == (404, "game_unknown")


# Bots


def a_view() -> View:
    rules = Rules.of(2)
    return view(Match(rules).deal(shuffled(rules.deck, stream(1, "deck"))), 0)


@on_a_loop
async def test_a_bot_thinks_in_a_process_that_leaves_ctrl_c_to_the_server() -> None:
    seen, thinkers = a_view(), Thinkers(1)
    try:
        assert await thinkers.think("greedy", seen, 5) == choose("greedy", seen, 5)
        pool = thinkers._started()
        assert pool is thinkers._started()
        (process,) = pool._processes.values()
        assert process.pid not in (None, os.getpid())
        os.kill(process.pid or 0, signal.SIGINT)
        assert await thinkers.think("random", seen, 6) == choose("random", seen, 6)
        os.kill(process.pid or 0, signal.SIGKILL)
        both = await asyncio.gather(*(thinkers.think("greedy", seen, 7) for _ in range(2)))
        assert both == [choose("greedy", seen, 7)] * 2
        assert thinkers._started() is not pool
    finally:
        thinkers.close()
    Thinkers(1).close()


@pytest.mark.parametrize("fault", ["process", "bot"])
def test_when_a_bot_fails_a_random_card_is_played(
    monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    seen = a_view()
    real, tries = thinking.choose, []

    def broken(bot: str, seen: View, seed: int) -> Any:
        if bot == "random":
            return real(bot, seen, seed)
        tries.append(bot)
        if fault == "process":
            raise BrokenProcessPool
        raise RuntimeError(str(seen.hand))

    monkeypatch.setattr(thinking, "choose", broken)
    monkeypatch.setattr(Thinkers, "_started", lambda _: THREADS)
    with heard() as logged:
        cards = asyncio.run(_thought(seen))
    assert cards == real("random", seen, 8)
    assert len(tries) == (2 if fault == "process" else 1)
    assert len(logged) == len(tries)
    assert str(seen.hand[0]) not in str([{**one, "exc_info": None} for one in logged])


@on_a_loop
async def test_a_bot_that_thinks_for_ever_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, thinkers = a_view(), Thinkers(1, patience=0.5, at_first=0.5)
    real = thinking.choose
    monkeypatch.setattr(thinking, "choose", for_ever)
    try:
        pool = thinkers._started()
        thought = thinkers.think("greedy", seen, 8)
        await asyncio.sleep(0)  # it has been handed over
        monkeypatch.setattr(thinking, "choose", real)
        with heard() as logged:
            assert await thought == real("random", seen, 8)
        assert [one["event"] for one in logged] == ["bot too slow"]
        assert thinkers._started() is not pool
        pool.shutdown()  # its processes have gone, or this would take for ever
        thinkers._kill(pool)  # nothing more to do
    finally:
        thinkers.close()


@on_a_loop
async def test_a_bot_that_only_waits_its_turn_harms_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, thinkers = a_view(), Thinkers(1, patience=0.2, at_first=0.2)
    go_on, pool = threading.Event(), ThreadPoolExecutor(1)
    pool.submit(go_on.wait, 20)
    monkeypatch.setattr(Thinkers, "_started", lambda _: pool)
    monkeypatch.setattr(Thinkers, "_kill", lambda *_: pytest.fail("nobody was thinking"))
    assert await thinkers.think("greedy", seen, 8) == choose("random", seen, 8)
    go_on.set()
    pool.shutdown()


@on_a_loop
async def test_the_first_choice_of_a_bot_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have to be compiled."""
    seen, thinkers = a_view(), Thinkers(1, patience=0.3, at_first=60)
    monkeypatch.setattr(thinking, "choose", slowly)
    try:
        assert await thinkers.think("greedy", seen, 8) == choose("greedy", seen, 8)
        with heard() as logged:
            assert await thinkers.think("greedy", seen, 8) == choose("random", seen, 8)
        assert [one["event"] for one in logged] == ["bot too slow"]
    finally:
        thinkers.close()


def slowly(bot: str, seen: View, seed: int) -> Any:
    time.sleep(0 if bot == "random" else 1)
    return choose(bot, seen, seed)


def test_what_bots_need_is_compiled_before_anyone_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(os, "nice", done.append)
    thinking.compile_quietly()
    assert done == [10]
    monkeypatch.delattr(os, "nice")  # as on Windows
    thinking.compile_quietly()
    process = thinking.compile_ahead()
    process.join(120)
    assert process.exitcode == 0


def for_ever(*_: object) -> None:
    time.sleep(1e6)


def test_a_bot_may_only_choose_what_the_rules_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def choose(self, view: View, _: object) -> Any:
            return view.hand

    monkeypatch.setattr(thinking, "_bot", lambda _: Cheat())
    with pytest.raises(GameError):
        choose("cheat", a_view(), 1)


async def _thought(seen: View) -> Any:
    return await Thinkers(1).think("greedy", seen, 8)


@on_a_loop
async def test_a_game_against_bots_ends_and_is_kept(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.good("POST", "/api/play", players=3, level="beginner")
        async with one.client(seat) as client:
            rng = Random(1)
            while client.view["phase"] != "over":
                await client.until(lambda view: view["phase"] == "over" or view["choice"] is None)
                if client.view["phase"] == "choosing":
                    cards = rng.choice(client.view["choices"])
                    moment = client.view["moment"]
                    await client.do("choose", moment=moment, cards=cards)
                    await client.until(lambda view, now=moment: view["moment"] != now)  # type: ignore[misc]
        await until(lambda: not one.hub.commits.dirty)
        game = await one.good("GET", f"/api/games/{seat['table']}-1")
        assert [standing["bot"] for standing in game["standings"]] == [None, "random", "random"]
