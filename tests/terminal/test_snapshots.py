"""The main screens as they are, line by line: a change of any of them is seen in a diff.

`TEST_SNAPSHOTS=write` writes them anew; look at them before you commit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.server.helpers import on_a_loop
from tests.terminal.screens import (
    SNAPSHOTS,
    all_bots_chose,
    may_choose,
    play_out,
    play_turn,
    playing,
    shown,
)

LOOKS = [("en", "classic"), ("fr", "azul")]


def compare(name: str, lines: list[str]) -> None:
    """With what was seen before."""
    file = SNAPSHOTS / f"{name}.txt"
    text = "\n".join(lines).rstrip() + "\n"
    if os.environ.get("TEST_SNAPSHOTS") == "write":
        SNAPSHOTS.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "edition"), LOOKS)
@on_a_loop
async def test_the_main_screens(language: str, edition: str) -> None:
    async with playing(language=language) as pilot:
        compare(f"start-{language}", shown(pilot))
    async with playing(
        language=language, edition=edition, players=5, bots=("easy",), seed="7"
    ) as pilot:
        await all_bots_chose(pilot)
        await pilot.press("1", "3")
        compare(f"table-picked-{language}", shown(pilot))
        await pilot.press("enter")
        for _turn in range(2):
            await may_choose(pilot)
            await play_turn(pilot, 0)
        await all_bots_chose(pilot)
        compare(f"table-scored-{language}", shown(pilot))
        await pilot.press("l")
        compare(f"last-round-{language}", shown(pilot))
        await pilot.press("escape", "question_mark")
        compare(f"help-{language}", shown(pilot))
        await pilot.press("escape")
        await play_out(pilot)
        compare(f"over-{language}", shown(pilot))
        await pilot.press("r", "end")
        compare(f"replay-{language}", shown(pilot))


@on_a_loop
async def test_the_large_screen() -> None:
    async with playing(size=(120, 40), players=3, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        await play_turn(pilot, 0, 1)
        await all_bots_chose(pilot)
        compare("table-large-en", shown(pilot))


@on_a_loop
async def test_the_screen_in_the_docs() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n(.*?)```", docs, re.DOTALL)
    async with playing(players=4, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        await play_turn(pilot, 0, 1)
        await all_bots_chose(pilot)
        lines = iter(shown(pilot))
        for line in block.splitlines():  # in this order, but for the sentences that scroll by
            assert line in lines
