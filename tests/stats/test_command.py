"""`five211 stats`: for people and programs, whole or interrupted, and every way to get it wrong."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from five211 import Rules, cli
from five211.fast.digest import Digest
from five211.fast.simulate import Work
from five211.stats.gather import Counting, gather
from tests.commands import plain_surroundings, run_main  # noqa: F401 - around every test here

command: Any = import_module("five211.cli.stats")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(command.waiting, "told_of_compiling", lambda: None)
    return partial(run_main, monkeypatch, capsys, "stats")


def test_people_get_every_chapter(run: Run) -> None:
    code, out, err = run("-n", 600, "--bots", "hasty,random", "--seed", 7)
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    heads = [line for at, line in enumerate(lines) if line and (at == 0 or not lines[at - 1])]
    assert heads[0].startswith("What happens at the table")
    assert heads[1] == "In short"
    assert heads[-2] == "Can these numbers be trusted?"
    assert len(heads) == 15
    assert lines[2].startswith("  Beginner bots (random) play any cards of their hand")
    assert lines[3].endswith("600 games for each number of players.")
    assert "it depends on how many play, 2 to 5" in lines[4]
    at = lines.index("What decides a round?")
    assert lines[at + 1].startswith("Among easy bots, a colour scores in ")
    assert lines[at + 2].split() == ["players", "bot", "2", "3", "4", "5"]
    cell = r"  +\d+\.\d% ±\d\.\d"
    assert re.fullmatch(rf"a colour scores  beginner{4 * cell}", lines[at + 3])
    assert re.fullmatch(rf" +easy +{4 * cell}", lines[at + 4])
    at = lines.index("How many icons turn up?")
    assert re.match(r"2 +beginner +0 [▁▂▃▄▅▆▇█]{7,9} \d +2 \(3\d\.\d%\)", lines[at + 3])
    seats = lines[lines.index("Does the seat matter?") :]
    assert any(re.fullmatch(r"seat 5 +beginner {30,}\d+\.\d% ±\d\.\d", line) for line in seats)
    assert lines[lines.index("Can these numbers be trusted?") + 2] == ""  # all of them agree
    assert re.fullmatch(r"4,800 games in \d+\.\d s; seed 7\.", lines[-1])


def test_french_and_the_longer_game(run: Run) -> None:
    given = ("-p", 3, "-n", 300, "--bots", "beginner", "--variant", "long", "--lang", "fr")
    code, out, _err = run(*given)
    assert code == 0
    assert "Qu’est-ce qui décide une manche" in out
    assert "manches d’une partie" in out
    assert "Seul le jeu au hasard des robots débutants" in out
    assert re.search(r"300 parties en \d+,\d s", out)


def test_programs_get_json_and_the_same_seed_the_same_numbers(run: Run) -> None:
    given = ("-p", 2, "-n", "1e3", "--bots", "random", "--json")
    code, out, err = run(*given)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["variant"], told["confidence"]) == ("standard", 0.95)
    assert told["games"] == {"2": {"random": 1000}}
    again = json.loads(run(*given, "--seed", told["seed"])[1])
    assert {**again, "seconds": 0} == {**told, "seconds": 0}


def test_without_a_number_of_games_each_bot_plays_as_many_as_it_quickly_can(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "QUICK", {"random": 300, "hasty": 200, "heuristic": 100})
    told = json.loads(run("-p", 3, "--json")[1])
    assert told["games"] == {"3": {"random": 300, "hasty": 200, "heuristic": 100}}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--games", "99"], "at least 100 games, not 99"),
        (["--games", "x"], "“x”"),
        (["--games", "-5"], "“-5”"),
        (["--games", "1.5"], "“1.5”"),
        (["--players", "1"], "not 1"),
        (["--players", "6"], "not 6"),
        (["--variant", "short"], "“short”"),
        (["--bots", "magic"], "“magic”"),
        (["--bots", "greedy"], "“greedy”"),
        (["--bots", ""], "“”"),
        (["--bots", "random,,hasty"], "“”"),
        (["--lang", "xx"], "“xx”"),
        (["--html", "/nowhere/book.html"], "“/nowhere/book.html”"),
        (["--html", "/"], "“/”"),
        (["--html", ""], "A file needs a name."),
        (["--players", "four"], "2 to 5 players, not “four”"),
        (["--players", "2,3", "--lang", "fr"], "2 à 5 joueurs, pas à “2,3”"),
        (["extra"], "extra"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run: Run, args: list[str], words: str) -> None:
    code, out, err = run("--games", "100", *args)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"five211: [^\n]+\n", err)
    assert words in err


def test_a_bot_that_is_not_compiled_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "QUICK", {"random": 300, "hasty": 200})
    code, _out, err = run("--bots", "medium,random")
    assert code == 2
    assert "There is no bot “heuristic”; there are random and hasty." in err


# The page


def test_the_page_is_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    path.write_text("an older one")
    code, out, _err = run("-p", 4, "-n", 200, "--bots", "random", "--html", path)
    assert code == 0
    assert out == f"The page is in {path}.\n"
    assert path.read_text("utf-8").startswith('<!doctype html>\n<html lang="en">')
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_and_json_together(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    given = ("-p", 4, "-n", 200, "--bots", "random", "--html", path, "--json", "--lang", "fr")
    code, out, _err = run(*given)
    assert code == 0
    assert json.loads(out)["games"] == {"4": {"random": 200}}
    assert '<html lang="fr">' in path.read_text("utf-8")


def test_a_page_on_stdout_has_it_for_itself(run: Run) -> None:
    code, out, err = run("-p", 4, "-n", 200, "--bots", "random", "--html", "-")
    assert code == 0
    assert out.startswith("<!doctype html>")
    assert out.endswith("</html>\n")
    assert err == ""
    code, out, err = run("-p", 4, "-n", 200, "--bots", "random", "--html", "-", "--json")
    assert out.startswith("<!doctype html>")
    assert json.loads(err)["games"] == {"4": {"random": 200}}


def test_what_is_no_ordinary_file_stays_what_it_is(run: Run) -> None:
    code, _out, _err = run("-p", 4, "-n", 200, "--bots", "random", "--html", "/dev/null")
    assert code == 0
    assert not Path("/dev/null").is_file()
    code, out, err = run("-p", 4, "-n", 200, "--bots", "random", "--html", "/dev/full")
    assert (code, out) == (2, "")
    assert "/dev/full" in err


def test_a_page_that_cannot_be_put_in_its_place_leaves_the_older_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_draft: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    path = tmp_path / "book.html"
    path.write_text("an older one")
    monkeypatch.setattr(Path, "replace", broken)
    monkeypatch.setattr(cli, "_forget_output", lambda: None)
    code, out, err = run("-p", 4, "-n", 200, "--bots", "random", "--html", path)
    assert (code, out) == (2, "")
    assert "No space left" in err
    assert path.read_text() == "an older one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_a_page_stays_a_link(run: Run, tmp_path: Path) -> None:
    path, link = tmp_path / "book.html", tmp_path / "link.html"
    link.symlink_to(path)
    assert run("-p", 4, "-n", 200, "--bots", "random", "--html", link)[0] == 0
    assert link.is_symlink()
    assert path.read_text("utf-8").startswith("<!doctype html>")


# While it works


def test_progress_is_shown_to_whoever_watches(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # stderr counts as a terminal then
    _code, out, err = run("-n", 200, "--bots", "random", "--json")
    assert "800/800" in err
    assert json.loads(out)["games"]["5"] == {"random": 200}


ALONE, BOTH = ["random"], ["random", "hasty"]


def test_a_cluster_can_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    @contextmanager
    def far(address: str) -> Iterator[tuple[Executor, int]]:
        asked.append(address)
        with ThreadPoolExecutor(1) as executor:
            yield executor, 1000

    given = ("-p", 3, "-n", 300, "--bots", "random", "--json", "--seed", 1)
    here = json.loads(run(*given)[1])
    monkeypatch.setattr(command, "workers", far)
    there = json.loads(run(*given, "--cluster", "tcp://there:8786")[1])
    assert asked == ["tcp://there:8786"]
    assert {**here, "seconds": 0} == {**there, "seconds": 0}
    work = Counting(Work(Rules.of(3), ("random",) * 3, 1, log=True))
    assert pickle.loads(pickle.dumps(work)) == work  # so that it can travel


def interrupted(after: int, games: int) -> Callable[..., Digest]:
    """Games that Ctrl-C stops in the gathering of that number."""
    calls: list[int] = []

    def stopped(*args: Any, **more: Any) -> Digest:
        calls.append(1)
        rules, bot, count, *rest = args
        return gather(rules, bot, games if len(calls) > after else count, *rest, **more)

    return stopped


@pytest.mark.parametrize(
    ("after", "games", "left"),
    [
        (6, 150, {"2": BOTH, "3": BOTH, "4": BOTH, "5": ALONE}),
        (5, 99, {"2": BOTH, "3": ALONE, "4": ALONE, "5": ALONE}),
        (1, 150, {"2": ALONE, "3": ALONE}),
    ],
)
def test_ctrl_c_shows_what_was_counted_so_far(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    after: int,
    games: int,
    left: dict[str, list[str]],
) -> None:
    path = tmp_path / "book.html"
    for more in (["--html", path, "--json"], []):
        monkeypatch.setattr(command, "gather", interrupted(after, games))
        code, out, err = run("-n", 200, "--bots", "random,hasty", *more)
        assert (code, err) == (130, "")
        if more:
            told = json.loads(out)["games"]
            assert {n: list(bots) for n, bots in told.items()} == left
        else:
            assert "The counting was interrupted: only " in out
            assert "Does the seat matter?" in out
    content = path.read_text("utf-8")
    assert content.endswith("</html>\n")
    assert " of 1,600 games are in here." in content


def test_ctrl_c_before_anything_was_counted_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "gather", interrupted(0, 0))
    assert run("-n", 200) == (130, "", "Stopped before there was anything to show.\n")
    monkeypatch.setattr(command, "gather", interrupted(0, 0))
    code, out, err = run("-n", 200, "--lang", "fr")
    assert (code, out) == (130, "")
    assert err == "Arrêté avant qu’il y ait quelque chose à montrer.\n"


def test_a_value_that_does_not_agree_is_flagged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(rules: Any, _bot: str, *args: Any, **more: Any) -> Digest:
        return gather(rules, "greedy", *args, **more)

    monkeypatch.setattr(command, "gather", swapped)
    _code, out, _err = run("-p", 4, "-n", 2000, "--bots", "random", "--seed", "1")
    assert "No: of " in out
    line = next(line for line in out.splitlines() if line.startswith("What is a card worth? 6"))
    assert re.search(r", 4 players: seen 1\.\d{3}, exact 1\.427, z .*Does not agree!$", line)
