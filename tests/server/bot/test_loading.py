"""Which bot plays: one of ours, or one of one's own from a file, which may be wrong."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from five211 import GameError, Match, Rules, show_cards, shuffled, stream
from five211.cli.own import OwnBot, load
from five211.cli.visiting import visiting
from five211.simulate import simulate
from five211.view import View, view
from tests.server.bot.helpers import said_by


def some_view(players: int = 2) -> View:
    rules = Rules.of(players)
    return view(Match(rules).deal(shuffled(rules.deck, stream(1, "deck"))), 0)


@pytest.mark.parametrize(("named", "name"), [("greedy", "greedy"), ("beginner", "random")])
def test_a_bot_of_five211_by_its_name_or_level(named: str, name: str) -> None:
    bot = load(named)
    assert bot.name == name
    assert bot.make().choose(some_view(), stream(1, "bot")) in some_view().choices


def test_a_bot_of_ones_own_by_file_and_class(own: Path) -> None:
    entry = load(f"{own}:Mine")
    assert entry.name == "Mine"
    one, other = entry.make(), entry.make()
    assert isinstance(one, OwnBot)
    assert isinstance(other, OwnBot)
    assert one.bot is not other.bot
    assert one.choose(some_view(), stream(1, "bot")) == some_view().choices[0]
    assert type(one.bot) is type(other.bot)
    assert type(one.bot).__module__ in sys.modules


def test_a_file_is_run_once_and_its_name_may_be_that_of_another(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "my_bot.py").write_text("class Mine:\n    choose = print\n")
    bots = [load(f"{file}:Mine").make() for file in (own, folder / "my_bot.py", own)]
    kinds = [type(bot.bot) for bot in bots if isinstance(bot, OwnBot)]
    assert kinds[0] is kinds[2] is not kinds[1]


def test_a_bot_that_is_made_already(own: Path) -> None:
    bot = load(f"{own}:ready").make()
    assert bot.choose(some_view(), stream(1, "b")) == some_view().choices[0]


def test_a_long_name_is_cut_so_that_a_number_fits(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text(f"class {'L' * 40}:\n    def choose(self, view, rng): ...\n")
    assert load(f"{path}:{'L' * 40}").name == "L" * 22


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (
            "nobody",
            "There is no bot “nobody”; there are random, beginner, greedy, hasty, easy, heurist",
        ),
        ("no_such.py:Mine", "There is no file “no_such.py”."),
        ("{own}:Other", "There is no “Other” in “{own}”; name a class, as in my_bot.py:Mine."),
        ("{own}:NoBot", "“NoBot” is no bot: it has no choose(view, rng)."),
        ("{own}:first", "“first” is a function: write a class with choose(self, view, rng) around"),
        (
            "{own}:Async",
            "“Async” is no bot: its choose is async; write it as def choose(",
        ),
        (
            "{own}",
            "Which class in “{own}” is the bot? Name it after a colon, as in my_bot.py:Mine.",
        ),
        ("{own}:Unmade", "The bot “Unmade” failed: my_bot.py:44: OSError: no brain."),
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
        ("Failing", "The bot “Failing” failed: my_bot.py:10: ZeroDivisionError: division by zero."),
        ("Leaving", "The bot “Leaving” failed: my_bot.py:26: SystemExit: bye."),
        ("Cheating", f"The bot “Cheating” chose {show_cards(some_view().hand)}, which is none of"),
        ("Lazy", "The bot “Lazy” chose None, which is none of view.choices."),
        ("Odd", "The bot “Odd” chose ['G2', 'G3'], which is none of view.choices."),
        ("Nobody", "The bot “Nobody” chose Nobody, which is none of view.choices."),
        ("Empty", "The bot “Empty” chose (), which is none of view.choices."),
        ("Endless", "The bot “Endless” failed: my_bot.py:59: OSError: no end."),
    ],
)
def test_a_bot_that_fails_or_cheats(own: Path, name: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        load(f"{own}:{name}").make().choose(some_view(), stream(1, "bot"))
    assert said_by(error).startswith(words)


def test_a_bot_that_cannot_get_ready_is_named(own: Path) -> None:
    with pytest.raises(GameError) as error:
        load(f"{own}:Unready").ready()
    assert said_by(error) == "The bot “Unready” failed: my_bot.py:68: OSError: no network."


def test_a_bot_that_cannot_say_whether_it_searches_is_named(own: Path) -> None:
    bot = load(f"{own}:Unsure").make()
    assert isinstance(bot, OwnBot)
    with pytest.raises(GameError) as error:
        _ = bot.searches
    assert "“Unsure” failed: my_bot.py:53: ZeroDivisionError" in said_by(error)


def test_a_bot_that_plays_is_prepared(own: Path) -> None:
    bot = load(f"{own}:Prepared")
    assert all(match.over for match in simulate(Rules.of(2), [bot, bot], 2, seed=1))


def test_ctrl_c_is_a_bots_own_where_nobody_else_could_have_sent_it(own: Path) -> None:
    bot = load(f"{own}:Stopping").make()
    with pytest.raises(KeyboardInterrupt):
        bot.choose(some_view(), stream(1, "bot"))
    with ThreadPoolExecutor(1) as thread, pytest.raises(GameError) as error:
        thread.submit(bot.choose, some_view(), stream(1, "bot")).result()
    assert said_by(error) == "The bot “Stopping” failed: my_bot.py:64: KeyboardInterrupt."


# Guests

TALKING = """
class Talking:
    print("here I am")

    def __init__(self):
        print("made")

    def prepare(self):
        print("prepared")

    def choose(self, view, rng):
        print("thinking")
        return view.choices[0]
