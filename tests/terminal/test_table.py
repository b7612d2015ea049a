"""The table on the whole screen: how things are told, what can be read again, what goes wrong."""

from __future__ import annotations

import asyncio
from random import Random
from threading import Event
from unittest.mock import patch

import pytest

from five211 import Cards, View
from five211.bots import Entry, entry
from five211.errors import GameError
from five211.terminal import table as tables
from five211.terminal.hand import Hand
from five211.terminal.saved import Log, folder
from five211.terminal.settings import remembered
from five211.terminal.told import Choice, Told
from tests.server.helpers import on_a_loop
from tests.terminal.bots import Slow, with_slow
from tests.terminal.screens import (
    hand,
    may_choose,
    play_out,
    play_turn,
    playing,
    settled,
    shown,
    table,
    text,
)


@pytest.fixture
def long_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing goes on by itself: only a key does it."""
    monkeypatch.setattr(tables, "REVEAL", 3600.0)
    monkeypatch.setattr(tables, "STEP", 3600.0)


@pytest.mark.usefixtures("long_steps")
@on_a_loop
async def test_a_scoring_is_told_step_by_step() -> None:
    async with playing(players=4, bots=("easy",), seed="7", speed="normal") as pilot:
        await may_choose(pilot)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "Round 1, turn 1" in text(pilot))
        await pilot.press("1")  # whoever picks has read enough, and has picked
        await may_choose(pilot)
        assert table(pilot).query_one(Hand).picked == [0]
        await pilot.press("enter")
        await settled(pilot, lambda: "Round 1, turn 2" in text(pilot))
        await pilot.press("space")
        await may_choose(pilot)
        await play_turn(pilot, 0)
        await settled(pilot, lambda: "Round 1, turn 3" in text(pilot))
        assert "turn 3 of 3" in shown(pilot)[0]  # as it was then
        await pilot.press("p")
        assert "Halted" in text(pilot)
        assert "esc to the end" in text(pilot)
        await pilot.press("enter")
        assert "Kododos on the table" not in text(pilot)
        await pilot.press("p")
        await settled(pilot, lambda: "Kododos on the table" in text(pilot))
        assert "scores" not in text(pilot)
        await pilot.press("enter")
        await settled(pilot, lambda: "Cards counted" in text(pilot))
        await pilot.press("enter")
        await settled(pilot, lambda: "7 violet, limit 7: violet is out." in text(pilot))
        assert "7 out" in text(pilot)
        assert "scores" not in text(pilot)
        await pilot.press("enter")
        await settled(pilot, lambda: "4 green, the most: green scores." in text(pilot))
        assert "4 scores" in text(pilot)
        points = [row.points for row in table(pilot).telling.rows]  # type: ignore[union-attr]
        assert points == [0, 0, 0, 0]
        await pilot.press("enter")
        await settled(pilot, lambda: "Maxi 3 takes" in text(pilot))
        points = [row.points for row in table(pilot).telling.rows]  # type: ignore[union-attr]
        assert points == [1, 0, 0, 6]
        await pilot.press("escape")
        await settled(pilot, lambda: "Enter goes on" in text(pilot))
        await pilot.press("p")  # there is nothing to halt
        assert "Enter goes on" in text(pilot)
        assert "turn 3 of 3" in shown(pilot)[0]
        await pilot.click("#board")
        assert await may_choose(pilot)
        assert "Round 2 of 6, turn 1 of 3" in shown(pilot)[0]
        assert "Maxi 3 takes" in text(pilot)  # it stays until there is something newer


@pytest.mark.usefixtures("long_steps")
@on_a_loop
async def test_escape_goes_to_the_end_of_a_scoring() -> None:
    async with playing(players=2, bots=("easy",), seed="7", speed="slow") as pilot:
        for turn in range(3):
            await may_choose(pilot)
            await play_turn(pilot, *range(2 if turn == 0 else 1))
            await settled(pilot, lambda: table(pilot).telling is not None)
            await pilot.press("escape")
        await settled(pilot, lambda: "Enter goes on" in text(pilot))
        await pilot.press("enter")
        assert await may_choose(pilot)


@on_a_loop
async def test_time_goes_on_by_itself() -> None:
    with patch.object(tables, "REVEAL", 0.02), patch.object(tables, "STEP", 0.02):
        async with playing(players=2, bots=("easy",), seed="7", speed="fast") as pilot:
            for turn in range(3):
                await may_choose(pilot)
                await play_turn(pilot, *range(2 if turn == 0 else 1))
            assert await may_choose(pilot)
            assert "Round 2 of 11" in text(pilot)


@on_a_loop
async def test_quicker_and_slower() -> None:
    async with playing(players=2, bots=("easy",), speed="slow") as pilot:
        await may_choose(pilot)
        for key, word in (("+", "normal"), ("+", "fast"), ("+", "no motion"), ("+", "no motion")):
            await pilot.press(key)
            assert f"Speed: {word}." in text(pilot)
        await pilot.press("minus")
        assert remembered().speed == "fast"


@on_a_loop
async def test_pages_to_read_again() -> None:
    async with playing(players=4, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        await pilot.press("l")
        assert "No round has been scored yet" in text(pilot)
        await pilot.press("escape", "g")
        assert "No round has been scored yet" in text(pilot)
        await pilot.press("escape")
        for turn in range(3):
            await play_turn(pilot, *range(2 if turn == 0 else 1))
            await may_choose(pilot)
        await pilot.press("l")
        assert type(pilot.app.screen) is Told
        assert "Round 1" in shown(pilot)[0]
        assert "4 scores" in text(pilot)
        await pilot.press("end")
        assert "Maxi 3 takes" in text(pilot)
        await pilot.press("escape", "question_mark")
        assert "exactly 6 Kododos" in text(pilot)
        assert "letters of the colours" in text(pilot).lower()
        await pilot.click("#keys", offset=(18, 0))
        assert "Play 2 cards" in text(pilot)
        await play_out(pilot)
        await pilot.press("g")
        assert "wins with" in text(pilot)  # it begins at the end
        await pilot.press("home")
        assert "Round 1, turn 1" in text(pilot)
        await pilot.press("down", "pagedown")
        assert "Round 1, turn 1" not in text(pilot)
        await pilot.press("up", "pageup")
        assert "Round 1, turn 1" in text(pilot)
        await pilot.press("escape")
        assert "The game is over" in text(pilot)


@on_a_loop
async def test_while_a_bot_thinks_keys_are_heard_and_a_choice_can_be_taken_back() -> None:
    Slow.go_on = Event()
    async with playing(players=3, bots=("easy", "slow"), load=with_slow, seed="7") as pilot:
        await may_choose(pilot)
        cards = hand(pilot)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "face down. Waiting for Slow." in text(pilot))
        assert [mark(line) for line in shown(pilot)[6:9]] == ["✓", "✓", "…"]
        await pilot.press("1", "enter")  # nothing is to be chosen now
        assert table(pilot).query_one(Hand).choice == ()
        await pilot.press("u")
        assert await may_choose(pilot)
        assert table(pilot).look.choice is None
        await play_turn(pilot, 3, 4)
        await settled(pilot, lambda: "face down" in text(pilot))
        assert table(pilot).look.choice == cards[3:]
        await pilot.press("question_mark", "escape", "n", "s", "r", "t", "c")  # none of it harms
        Slow.go_on.set()
        assert await may_choose(pilot)
        assert "turn 2 of 3" in shown(pilot)[0]


@on_a_loop
async def test_a_table_that_is_closed_is_drawn_no_more() -> None:
    async with playing(players=3, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        screen = table(pilot)
    assert not screen.children
    screen._draw()


def mark(line: str) -> str:
    return line[23:24]


class Broken:
    """Fails in its second turn."""

    def choose(self, view: View, _rng: Random) -> Cards:
        if view.turn:
            raise RuntimeError("no idea")
        return view.choices[0]


@on_a_loop
async def test_a_bot_that_fails_is_named_and_nothing_is_lost() -> None:
    def load(name: str) -> Entry:
        return Entry("broken", Broken) if name == "broken" else entry(name)

    async with playing(players=2, bots=("broken",), load=load) as pilot:
        await may_choose(pilot)
        await play_turn(pilot, 0, 1)
        await settled(pilot, lambda: "no idea" in text(pilot))
        assert "The game cannot go on" in text(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running
    assert list(folder().glob("*.game"))


class Odd:
    """Stops where no bot should."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def choose(self, _view: View, _rng: Random) -> Cards:
        raise self.error


