"""PettingZoo: our parallel environment beside the framework's own leduc_holdem and hanabi.

A step is one action of one agent, for all alike: the framework's games take one agent's action with
each `step`, ours everybody's at once. Every agent is shown an observation and a mask before each of
its actions, in all of them. What the framework's games need is installed into an environment of its
own, which is thrown away; both run in this process, with the same PettingZoo and NumPy.

    make bench-env
    python -m bench.env_pettingzoo --keep /somewhere --seconds 1 --rounds 7
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median

from bench.env_rounds import Rates, any_of, beside, in_turns
from bench.peers.clock import Trial
from bench.peers.compare import PEERS, Peer, checked, environment, one_core
from five211.env import parallel_env

THEIRS = {"leduc_holdem": "leduc_holdem_v4", "hanabi": "hanabi_v5"}
GOAL = 5


def their_trial(name: str) -> Trial:
    """A game of the framework's, by the loop of its documentation; the dead do not decide."""
    env, rng = import_module(f"pettingzoo.classic.{name}").env(), Random(1)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            seen, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(any_of(seen["action_mask"], rng))
                steps += 1
        return steps

    return Trial(play, lambda steps: steps)


def our_trial(players: int) -> Trial:
    """A game of ours, by the loop of the documentation for parallel environments."""
    env, rng = parallel_env(players), Random(1)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        seen, _ = env.reset()
        while env.agents:
            steps += len(env.agents)
            seen, *_ = env.step({a: any_of(seen[a]["action_mask"], rng) for a in env.agents})
        return steps

    return Trial(play, lambda steps: steps)


def borrow(peer: Peer, folder: Path) -> None:
    """Have what a peer's environment has here as well, behind all that is here already."""
    python = environment(peer, folder)
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    sys.path.append(checked([python, "-c", asked], 60).strip())


def lines(rates: Rates) -> list[str]:
    """The table."""
    head = f"{'':<16}{'steps/s':>10}" + "".join(f"{f'x {name}':>16}" for name in THEIRS)
    found = [head]
    for name, each in rates.items():
        ratios = [] if name in THEIRS else [beside(rates, name, other) for other in THEIRS]
        found.append(f"{name:<16}{median(each):>10,.0f}" + "".join(f"{r:>16.1f}" for r in ratios))
    return [*found, f"Goal: {GOAL} times both."]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="of each in a round")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--keep", type=Path, help="a folder for an environment that stays")
    asked = parser.parse_args()
    one_core()
    with tempfile.TemporaryDirectory(prefix="five211-bench-") as folder:
        kept = Path(folder) if asked.keep is None else asked.keep.resolve()
        borrow(next(peer for peer in PEERS if peer.module == "pettingzoo"), kept)
        with warnings.catch_warnings():  # the framework's own
            warnings.simplefilter("ignore")
            contestants = {name: their_trial(game) for name, game in THEIRS.items()}
            contestants |= {f"5211, {n} players": our_trial(n) for n in (2, 3, 4, 5)}
            rates = in_turns(contestants, asked.seconds, asked.rounds)
    print(f"Python {platform.python_version()}, PettingZoo {version('pettingzoo')}, one core")
    print(*lines(rates), sep="\n")


if __name__ == "__main__":
    main()
