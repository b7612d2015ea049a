"""Figures of the arena as a language writes them."""

from __future__ import annotations

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
    """Half of an interval, short: a cell of a matrix is narrow."""
    wide = scale * (one.high - one.low) / 2
    return f"±{number(language, wide, 1 if wide < 9.95 else 0)}"


def win(language: str, one: Contest) -> str:
    """A share of the victories in %, and whether that is beyond par."""
    share = 100 * one.win.value
    return f"{MARKS[one.beyond]}{number(language, share, 1 if share < 99.95 else 0)}"


def rating(language: str, one: Estimate) -> str:
    """A rating and half of its interval."""
    return f"{signed(language, one.value)} ±{number(language, (one.high - one.low) / 2)}"


def head(language: str, matrix: Matrix) -> str:
    """What a matrix shows."""
    n = matrix.players
    key = "head_two" if n == 2 else "head_many"
    par = percent(language, 1 / n, 0 if 100 % n == 0 else 1)
    return texts.say(language, f"arena.{key}", players=so_many(language, n), clones=n - 1, par=par)


def short(name: str, longest: int) -> str:
    """A name that fits."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