@pytest.mark.parametrize("error", [StopIteration, SystemExit, KeyboardInterrupt])
@on_a_loop
async def test_a_bot_may_raise_anything(error: type[BaseException]) -> None:
    odd = Entry("x", lambda: Odd(error))
    async with playing(players=2, bots=("x",), load=lambda _: odd) as pilot:
        await settled(pilot, lambda: error.__name__ in text(pilot))


class Cheat:
    """Plays what it does not hold."""

    def choose(self, view: View, _rng: Random) -> Cards:
        return view.unseen[: view.plays]


@on_a_loop
async def test_a_bot_that_cheats_is_told_in_a_sentence() -> None:
    async with playing(players=2, bots=("x",), load=lambda _: Entry("x", Cheat)) as pilot:
        await settled(pilot, lambda: "not in the hand" in text(pilot))


@on_a_loop
async def test_what_cannot_be_written_down_is_refused_and_changes_nothing() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        error = GameError("file", name="x", reason="No space left on device")
        with patch.object(Log, "note", side_effect=error):
            await play_turn(pilot, 0, 1)
            await settled(pilot, lambda: "No space left on device" in text(pilot))
        assert table(pilot).look.choice is None
        await play_turn(pilot, 0, 1)
        assert await may_choose(pilot)
        assert "turn 2 of 3" in shown(pilot)[0]


@on_a_loop
async def test_nothing_is_taken_back_that_was_not_chosen() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        await pilot.press("u", "left", "9", "0")
        assert await may_choose(pilot)
        await asyncio.sleep(0)
        assert "turn 1 of 3" in shown(pilot)[0]


@on_a_loop
async def test_a_card_that_is_not_there_is_not_picked() -> None:
    async with playing(players=5, bots=("easy",), seed="7") as pilot:
        while (await may_choose(pilot)) and len(hand(pilot)) == 5:
            await play_turn(pilot, *range(table(pilot).look.view.plays))  # type: ignore[union-attr]
        await pilot.press("5")
        assert table(pilot).query_one(Hand).choice == ()
        await pilot.press("3")
        assert table(pilot).query_one(Hand).choice == (hand(pilot)[2],)


@on_a_loop
async def test_a_word_that_is_not_there_is_not_said() -> None:
    async with playing(players=2, bots=("easy",)) as pilot:
        taken: list[int | None] = []
        await pilot.app.push_screen(Choice("which?", ["one", "two"]), taken.append)
        await pilot.press("3")
        assert "which?" in text(pilot)
        await pilot.press("2")
        assert taken == [1]


@on_a_loop
async def test_a_record_that_cannot_be_kept_is_told() -> None:
    async with playing(players=5, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        with patch.object(Log, "finish", side_effect=GameError("file_write", name="x", reason="y")):
            await play_out(pilot)
            assert "x" in text(pilot)
            assert "is kept" not in text(pilot)
