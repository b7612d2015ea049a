"""Which games are played: every bot against a field of each other, on the same decks for all.

At a table of n sits one bot against n - 1 clones of another, on every deck once in each seat. The
bots are named by text, so that a process or a machine far away can make them for itself. Each game
has bots of its own: one that remembers would know the deck by the second seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from heapq import merge
from itertools import permutations
from random import Random
from time import perf_counter_ns

from five211 import __version__
from five211.arena.sums import Sums, Tally, Times
from five211.bots import Bot, Entry, checked_bot, entry
from five211.cards import Cards
from five211.chance import shuffled, stream
from five211.errors import GameError, check_list, shown
from five211.fast.simulate import check_count
from five211.match import Match
from five211.rules import Rules, Variant
from five211.simulate import play_match
from five211.view import View, view

GAMES, GAMES_SLOW = 2000, 400
"""Games of a cell, and of one where somebody searches."""
LEAST = 2
"""Deals that an interval needs."""
PART, PART_SLOW = 10, 1
"""Deals of a task."""

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
        bots: Sequence[str | Entry | Bot | type[Bot]],
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
        check_list(bots)
        if len(bots) < 2:
            raise GameError("arena_few")
        if not players:
            raise GameError("arena_sizes")
        given = tuple(one if isinstance(one, str) else _entry(one) for one in bots)
        found = [load(one) if isinstance(one, str) else one for one in given]
        searching = tuple(bool(getattr(one.make(), "searches", False)) for one in found)
        rules = tuple(Rules.of(n, variant) for n in sorted(set(players)))
        slow = min(games, games_slow)
        return Arena(given, _names(given, found), searching, rules, games, slow, seed, load)

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
        bots = {bot: self.begun(bot, cell.rules) for bot in (cell.one, cell.field)}
        taken: dict[int, list[int]] = {bot: [] for bot in bots}
        tally, last = Tally(), min(first + self.part(cell), self.deals(cell))

        def play(deal: int, seat: int) -> Match:
            seats = [cell.field] * n
            seats[seat] = cell.one
            seated = [Timed(bots[bot].ready(), taken[bot]) for bot in seats]
            return play_match(cell.rules, seated, self.seed, deal)

        for deal in range(first, last):
            tally += Tally.of((play(deal, seat), seat) for seat in range(n))
        times = {bot: Times.of(each) for bot, each in taken.items()}
        return Sums(tally.deals * n, {place: tally}, times)

    def begun(self, place: int, rules: Rules) -> Entry:
        """A bot that has chosen once in this process: the first choice loads, or compiles."""
        given, name = self.bots[place], self.names[place]
        bot = self.load(given) if isinstance(given, str) else given
        if (name, rules) not in _begun:
            match = Match(rules).deal(shuffled(rules.deck, stream("begin", "deck")))
            bot.ready().choose(view(match, 0), stream("begin", "bot"))
            _begun.add((name, rules))
        return bot


_begun: set[tuple[str, Rules]] = set()
"""Which bots have chosen in this process, by their names, and at which tables."""


class Timed:
    """A bot with a watch."""

    def __init__(self, bot: Bot, taken: list[int]) -> None:
        self.bot, self.taken = bot, taken

    def choose(self, view: View, rng: Random) -> Cards:
        """What the bot chooses."""
        began = perf_counter_ns()
        chosen = self.bot.choose(view, rng)
        self.taken.append(perf_counter_ns() - began)
        return chosen


def _entry(bot: Entry | Bot | type[Bot]) -> Entry:
    """Somebody's bot by the name of its class; of one that is made, each game has a copy."""
    if isinstance(bot, Entry):
        return bot
    name = getattr(bot, "__name__", type(bot).__name__)
    checked_bot(bot, name)
    return Entry(name, bot if isinstance(bot, type) else partial(deepcopy, bot))


def _names(bots: Sequence[str | Entry], found: Sequence[Entry]) -> tuple[str, ...]:
    """What to call each; two files may each have a bot of the same name, but none comes twice."""
    own = [one.name for one in found]
    given = [one if isinstance(one, str) else one.name for one in bots]
    for place, one in enumerate(found):
        if given[place] in given[:place] or one in found[:place]:
            raise GameError("arena_twice", bot=shown(given[place]))
    names = tuple(
        name if own.count(name) == 1 else text for name, text in zip(own, given, strict=True)
    )
    return names if len(set(names)) == len(names) else tuple(given)
