"""Bots of other packages: found by their entry points, never instead of ours, told of if they fail.

The package is a real one as far as Python can tell: modules and a dist-info folder on the path.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from five211 import GameError, Rules, view
from five211.bots import base, entries, entry, make, packaged, register
from five211.bots.packages import NAME
from five211.cli import app
from five211.cli.own import load
from five211.server.thinking import Thinkers, _bot, choose
from tests.bots.positions import position

CODE = """
import os

class First:
    def choose(self, view, rng):
        return view.choices[0]

class Broken:
    def __init__(self):
        raise OSError("no brain")

class Failing:
    def choose(self, view, rng):
        raise ZeroDivisionError("no answer")

class Leaving:
    def choose(self, view, rng):
        raise SystemExit("bye")

class Odd:
    def choose(self, view, rng):
        return None

class Killing:
    def choose(self, view, rng):
        os._exit(1)

made = First()
number = 5
"""
POINTS = """
[five211.bots]
first = tiny_bots:First
made = tiny_bots:made
broken = tiny_bots:Broken
absent = tiny_bots:Absent
nowhere = no_such_module:First
number = tiny_bots:number
failing = tiny_bots:Failing
leaving = tiny_bots:Leaving
odd = tiny_bots:Odd
killing = tiny_bots:Killing
greedy = tiny_bots:First
Random = tiny_bots:First
expert = tiny_bots:First
a name of words = tiny_bots:First

[other.group]
other = tiny_bots:First
"""
NOW = view(position(Rules.of(3), 1, 4), 0)


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with bots, installed for the time of a test."""
    (tmp_path / "tiny_bots.py").write_text(CODE)
    info = tmp_path / "tiny_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    packaged.cache_clear()
    _bot.cache_clear()
    yield
    _bot.cache_clear()
    packaged.cache_clear()


def test_a_bot_of_a_package_is_found_by_its_name() -> None:
    assert make("first").choose(NOW, None) == NOW.choices[0]  # type: ignore[arg-type]
    assert make("made") is make("made")
    assert entry("first").level is None
    named = {one.name for one in packaged()}
    assert {"first", "made", "broken", "nowhere"} <= named
    assert not {"other", "a name of words"} & named


def test_it_never_takes_the_place_of_one_of_ours() -> None:
    assert not {"greedy", "Random", "expert"} & {one.name for one in packaged()}
    assert entry("greedy") in entries()
    with pytest.raises(GameError, match="There is no bot “Random”"):
        entry("Random")


def test_an_unknown_name_is_told_with_all_there_are() -> None:
    with pytest.raises(GameError) as caught:
        entry("nobody")
    assert "medium" in str(caught.value)
    assert "first" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("broken", "of the package tiny-bots cannot be used: OSError: no brain."),
        ("absent", "of the package tiny-bots cannot be used: AttributeError: "),
        ("nowhere", "of the package tiny-bots cannot be used: ModuleNotFoundError: No module"),
        ("number", "“number” is no bot: it has no choose(view, rng)."),
    ],
)
def test_one_that_cannot_be_made_is_told_in_a_sentence(name: str, words: str) -> None:
    for way in (make, load):
        with pytest.raises(GameError) as caught:
            way(name)
        assert words in str(caught.value)


def test_commands_take_it_and_name_it_if_it_fails() -> None:
    options = ["simulate", "--players", "2", "--games", "2", "--bots"]
    good = CliRunner().invoke(app, [*options, "first,easy"])
    assert good.exit_code == 0
    assert "first" in good.output
    bad = CliRunner().invoke(app, [*options, "failing,easy"])
    assert isinstance(bad.exception, GameError)
    assert "The bot “failing” failed: ZeroDivisionError: no answer." in str(bad.exception)


def test_a_fault_of_it_does_not_stop_a_servers_table() -> None:
    async def think() -> None:
        thinkers = Thinkers(1)
        try:
            assert await thinkers.think("first", NOW, 1) == NOW.choices[0]
            for name in ("failing", "leaving", "odd", "broken", "nowhere", "killing", "gone"):
                assert await thinkers.think(name, NOW, 1) == choose("random", NOW, 1), name
            assert await thinkers.think("first", NOW, 1) == NOW.choices[0]
        finally:
            thinkers.close()

    asyncio.run(think())


def test_a_bot_that_leaves_does_not_take_the_server_along() -> None:
    with pytest.raises(RuntimeError, match="SystemExit"):
        choose("leaving", NOW, 1)


def test_what_it_may_be_called() -> None:
    assert all(NAME.fullmatch(name) for name in ("a", "My-Bot_2.0", "x" * 22))
    assert not any(NAME.fullmatch(name) for name in ("", "a b", "a,b", "a:b", "-a", "x" * 23))


def test_the_expert_may_be_called_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_entries", dict(base._entries))
    base._entries.pop("expert", None)
    register("expert", entry("random").make, level="expert")
    assert entry("expert").level == "expert"
    assert base.words().count("expert") == 1
    with pytest.raises(GameError):
        register("expert", entry("random").make, level="expert")
