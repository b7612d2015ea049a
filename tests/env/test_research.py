"""docs/research.md says what the environments are: its tables come from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from five211 import Rules
from five211.env.encode import HISTORY, OBSERVATION, Slot, layout, size
from five211.env.rewards import REWARDS
from five211.env.scene import RENDER_MODES

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")
GAMES = [Rules.of(players) for players in (2, 3, 4, 5)]


def placed(slot: Slot) -> str:
    """A field's numbers, from the first to the last."""
    last = slot.slice.stop - 1
    return f"{slot.start}" if last == slot.start else f"{slot.start}-{last}"


def table() -> Iterator[str]:
    """The fields of an observation and of an information state, by the number of players."""
    yield "| field | for each | 2 players | 3 | 4 | 5 | what it tells |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for at, field in enumerate((*OBSERVATION, HISTORY)):
        where = " | ".join(placed(layout(rules, 1)[at]) for rules in GAMES)
        axes = " x ".join(axis.removesuffix("s") for axis in field.axes)
        yield f"| `{field.name}` | {axes} | {where} | {field.meaning} |"


def test_the_table_of_fields_is_the_codes() -> None:
    assert "\n".join(table()) in PAGE, "write into docs/research.md:\n" + "\n".join(table())


def test_sizes_rewards_and_renderings_are_the_codes() -> None:
    for rules in GAMES:
        told = f"| {rules.players} | {size(rules)} | {size(rules, 1)} |"
        assert told in PAGE, told
    for name in (*REWARDS, *RENDER_MODES):
        assert f"`{name}`" in PAGE


def test_quick_starts_have_ten_lines_at_most() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        lines = [line for line in block.splitlines() if line.startswith((">>>", "..."))]
        assert len(lines) <= 10, block
