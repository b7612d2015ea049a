"""The vector environment: decisions a second with observations, every seat a row, on one core.

It has no peer here, only a goal. Actions are chosen between the times that are taken.

    make bench-env
"""

from __future__ import annotations

import sys
from statistics import median

from bench.env_rounds import in_turns
from bench.peers.compare import one_core
from bench.peers.ours import ROWS, vector

GOAL = 10_000_000


def main(seconds: float = 0.25, rounds: int = 15) -> None:
    """Print the table."""
    one_core()
    games = [f"{players} players" for players in (2, 3, 4, 5)]
    rates = in_turns({game: vector(game) for game in games}, seconds, rounds)
    print(f"{'vector':<12}{'decisions/s':>14}{'best round':>14}   {ROWS:,} games at once, one core")
    for name, each in rates.items():
        print(f"{name:<12}{median(each):>14,.0f}{max(each):>14,.0f}")
    print(f"Goal: {GOAL:,}.")


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 0.25)
