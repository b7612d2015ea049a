"""Environments measured beside each other: they take turns, round by round, in one process.

What a machine does besides slows both alike then; so of the ratios of all rounds the middle one is
told. An action is chosen in the same way everywhere, by Python's own `Random` from a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from statistics import median
from typing import Any

from bench.peers.clock import Trial, a_run

Rates = dict[str, list[float]]
"""By contestant: what it made in a second, in each round."""


def in_turns(contestants: Mapping[str, Trial], seconds: float, rounds: int) -> Rates:
    """So many rounds, in which each plays for so many seconds."""
    for trial in contestants.values():
        trial.count(trial.play())  # whatever is loaded on first use is so before
    found: Rates = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, trial in contestants.items():
            made, took = a_run(trial, seconds)
            found[name].append(made / took)
    return found


def beside(rates: Rates, ours: str, theirs: str) -> float:
    """How many times theirs ours is, in the middle."""
    return median(mine / other for mine, other in zip(rates[ours], rates[theirs], strict=True))


def any_of(mask: Any, rng: Random) -> int:
    """One of the actions that a mask allows."""
    action: int = rng.choice(mask.nonzero()[0].tolist())
    return action
