"""A bot at a table of a real server, in this process, and what it says."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from five211 import GameError, Rules
from five211.cli.bot import Sitting, _tell, _tell_json, attend, duty
from five211.cli.own import load
from five211.client import Client, Left
from tests.server.bot.helpers import said_by
from tests.server.helpers import on_a_loop
from tests.server.houses import house


def seat_view(**parts: Any) -> dict[str, Any]:
    here = {"bot": None, "present": True, "host": False}
    bot = {"bot": "greedy", "present": False, "host": False}
    seats = [{**here, "host": True}, bot]
    return {"moment": None, "choice": None, "phase": "gathering", "you": 0, "seats": seats, **parts}


def test_what_a_table_awaits() -> None:
    assert duty(seat_view()) == ("start", seat_view()["seats"])
    assert duty(seat_view(you=1)) is None
    assert duty(seat_view(phase="over")) is None
    away = {"bot": None, "present": False, "host": False}
    assert duty(seat_view(seats=[*seat_view()["seats"], away])) is None
    assert duty(seat_view(moment={"turn": 1}, phase="choosing")) == ("choose", {"turn": 1})
    assert duty(seat_view(moment={"turn": 1}, phase="choosing", choice=["G2"])) is None


class Heard:
    """What a bot tells."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def __call__(self, event: dict[str, Any], seen: dict[str, Any]) -> None:
        assert seen["seats"]
        self.events.append(event)

    @property
    def kinds(self) -> set[str]:
        return {event["event"] for event in self.events}


async def sitting(client: Client, tell: Heard) -> asyncio.Task[None]:
    """A bot that has been let in and waits."""
    task = asyncio.create_task(attend(client, load("greedy").make(), None, tell))
    await asyncio.sleep(0)  # so that it waits for its view before we do
    await client.until(lambda seen: bool(seen))
    return task


@on_a_loop
async def test_two_bots_play_a_game_and_leave(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2)
        other = await h.sat(table, "Bo")
        heard = [Heard(), Heard()]
        await asyncio.gather(
            attend(h.client(table), load("greedy").make(), 1, heard[0]),
            attend(h.client(other), load("random").make(), 1, heard[1]),
        )
        game = (await h.get(f"/api/games/{table['table']}-1")).json()
        record = (await h.get(f"/api/games/{table['table']}-1/record")).json()
        for one in heard:
            assert one.kinds == {"deal_bound", "round_scored", "game_ended"}
            assert one.events[0]["commitment"] == record["proof"]["commitment"]
            assert one.events[0]["game"] == one.events[-1]["game"] == game["id"]
            assert one.events[-1]["result"]["points"] == [s["points"] for s in game["standings"]]
            assert len(one.events) == Rules.of(2).rounds + 2


@on_a_loop
async def test_a_bot_that_comes_after_the_deal_does_not_tell_what_the_server_was_bound_to(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, start=True)
        async with h.client(table) as before:
            await before.until(lambda seen: seen["moment"] is not None)
        heard = Heard()
        await attend(h.client(table), load("greedy").make(), 1, heard)
        assert heard.kinds == {"round_scored", "game_ended"}
        assert heard.events[-1]["game"] == f"{table['table']}-1"


class Line(Client):
    """A connection on which nothing comes any more."""

    def __init__(self, proof: dict[str, Any] | None, *events: dict[str, Any], **parts: Any) -> None:
        super().__init__("http://h:1")
        self.view = seat_view(you=1, proof=proof, info={"id": "abc"}, **parts)
        for event in events:
            self.events.put_nowait(event)


async def heard_from(line: Line, games: int | None) -> list[dict[str, Any]]:
    heard = Heard()
    with suppress(TimeoutError):
        async with asyncio.timeout(0.01):
            await Sitting(line, load("greedy").make(), games, heard).play()
    return heard.events


@on_a_loop
async def test_a_bot_that_comes_before_the_deal_tells_what_the_server_is_bound_to() -> None:
    proof = {"table": "abc/3", "commitment": "0123", "asked": [1], "stage": "hashes"}
    bound = {"event": "deal_bound", "game": "abc-3", "commitment": "0123", "asked": [1]}
    assert await heard_from(Line(proof), None) == [bound]
    assert await heard_from(Line({**proof, "stage": "dealt"}), None) == []
    assert await heard_from(Line(None), None) == []


@on_a_loop
async def test_a_bot_that_comes_after_the_end_says_that_it_waits() -> None:
    proof = {"table": "abc/3", "commitment": "0123", "asked": [1], "stage": "dealt"}
    assert await heard_from(Line(proof, phase="over"), None) == [{"event": "waiting"}]


