"""Figures of the arena as a language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from five211 import texts
from five211.arena.report import Contest, Matrix
from five211.stats.estimate import Estimate
from five211.stats.words import number, percent
from five211.stats.words import players as so_many

MARKS = {1: "▲", 0: "", -1: "▼"}
"""Above par, at par as far as one can tell, below."""


def signed(language: str, value: float, digits: int = 0) -> str:
    """A number that may be less than nothing.

    >>> signed("en", 3.14, 1), signed("en", -3.14, 1), signed("en", 0.01, 1)
    ('+3.1', '−3.1', '0.0')
    """
    said = number(language, value, digits)
    return texts.fill(language, "arena.plus", n=said) if round(value, digits) > 0 else said


def half(language: str, one: Estimate, scale: float = 1) -> str:
    """Half of an interval, short: a cell of a matrix is narrow; a dash if no deals differ."""
    wide = scale * one.half
    if not wide:
        return texts.fill(language, "stats.unknown")
    return f"±{number(language, wide, 1 if wide < 9.95 else 0)}"


def win(language: str, one: Contest) -> str:
    """A share of the victories in %, and whether that is beyond par."""
    share = 100 * one.win.value
    return f"{MARKS[one.beyond]}{number(language, share, 1 if share < 99.95 else 0)}"


def rating(language: str, one: Estimate) -> str:
    """A rating and half of its interval."""
    return f"{signed(language, one.value)} ±{number(language, one.half)}"


def milliseconds(language: str, value: float) -> str:
    """A time with two digits that count: the quickest bot takes more than nothing.

    >>> [milliseconds("en", value) for value in (0.00304, 0.5, 12.3)]
    ['0.0030', '0.50', '12']
    """
    return number(language, value, max(0, 1 - floor(log10(value))))


def head(language: str, matrix: Matrix) -> str:
    """What a matrix shows."""
    n = matrix.players
    key = "head_two" if n == 2 else "head_many"
    par = percent(language, 1 / n, 0 if 100 % n == 0 else 1)
    return texts.say(language, f"arena.{key}", players=so_many(language, n), clones=n - 1, par=par)


def short(names: Sequence[str], longest: int) -> dict[str, str]:
    """Names that fit, by the whole ones: the end of each, or from further up what tells them apart.

    >>> short(["hasty", "bots/v1/bot.py:Mine", "bots/v2/bot.py:Mine"], 10).values()
    dict_values(['hasty', '…1/bot.py…', '…2/bot.py…'])
    """
    for left_off in range(max(map(len, names))):
        found = {name: _cut(name, longest, left_off) for name in names}
        if len({*found.values()}) == len(found):
            return found
    return {name: f"{at} {_cut(name, longest - 3, 0)}" for at, name in enumerate(names, 1)}


def _cut(name: str, longest: int, left_off: int) -> str:
    """What fits of a name, without so many letters of its end."""
    if len(name) <= longest:
        return name
    kept = name[: len(name) - left_off] + ("…" if left_off else "")
    return kept if len(kept) <= longest else f"…{kept[1 - longest :]}"
