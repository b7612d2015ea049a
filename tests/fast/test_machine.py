"""Machine code is made once, kept on disk, and does without Numba from then on."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from five211 import GameError, fast
from five211.fast import digest, machine, simulate

PLAY = """
import json, sys
from five211.fast import machine, simulate
made = []
machine.tell(made.append)
games = simulate(2, 100, "greedy", seed=3)
print(json.dumps([made, int(games.points.sum()), "numba" in sys.modules]))
"""
MADE = ["policy_greedy", "policy_games_2"]


def play(folder: Path) -> tuple[list[str], int, bool]:
    """A hundred games in a new process."""
    environment = {**os.environ, "FIVE211_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PLAY], env=environment, capture_output=True, text=True, check=True
    )
    made, points, numba = json.loads(done.stdout)
    return made, points, numba


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    folder = tmp_path_factory.mktemp("code") / "not yet there"
    made, points, numba = play(folder)
    assert made == MADE
    assert numba
    return folder, points


def test_the_second_time_nothing_is_compiled(first: tuple[Path, int]) -> None:
    folder, points = first
    assert play(folder) == ([], points, False)


def five() -> str:
    """The least that can be compiled, in LLVM's language."""
    return f"define i64 @{machine.ENTRY}() {{ ret i64 5 }}"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], list[str]]:
    """Which of two kernels a new process would have to compile with that folder for its code."""

    def found(folder: Path) -> list[str]:
        told: list[str] = []
        monkeypatch.setenv("FIVE211_CACHE", str(folder))
        monkeypatch.setattr(machine, "_loaded", {})
        monkeypatch.setattr(machine, "_listeners", [])
        machine.tell(told.append)
        for name in ("one", "two"):
            for _ in range(2):
                assert machine.Kernel(name, "", machine.address(name, five))() == 5
        return told

    return found


def test_who_wants_to_know_is_told(tmp_path: Path, compiled: Callable[[Path], list[str]]) -> None:
    assert compiled(tmp_path) == ["one", "two"]
    assert compiled(tmp_path) == []


def test_a_kernel_is_made_where_none_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVE211_CACHE", str(tmp_path))
    monkeypatch.setattr(machine, "_loaded", {})
    machine.kernel.__wrapped__("digest", digest.TAKES, 2)
    assert [file.name for file in tmp_path.rglob("*.o")] == ["digest_2.o"]


def test_damaged_files_are_made_again(
    tmp_path: Path, compiled: Callable[[Path], list[str]]
) -> None:
    compiled(tmp_path)
    one, two = sorted(tmp_path.rglob("*.o"))
    one.write_bytes(one.read_bytes()[:-100])
    assert compiled(tmp_path) == ["one"]
    two.write_bytes(b"")
    assert compiled(tmp_path) == ["two"]
    assert compiled(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, compiled: Callable[[Path], list[str]]
) -> None:
    (tmp_path / "file").touch()
    for _ in range(2):
        assert compiled(tmp_path / "file") == ["one", "two"]


def test_every_policy_on_disk_does_without_numba() -> None:
    names = '["heuristic", "greedy"]'
    code = f"import sys; from five211.fast import simulate; simulate(2, 9, {names}); "
    simulate(2, 9, ["heuristic", "greedy"])
    done = subprocess.run(
        [sys.executable, "-c", code + 'print("numba" in sys.modules)'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_the_stamp_is_of_all_that_goes_into_a_kernel() -> None:
    stamped = {path for folder in machine.STAMPED for path in folder.glob("*.py")}
    for source in machine.SOURCE.glob("*.py"):
        for name in re.findall(r"^from (five211[\w.]*) import", source.read_text(), re.MULTILINE):
            assert Path(str(import_module(name).__file__)) in stamped, name


def test_without_a_home_it_works_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    for name in ("FIVE211_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(GameError, match="XDG_CACHE_HOME"):
        machine.folder()
    assert machine.Kernel("five", "", machine.address("five", five))() == 5


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"FIVE211_CACHE": "/a"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b/five211"),
        ({"LOCALAPPDATA": "/c"}, "/c/five211"),
        ({"HOME": "/d"}, "/d/.cache/five211"),
    ],
)
def test_where_code_is_kept(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], folder: str
) -> None:
    for name in ("FIVE211_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert machine.folder() == Path(folder)


def test_what_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        getattr(fast, "nothing")  # noqa: B009


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_afterwards_if_it_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, collects: bool
) -> None:
    monkeypatch.setenv("FIVE211_CACHE", str(tmp_path))
    seen = []

    def make() -> str:
        seen.append(gc.isenabled())
        return five()

    (gc.enable if collects else gc.disable)()
    try:
        machine.address("one", make)
        assert (seen, gc.isenabled()) == ([False], collects)
    finally:
        gc.enable()