@on_a_loop
async def test_each_of_several_games_that_are_heard_of_at_once_is_its_own() -> None:
    over = {"event": "game_ended"}
    bound = {"event": "deal_bound", "commitment": "0123", "asked": [1]}
    proof = {"table": "abc/4", "commitment": "0123", "asked": [1], "stage": "dealt"}
    line = Line(proof, over, {"event": "game_started", "game": 4}, bound, over)
    assert await heard_from(line, 2) == [
        {**over, "game": "abc-3"},
        {**bound, "game": "abc-4"},
        {**over, "game": "abc-4"},
    ]
    assert await heard_from(Line(proof, over), 1) == [{**over, "game": "abc-4"}]


@on_a_loop
async def test_a_whole_longer_game(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, variant="long", bots=["easy"])
        heard = Heard()
        await attend(h.client(table), load("greedy").make(), 1, heard)
        assert heard.events[-1]["event"] == "game_ended"
        assert max(heard.events[-1]["result"]["points"]) >= 50


@on_a_loop
async def test_a_bot_that_fails_leaves_the_table(tmp_path: Path, own: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3, bots=["easy"])
        seat = await h.sat(table, "Bo")
        async with h.client(table) as host:
            playing = attend(h.client(seat), load(f"{own}:Failing").make(), None, Heard())
            task = asyncio.create_task(playing)
            await host.do("start")
            await host.until(lambda seen: seen["seats"][2]["substitute"] is not None)
            with pytest.raises(GameError) as error:
                await task
            assert error.value.code == "bot_failed"


@on_a_loop
async def test_a_bot_that_is_cancelled_leaves_the_table(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        seat = await h.sat(table, "Bo")
        async with h.client(table) as host:
            task = await sitting(h.client(seat), Heard())
            task.cancel()
            await host.until(lambda seen: seen["seats"][1]["free"])
            await task


@on_a_loop
async def test_a_bot_that_is_removed_says_so(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        seat = await h.sat(table, "Bo")
        heard = Heard()
        async with h.client(table) as host:
            task = await sitting(h.client(seat), heard)
            await host.do("remove", seat=1)
            await task
        assert heard.events == [{"event": "gone", "reason": "4001 no seat"}]


@on_a_loop
async def test_a_bot_with_a_wrong_token_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = {**await h.made(), "token": "wrong"}
        with pytest.raises(GameError) as error:
            await attend(h.client(table), load("greedy").make(), None, Heard())
        assert "This token does not open a seat here" in said_by(error)


@on_a_loop
async def test_a_server_that_does_not_answer_is_left_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("five211.cli.bot.GOODBYE", 0.01)
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        one = h.client(table)
        task = await sitting(one, Heard())

        async def lost(_text: str) -> None:
            """As if the line were cut."""

        monkeypatch.setattr(one, "_send", lost)
        task.cancel()
        await task


@on_a_loop
async def test_a_turn_that_went_on_meanwhile_is_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, bots=["easy"])
        one = h.client(table)
        do, refused = one.do, list[str]()

        async def late(kind: str, **fields: Any) -> dict[str, Any]:
            """Every first choice comes for a turn that is over."""
            if kind == "choose" and not refused:
                refused.append(kind)
                with pytest.raises(Exception, match="That turn is over"):
                    await do(kind, **{**fields, "moment": {**fields["moment"], "game": 9}})
            return await do(kind, **fields)

        monkeypatch.setattr(one, "do", late)
        await attend(one, load("greedy").make(), 1, Heard())
        assert refused


def test_what_it_says_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    seen = {"seats": [{"name": "Ana"}, {"name": "Bo\x1b"}]}
    scored = {"event": "round_scored", "round": 1, "score": {"points": [4, 0]}}
    over = {"event": "game_ended", "text": "Ana wins.", "game": "abc-1"}
    bound = {"event": "deal_bound", "game": "abc-1", "commitment": "0123"}
    _tell("en", "http://h:1", bound, seen)
    _tell("fr", "http://h:1", bound, seen)
    _tell("en", "http://h:1", scored, seen)
    _tell("fr", "http://h:1", scored, seen)
    _tell("en", "http://h:1", over, seen)
    _tell("en", "http://h:1", {"event": "waiting"}, seen)
    _tell("en", "http://h:1", {"event": "gone", "reason": str(Left(4001, "no seat"))}, seen)
    _tell_json(scored, seen)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:-1] == [
        "Commitment of game abc-1: 0123",
        "Engagement de la partie abc-1 : 0123",
        "Round 2: Ana 4 and Bo\ufffd 0.",
        "Manche 2 : Ana 4 et Bo\ufffd 0.",
        "Ana wins.",
        "Record of game abc-1: http://h:1/api/games/abc-1/record",
        "This game is over; waiting for a rematch.",
        "The bot has no seat here any more: 4001 no seat.",
    ]
    assert json.loads(lines[-1]) == scored
