"""Numbers and rows of the book in words, as a language writes them."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, log10

from five211 import texts
from five211.bots import entry
from five211.stats.book import Row
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


def brief(language: str, value: float, digits: int = 1, *, in_points: bool = False) -> str:
    """A figure with few digits; what is more than nothing does not look like nothing.

    >>> brief("en", 0.0004)
    '<0.1%'
    """
    show, least = number if in_points else percent, 10.0**-digits / (1 if in_points else 100)
    if 0 < value < least / 2:
        return texts.fill(language, "stats.less", value=show(language, least, digits))
    return show(language, value, digits)


def briefly(language: str, one: Estimate, digits: int = 1, *, in_points: bool = False) -> str:
    """The same of a figure, of which perhaps nothing is known."""
    if not one.among:
        return texts.fill(language, "stats.unknown")
    return brief(language, one.value, digits, in_points=in_points)


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


def figure(language: str, one: Estimate, *, in_points: bool = False) -> tuple[str, str]:
    """A value and its interval, with as many digits as the interval allows."""
    if not one.among:
        return texts.fill(language, "stats.unknown"), ""
    show, digits = number if in_points else percent, _digits(_half(one, in_points))
    low, high = (show(language, value, digits) for value in (one.low, one.high))
    interval = texts.fill(language, "stats.range", low=low, high=high)
    return show(language, one.value, digits), interval


def around(
    language: str, one: Estimate, *, in_points: bool = False, most: int = MOST_DIGITS
) -> str:
    """The same in short: the value, and half of the interval, which too few digits make wider.

    >>> around("en", Estimate(0.5, 0.0001, 0.4998, 0.5002, 9), most=1)
    '50.0% ±0.1'
    """
    if not one.among:
        return texts.fill(language, "stats.unknown")
    half = _half(one, in_points)
    show, digits = number if in_points else percent, _digits(half)
    if digits > most:
        digits, half = most, ceil(half * 10**most) / 10**most
    value = show(language, one.value, digits)
    return texts.fill(language, "stats.around", value=value, half=number(language, half, digits))


def _half(one: Estimate, in_points: bool) -> float:
    return one.half * (1 if in_points else 100)


def _digits(half: float) -> int:
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


def level(language: str, bot: str) -> str:
    """What players know a bot by."""
    return texts.fill(language, f"levels.{entry(bot).level}")


def named(language: str, bot: str) -> str:
    """The bots of a level, and what the command line calls them."""
    return texts.say(language, "stats.bot_named", bot=level(language, bot), name=bot)


def players(language: str, n: int) -> str:
    """So many players."""
    return texts.fill(language, "stats.players", n=n)
