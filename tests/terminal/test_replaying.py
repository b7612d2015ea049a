"""A recorded game on the whole screen."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from five211 import Match, Rules, shuffled, stream
from five211.bots import make
from five211.editions import words
from five211.record import Record
from five211.simulate import play_match, record_of
from five211.terminal.app import ReplayApp
from five211.terminal.replaying import ReplayScreen
from tests.server.helpers import on_a_loop
from tests.terminal.screens import shown, text


def game(players: int = 3, variant: str = "standard") -> Record:
    match = play_match(Rules.of(players, variant), [make("greedy")] * players, seed=7)
    return record_of(match, ["greedy"] * players)


def screen(pilot: Pilot[Any]) -> ReplayScreen:
    found = pilot.app.screen
    assert isinstance(found, ReplayScreen)
    return found


@on_a_loop
async def test_turn_by_turn_with_every_hand() -> None:
    record = game()
    async with ReplayApp(record, "en").run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "(1 of 21)" in text(pilot)
        await pilot.press("h")
        state = record.match.deals[0]
        first_hands = [sorted(state.deck[13 + 5 * seat : 18 + 5 * seat]) for seat in range(3)]
        for hand in first_hands:
            assert " ".join(words().card(card) for card in hand) in text(pilot)
        await pilot.press("h", "right", "right")
        assert "(3 of 21)" in text(pilot)
        assert "the most:" in text(pilot) or "nobody scores" in text(pilot)
        await pilot.press("down")
        assert screen(pilot).at == 5
        await pilot.press("up", "up")  # there is no round before the first
        assert screen(pilot).at == 2
        await pilot.press("end", "down", "right")
        assert "(21 of 21)" in text(pilot)
        assert "Final score" in text(pilot)
        await pilot.press("home", "left")
        assert "(1 of 21)" in text(pilot)
        await pilot.click("#keys", offset=(8, 0))
        assert "(2 of 21)" in text(pilot)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert len(shown(pilot)) == 40
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running


@pytest.mark.parametrize("language", ["en", "fr"])
@on_a_loop
async def test_the_longer_game(language: str) -> None:
    record = game(5, "long")
    assert len(record.match.deals) > 1
    async with ReplayApp(record, language).run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert screen(pilot).at == sum(len(deal.rounds) * 3 for deal in record.match.deals) - 1


@on_a_loop
async def test_a_game_that_is_not_over_shows_no_hands() -> None:
    rules = Rules.of(2)
    match = Match(rules).deal(shuffled(rules.deck, stream(7, "deck")))
    record = record_of(match, ["greedy", "greedy"])
    async with ReplayApp(record, "en").run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "The cards are dealt" in text(pilot)
        await pilot.press("right", "down", "end", "home")
        assert "The cards are dealt" in text(pilot)
    hands = match.state.hands
    record = record_of(match.play([hand[:2] for hand in hands]), ["greedy", "greedy"])
    async with ReplayApp(record, "en").run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "(1 of 1)" in text(pilot)
        assert " ".join(words().card(card) for card in hands[0]) not in text(pilot)
