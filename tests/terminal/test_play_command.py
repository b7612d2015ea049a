"""`five211 play` and `five211 replay` in this process: which mode, which table, which words."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import re
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import cli
from five211.record import Record, faults
from five211.server.serve import set_up_log
from five211.terminal import app
from five211.terminal.asked import Asked
from five211.terminal.saved import games_file
from five211.terminal.settings import Settings, remember
from tests.commands import plain_surroundings, run_main  # noqa: F401 - around every test here
from tests.goldens import FOLDER
from tests.server.helpers import hall, on_a_loop
from tests.server.players import play_on
from tests.terminal.people import kept, offered

TURNS = "1 2\n1\n1\n"
Type = Callable[..., str]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Type]:
    """Runs the command on a terminal at which all of this has been typed; what it shows."""
    ours, theirs = pty.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    monkeypatch.setenv("TERM", "xterm")

    def run(*args: object, typed: str = "", interrupt: str = "") -> str:
        os.write(ours, typed.encode() + b"\x04" * 3)
        with open(os.dup(theirs), encoding="utf-8") as keys:  # noqa: PTH123
            shown = Screen(interrupt)
            monkeypatch.setattr(sys, "stdin", keys)
            monkeypatch.setattr(sys, "stdout", shown)
            monkeypatch.setattr(sys, "argv", ["five211", *map(str, args)])
            with pytest.raises(SystemExit) as caught:
                cli.main()
            assert caught.value.code == 0
        termios.tcflush(theirs, termios.TCIFLUSH)
        return shown.getvalue()

    yield run
    os.close(ours)
    os.close(theirs)


class Screen(io.StringIO):
    """Where a terminal would show what is said; at these words, somebody presses Ctrl-C."""

    def __init__(self, interrupt: str) -> None:
        super().__init__()
        self._interrupt = interrupt

    def write(self, text: str) -> int:
        if self._interrupt and self._interrupt in text:
            os.kill(os.getpid(), signal.SIGINT)
        return super().write(text)

    def isatty(self) -> bool:
        return True


# On the whole screen or in lines


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """With what the whole screen was asked for."""
    found: list[Any] = []

    def note(*given: Any) -> list[str]:
        found.append(given)
        return []

    monkeypatch.setattr(app, "run_app", note)
    monkeypatch.setattr(app, "run_replay", lambda *given: found.append(given))
    return found


def test_the_language_of_the_last_time(terminal: Type, opened: list[Any]) -> None:
    remember(Settings(language="fr"))
    terminal("play")
    terminal("play", "--lang", "en")
    assert [language for _asked, _load, language in opened] == ["fr", "en"]


def test_on_a_terminal_it_is_the_whole_screen(terminal: Type, opened: list[Any]) -> None:
    terminal("play", "--lang", "fr", "--speed", "slow")
    asked, _load, language = opened[0]
    assert (asked, language) == (Asked(language="fr", speed="slow"), "fr")
    options = ("--players", 3, "--bots", "easy, hard", "--variant", "long", "--edition", "azul")
    terminal("play", *options, "--name", "Ana", "--seed", 7, "--no-animation", "--new")
    assert opened[1][0] == Asked(
        players=3,
        bots=("easy", "hard"),
        variant="long",
        edition="azul",
        name="Ana",
        seed="7",
        speed="none",
        new=True,
    )
    door = ("--join", "http://x", "--table", "t", "--code", "c", "--token", "k")
    terminal("play", *door)
    assert opened[2][0] == Asked(join="http://x", table="t", code="c", token="k")


@pytest.mark.parametrize("how", ["--plain", "dumb", "--json"])
def test_it_is_lines_where_that_is_asked_for(
    terminal: Type, opened: list[Any], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    terminal("play", *[how] * how.startswith("-"), typed="q\n")
    assert opened == []


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: object
) -> str:
    code, out, err = run_main(monkeypatch, capsys, *args)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--speed", "warp"], "no speed “warp”"),
        (["--name", "A", "--people", "B,C"], "not both"),
        (["--people", "A,B,C", "-p", "2"], "3 people are too many for a game of 2"),
        (["--people", "A,a"], "somebody at this table is called"),
        (["--code", "x"], "give --join, too"),
        (["--join", "http://x", "-p", "2", "--seed", "1"], "leave out --players and --seed"),
        (["--join", "http://x", "--json"], "leave out --json"),
        (["--join", "nowhere"], "“nowhere”"),
        (["--join", "http://127.0.0.1:1/t/x#y"], "127.0.0.1:1"),
    ],
)
def test_what_makes_no_sense_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    said: str,
) -> None:
    assert said.lower() in refused(monkeypatch, capsys, "play", *args).lower()
    assert not list(games_file().parent.glob("*.game"))


def test_faults_are_found_before_the_screen_is_full(
    terminal: Type, opened: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in (["--bots", "magic"], ["--edition", "x"], ["-p", 2, "--record", "/nowhere/x"]):
        with pytest.raises(AssertionError):
            terminal("play", *wrong)
        assert capsys.readouterr().err.startswith("five211: ")
    assert opened == []


def test_a_script_does_not_care_what_was_remembered(terminal: Type, opened: list[Any]) -> None:
    remember(Settings(players=2, edition="azul"))
    shown = terminal("play", "--plain", typed="q\n")
    assert "5211 for 4 players" in shown
    assert "turquoise" not in shown
    assert opened == []


# Interrupted games, on a terminal


def test_an_interrupted_game_is_offered_and_gone_on_with(terminal: Type) -> None:
    shown = terminal("play", "--plain", "-p", 3, "--seed", 7, "--name", "Ana", typed="1 2\n1\nq\n")
    assert shown.endswith("Bye! The game is not finished; it is kept for the next time.\n")
    (path,) = offered()
    for typed in ("q\n", "what?\n"):  # and the end of the input
        shown = terminal("play", "--plain", typed=typed)
        assert "There is a game that was not finished: round 1 of 7, Ana 0, Maxi 0" in shown
        assert "5211 for" not in shown
    shown = terminal("play", "--plain", typed="y\n1\n" + TURNS * 6 + "n\n")
    assert "The game goes on." in shown
    assert "Final score: Ana" in shown
    assert not path.exists()
    assert "not finished" not in terminal("play", "--plain", typed="")[:100]


def test_no_begins_another_one_and_keeps_the_old(terminal: Type) -> None:
    terminal("play", "--plain", "--seed", 7, "-p", 2, typed="1 2\nq\n")
    shown = terminal("play", "--plain", "--lang", "fr", typed="non\nq\n")
    assert "5211 à 4" in shown
    assert "La partie continue" not in shown
    assert len(offered()) == 2
    assert "not finished:" not in terminal("play", "--plain", "--new", typed="q\n")
    assert "not finished:" not in terminal("play", "--plain", "-p", 2, typed="q\n")


def test_a_rematch_is_offered_and_both_games_are_kept(terminal: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    typed = TURNS * 4 + "y\n" + TURNS * 4 + "n\n"
    shown = terminal("play", "--plain", "-p", 5, "--seed", 7, "--record", path, typed=typed)
    assert shown.count("Final score") == shown.count("tells it again.") == 2
    assert "Bye" not in shown
    lines = path.read_text().splitlines()
    assert [faults(line) for line in lines] == [(), ()]
    assert len(kept()) == 2
    shown = terminal("play", "--plain", "-p", 5, "--seed", 7, typed=TURNS * 4)
    assert "Bye" not in shown  # the end of the input is as good as a no
    assert len(kept()) == 3


def test_leaving_the_rematch_is_leaving_a_game(terminal: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    shown = terminal("play", "--plain", "-p", 5, "--record", path, typed=TURNS * 4 + "\n1 2\nq\n")
    assert "Bye! The game is not finished;" in shown
    assert len(path.read_text().splitlines()) == 2
    assert len(kept()) == len(offered()) == 1


def test_ctrl_c_leaves_a_game_politely_and_a_finished_one_quietly(
    terminal: Type, tmp_path: Path
) -> None:
    path = tmp_path / "mine.jsonl"
    game = ("play", "--plain", "-p", 5, "--record", path)
    shown = terminal(*game, typed="1 2\n", interrupt="Play 1 card>")
    assert (
        "\nBye! The game is not finished; it is kept for the next time.\nThe game is saved in"
        in shown
    )
    shown = terminal(*game, typed=TURNS * 4, interrupt="Another game")
    assert "Bye" not in shown
    assert len(path.read_text().splitlines()) == 2


def test_a_record_that_finds_no_room_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games_file().mkdir(parents=True)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TURNS.encode() * 4)))
    code, out, _err = run_main(monkeypatch, capsys, "play", "-p", 5, "--seed", 7)
    assert code == 0
    assert out.splitlines()[-1].endswith("games.jsonl” cannot be written: Is a directory.")


# Elsewhere


@on_a_loop
async def test_a_seat_at_a_servers_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_log("error")
    async with hall(tmp_path) as h:
        made = await h.make()
        seat = await h.join(made)
        async with h.client(made) as ana:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TURNS.encode() * 11)))
            args = ("play", "--join", h.url, "--table", made["table"], "--token", seat["token"])
            running = asyncio.create_task(asyncio.to_thread(run_main, monkeypatch, capsys, *args))
            while not ana.view["seats"][1]["present"]:
                await asyncio.sleep(0.01)
            await ana.do("start")
            await asyncio.gather(play_on(ana, Random(1)), running)
        code, out, err = running.result()
    assert (code, err) == (0, "")
    assert "You sit in seat 2 and are called Ben." in out
    assert re.search(r"The record of this game: http://127.0.0.1:\d+/api/games/\S+/record\n$", out)
    assert not games_file().exists()


@on_a_loop
async def test_whoever_leaves_before_the_game_says_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_log("error")
    async with hall(tmp_path) as h:
        made = await h.make()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"?\n")))
        args = ("play", "--join", h.url, "--table", made["table"], "--token", made["token"])
        code, out, _err = await asyncio.to_thread(run_main, monkeypatch, capsys, *args)
    assert code == 0
    assert out.endswith("Bye! The game is not finished; it is kept for the next time.\n")


# Replays


def test_a_replay_on_the_whole_screen(
    terminal: Type,
    opened: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = FOLDER / "3-standard-azul.jsonl"
    assert "needs a terminal" in refused(monkeypatch, capsys, "replay", path, "--tui")
    terminal("replay", path, "--tui", "--lang", "fr")
    record, language = opened[0]
    assert isinstance(record, Record)
    assert (record.edition, language) == ("azul", "fr")
