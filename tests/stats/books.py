"""Books for tests, each made once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

from five211 import Rules
from five211.fast.digest import Digest
from five211.stats.book import Book, make_book
from five211.stats.gather import compile_for, gather

GAMES = {"random": 20_000, "hasty": 2000, "heuristic": 300}


@cache
def games(players: int, bot: str, variant: str = "standard") -> Digest:
    """The digest of some games."""
    rules = Rules.of(players, variant)
    compile_for(rules, bot)
    count = GAMES[bot] // (1 if variant == "standard" else 4)
    with ThreadPoolExecutor(2) as pool:
        return gather(rules, bot, count, "x", pool)


@cache
def book(
    players: tuple[int, ...] = (2, 3, 4, 5),
    bots: tuple[str, ...] = ("random", "hasty", "heuristic"),
    variant: str = "standard",
) -> Book:
    """The book of these."""
    found = {Rules.of(n, variant): {bot: games(n, bot, variant) for bot in bots} for n in players}
    return make_book(found, variant, "x")
