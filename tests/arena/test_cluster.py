"""Many machines play what one would: two real workers, one of which is killed half way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from five211.arena import Arena
from five211.arena.crew import crew
from five211.arena.report import as_json, play, report
from five211.fast import cluster as module
from tests.fast.test_cluster import all_there, started


def test_a_worker_that_is_killed_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 60)  # for a busy machine
    arena = Arena.of(["greedy", "random"], [2], 200, seed="far")
    near = play(arena)
    given = ["arena", "--bots", "greedy,random", "-n", "200", "--seed", "far", "--json"]
    with started(tmp_path, 2) as two:
        done: list[int] = []

        def told(games: int) -> None:
            if not done:
                two.workers[0].send_signal(signal.SIGKILL)
            done.append(games)

        with crew(two.address) as executor:
            all_there(executor, 2)
            said = subprocess.run(
                [sys.executable, "-m", "five211", *given, "--cluster", two.address],
                capture_output=True,
                check=True,
                timeout=120,
            )
            far = play(arena, executor, told)
        assert two.workers[0].wait(60) == -signal.SIGKILL
        assert two.workers[1].poll() is None
    assert done == [20] * 10
    assert far == near
    assert said.stderr == b""
    expected = json.loads(json.dumps(as_json(report(arena, near))))
    assert {**json.loads(said.stdout), "times": 0, "seconds": 0} == {
        **expected,
        "times": 0,
        "seconds": 0,
    }
