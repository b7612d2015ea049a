"""The chapters: what each counts and how it is shown; and the sums of many games.

As in `five211.fast.digest`, the unit is the game: of each game's two counts a and b, what is kept
is the sums of a, b, aa, ab and bb over the games. So memory does not grow with the games, and the
division of the work does not show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from five211.fast.digest import SUMS
from five211.rules import Rules
from five211.stats.book import Row
from five211.stats.habits import counts
from five211.stats.habits.counts import Count
from five211.stats.habits.rounds import Rounds

ALONE = "all"
"""The line of a figure that has only one."""
BOTH = ("winners", "others")
CARDS = ("four", "five", "six", "any")
KINDS = ("pair", "pair_icon", "mixed", "mixed_icon")
TURN_ROWS = ("first", "second", "third")
THIRD_ROWS = ("begin", "middle", "end")


@dataclass(frozen=True, slots=True)
class Spec:
    """How a chapter is counted and shown."""

    part: str
    """What it is about, together with its neighbours."""
    key: str
    shown: str
    """How it is drawn: bars, dots or curve."""
    rows: Sequence[Row] | Callable[[Rules], Sequence[Row]]
    count: Callable[[Rounds], Iterable[Count]]
    """Line by line, and row by row."""
    lines: tuple[str, ...] = (ALONE,)
    in_points: bool = False
    """Else figures are shares."""

    def rows_of(self, rules: Rules) -> tuple[Row, ...]:
        """What is counted with so many players."""
        return tuple(self.rows(rules) if callable(self.rows) else self.rows)


SPECS: tuple[Spec, ...] = (
    Spec("opening", "opening", "dots", KINDS, counts.opening),
    Spec("opening", "opening_points", "dots", KINDS, counts.opening_points, in_points=True),
    Spec(
        "opening",
        "opening_scores",
        "dots",
        ("opened_twice", "opened_once", "not_opened"),
        counts.opening_scores,
    ),
    Spec("high", "values", "curve", counts.value_rows, counts.values, TURN_ROWS),
    Spec("high", "timing", "dots", TURN_ROWS, counts.timing, in_points=True),
    Spec("high", "high_turns", "bars", TURN_ROWS, counts.high_turns, CARDS),
    Spec("high", "high_thirds", "dots", THIRD_ROWS, counts.high_thirds, CARDS[:-1]),
    Spec("high", "high_scores", "dots", TURN_ROWS, counts.high_scores, ("high", "any")),
    Spec(
        "last",
        "last",
        "dots",
        ("joins", "nothing", "icon", "busts", "ties", "unties", "decides"),
        counts.last,
    ),
    Spec(
        "last",
        "last_value",
        "dots",
        ("last_scores", "last_nothing", "last_busts"),
        counts.last_value,
        in_points=True,
    ),
    Spec("last", "buster", "bars", ("had_none", "had_less", "had_most"), counts.buster),
    Spec("last", "bust_points", "dots", ("pushed", "did_not"), counts.bust_points, in_points=True),
    Spec("icons", "decided", "bars", ("color", "kododo", "none"), counts.decided),
    Spec("icons", "exact_after", "curve", counts.icon_rows, counts.exact_after, TURN_ROWS[:2]),
    Spec("icons", "round_points", "dots", ("color", "kododo"), counts.round_points, in_points=True),
    Spec("biggest", "biggest", "dots", ("alone", "over", "tied", "by_icons"), counts.biggest),
    Spec("biggest", "scoring_cards", "curve", counts.card_rows, counts.scoring_cards),
    Spec(
        "winners",
        "winners",
        "dots",
        (
            "opens_pair",
            "opens_icon",
            "opened_scores",
            "high_first",
            "high_last",
            "card_scores",
            "win_joins",
            "win_busts",
            "win_decides",
        ),
        counts.winners,
        BOTH,
    ),
    Spec(
        "winners",
        "winners_values",
        "dots",
        ("any_card", *TURN_ROWS, "idle"),
        counts.winners_values,
        BOTH,
        in_points=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Sums:
    """What many games came to; two are added like numbers."""

    games: int
    sums: NDArray[np.int64]
    """Of each row of each line of all chapters, the sums of a, b, aa, ab and bb: 5 x rows."""

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.games + other.games, self.sums + other.sums)


def nothing(rules: Rules) -> Sums:
    """No games."""
    rows = sum(len(spec.lines) * len(spec.rows_of(rules)) for spec in SPECS)
    return Sums(0, np.zeros((len(SUMS), rows), np.int64))


def count(rules: Rules, log: NDArray[np.uint8], winners: NDArray[np.uint8]) -> Sums:
    """The sums of games, from their log and their winners, a bit a seat.

    A log is games x rounds x players x 4 cards, numbered as in `five211.fast.packed`.
    """
    rounds = Rounds(rules, log, winners)
    rows = [_sums(*one) for spec in SPECS for one in spec.count(rounds)]
    return Sums(len(log), np.array(rows, np.int64).T)


def _sums(happened: NDArray[np.int64], could: NDArray[np.int64]) -> list[int]:
    a, b = (one.reshape(len(one), -1).sum(axis=1, dtype=np.int64) for one in (happened, could))
    return [int(one) for one in (a.sum(), b.sum(), a @ a, a @ b, b @ b)]
