"""What a round brings, and who has won: each seat's points and cards in one word."""

from __future__ import annotations

from typing import Any

import numpy as np

from five211.fast.packed import ICONS, NOTHING, VALUE_BITS, VALUE_MASK
from five211.fast.source.part import part
from five211.fast.source.scoring import count, scoring_byte

u64 = np.uint64
POINTS = 16
"""A seat's total has its points from this bit on, and below it the cards of its score pile."""


@part
def clear(players: int, totals: Any) -> None:
    """Nobody has anything yet."""
    for seat in range(players):
        totals[u64(seat)] = u64(0)


@part
def scored(word: Any, scoring: Any) -> Any:
    """The points that a seat's word brings, and the cards that bring them."""
    byte = (word >> (scoring << u64(3))) & u64(0xFF)
    return byte & u64(VALUE_MASK), byte >> u64(VALUE_BITS)


@part
def score_round(players: int, words: Any, totals: Any, limit: Any, exact: Any) -> Any:
    """Score a round (rule 4); the byte that scored."""
    scoring = scoring_byte(count(players, words), limit, exact)
    for seat in range(players):
        points, cards = scored(words[u64(seat)], scoring)
        totals[u64(seat)] += (points << u64(POINTS)) + cards
    return scoring


@part
def most_of(players: int, totals: Any) -> Any:
    """The most that anybody has: points, then cards (rule 5.2)."""
    most = u64(0)
    for seat in range(players):
        most = max(most, totals[u64(seat)])
    return most


@part
def reached(players: int, totals: Any, goal: Any) -> Any:
    """Whether somebody has as many points as the game is played for; in one deal any will do."""
    return (most_of(players, totals) >> u64(POINTS)) >= goal


@part
def ends_early(players: int, totals: Any, goal: Any, deals: Any) -> Any:
    """Whether a deal ends with this round although it is not the last (rule 6.3)."""
    return goal and deals and reached(players, totals, goal)


@part
def new_piles(players: int, totals: Any) -> None:
    """Only the last deal's score piles decide ties (rule 6.4), so forget those from before."""
    for seat in range(players):
        totals[u64(seat)] &= ~u64((1 << POINTS) - 1)


@part
def winners_of(players: int, totals: Any) -> Any:
    """Who has won, a bit a seat (rule 5.2)."""
    won, most = u64(0), most_of(players, totals)
    for seat in range(players):
        won |= u64(totals[u64(seat)] == most) << u64(seat)
    return won


@part
def write_game(
    players: int, totals: Any, tally: Any, index: Any, points: Any, outcomes: Any
) -> Any:
    """A game's points and outcomes into their rows; its winners."""
    for seat in range(players):
        points[u64(index) * u64(players) + u64(seat)] = totals[u64(seat)] >> u64(POINTS)
    for kind in range(3):
        outcomes[u64(index) * u64(3) + u64(kind)] = tally >> u64(16 * kind)
    return winners_of(players, totals)


@part
def kind_of(scoring: Any) -> Any:
    """What decided a round: 0 the icons, 1 a colour, 2 nothing."""
    return u64(1) + u64(scoring == u64(NOTHING)) - u64(scoring == u64(ICONS))


@part
def outcome(scoring: Any) -> Any:
    """A round in a game's tally: sixteen bits each for icons, colours and nothing."""
    return u64(1) << (kind_of(scoring) << u64(4))
