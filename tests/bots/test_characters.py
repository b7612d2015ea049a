"""Whom players meet: a name and a sentence for each level; and the page that tells of them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from five211 import language_names, texts
from five211.bots import LEVELS, base, entries, register
from five211.characters import NAMES, called, character
from five211.cli import app
from five211.editions import edition_names, words
from five211.gathering import LONGEST_NAME, bot_name
from five211.terminal.here import Here
from five211.terminal.telling import Teller
from tests.terminal.people import Person, setup, then

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def test_names_are_told_apart_at_a_glance() -> None:
    initials = [name[0] for name in NAMES.values()]
    assert len(set(initials)) == len(NAMES)
    letters = {
        str(color["letter"])[0]
        for language in language_names()
        for edition in edition_names()
        for color in words(language, edition).data["colors"].values()
    }
    assert not letters & set(initials)
    assert all(len(f"{name} 5") <= LONGEST_NAME // 2 for name in NAMES.values())


@pytest.mark.parametrize("language", language_names())
def test_every_level_has_its_word_and_every_character_its_sentence(language: str) -> None:
    assert list(texts.load("languages", language)["levels"]) == list(LEVELS)
    for bot in NAMES:
        told = character(language, bot)
        assert told is not None
        assert told.endswith(".")
        assert told[0].islower()
    assert character(language, "mine") is None


def test_every_bot_of_a_level_is_a_character_and_no_other_is() -> None:
    for bot in entries():
        assert (bot.level is not None) == (bot.name in NAMES), bot.name


def test_all_five_may_sit_at_one_table() -> None:
    names: list[str] = []
    for bot in (*NAMES, "hasty", "mine", "mine", "hasty", "greedy"):
        names.append(bot_name(bot, names))
    own = ["Mine", "Mine 2"]
    assert names == [*map(called, NAMES), "Maxi 2", *own, "Maxi 3", "Greedy"]


def test_opponents_are_introduced_at_every_level(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(base, "_entries", {})
    for bot, level in zip(NAMES, LEVELS, strict=True):
        register(bot, list, level=level)  # type: ignore[arg-type]
    register("mine", list)  # type: ignore[arg-type]

    async def introduced(*bots: str) -> list[str]:
        person, here = Person(then()), Here.begin(setup(len(bots) + 1, bots=bots), base.entry)
        Teller(here, person, "en").greet(here.opponents)
        await here.close()
        return person.heard[1:-2]

    assert len(asyncio.run(introduced(*LEVELS[1:]))) == 4
    one = ["Kiwi (beginner) plays whatever comes to hand."]
    assert asyncio.run(introduced(LEVELS[0], "mine", LEVELS[0])) == one


# docs/bots.md


def test_the_page_tells_of_every_bot_and_level() -> None:
    for bot in entries():
        row = next(line for line in PAGE.splitlines() if f"| `{bot.name}` |" in line)
        if bot.level is not None:
            assert row.startswith(f"| {bot.level} | {called(bot.name)} |")


def test_the_bot_of_the_page_has_twenty_lines_and_plays(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(\"\"\".*?)```", PAGE, re.DOTALL)
    assert len(code.splitlines()) <= 20
    (tmp_path / "my_bots.py").write_text(code)
    options = ["simulate", "--players", "2", "--games", "40", "--seed", "1", "--json", "--bots"]
    done = CliRunner().invoke(app, [*options, f"{tmp_path}/my_bots.py:Mine,random"])
    assert done.exit_code == 0, done.output
    wins = [float(one) for one in re.search(r'"wins": \[(.*?)\]', done.output)[1].split(",")]  # type: ignore[index]
    assert wins[0] > wins[1]


def test_what_the_page_says_of_a_view_is_there() -> None:
    from five211.view import View

    named = set(re.findall(r"`view\.(\w+)`", PAGE))
    assert {"choices", "hand", "unseen", "rules"} <= named
    assert all(hasattr(View, name) for name in named)
