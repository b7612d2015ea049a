"""Numbers and rows of the book in words, as a language writes them."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, log10

from five211 import texts
from five211.stats.book import Chapter, Row
from five211.stats.estimate import Estimate

LEAST_DIGITS, MOST_DIGITS = 1, 5


def number(language: str, value: float, digits: int = 0) -> str:
    """A number with so many digits after the point.

    >>> number("en", 12345.678, 1)
    '12,345.7'
    """
    whole, *parts = f"{abs(value):,.{digits}f}".split(".")
    before, *groups = whole.split(",")
    for group in groups:
        before = texts.fill(language, "stats.thousands", before=before, after=group)
    for part in parts:
        before = texts.fill(language, "stats.decimal", before=before, after=part)
    below = round(value, digits) < 0  # nothing is not less than nothing
    return texts.fill(language, "stats.minus", n=before) if below else before


def percent(language: str, value: float, digits: int = 0) -> str:
    """A share."""
    return texts.fill(language, "stats.percent", n=number(language, 100 * value, digits))


def spoken(language: str, values: Iterable[float], *, in_points: bool = False) -> str:
    """One figure, or from the lowest to the highest of several, as somebody would say it.

    >>> spoken("en", [0.0831, 0.25])
    '8.3 to 25%'
    """
    every = list(values)
    scale = 1 if in_points else 100
    low, high = (
        number(language, scale * value, _said(scale * value)) for value in (min(every), max(every))
    )
    shown = low if low == high else texts.fill(language, "stats.range", low=low, high=high)
    return shown if in_points else texts.fill(language, "stats.percent", n=shown)


def _said(value: float) -> int:
    """As many digits as somebody would say."""
    return 0 if value >= 9.95 or not value else 1 if value >= 0.995 else 2


def figure(language: str, chapter: Chapter, one: Estimate) -> tuple[str, str]:
    """A value and its interval, with as many digits as the interval allows."""
    show, digits = number if chapter.in_points else percent, _digits(chapter, one)
    low, high = (show(language, value, digits) for value in (one.low, one.high))
    interval = texts.fill(language, "stats.range", low=low, high=high)
    return show(language, one.value, digits), interval


def around(language: str, chapter: Chapter, one: Estimate) -> str:
    """The same in short: the value, and half of the interval."""
    show, digits = number if chapter.in_points else percent, _digits(chapter, one)
    half = number(language, _half(chapter, one), digits)
    return texts.fill(language, "stats.around", value=show(language, one.value, digits), half=half)


def _half(chapter: Chapter, one: Estimate) -> float:
    return (one.high - one.low) / 2 * (1 if chapter.in_points else 100)


def _digits(chapter: Chapter, one: Estimate) -> int:
    half = _half(chapter, one)
    return min(max(ceil(-log10(2 * half)), LEAST_DIGITS), MOST_DIGITS) if half else LEAST_DIGITS


def label(language: str, chapter: str, row: Row) -> str:
    """What a row counts."""
    if chapter == "seats":
        return texts.fill(language, "stats.seat", n=row)
    if isinstance(row, int):
        return str(row)
    if chapter == "worth_by_turn":
        value, turn = row.split("@")
        return texts.fill(language, "stats.in_turn", value=value, turn=turn)
    return texts.fill(
        language, f"cli.outcome_{row}" if chapter == "outcome" else f"stats.row_{row}"
    )


def title(language: str, chapter: str) -> str:
    """A chapter's question."""
    return texts.say(language, f"stats.title_{chapter}")


def players(language: str, n: int) -> str:
    """So many players."""
    return texts.fill(language, "stats.players", n=n)
