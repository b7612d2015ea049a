"""`five211 arena`: for people and programs, whole or interrupted, and every way to get it wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from five211.arena import Arena
from five211.arena.sums import Sums
from tests.commands import plain_surroundings, run_main, stopped  # noqa: F401 - around all tests

command: Any = import_module("five211.cli.arena")
Run = Callable[..., tuple[int, str, str]]
BOTS = Path(__file__).with_name("bots.py")
CELL = r"[▲▼]?\d+(\.\d)? ±\d+(\.\d)?"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(command, "crew", lambda _address: ThreadPoolExecutor(1))
    return partial(run_main, monkeypatch, capsys, "arena")


def own(*names: str) -> str:
    return ",".join(f"{BOTS}:{name}" for name in names)


def test_people_get_matrices_ratings_and_times(run: Run) -> None:
    bots = f"greedy,random,{own('Low')}"
    code, out, err = run("-p", "2,3", "--bots", bots, "-n", 12, "--seed", 7)
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == "2 players: how often one wins against another, in %. Par is 50%."
    assert lines[1].split() == ["greedy", "random", "Low"]
    assert re.fullmatch(rf"greedy +– +{CELL} +{CELL}", lines[2])
    assert re.fullmatch(r" +[+−]?\d+\.\d ±\d+(\.\d)? +[+−]?\d+\.\d ±\d+(\.\d)?", lines[3])
    assert lines[9].startswith("3 players: how often one wins against 2 clones of another")
    at = lines.index("Ratings")
    assert lines[at + 1].split() == ["2", "players", "3", "players", "all"]
    assert re.fullmatch(r"\w+( +[+−]?\d+ ±\d+){3}", lines[at + 2])
    at = lines.index("How long do they think?")
    assert re.fullmatch(r"greedy +[\d,]+( +(0\.0*[1-9]\d+|\d\.\d|\d+)){3}", lines[at + 2])
    assert re.fullmatch(r"108 games in \d+\.\d s, [\d,]+ a second; seed 7\.", lines[-1])


def test_six_bots_fit_into_eighty_columns_in_french(run: Run) -> None:
    bots = f"greedy,random,{own('Low', 'Follower', 'Remembers', 'Searcher')}"
    code, out, _err = run("--bots", bots, "-n", 4, "--lang", "fr")
    assert code == 0
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0].startswith("2 joueurs\xa0: combien de fois l’un gagne")
    matrix = lines[1 : lines.index("")]
    assert len(matrix) == 13
    assert max(map(len, matrix)) <= 80
    assert "Classement" in lines
    assert "tous" not in out.split("Classement")[1].splitlines()[1]  # of one size there is no all
    assert re.search(r"\d,\d ±\d", out)


def test_more_bots_go_on_below(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "ABREAST", 2)
    _code, out, _err = run("--bots", f"greedy,random,{own('Low')}", "-n", 4)
    assert [out.splitlines()[line].split() for line in (1, 9)] == [["greedy", "random"], ["Low"]]


def test_programs_get_json_and_the_same_seed_the_same_games(run: Run) -> None:
    given = ("--bots", "random,easy", "-n", 10, "--json")
    code, out, err = run(*given)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["bots"], told["games"]) == (["random", "hasty"], 10)
    again = json.loads(run(*given, "--seed", told["seed"])[1])
    assert again["cells"] == told["cells"]
    assert again["ratings"] == told["ratings"]


def test_a_bot_that_prints_is_not_in_the_answer(run: Run) -> None:
    code, out, err = run("--bots", f"random,{own('Talks')}", "-n", 4, "--json")
    assert code == 0
    assert json.loads(out)["games"] == 4
    assert set(err.split()) == {"hm"}


def test_bots_that_search_play_fewer_games(run: Run) -> None:
    given = ("--bots", f"random,greedy,{own('Searcher')}", "-n", 8, "--games-slow", 4, "--json")
    told = json.loads(run(*given)[1])
    games = {(one["one"], one["field"]): one["games"] for one in told["cells"]}
    assert games["random", "greedy"] == 8
    assert games["random", "Searcher"] == games["Searcher", "greedy"] == 4


def test_without_names_everybody_with_a_level_plays() -> None:
    assert set(command.with_levels()) >= {"random", "hasty", "heuristic"}
    assert "greedy" not in command.with_levels()


def test_a_page_and_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "arena.html"
    given = ("--bots", "random,greedy", "-n", 4, "--html")
    assert run(*given, path) == (0, f"The page is in {path}.\n", "")
    assert path.read_text("utf-8").startswith('<!doctype html>\n<html lang="en">')
    code, out, _err = run(*given, path, "--json", "--lang", "fr")
    assert code == 0
    assert json.loads(out)["games"] == 4
    assert '<html lang="fr">' in path.read_text("utf-8")
    code, out, err = run(*given, "-")
    assert (code, err) == (0, "")
    assert out.endswith("</html>\n")


@pytest.mark.parametrize(
    ("text", "players"),
    [("2", (2,)), ("2,4", (2, 4)), ("2-5", (2, 3, 4, 5)), ("2,4-5", (2, 4, 5)), (" 3", (3,))],
)
def test_numbers_of_players(text: str, players: tuple[int, ...]) -> None:
    assert command.read_players(text) == players


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--players", "x"], "“x” is no number of players: write 2, or 2,4, or 2-5."),
        (["--players", "5-2"], "“5-2”"),
        (["--players", ""], "“”"),
        (["--players", "2-"], "“2-”"),
        (["--players", "2-99999999999"], "“2-99999999999”"),
        (["--players", "-3"], "“-3”"),
        (["--players", "2-6"], "2 to 5 players, not 6"),
        (["--games", "0"], "“0”"),
        (["--games-slow", "x"], "“x”"),
        (["--variant", "short"], "“short”"),
        (["--bots", "random"], "two bots or more"),
        (["--bots", "random,beginner"], "“beginner” comes twice"),
        (["--bots", "random,magic"], "“magic”"),
        (["--bots", "random,nowhere.py:Mine"], "“nowhere.py”"),
        (["--bots", f"random,{BOTS}"], "Which class"),
        (["--lang", "xx"], "“xx”"),
        (["--html", "/nowhere/arena.html"], "“/nowhere/arena.html”"),
        (["--bots", "random,a.py:Mine", "--cluster", "x"], "A cluster has no file “a.py:Mine”"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run: Run, args: list[str], words: str) -> None:
    code, out, err = run("--bots", "random,greedy", "--games", "4", *args)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"five211: [^\n]+\n", err)
    assert words in err


def test_progress_is_shown_to_whoever_watches(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # stderr counts as a terminal then
    _code, out, err = run("--bots", "random,greedy", "-n", 8, "--json")
    assert "8/8" in err
    assert json.loads(out)["games"] == 8


# Ctrl-C


def stopped_after(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    """As if Ctrl-C came when so many parts were done."""

    def few(arena: Arena, *_more: object) -> Sums:
        return sum((arena.play(*part) for part in list(arena.parts())[:parts]), Sums())

    monkeypatch.setattr(command, "play", few)


def test_ctrl_c_shows_what_was_played_so_far(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stopped_after(monkeypatch, 2)
    given = ("--bots", f"random,greedy,{own('Low')}", "-n", 4, "--seed", 1)
    code, out, err = run(*given)
    assert (code, err) == (130, "")
    assert out.startswith("Stopped early: only 8 of 12 games were played.\n")
    assert re.search(rf"^random +– +{CELL} +{CELL}$", out, re.M)
    assert re.search(rf"^greedy +{CELL} +– +\?$", out, re.M)
    assert "Not everybody has met everybody yet." in out
    path = tmp_path / "arena.html"
    code, out, err = run(*given, "--json", "--html", path)
    assert code == 130
    assert (json.loads(out)["games"], json.loads(out)["asked"]) == (8, 12)
    assert "only 8 of 12" in path.read_text("utf-8")


def test_ctrl_c_before_anything_was_played_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_after(monkeypatch, 0)
    found = run("--bots", "random,greedy")
    assert found == (130, "", "Stopped before there was anything to show.\n")


@pytest.mark.parametrize(
    ("bot", "out", "err"),
    [
        ("Marks", rb"Stopped early: only [\d,]+ of 4,000 games were played.*\n", rb""),
        ("Hangs", rb"", rb"Stopped before there was anything to show\.\n"),
    ],
)
def test_ctrl_c_ends_the_processes_quietly(
    tmp_path: Path, bot: str, out: bytes, err: bytes
) -> None:
    """As a terminal sends it, to all of them at once; a bot that never answers is no matter."""
    given = ["arena", "--bots", f"random,{own(bot)}", "-n", "4000", "--seed", "1"]
    group, code, said, told = stopped(tmp_path / "mark", *given)
    assert code == 130
    assert re.fullmatch(out, said, re.S)
    assert re.fullmatch(err, told), told
    with pytest.raises(ProcessLookupError):
        watched(group)


def watched(group: int) -> None:
    """Until nobody is left: Python's own helper ends when it notices that it is alone."""
    for _ in range(600):
        os.killpg(group, 0)
        time.sleep(0.1)


def test_what_fails_in_a_process_is_one_clear_line() -> None:
    given = ["arena", "--bots", f"random,{own('Fails')}", "-n", "40"]
    found = subprocess.run(
        [sys.executable, "-m", "five211", *given],
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "LANG": "C.UTF-8"},
    )
    assert (found.returncode, found.stdout) == (2, b"")
    line = r"five211: The bot “Fails” failed: bots\.py:\d+: RuntimeError: no idea\.\n"
    assert re.fullmatch(line, found.stderr.decode())
