"""Processes: the same games however many there are, and what goes wrong in one is told here."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from five211 import GameError
from five211.arena import Arena, crew, processes
from five211.arena.report import play, report
from five211.cli.own import load

BOTS = Path(__file__).with_name("bots.py")


def arena(*bots: str, games: int = 30) -> Arena:
    return Arena.of(bots, [2], games, seed="crew", load=load)


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    with processes(2) as executor:
        yield executor


def own(name: str) -> str:
    return f"{BOTS}:{name}"


def test_processes_play_what_one_plays(two: Executor) -> None:
    """Bots of somebody's file, too, which each of them loads for itself."""
    games = arena("random", own("Low"), own("Remembers"))
    found = play(games, two)
    assert found == play(games)
    assert found.times.keys() == {0, 1, 2}
    assert len({two.submit(os.getpid).result() for _ in range(20)} - {os.getpid()}) >= 1


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Fails", r"The bot “Fails” failed: bots\.py:\d+: RuntimeError: no idea\."),
        ("Cheats", r"The bot “Cheats” chose( \w\d){4}, which is none of view\.choices\."),
        ("Stops", r"The bot “Stops” failed: bots\.py:\d+: KeyboardInterrupt\."),
    ],
)
def test_a_bot_that_fails_in_a_process_is_named(two: Executor, bot: str, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        play(arena("random", own(bot)), two)
    assert re.fullmatch(sentence, str(error.value))


def test_neighbours_of_the_same_name_are_told_apart_in_processes(
    two: Executor, tmp_path: Path
) -> None:
    text = "class Mine:\n    def choose(self, view, rng):\n        import helpers\n"
    for name, pick in (("old", "min"), ("new", "max")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(text + "        return helpers.pick(view.choices)")
        (tmp_path / name / "helpers.py").write_text(f"pick = {pick}")
    games = arena(f"{tmp_path}/old/bot.py:Mine", f"{tmp_path}/new/bot.py:Mine")
    old, new = games.names
    found = report(games, play(games, two)).contest(old, new)
    assert found.lead.value != 0


def test_ctrl_c_is_not_theirs(two: Executor) -> None:
    assert two.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def test_a_process_that_is_lost_is_one_sentence() -> None:
    with pytest.raises(GameError) as error, processes(1) as executor:
        play(arena("random", own("Ends")), executor)
    assert error.value.code == "arena_lost"


def test_whoever_plays_for_an_arena_that_is_killed_ends_with_it(tmp_path: Path) -> None:
    """That alone is killed, as by a kernel without memory."""
    command = [sys.executable, "-m", "five211", "arena", "--bots", f"random,{own('Hangs')}"]
    mark = tmp_path / "mark"
    with subprocess.Popen(command, env={**os.environ, "MARK": str(mark)}) as process:
        try:
            while not mark.exists():
                assert process.poll() is None
                time.sleep(0.05)
            playing = psutil.Process(process.pid).children(recursive=True)
        finally:
            process.kill()
    left = psutil.wait_procs(playing, timeout=60)[1]
    for one in left:
        one.kill()
    assert left == []


def test_whoever_leaves_early_waits_for_nobody() -> None:
    """A bot that thinks for ever is ended with its process."""
    with processes(1) as executor:
        process = executor.submit(os.getpid).result()
        executor.submit(time.sleep, 3600)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_they_can_be_begun_by_any_thread() -> None:
    def begin() -> int:
        with processes(1) as executor:
            return executor.submit(os.getpid).result()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(begin).result() != os.getpid()


def test_without_an_address_this_machine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def far(address: str) -> ThreadPoolExecutor:
        asked.append(address)
        return ThreadPoolExecutor(1)

    monkeypatch.setattr(crew, "cluster", far)
    monkeypatch.setattr(crew, "processes", lambda: ThreadPoolExecutor(1))
    with crew.crew() as executor:
        assert executor.submit(abs, -1).result() == 1
    assert asked == []
    with crew.crew("tcp://there:8786") as executor:
        assert executor.submit(abs, -1).result() == 1
    assert asked == ["tcp://there:8786"]


def test_what_hinders_the_first_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(ProcessPoolExecutor, "submit", fails)
    with pytest.raises(OSError, match="no more"), processes(1):
        pass