"""


def test_what_a_bot_prints_is_no_part_of_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talking.py").write_text(TALKING)
    bot = load(f"{tmp_path}/talking.py:Talking").ready()
    print("ours")
    bot.choose(some_view(), stream(1, "bot"))
    print("ours again")
    assert sys.stdout.writable()
    out, err = capsys.readouterr()
    assert out == "ours\nours again\n"
    assert err.splitlines() == ["here I am", "made", "prepared", "thinking"]


def test_others_may_print_while_a_bot_thinks(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as thread, visiting(None):
        thread.submit(print, "ours").result()
    assert capsys.readouterr() == ("ours\n", "")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_stream_may_be_closed(monkeypatch: pytest.MonkeyPatch, closed: str) -> None:
    monkeypatch.setattr(sys, closed, None)
    with visiting(None):
        print()


EAGER = "import helpers, parts.inner\ndef pick(): return helpers.PICK + parts.inner.ZERO\n"
LATE = "def pick():\n    import helpers, parts.inner\n    return helpers.PICK + parts.inner.ZERO\n"
MINE = "class Mine:\n    def choose(self, view, rng): return view.choices[pick()]\n"


@pytest.mark.parametrize("text", [EAGER, LATE])
def test_two_folders_may_each_have_a_neighbour_of_the_same_name(tmp_path: Path, text: str) -> None:
    """However late it is imported, and however often the two take turns."""
    for pick in (0, 1):
        folder = tmp_path / str(pick)
        (folder / "parts").mkdir(parents=True)
        (folder / "parts" / "inner.py").write_text("ZERO = 0\n")
        (folder / "helpers.py").write_text(f"PICK = {pick}\n")
        (folder / "bot.py").write_text(text + MINE)
    before = set(sys.modules), list(sys.path)
    bots = [load(f"{tmp_path}/{pick}/bot.py:Mine").make() for pick in (0, 1)]
    for pick in (0, 1, 0, 1):
        chosen = bots[pick].choose(some_view(), stream(1, "bot"))
        assert chosen == some_view().choices[pick]
    new = set(sys.modules) - before[0]
    assert (len(new), list(sys.path)) == (2, before[1])
    assert all(name.startswith("five211_bot:") for name in new)


def test_a_bot_may_change_what_it_imports_from(tmp_path: Path) -> None:
    """What is imported from elsewhere stays, also from below its folder."""
    lines = "import sys, types", "sys.path[0] += '/below'", "import from_below"
    more = "sys.modules['made_up'] = types.ModuleType('made_up')", "pick = int"
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "from_below.py").touch()
    (tmp_path / "bot.py").write_text("\n".join((*lines, *more, MINE)))
    path = list(sys.path)
    load(f"{tmp_path}/bot.py:Mine")
    assert {"from_below", "made_up"} <= set(sys.modules)
    sys.path[:] = path
    for name in ("from_below", "made_up"):
        del sys.modules[name]


def test_a_choice_may_be_a_list_in_any_order() -> None:
    wanted = some_view().choices[3]

    class Other:
        def choose(self, view: View, rng: object) -> Any:
            assert view.hand
            assert rng
            return list(reversed(wanted))

    bot = OwnBot(Other(), "Other", "")
    assert bot.choose(some_view(), stream(1, "bot")) == wanted
