"""The tally: what lies face up so far, as players count it.

Players should think, not count. Each colour stands somewhere on its way to the limit, and the
icons on their way to the exact number; the words for it are made from these values per language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from five211.cards import Cards, Color
from five211.rules import Rules
from five211.scoring import (
    ColorScores,
    StruckForLimit,
    StruckForTie,
    count_colors,
    count_icons,
    majority,
)


class Standing(StrEnum):
    """Where a colour stands if the round ended now."""

    ABSENT = "absent"
    BEHIND = "behind"
    TIED = "tied"
    LEADS = "leads"
    BUST = "bust"

    def __repr__(self) -> str:
        return f"Standing.{self.name}"


class IconStanding(StrEnum):
    """Where the icons stand."""

    FEW = "few"
    ONE_MORE = "one_more"
    EXACT = "exact"
    TOO_MANY = "too_many"

    def __repr__(self) -> str:
        return f"IconStanding.{self.name}"


@dataclass(frozen=True, slots=True)
class ColorTally:
    """One colour: its cards on the table, and how many more would bust it."""

    color: Color
    count: int
    to_limit: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Tally:
    """All colours and the icons."""

    colors: tuple[ColorTally, ...]
    icons: int
    exact: int
    icon_standing: IconStanding


def tally(rules: Rules, table: Sequence[Cards]) -> Tally:
    """The tally of the cards that lie face up."""
    counts, icons = count_colors(table), count_icons(table)
    standings: dict[Color, Standing] = {}
    for step in majority(rules, counts):
        if isinstance(step, StruckForLimit):
            standings.update((color, Standing.BUST) for color, _ in step.counts)
        elif isinstance(step, StruckForTie):
            standings.update(dict.fromkeys(step.colors, Standing.TIED))
        elif isinstance(step, ColorScores):
            standings[step.color] = Standing.LEADS
    return Tally(
        colors=tuple(
            ColorTally(
                color,
                counts[color],
                max(0, rules.limit - counts[color]),
                standings.get(color, Standing.BEHIND if counts[color] else Standing.ABSENT),
            )
            for color in rules.colors
        ),
        icons=icons,
        exact=rules.exact,
        icon_standing=_icon_standing(rules.exact - icons),
    )


def _icon_standing(missing: int) -> IconStanding:
    if missing < 0:
        return IconStanding.TOO_MANY
    return {0: IconStanding.EXACT, 1: IconStanding.ONE_MORE}.get(missing, IconStanding.FEW)
