"""How a library is measured, in its own environment: nothing here but Python's standard library.

Each figure is the best of many short runs: other work on a machine only ever makes one slower. On
one core it is the process's own time that counts, for the same reason; on several, the clock's.
Whatever is compiled or loaded on first use is so before, untimed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from time import perf_counter, process_time
from typing import Any

WHOLE = "whole games"
STEPS = "batched steps"
A_RUN = 0.25
"""Seconds of a short run."""


def clock() -> Callable[[], float]:
    """What tells the time here."""
    alone = hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1
    return process_time if alone else perf_counter


@dataclass(frozen=True, slots=True)
class Trial:
    """Something to time over and over."""

    play: Callable[[], Any]
    """What is timed."""
    count: Callable[[Any], int]
    """The decisions in what came of it, one for each action of one player; not timed."""


def a_run(trial: Trial, seconds: float) -> tuple[int, float]:
    """Decisions, and seconds, of a short run; it plays at least once."""
    now = clock()
    decisions, took = 0, 0.0
    while not decisions or took < seconds:
        began = now()
        played = trial.play()
        took += now() - began
        decisions += trial.count(played)
    return decisions, took


def best(trial: Trial, seconds: float) -> float:
    """The most decisions a second."""
    trial.count(trial.play())
    found, spent = 0.0, 0.0
    while not found or spent < seconds:
        decisions, took = a_run(trial, min(A_RUN, seconds))
        found, spent = max(found, decisions / took), spent + took
    return found


def tell(package: str, kind: str, games: Sequence[str], prepare: Callable[[str], Trial]) -> None:
    """Measure each game for the seconds of the command line, and print a line of JSON for it."""
    for game in games:
        line: dict[str, object] = {"version": version(package), "kind": kind, "game": game}
        try:
            line["decisions"] = best(prepare(game), float(sys.argv[1]))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - not our code
            line["failed"] = f"{type(error).__name__}: {error}"
        print(json.dumps(line), flush=True)
