"""One number for each bot: the strengths that make the victories likeliest (Luce, Plackett).

A bot of strength s wins against n - 1 clones of one of strength t with the chance
s / (s + (n - 1) t). Only who wins counts, since the rules name a winner and no second. The
logarithms of the strengths are found by Newton's method and shown as Elo does: 400 points are ten
times the strength, and all bots together are at 0.

How sure they are follows from one deal to the next, as for every figure of the arena: the games of
one deal are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from five211.arena.sums import Tally
from five211.fast.digest import A_VICTORY
from five211.stats.estimate import SURE, Estimate

ELO = 400 / log(10)
LONGEST_STEP = 1.0
"""Newton's steps are no longer than this, so that none goes too far."""
CLOSE = 1e-10


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one came to against a field: their places, how many play, and the deals."""

    one: int
    field: int
    players: int
    tally: Tally


def ratings(bots: int, meetings: Sequence[Meeting]) -> tuple[Estimate, ...]:
    """Each bot's rating, from all that was played."""
    rows = np.arange(len(meetings))
    sides = np.zeros((len(meetings), bots))
    sides[rows, [each.one for each in meetings]] = 1
    sides[rows, [each.field for each in meetings]] = -1
    n = np.array([each.players for each in meetings], float)
    deals = np.array([each.tally.deals for each in meetings], float)
    won = np.array([each.tally.won / A_VICTORY for each in meetings])
    squared = np.array([each.tally.won_squared / A_VICTORY**2 for each in meetings])
    # one game more for each, at par: so whoever never wins has a rating, too
    games, wins = n * deals + 1, won + 1 / n
    strength = np.zeros(bots)
    while True:
        chance = 1 / (1 + (n - 1) * np.exp(-sides @ strength))
        curve = np.linalg.pinv((sides.T * (games * chance * (1 - chance))) @ sides, hermitian=True)
        step = curve @ (sides.T @ (wins - games * chance))
        longest = float(np.abs(step).max())
        strength += step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    spread = squared - 2 * n * chance * won + (n * chance) ** 2 * deals
    # never surer than independent games: a bot that always wins has no spread, but is not sure
    spread = np.maximum(spread, games * chance * (1 - chance))
    errors = ELO * np.sqrt(np.diag(curve @ (sides.T * spread) @ sides @ curve))
    return tuple(
        _estimate(ELO * value, error, bot, meetings)
        for bot, (value, error) in enumerate(zip(strength.tolist(), errors.tolist(), strict=True))
    )


def _estimate(value: float, error: float, bot: int, meetings: Sequence[Meeting]) -> Estimate:
    mine = (one for one in meetings if bot in (one.one, one.field))
    games = sum(one.players * one.tally.deals for one in mine)
    return Estimate(value, error, value - SURE * error, value + SURE * error, games)
