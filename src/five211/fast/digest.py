"""Many games as sums: all that the book of numbers needs, while no game is kept.

A figure is a ratio of two counts: icon rounds by rounds, green sixes that scored by green sixes
that were played. Rounds of one game hang together, so the unit is the game: of each game's two
counts a and b, what is kept is the sums of a, b, aa, ab and bb over the games. They say how far the
ratio may be off, and being whole numbers they are the same however the work is divided.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from five211.fast.machine import kernel
from five211.fast.packed import VALUES
from five211.fast.simulate import Games
from five211.fast.view import COLORS, MOST_SEATS
from five211.rules import PLAYS, Rules

MOST_CARDS = MOST_SEATS * sum(PLAYS)
"""Cards on the table at the end of a round, at most."""
TURNS = 1 + len(PLAYS)
"""All turns together, then each one."""
A_VICTORY = 60
"""A victory as a whole number that can be shared by two, three, four or five."""
MOST_POINTS = 256
"""Points that a distribution has room for; more count as the last."""
SUMS = ("a", "b", "aa", "ab", "bb")


def _rows(begin: int, *sizes: int) -> list[slice]:
    ends = np.cumsum([begin, *sizes]).tolist()
    return [slice(*both) for both in pairwise(ends)]


# By rounds: how many were decided by icons, a colour, nothing; had a biggest colour of 0, 1, 2 ...
# cards; had 0, 1, 2 ... icons; in how many the biggest colour scored, some colour was over the
# limit, some tied, and there were 1 or 2 ties one after the other; and all seats' points.
OUTCOME, BIGGEST, FOUND, SCORES, BUST, TIE, CASCADE, POINTS = _rows(
    0, 3, MOST_CARDS + 1, MOST_CARDS + 1, 1, 1, 1, COLORS // 2, 1
)
# By cards played, for all turns and each, and each value: those that scored; icons that did so as
# icons; and the points of all cards of a turn.
CHANCE, AS_ICON, BROUGHT = _rows(POINTS.stop, TURNS * VALUES, TURNS, TURNS)
# By games: each seat's share of the victory; whether points, the score pile or nothing made one
# winner; all seats' points; rounds.
SHARE, VICTORY, TOTAL, LENGTH = _rows(BROUGHT.stop, MOST_SEATS, 3, 1, 1)
ROWS = LENGTH.stop

TAKES = "u64 u64 u16* u8* u8* u64* u64* u64*"
SHAPES = 4
"""Distributions: final scores; pairs of equal ones in a game; the winner's score; the margin."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What many games came to; two are added like numbers."""

    games: int
    sums: NDArray[np.uint64]
    """Of each row, the sums of a, b, aa, ab and bb: 5 x rows."""
    shapes: NDArray[np.uint64]
    """The distributions by points: 4 x 256."""

    def __add__(self, other: Digest) -> Digest:
        return Digest(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def nothing() -> Digest:
    """No games."""
    shapes = np.zeros((SHAPES, MOST_POINTS), np.uint64)
    return Digest(0, np.zeros((len(SUMS), ROWS), np.uint64), shapes)


def prepare(rules: Rules) -> None:
    """Compile what these games need, or find it on disk."""
    kernel("digest", TAKES, rules.players)


def digest(games: Games) -> Digest:
    """The sums of games that have their log."""
    assert games.log is not None
    empty, counts = nothing(), np.empty(2 * ROWS, np.uint64)
    rows = games.points, games.winners, games.log, empty.sums, empty.shapes
    add = kernel("digest", TAKES, games.rules.players)
    differ = add(len(games), games.log.shape[1], *rows, counts)
    assert not differ  # points added up anew from the log are those that the games ended with
    return Digest(len(games), empty.sums, empty.shapes)
