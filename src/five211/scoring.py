"""Scoring a round (rule 4), step by step, in the rulebook's order.

`score_round` returns its derivation: what was counted, what was struck out and why, what scores.
Page, terminal, screen reader, tutorial and API all show that one value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from five211.cards import Card, Cards, Color
from five211.errors import GameError, check_list
from five211.rules import Rules


class Outcome(StrEnum):
    """What decided a round, in the record's words."""

    ICONS = "kododo"
    COLOR = "color"
    NONE = "none"

    def __repr__(self) -> str:
        return f"Outcome.{self.name}"


@dataclass(frozen=True, slots=True)
class IconsCounted:
    """The icon cards on the table, and how many it takes (rule 4.1)."""

    found: int
    needed: int

    @property
    def exact(self) -> bool:
        """Whether the icon cards score, and nothing else does."""
        return self.found == self.needed


@dataclass(frozen=True, slots=True)
class ColorsCounted:
    """The cards on the table in each colour, icon cards included (rule 4.2)."""

    counts: tuple[tuple[Color, int], ...]


@dataclass(frozen=True, slots=True)
class StruckForLimit:
    """Colours over the limit, with their counts (rule 4.3)."""

    counts: tuple[tuple[Color, int], ...]
    limit: int


@dataclass(frozen=True, slots=True)
class StruckForTie:
    """Colours that share the most of what was left (rule 4.5)."""

    colors: tuple[Color, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ColorScores:
    """The colour with the most cards of what was left, alone (rule 4.4)."""

    color: Color
    count: int


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """No colour is left, so nobody scores (rule 4.6)."""


Step: TypeAlias = (
    IconsCounted | ColorsCounted | StruckForLimit | StruckForTie | ColorScores | NothingLeft
)


@dataclass(frozen=True, slots=True)
class Score:
    """What a round brought: the steps that led there, and each seat's cards and points."""

    steps: tuple[Step, ...]
    outcome: Outcome
    color: Color | None
    cards: tuple[Cards, ...]
    points: tuple[int, ...]


def score_round(rules: Rules, table: Sequence[Sequence[Card]]) -> Score:
    """What scores when these cards lie face up, each seat's in a sequence of its own.

    >>> from five211 import parse_cards
    >>> table = [parse_cards("G2 G3 Y1 B2"), parse_cards("G4 O2 Y2 V1")]
    >>> score = score_round(Rules.of(2), table)
    >>> score.color, score.points
    (Color.G, (5, 4))
    """
    return derive(rules, check_table(rules, table))


def check_table(rules: Rules, table: Sequence[Sequence[Card]]) -> tuple[Cards, ...]:
    """The table at a round's end, or an error if it could not lie there."""
    check_list(table)
    if len(table) != rules.players:
        raise GameError("seats_on_table", n=len(table), needed=rules.players)
    for seat, cards in enumerate(table):
        check_list(cards)
        if len(cards) != sum(rules.plays):
            raise GameError("cards_on_table", seat=seat + 1, n=len(cards), needed=sum(rules.plays))
    rules.check_cards(one for cards in table for one in cards)
    return tuple(tuple(sorted(cards)) for cards in table)


def derive(rules: Rules, table: Sequence[Cards]) -> Score:
    """The score of a table that is known to be sound."""
    steps = judge(rules, count_icons(table), count_colors(table))
    last = steps[-1]
    if isinstance(last, IconsCounted):  # rule 4.1
        outcome, color = Outcome.ICONS, None
        cards = [tuple([card for card in seat if card.is_icon]) for seat in table]
    else:
        color = last.color if isinstance(last, ColorScores) else None
        outcome = Outcome.NONE if color is None else Outcome.COLOR
        cards = [tuple([card for card in seat if card.color == color]) for seat in table]
    points = tuple([sum([card.value for card in seat]) for seat in cards])  # rules 4.1, 4.4
    return Score(steps, outcome, color, tuple(cards), points)


def count_icons(table: Sequence[Cards]) -> int:
    """How many icon cards lie face up (rule 4.1)."""
    return sum([card.is_icon for seat in table for card in seat])


def count_colors(table: Sequence[Cards]) -> tuple[int, ...]:
    """How many cards of each colour lie face up, icon cards included (rule 4.2)."""
    counts = [0] * len(Color)
    for seat in table:
        for card in seat:
            counts[card.color] += 1
    return tuple(counts)


@lru_cache(maxsize=5000)  # the same counts come again and again
def judge(rules: Rules, icons: int, colors: tuple[int, ...]) -> tuple[Step, ...]:
    """What scores when this many cards lie face up: the steps, the last of which decides."""
    counted = IconsCounted(icons, rules.exact)
    if counted.exact:  # rule 4.1
        return (counted,)
    return (counted, *majority(rules, colors))


def majority(rules: Rules, colors: tuple[int, ...]) -> tuple[Step, ...]:
    """Which colour scores when the icons do not (rules 4.2 to 4.6)."""
    counts = tuple((color, colors[color]) for color in rules.colors)
    steps: list[Step] = [ColorsCounted(counts)]
    over = tuple((color, count) for color, count in counts if count >= rules.limit)
    if over:  # rule 4.3
        steps.append(StruckForLimit(over, rules.limit))
    for most in sorted(
        {count for _, count in counts if count and count < rules.limit}, reverse=True
    ):
        first, *others = [color for color, count in counts if count == most]
        if not others:  # rule 4.4
            steps.append(ColorScores(first, most))
            return tuple(steps)
        steps.append(StruckForTie((first, *others), most))  # rule 4.5
    steps.append(NothingLeft())  # rule 4.6
    return tuple(steps)
