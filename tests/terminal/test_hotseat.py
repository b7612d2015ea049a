"""Several people at one terminal: a curtain before every hand, and nobody sees another's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from five211 import Cards
from five211.editions import words
from five211.errors import GameError
from five211.terminal.hand import Hand
from five211.terminal.saved import Log
from five211.terminal.told import Curtain
from five211.view import view
from tests.server.helpers import on_a_loop
from tests.terminal.bots import Slow, with_slow
from tests.terminal.screens import kept_games, play_turn, playing, settled, table, text


def hand_of(pilot: Pilot[Any], seat: int) -> Cards:
    """What somebody holds, whoever looks."""
    match = table(pilot).place.table.match  # type: ignore[attr-defined]
    return view(match, seat).hand


async def curtain(pilot: Pilot[Any]) -> bool:
    """Wait for a curtain, or for the end; whether it is a curtain."""
    screen = table(pilot)

    def there() -> bool:
        return isinstance(pilot.app.screen, Curtain)

    await settled(pilot, lambda: there() or (screen.over and screen.chapter is None))
    return there()


@pytest.mark.parametrize("people", [("Ana", "Ben"), ("Ana", "Ben", "Cleo")])
@on_a_loop
async def test_a_whole_game_behind_curtains(people: tuple[str, ...]) -> None:
    seen = 0
    async with playing(people=people, players=3, bots=("easy",), seed="7") as pilot:
        while await curtain(pilot):
            seen += 1
            who = people[(seen - 1) % len(people)]
            assert who in text(pilot)
            assert "your turn" in text(pilot)
            for seat in range(3):  # behind it: nobody's cards, not even under it
                assert not any(
                    words().card(card) in _hand_shown(pilot) for card in hand_of(pilot, seat)
                )
            await pilot.press("space")
            await settled(pilot, lambda: table(pilot).can_choose)
            assert table(pilot).active == people.index(who)
            assert table(pilot).look.view is not None
            await play_turn(pilot, *range(table(pilot).look.view.plays))  # type: ignore[union-attr]
        assert seen == len(people) * 3 * 7
    (record,) = kept_games()
    assert all(f'"{name}"' in record for name in people)


def _hand_shown(pilot: Pilot[Any]) -> str:
    """What the table's hand shows, also while something lies over it."""
    screen = table(pilot)
    strips = screen._compositor.render_strips()
    top = screen.query_one("#hand").region.y
    return "\n".join(strip.text for strip in strips[top : top + 5])


@on_a_loop
async def test_whoever_has_just_chosen_may_think_again() -> None:
    async with playing(people=("Ana", "Ben"), players=2, bots=(), seed="7") as pilot:
        assert await curtain(pilot)
        await pilot.press("escape")  # nobody has chosen yet: nothing happens
        assert await curtain(pilot)
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        assert "Ana may still take a choice back" in text(pilot)
        await pilot.press("escape")
        await settled(pilot, lambda: "Ana, it is your turn" in text(pilot))
        assert table(pilot).look.choice is None
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        await play_turn(pilot, 3, 4)
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        await pilot.click("#how")  # the mouse opens it, too
        await settled(pilot, lambda: table(pilot).can_choose)
        assert table(pilot).active == 1


@on_a_loop
async def test_one_enter_too_many_shows_nobody_elses_hand() -> None:
    async with playing(people=("Ana", "Ben"), players=2, bots=(), seed="7") as pilot:
        assert await curtain(pilot)
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        await pilot.press("5", "4", "enter", "enter", "enter")
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        await pilot.click(".curtain", offset=(2, 2))  # not on the answer
        await pilot.press("enter", "1", "l", "g", "question_mark", "h")
        assert "Ben, it is your turn" in text(pilot)
        assert "Points: Ana 0 and Ben 0" in text(pilot)  # what everybody knows
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        assert table(pilot).query_one(Hand).at == 0  # where Ana's mark was tells of her cards
        await pilot.press("q", "escape")
        await play_turn(pilot, 0, 1)
        assert await curtain(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running


@asynccontextmanager
async def awaiting_a_bot() -> AsyncIterator[Pilot[Any]]:
    """Ana and Ben have chosen; a bot thinks."""
    Slow.go_on = Event()
    async with playing(
        people=("Ana", "Ben"), players=3, bots=("slow",), load=with_slow, seed="7"
    ) as pilot:
        for _person in range(2):
            assert await curtain(pilot)
            await pilot.press("space")
            await settled(pilot, lambda: table(pilot).can_choose)
            await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "Waiting for Slow" in text(pilot))
        yield pilot


@on_a_loop
async def test_while_a_bot_thinks_nobodys_choice_is_on_the_screen() -> None:
    async with awaiting_a_bot() as pilot:
        for seat in range(2):
            assert not any(words().card(card) in text(pilot) for card in hand_of(pilot, seat))
        await pilot.press("u")  # the last one thinks again
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        await pilot.press("q")  # a question is not covered by a curtain
        Slow.go_on.set()
        await pilot.press("escape")
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "turn 2 of 3" in text(pilot))


@on_a_loop
async def test_a_question_that_is_open_is_not_covered() -> None:
    async with awaiting_a_bot() as pilot:
        await pilot.press("q")
        Slow.go_on.set()
        await settled(pilot, lambda: len(table(pilot).look.view.turns) == 1)  # type: ignore[union-attr]
        await pilot.pause(0.2)
        assert "Leave the game?" in text(pilot)
        await pilot.press("escape")
        assert await curtain(pilot)


@on_a_loop
async def test_what_cannot_be_written_down_can_be_chosen_again() -> None:
    error = GameError("file_write", name="x", reason="No space left on device")
    async with playing(people=("Ana", "Ben"), players=2, bots=(), seed="7") as pilot:
        assert await curtain(pilot)
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        with patch.object(Log, "note", side_effect=error):
            await play_turn(pilot, 0, 1)
            assert await curtain(pilot)
            assert "Ana, it is your turn" in text(pilot)
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        with patch.object(Log, "note", side_effect=error):
            await pilot.press("escape")
            await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        await pilot.press("space")
        await settled(pilot, lambda: table(pilot).can_choose)
        assert "No space left" in text(pilot)
