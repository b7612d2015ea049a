"""Which games are played: every bot against a field of each other, on the same decks for all.

At a table of n sits one bot against n - 1 clones of another, on every deck once in each seat. The
bots are named by text, so that a process or a machine far away can make them for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import permutations
from random import Random
from time import perf_counter_ns

from five211 import __version__
from five211.arena.sums import Sums, Tally, Times
from five211.bots import Bot, Entry, entry
from five211.cards import Cards
from five211.errors import GameError, shown
from five211.fast.simulate import check_count
from five211.rules import Rules, Variant
from five211.simulate import play_match
from five211.view import View

GAMES, GAMES_SLOW = 2000, 400
"""Games of a cell, and of one where somebody searches."""
LEAST = 2
"""Deals that an interval needs."""
PART, PART_SLOW = 10, 1
"""Deals of a task. They depend on nothing, so that even a bot with a memory, which is made anew for
each task, plays the same games however many work."""

Load = Callable[[str], Entry]
"""Finds a bot by its name."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One against a field of clones of another: their places in the arena."""

    rules: Rules
    one: int
    field: int


@dataclass(frozen=True, slots=True)
class Arena:
    """Which bots meet, how often and with which cards: all that a worker needs, to be pickled."""

    bots: tuple[str | Entry, ...]
    names: tuple[str, ...]
    """What the bots are called: their own names, or as they were given if these are not enough."""
    searching: tuple[bool, ...]
    """Which of them search, and so play fewer games (`searches = True` in a bot's class)."""
    rules: tuple[Rules, ...]
    games: int
    games_slow: int
    seed: int | str
    load: Load = entry
    version: str = __version__

    @staticmethod
    def of(
        bots: Sequence[str | Entry],
        players: Sequence[int],
        games: int = GAMES,
        games_slow: int = GAMES_SLOW,
        seed: int | str = 0,
        *,
        variant: str = Variant.STANDARD,
        load: Load = entry,
    ) -> Arena:
        """Two bots or more, at tables of these sizes.

        >>> arena = Arena.of(["heuristic", "greedy", "random"], [2, 3], games=100)
        >>> len(arena.cells), arena.asked
        (9, 912)
        """
        check_count("games", games)
        check_count("games_slow", games_slow)
        if len(bots) < 2:
            raise GameError("arena_few")
        found = [load(one) if isinstance(one, str) else one for one in bots]
        searching = tuple(bool(getattr(one.make(), "searches", False)) for one in found)
        rules = tuple(Rules.of(n, variant) for n in sorted(set(players)))
        slow = min(games, games_slow)
        return Arena(tuple(bots), _names(bots, found), searching, rules, games, slow, seed, load)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All that is played; with two players the other way around is the same."""
        pairs = list(permutations(range(len(self.bots)), 2))
        return tuple(
            Cell(rules, one, other)
            for rules in self.rules
            for one, other in pairs
            if rules.players > 2 or one < other
        )

    @property
    def asked(self) -> int:
        """How many games that is."""
        return sum(self.deals(cell) * cell.rules.players for cell in self.cells)

    def slow(self, cell: Cell) -> bool:
        """Whether somebody searches there."""
        return self.searching[cell.one] or self.searching[cell.field]

    def deals(self, cell: Cell) -> int:
        """How many decks it is played with."""
        games = self.games_slow if self.slow(cell) else self.games
        return max(LEAST, -(-games // cell.rules.players))

    def part(self, cell: Cell) -> int:
        """How many decks a task has."""
        return PART_SLOW if self.slow(cell) else PART

    def parts(self) -> Iterator[tuple[int, int]]:
        """All tasks: a cell and its first deal. The cells go on side by side.

        So whoever stops early has seen something of each.
        """

        def of(place: int, cell: Cell) -> Iterator[tuple[float, int, int]]:
            deals = self.deals(cell)
            return ((at / deals, place, at) for at in range(0, deals, self.part(cell)))

        cells = [of(place, cell) for place, cell in enumerate(self.cells)]
        return ((place, at) for _done, place, at in merge(*cells))

    def play(self, place: int, first: int) -> Sums:
        """Play a task."""
        if self.version != __version__:
            raise GameError("cluster_version", here=self.version, there=__version__)
        cell = self.cells[place]
        n = cell.rules.players
        one = Timed(self.make(cell.one))
        field = [Timed(self.make(cell.field)) for _ in range(n - 1)]
        tally, last = Tally(), min(first + self.part(cell), self.deals(cell))
        for deal in range(first, last):
            tally += Tally.of(
                (play_match(cell.rules, [*field[:seat], one, *field[seat:]], self.seed, deal), seat)
                for seat in range(n)
            )
        times = {
            cell.one: Times.of(one.taken),
            cell.field: Times.of(taken for clone in field for taken in clone.taken),
        }
        return Sums(tally.deals * n, {place: tally}, times)

    def make(self, place: int) -> Bot:
        """A new bot."""
        bot = self.bots[place]
        return (self.load(bot) if isinstance(bot, str) else bot).make()


class Timed:
    """A bot with a watch."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.taken: list[int] = []

    def choose(self, view: View, rng: Random) -> Cards:
        """What the bot chooses."""
        began = perf_counter_ns()
        chosen = self.bot.choose(view, rng)
        self.taken.append(perf_counter_ns() - began)
        return chosen


def _names(bots: Sequence[str | Entry], found: Sequence[Entry]) -> tuple[str, ...]:
    """What to call each; two files may each have a bot of the same name, but none comes twice."""
    own = [one.name for one in found]
    given = [one if isinstance(one, str) else one.name for one in bots]
    for place, one in enumerate(found):
        if given[place] in given[:place] or one in found[:place]:
            raise GameError("arena_twice", bot=shown(given[place]))
    return tuple(
        name if own.count(name) == 1 else text for name, text in zip(own, given, strict=True)
    )
