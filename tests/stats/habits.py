"""Habits for tests, each counted once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

from five211 import Rules
from five211.stats.habits.chapters import Sums
from five211.stats.habits.gather import Compiled, gather
from five211.stats.habits.report import Report, make_report

GAMES = 600


@cache
def sums(players: int, bot: str = "hasty", games: int = GAMES) -> Sums:
    """The sums of some games."""
    with ThreadPoolExecutor(1) as pool:
        return gather(Compiled.of(Rules.of(players), bot, "x"), games, pool)


@cache
def report(
    players: tuple[int, ...] = (2, 3, 4, 5), bot: str = "hasty", games: int = GAMES
) -> Report:
    """The report of these."""
    found = {Rules.of(n): sums(n, bot, games) for n in players}
    return make_report(found, bot, "x", level="easy")
