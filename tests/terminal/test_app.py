"""Whole games on the whole screen, by keys and by mouse."""

from __future__ import annotations

import json
import os
import re
from itertools import product

import pytest

from five211.terminal.hand import LARGE, MIDDLE, SMALL, CardAt, Hand
from tests.server.helpers import on_a_loop
from tests.terminal.screens import (
    SIZE,
    hand,
    kept_games,
    may_choose,
    play_out,
    play_turn,
    playing,
    settled,
    shown,
    table,
    text,
)

SOAK = bool(os.environ.get("TEST_SOAK"))
ALL = list(product((2, 3, 4, 5), ("classic", "azul"), ("en", "fr")))
SOME = [(2, "azul", "fr"), (3, "classic", "en"), (4, "azul", "en"), (5, "classic", "fr")]


@pytest.mark.parametrize(("players", "edition", "language"), ALL if SOAK else SOME)
@on_a_loop
async def test_a_whole_game_by_keys(players: int, edition: str, language: str) -> None:
    async with playing(
        language=language, players=players, bots=("easy",), edition=edition
    ) as pilot:
        await play_out(pilot)
        (record,) = kept_games()
        told = json.loads(record)
        assert told["game"] == {"players": players, "variant": "standard", "edition": edition}
        for name, points in zip(table(pilot).names, told["result"]["points"], strict=True):
            assert any(re.match(rf"[▸ ]{name} +{points} ", line) for line in shown(pilot))


@on_a_loop
async def test_the_longer_game_by_keys() -> None:
    async with playing(players=2, bots=("beginner",), variant="long", seed="7") as pilot:
        await play_out(pilot)
        told = json.loads(kept_games()[0])
        assert len(told["deals"]) > 1
        assert max(told["result"]["points"]) >= 50


@on_a_loop
async def test_the_same_game_in_every_size() -> None:
    async with playing(size=(120, 40), players=5, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        assert pilot.app.screen.query_one(Hand).size_of_card == LARGE
        await play_turn(pilot, 0, 1)
        await may_choose(pilot)
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert pilot.app.screen.query_one(Hand).size_of_card == SMALL
        lines = shown(pilot)
        assert len(lines) == SIZE[1]
        assert all(len(line) <= SIZE[0] for line in lines)
        for name in table(pilot).names:
            assert any(name in line for line in lines)
        assert "Play 1 card" in text(pilot)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert "80 x 24" in text(pilot)
        await pilot.resize_terminal(95, 30)
        await pilot.pause()
        assert pilot.app.screen.query_one(Hand).size_of_card == MIDDLE
        await play_out(pilot)
    assert len(kept_games()) == 1


@on_a_loop
async def test_arrows_space_and_undo() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        cards, screen = hand(pilot), table(pilot)
        await pilot.press("right", "space", "left", "left", "space")
        assert screen.query_one(Hand).choice == tuple(sorted((cards[1], cards[4])))
        await pilot.press("3")  # a third card: the first that was picked is left
        assert screen.query_one(Hand).choice == tuple(sorted((cards[2], cards[4])))
        await pilot.press("3")
        assert screen.query_one(Hand).choice == (cards[4],)
        await pilot.press("enter")  # one card is not enough
        assert "Pick 2 cards first" in text(pilot)
        await pilot.press("u")
        assert screen.query_one(Hand).choice == ()


@on_a_loop
async def test_by_mouse() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        cards = hand(pilot)
        places = list(table(pilot).query(CardAt))
        await pilot.click(places[0])
        await pilot.click(places[2])
        assert table(pilot).query_one(Hand).choice == tuple(sorted((cards[0], cards[2])))
        await pilot.click("#keys", offset=(11, 0))  # "⏎ play"
        await settled(pilot, lambda: len(table(pilot).look.view.turns) == 1)  # type: ignore[union-attr]
        await pilot.click(places[4])
        assert table(pilot).query_one(Hand).choice == (hand(pilot)[4],)
