"""No kernel reads or writes outside its arrays, and a policy that does is found out.

With NUMBA_BOUNDSCHECK=1 every index is looked at, and one that is wrong ends the process. Here the
largest games are played so; `make soak-fast` runs all tests of the compiled engine so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLAY = """
import numpy as np
from five211 import Match, Rules, view
from five211.chance import shuffled, stream
from five211.fast import Batch, rollouts, simulate

five = ["heuristic", "greedy", "random", "hasty", "random"]
for variant in ("standard", "long"):
    simulate(5, 2000, seed=1, variant=variant, log=True)
    simulate(5, 50, five, seed=1, variant=variant, log=True)
    batch = Batch(5, 50, variant=variant, views=True)
    batch.reset()
    for _ in range(200):
        batch.step((np.log2(batch.legal & -batch.legal.astype(np.int16))).astype(np.uint8))
rules = Rules.of(5)
rollouts(view(Match(rules).deal(shuffled(rules.deck, stream(1))), 3), 20, five)
print("all within bounds")
"""
OUTSIDE = """
from five211.fast import pair, simulate, single

def outside(view, rng):
    if view.turn == 0:
        return pair(0, 1)
    return single(view.hand[view.held + view.players] * 0)

simulate(2, 10, outside)
print("not found out")
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "FIVE211_CACHE": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_every_index_is_within_bounds(tmp_path: Path) -> None:
    done = run(PLAY, tmp_path)
    assert (done.returncode, done.stdout) == (0, "all within bounds\n"), done.stderr


def test_an_index_outside_is_found_out(tmp_path: Path) -> None:
    done = run(OUTSIDE, tmp_path)
    assert "not found out" not in done.stdout
    assert "policy_action" in done.stderr or "does not have" in done.stderr
