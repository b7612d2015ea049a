"""`five211 habits`: for people and programs, whole or interrupted, and all that can be wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from five211.cli import common
from five211.stats.habits.chapters import Sums
from five211.stats.habits.gather import gather
from five211.stats.habits.report import make_report
from tests.commands import plain_surroundings, run_main, stopped  # noqa: F401 - around all tests
from tests.stats.habits import sums

command: Any = import_module("five211.cli.habits")
Run = Callable[..., tuple[int, str, str]]
BOTS = Path(__file__).parent.parent / "arena" / "bots.py"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(command.waiting, "told_of_compiling", lambda: None)
    monkeypatch.setattr(command, "processes", lambda: ThreadPoolExecutor(1))
    return partial(run_main, monkeypatch, capsys, "habits")


def test_people_get_every_chapter(run: Run) -> None:
    code, out, err = run("--bot", "hasty", "-n", 400, "--seed", 7)
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0].startswith("This is how easy bots (hasty) play 5211")
    parts = [line for line in lines if line.isupper()]
    assert parts == [
        "THE OPENING",
        "HIGH CARDS",
        "THE LAST CARD",
        "THE ICONS",
        "THE BIGGEST COLOUR",
        "WINNERS AND THE OTHERS",
    ]
    at = lines.index("Which two cards come first?")
    assert re.match(r"\d+( to \d+)?% of openings are two cards of one colour", lines[at + 1])
    assert lines[at + 2].split() == ["players", "2", "3", "4", "5"]
    assert re.fullmatch(r"one colour, no icon {3,}(\d+\.\d% ±\d\.\d {0,3}){4}", lines[at + 3])
    at = lines.index("Does a 5 or a 6 score?")
    table = lines[at + 2 :]
    assert any(re.fullmatch(r"first turn +a 5 or a 6( +\d+\.\d% ±\d\.\d){4}", x) for x in table)
    assert any(re.fullmatch(r" +any card( +\d+\.\d% ±\d\.\d){4}", x) for x in table)
    assert re.fullmatch(r"1,600 games in \d+\.\d s; seed 7\.", lines[-1])


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("times", [1, 100_000])
def test_it_fits_into_eighty_columns(
    capsys: pytest.CaptureFixture[str], language: str, times: int
) -> None:
    """Also with so many games that intervals are narrow, and have more digits."""
    found = {}
    for n in (2, 3, 4, 5):
        few = sums(n)
        found[command.Rules.of(n)] = Sums(few.games * times, few.sums * times)
    report = make_report(found, "hasty", "x", level="easy")
    command.show(report, language, 1.0)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out


def test_french(run: Run) -> None:
    code, out, _err = run("--bot", "easy", "-p", 3, "-n", 200, "--lang", "fr")
    assert code == 0
    assert "Quelles cartes pour commencer" in out
    assert "Que font les gagnants plus souvent" in out
    assert re.search(r"200 parties en \d+,\d s", out)


def test_programs_get_json_and_the_same_seed_the_same_numbers(run: Run) -> None:
    given = ("--bot", "random", "-p", 2, "-n", "2e2", "--json")
    code, out, err = run(*given)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["bot"], told["level"], told["games"]) == ("random", "beginner", {"2": 200})
    assert told["asked"] == 200
    again = json.loads(run(*given, "--seed", told["seed"])[1])
    assert {**again, "seconds": 0} == {**told, "seconds": 0}


def test_a_bot_of_ones_own_plays_in_the_readable_engine(run: Run) -> None:
    given = ("--bot", f"{BOTS}:Prepared", "-p", "2,5", "-n", 100, "--seed", 1)
    told = json.loads(run(*given, "--json")[1])
    assert (told["bot"], told["level"], told["games"]) == ("Prepared", None, {"2": 100, "5": 100})
    first, second, _third = told["chapters"]["timing"][0]["rows"]
    assert second["value"] < first["value"]  # the lowest of hands that are left with high cards
    assert run(*given)[1].startswith("This is how Prepared bots play 5211")


@pytest.mark.parametrize(("bot", "games"), [("hasty", 120), (f"{BOTS}:Low", 110)])
def test_without_a_number_of_games(
    run: Run, monkeypatch: pytest.MonkeyPatch, bot: str, games: int
) -> None:
    assert (command.COMPILED, command.READABLE) == (100_000, 2000)
    monkeypatch.setattr(command, "COMPILED", 120)
    monkeypatch.setattr(command, "READABLE", 110)
    told = json.loads(run("--bot", bot, "-p", 2, "--json")[1])
    assert told["games"] == {"2": games}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--games", "99"], "at least 100 games, not 99"),
        (["--games", "0"], "“0”"),
        (["--games", "x"], "“x”"),
        (["--games", "-5"], "“-5”"),
        (["--players", "1"], "not 1"),
        (["--players", "2-6"], "2 to 5 players, not 6"),
        (["--players", "x"], "“x” is no number of players: write 2, or 2,4, or 2-5."),
        (["--players", ""], "“”"),
        (["--bot", "magic"], "There is no bot “magic”"),
        (["--bot", "hasty,random"], "“hasty,random”"),
        (["--bot", ""], "“”"),
        (["--bot", "nowhere.py:Mine"], "“nowhere.py”"),
        (["--bot", f"{BOTS}"], "Which class"),
        (["--bot", f"{BOTS}:Fails"], "The bot “Fails” failed: bots.py:"),
        (["--bot", f"{BOTS}:Cheats"], "“Cheats”"),
        (["--lang", "xx"], "“xx”"),
        (["--html", "/nowhere/habits.html"], "“/nowhere/habits.html”"),
        (["--html", ""], "A file needs a name."),
        (["extra"], "extra"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run: Run, args: list[str], words: str) -> None:
    code, out, err = run("--bot", "hasty", "--games", "100", *args)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"five211: [^\n]+\n", err)
    assert words in err


def test_a_bot_that_fails_leaves_an_older_page(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "habits.html"
    path.write_text("an older one")
    assert run("--bot", f"{BOTS}:Fails", "-n", 100, "--html", path)[0] == 2
    assert path.read_text() == "an older one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_and_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "habits.html"
    given = ("--bot", "hasty", "-p", "2,3", "-n", 100, "--html")
    assert run(*given, path) == (0, f"The page is in {path}.\n", "")
    assert path.read_text("utf-8").startswith('<!doctype html>\n<html lang="en">')
    code, out, _err = run(*given, path, "--json", "--lang", "fr")
    assert code == 0
    assert json.loads(out)["games"] == {"2": 100, "3": 100}
    assert '<html lang="fr">' in path.read_text("utf-8")
    code, out, err = run(*given, "-")
    assert (code, err) == (0, "")
    assert out.endswith("</html>\n")


def test_progress_is_shown_to_whoever_watches(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # stderr counts as a terminal then
    _code, out, err = run("--bot", "hasty", "-p", "2,3", "-n", 200, "--json")
    assert "400/400" in err
    assert json.loads(out)["games"] == {"2": 200, "3": 200}


# Ctrl-C


def interrupted(after: int, games: int) -> Callable[..., Sums]:
    """Games that Ctrl-C stops in the gathering of that number."""
    calls: list[int] = []

    def stopped(task: Any, count: int, *args: Any, **more: Any) -> Sums:
        calls.append(1)
        return gather(task, games if len(calls) > after else count, *args, **more)

    return stopped


@pytest.mark.parametrize(
    ("after", "games", "left"),
    [(1, 150, {"2": 200, "3": 150}), (2, 99, {"2": 200, "3": 200}), (0, 100, {"2": 100})],
)
def test_ctrl_c_shows_what_was_counted_so_far(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    after: int,
    games: int,
    left: dict[str, int],
) -> None:
    path, given = tmp_path / "habits.html", ("--bot", "hasty", "-n", 200)
    monkeypatch.setattr(command, "gather", interrupted(after, games))
    code, out, err = run(*given, "--html", path, "--json")
    assert (code, err) == (130, "")
    assert (json.loads(out)["games"], json.loads(out)["asked"]) == (left, 800)
    assert " of 800 games are in here." in path.read_text("utf-8")
    monkeypatch.setattr(command, "gather", interrupted(after, games))
    code, out, err = run(*given)
    assert (code, err) == (130, "")
    assert f"The counting was interrupted: only {sum(left.values())} of 800 games" in out
    assert "WINNERS AND THE OTHERS" in out


def test_ctrl_c_before_anything_was_counted_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for games in (0, 99):
        monkeypatch.setattr(command, "gather", interrupted(0, games))
        found = run("--bot", "hasty", "-n", 200)
        assert found == (130, "", "Stopped before there was anything to show.\n")


def test_ctrl_c_ends_the_processes_quietly(tmp_path: Path) -> None:
    """As a terminal sends it, to all of them at once, while a bot thinks for ever."""
    _, code, out, err = stopped(tmp_path / "mark", "habits", "--bot", f"{BOTS}:Hangs")
    assert code == 130
    assert (out, err) == (b"", b"Stopped before there was anything to show.\n")


def test_the_language_of_the_command_is_settled_first(run: Run) -> None:
    assert run("--bot", "magic", "--lang", "fr")[2].startswith(
        "five211: Le robot “magic” n’existe pas"
    )
    assert common.language() == "fr"
