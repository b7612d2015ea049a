"""Which bot plays: one of ours, or one of one's own from a file, which may be wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from five211 import GameError, Match, Rules, shuffled, stream
from five211.cli.bot import Player, choose, load
from five211.view import View, view
from tests.server.bot.helpers import said_by


def some_view(players: int = 2) -> View:
    rules = Rules.of(players)
    return view(Match(rules).deal(shuffled(rules.deck, stream(1, "deck"))), 0)


@pytest.mark.parametrize(("named", "name"), [("greedy", "Greedy"), ("beginner", "Random")])
def test_a_bot_of_five211_by_its_name_or_level(named: str, name: str) -> None:
    player = load(named)
    assert (player.name, player.file) == (name, "")
    assert choose(player, some_view(), stream(1, "bot")) in some_view().choices


def test_a_bot_of_ones_own_by_file_and_class(own: Path) -> None:
    player = load(f"{own}:Mine")
    assert (player.name, player.file) == ("Mine", str(own))
    assert choose(player, some_view(), stream(1, "bot")) == some_view().choices[0]
    assert type(player.bot).__module__ in sys.modules


def test_a_bot_that_is_made_already(own: Path) -> None:
    assert choose(load(f"{own}:ready"), some_view(), stream(1, "b")) == some_view().choices[0]


def test_a_long_name_is_cut_so_that_a_number_fits(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text(f"class {'L' * 40}:\n    def choose(self, view, rng): ...\n")
    assert load(f"{path}:{'L' * 40}").name == "L" * 22


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("nobody", "There is no bot “nobody”; there are random, beginner, greedy and easy."),
        ("no_such.py:Mine", "There is no file “no_such.py”."),
        ("{own}:Other", "There is no “Other” in “{own}”; name a class, as in my_bot.py:Mine."),
        ("{own}:NoBot", "“NoBot” is no bot: it has no choose(view, rng)."),
        ("{own}:first", "“first” is no bot: it has no choose(view, rng)."),
        ("{own}:Unmade", "The bot failed: my_bot.py:29: OSError: no brain."),
        ("{folder}:Mine", "cannot be opened"),
    ],
)
def test_a_bot_that_there_is_not(own: Path, named: str, words: str) -> None:
    places = {"own": str(own), "folder": str(own.parent)}
    with pytest.raises(GameError) as error:
        load(named.format(**places))
    assert words.format(**places) in said_by(error)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def choose(:", "SyntaxError: invalid syntax"),
        ("import no_such_module", "bad.py:1: ModuleNotFoundError: No module named"),
        ("\n\nraise ValueError('a\\nb\\x1b')", "bad.py:3: ValueError: a b\ufffd."),
        ("raise SystemExit", "bad.py:1: SystemExit."),
        ("raise KeyError('x' * 1000)", "KeyError"),
    ],
)
def test_a_file_that_does_not_run(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        load(f"{path}:Mine")
    said = said_by(error)
    assert said.startswith(f"The bot’s file “{path}” cannot be run: ")
    assert reason in said
    assert len(said) < 400
    assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Failing", "The bot failed: my_bot.py:10: ZeroDivisionError: division by zero."),
        ("Cheating", "The bot chose “"),
        ("Lazy", "The bot chose NoneType, which is none of view.choices."),
        ("Odd", "The bot chose list, which is none of view.choices."),
    ],
)
def test_a_bot_that_fails_or_cheats(own: Path, name: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        choose(load(f"{own}:{name}"), some_view(), stream(1, "bot"))
    assert said_by(error).startswith(words)


def test_a_choice_may_be_a_list_in_any_order() -> None:
    wanted = some_view().choices[3]

    class Other:
        def choose(self, view: View, rng: object) -> Any:
            assert view.hand
            assert rng
            return list(reversed(wanted))

    assert choose(Player(Other(), "Other"), some_view(), stream(1, "bot")) == wanted
