"""Several people at one terminal: a curtain before every hand, and nobody sees another's."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from five211 import Cards
from five211.editions import words
from five211.terminal.told import Question
from five211.view import view
from tests.server.helpers import on_a_loop
from tests.terminal.screens import kept_games, play_turn, playing, settled, table, text


def hand_of(pilot: Pilot[Any], seat: int) -> Cards:
    """What somebody holds, whoever looks."""
    match = table(pilot).place.table.match  # type: ignore[attr-defined]
    return view(match, seat).hand


async def curtain(pilot: Pilot[Any]) -> bool:
    """Wait for a curtain, or for the end; whether it is a curtain."""
    screen = table(pilot)

    def there() -> bool:
        return isinstance(pilot.app.screen, Question)

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
            await pilot.press("enter")
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
        await pilot.press("enter")
        await settled(pilot, lambda: table(pilot).can_choose)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        assert "Ana may still take a choice back" in text(pilot)
        await pilot.press("escape")
        await settled(pilot, lambda: "Ana, it is your turn" in text(pilot))
        assert table(pilot).look.choice is None
        await pilot.press("enter")
        await settled(pilot, lambda: table(pilot).can_choose)
        await play_turn(pilot, 3, 4)
        await settled(pilot, lambda: "Ben, it is your turn" in text(pilot))
        await pilot.click()  # the mouse opens it, too
        await settled(pilot, lambda: table(pilot).can_choose)
        assert table(pilot).active == 1
