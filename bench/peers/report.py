"""The figures as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.peers.clock import WHOLE

OURS = "five211"
GOAL = 50  # times the fastest library that plays whole games
HEADS = ("library", "version", "game", "how", "cores", "decisions/s", "ours/theirs")
NOTE = (
    "These are different games: a decision of one is not a decision of another. ours/theirs is our"
    "\nslowest number of players, on one core, for the same way to play. One core is timed by the"
    "\nprocess's own time, several by the clock, which other work slows: those have no ratio."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """What one library made of one game, or why it made nothing."""

    library: str
    version: str = ""
    game: str = ""
    kind: str = ""
    cores: int = 1
    decisions: float = 0
    failed: str = ""


def slowest(figures: Sequence[Figure], kind: str) -> float | None:
    """Our own decisions a second for this way to play."""
    found = [one.decisions for one in figures if (one.library, one.kind) == (OURS, kind)]
    return min(found, default=None)


def ratio(figures: Sequence[Figure], one: Figure) -> str:
    """How many times theirs ours is."""
    ours = slowest(figures, one.kind)
    if one.library == OURS or ours is None or one.cores > 1:
        return ""
    times = ours / one.decisions
    return f"{times:,.0f}" if times >= 100 else f"{times:.1f}"


def table_lines(figures: Sequence[Figure]) -> list[str]:
    """A table as in docs/figures.md, and below it what did not run."""
    rows = [HEADS, ("---",) * len(HEADS)]
    for one in figures:
        if not one.failed:
            rate, times = f"{one.decisions:,.0f}", ratio(figures, one)
            cells = one.library, one.version, one.game, one.kind, str(one.cores), rate, times
            rows.append(cells)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lost = [one for one in figures if one.failed]
    named = [" ".join(filter(None, (one.library, one.version, one.game))) for one in lost]
    told = [f"{name}: did not run: {one.failed}" for name, one in zip(named, lost, strict=True)]
    return [*lines, "", NOTE, *told]


def verdict(figures: Sequence[Figure]) -> str:
    """Ours by the fastest of the others that play whole games."""
    played = [one for one in figures if one.kind == WHOLE and not one.failed]
    ours = [one for one in played if one.library == OURS]
    others = [one for one in played if one.library != OURS]
    if not ours or not others:
        return "Nothing to compare whole games with."
    theirs = max(others, key=lambda one: one.decisions)
    times = [one.decisions / theirs.decisions for one in ours]
    each = ", ".join(f"{time:.1f} ({one.game})" for time, one in zip(times, ours, strict=True))
    return (
        f"The fastest at whole games is {theirs.library}'s {theirs.game}. Ours, times that: {each}."
        f" Goal: {GOAL}, {'reached' if min(times) >= GOAL else 'NOT reached'} by the slowest."
    )
