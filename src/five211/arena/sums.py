"""What games came to, in whole numbers that can be added up in any order.

The unit is the deal: the same decks played once with the one in each seat. Its games are not
independent, so all that is known of how sure a figure is comes from one deal to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log2

from five211.fast.digest import A_VICTORY
from five211.match import Match

STEPS = 16
"""Steps of a histogram of times from one value to twice that: each is 4 % wide."""
A_MILLISECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Tally:
    """The deals of one against a field."""

    deals: int = 0
    won: int = 0
    """Its victories, `A_VICTORY` each, so that any share of one is a whole number."""
    won_squared: int = 0
    """The sum of the squares of each deal's."""
    lead: int = 0
    """Its points less those of each of the others, summed up."""
    lead_squared: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.deals + other.deals,
            self.won + other.won,
            self.won_squared + other.won_squared,
            self.lead + other.lead,
            self.lead_squared + other.lead_squared,
        )

    @staticmethod
    def of(games: Iterable[tuple[Match, int]]) -> Tally:
        """One deal: its games, and where the one sat in each."""
        won = lead = 0
        for match, seat in games:
            result = match.result
            assert result is not None
            won += A_VICTORY // len(result.winners) if seat in result.winners else 0
            lead += len(result.points) * result.points[seat] - sum(result.points)
        return Tally(1, won, won**2, lead, lead**2)


@dataclass(frozen=True, slots=True)
class Times:
    """How long a bot took to choose, in nanoseconds."""

    total: int = 0
    worst: int = 0
    steps: Counter[int] = field(default_factory=Counter)
    """How many choices took how long, `STEPS` for each doubling: no time is kept by itself."""

    @staticmethod
    def of(taken: Iterable[int]) -> Times:
        """These choices."""
        each = [max(1, one) for one in taken]
        steps = Counter(int(STEPS * log2(one)) for one in each)
        return Times(sum(each), max(each, default=0), steps)

    def __add__(self, other: Times) -> Times:
        worst = max(self.worst, other.worst)
        return Times(self.total + other.total, worst, self.steps + other.steps)

    @property
    def choices(self) -> int:
        """Of how many choices."""
        return self.steps.total()

    @property
    def mean(self) -> float:
        """Milliseconds of a choice."""
        return self.total / self.choices / A_MILLISECOND

    @property
    def longest(self) -> float:
        """Milliseconds of the slowest choice."""
        return self.worst / A_MILLISECOND

    def within(self, share: float) -> float:
        """Milliseconds within which this share of the choices was made, to 4 % and never less."""
        left = share * self.choices
        for step in sorted(self.steps):
            left -= self.steps[step]
            if left <= 0:
                return min(2 ** ((step + 1) / STEPS), self.worst) / A_MILLISECOND
        return self.longest


@dataclass(frozen=True, slots=True)
class Sums:
    """Everything, by the place of a cell and of a bot in the arena."""

    games: int = 0
    cells: Mapping[int, Tally] = field(default_factory=dict)
    times: Mapping[int, Times] = field(default_factory=dict, compare=False)
    """The one thing that no seed gives again."""

    def __add__(self, other: Sums) -> Sums:
        cells, times = dict(self.cells), dict(self.times)
        for cell, tally in other.cells.items():
            cells[cell] = cells.get(cell, Tally()) + tally
        for bot, taken in other.times.items():
            times[bot] = times.get(bot, Times()) + taken
        return Sums(self.games + other.games, cells, times)
