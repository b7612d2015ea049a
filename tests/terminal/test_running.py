"""The app as the command starts it: in this process without a terminal, and on a real one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pexpect
import pytest
from textual.pilot import Pilot

from five211.bots import entry
from five211.cli import common
from five211.cli.play import run
from five211.errors import GameError
from five211.record import parse
from five211.terminal import app as apps
from five211.terminal.asked import Asked
from five211.terminal.saved import folder
from tests.terminal.screens import kept_games, may_choose, play_out
from tests.terminal.test_replaying import game

COMMAND = str(Path(sys.executable).parent / "five211")


def piloted(
    monkeypatch: pytest.MonkeyPatch, pilot: Callable[[Pilot[Any]], Coroutine[Any, Any, None]]
) -> None:
    """From now on apps run without a terminal, and somebody else types."""
    usual = apps.FiveApp.run
    monkeypatch.setattr(
        apps.FiveApp, "run", lambda self: usual(self, headless=True, auto_pilot=pilot)
    )


@pytest.fixture(autouse=True)
def _no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "_spoken", [])


async def leave(pilot: Pilot[Any]) -> None:
    await pilot.pause()
    await pilot.press("q")


def test_it_runs_until_somebody_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    piloted(monkeypatch, leave)
    apps.run_app(Asked(), entry, "en")
    apps.run_replay(game(), "fr")


def test_ctrl_c_leaves_and_the_game_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupt(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        await pilot.press("ctrl+c")

    piloted(monkeypatch, interrupt)
    apps.run_app(Asked(players=2), entry, "en")
    assert len(list(folder().glob("*.game"))) == 1


def test_a_game_that_cannot_begin_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    piloted(monkeypatch, leave)
    with pytest.raises(GameError, match="called “Ana” already"):
        apps.run_app(Asked(people=("Ana", "Ana")), entry, "en")
    assert not list(folder().glob("*.game"))


def test_a_fault_of_ours_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    piloted(monkeypatch, leave)
    monkeypatch.setattr(apps.FiveApp, "begin", lambda _self: 1 / 0)
    with pytest.raises(SystemExit) as caught:
        apps.run_app(Asked(), entry, "en")
    assert caught.value.code == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_no_table_there_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    piloted(monkeypatch, leave)
    with pytest.raises(GameError, match="no address of a table"):
        apps.run_app(Asked(join="nonsense"), entry, "en")
    assert not folder().exists()


def test_the_records_of_all_games_for_whoever_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def two_games(pilot: Pilot[Any]) -> None:
        await play_out(pilot)
        await pilot.press("n")
        await may_choose(pilot)
        await pilot.press("ctrl+c")

    piloted(monkeypatch, two_games)
    monkeypatch.setattr("five211.cli.common.has_screen", lambda: True)
    file = tmp_path / "games.jsonl"
    asked = Asked(players=5, bots=("easy",), record=str(file), speed="none", language="en")
    run(asked, plain=False, as_json=False)
    first, second = file.read_text().splitlines()
    assert parse(first).finished
    assert not parse(second).finished


@pytest.mark.parametrize(
    "colors", [{"COLORTERM": "truecolor"}, {"TERM": "xterm"}, {"NO_COLOR": "1"}, {"TERM": "vt100"}]
)
def test_a_whole_game_on_a_real_terminal(colors: dict[str, str], tmp_path: Path) -> None:
    surroundings = {
        **{name: value for name, value in os.environ.items() if name != "NO_COLOR"},
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "XDG_DATA_HOME": str(tmp_path),
        **colors,
    }
    child = pexpect.spawn(
        COMMAND,
        ["play", "--players", "5", "--bots", "easy", "--seed", "7", "--no-animation"],
        dimensions=(24, 80),
        encoding="utf-8",
        env=surroundings,
        timeout=60,
    )
    for _round in range(4):
        child.expect("Play 2 cards")
        child.send("12\r")
        for _turn in range(2):
            child.expect("Play 1 card:")
            child.send("1\r")
    child.expect("The game is over")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(kept_games()) == 1
