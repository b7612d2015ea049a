"""What a round brings, and who has won: each seat's points and cards in one word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

u64 = np.uint64
POINTS = 16
"""A seat's total has its points from this bit on, and below it the cards of its score pile."""


@njit
def clear(players: int, totals: Any) -> None:
    """Nobody has anything yet."""
    for seat in range(players):
        totals[u64(seat)] = u64(0)


@njit
def add_round(players: int, totals: Any, words: Any, scoring: Any) -> Any:
    """Give each seat what the scoring byte of its word is worth (rule 4.7); the most of all."""
    most = u64(0)
    for seat in range(players):
        byte = (words[u64(seat)] >> (scoring << u64(3))) & u64(0xFF)
        total = totals[u64(seat)] + ((byte & u64(31)) << u64(POINTS)) + (byte >> u64(5))
        totals[u64(seat)] = total
        most = max(most, total)
    return most


@njit
def new_piles(players: int, totals: Any) -> None:
    """Only the last deal's score piles decide ties (rule 6.4), so forget those from before."""
    for seat in range(players):
        totals[u64(seat)] &= ~u64((1 << POINTS) - 1)


@njit
def write_result(
    players: int, totals: Any, most: Any, index: Any, points: Any, winners: Any
) -> None:
    """A game's points, and its winners as a bit each (rule 5.2)."""
    won = u64(0)
    for seat in range(players):
        total = totals[u64(seat)]
        won |= u64(total == most) << u64(seat)
        points[u64(index) * u64(players) + u64(seat)] = total >> u64(POINTS)
    winners[u64(index)] = won


@njit
def write_outcomes(index: Any, rounds: Any, icons: Any, nothing: Any, outcomes: Any) -> None:
    """How many rounds of a game were decided by icons, by a colour and by nothing."""
    outcomes[u64(index) * u64(3)] = icons
    outcomes[u64(index) * u64(3) + u64(1)] = rounds - icons - nothing
    outcomes[u64(index) * u64(3) + u64(2)] = nothing
