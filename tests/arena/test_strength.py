"""The tables of `make strength`: whoever played, and however early it was stopped."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.strength import main
from five211.arena import Arena, compare
from five211.arena.report import as_json, report


def printed(
    capsys: pytest.CaptureFixture[str], folder: Path, told: dict[str, Any], players: int = 2
) -> str:
    (folder / f"{players}.json").write_text(json.dumps({**told, "seconds": 60.0}))
    main(folder)
    return capsys.readouterr().out


def test_the_best_is_first_and_need_not_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compare(["hasty", "random", "greedy"], 2, 40, seed=1)
    out = printed(capsys, tmp_path, as_json(found))
    rows = out.split("| ratings ")[1].splitlines()[2:5]
    assert [row.split("`")[1] for row in rows] == list(found.ratings)
    win = found.contest("hasty", "random").win
    assert f"{100 * win.value:.1f} ± {100 * win.half:.1f}" in out
    assert "`expert` against" not in out


def test_stopped_early_what_is_not_there_is_a_dash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = Arena.of(["random", "greedy", "hasty"], [2], 4)
    told = as_json(report(arena, arena.play(0, 0)))
    out = printed(capsys, tmp_path, told).replace("hasty", "it")
    assert "| `it` | – | – |  |" in out
    assert "| `it` | – |\n" in out
    renamed = json.loads(json.dumps(told).replace("hasty", "expert"))
    assert "| `greedy` | – |\n" in printed(capsys, tmp_path, renamed)


@pytest.mark.parametrize(("more", "folder"), [([], "strength"), (["ARGS=-n 4"], "strength-args")])
def test_other_bots_are_played_into_another_folder(more: list[str], folder: str) -> None:
    root = Path(__file__).parents[2]
    asked = ["make", "--dry-run", "--assume-old=.venv/.ready", "strength", *more]
    said = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True).stdout
    assert f"bench/strength.py build/{folder}\n" in said
    assert f"> build/{folder}/$n.json.part" in said
