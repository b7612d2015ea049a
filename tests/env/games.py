"""The core's side of every comparison: the same decks, the same choices by number, the pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from five211 import Card, Match, Rules, shuffled, stream, view
from tests.conftest import SOAK

CASES = [(n, variant) for n in (2, 3, 4, 5) for variant in ("standard", "long")]
GAMES = 1_250 if SOAK else 4
"""Games a case: 10,000 an adapter in `make soak-env`."""
PAYS = [("win", False), ("points", False), ("margin", False), ("points", True), ("margin", True)]


def seeded_decks(rules: Rules, seed: int, game: int) -> Iterator[Sequence[Card]]:
    """The decks of a game of the readable engine."""
    for deal in count():
        yield shuffled(rules.deck, stream(seed, "deck", game, deal))


def any_number(rng: Random, choices: int) -> int:
    """Which of so many choices is made."""
    return int(rng.random() * choices)


class Core:
    """A game played by the numbers of choices, beside an environment that plays the same."""

    def __init__(self, rules: Rules, decks: Iterator[Sequence[Card]]) -> None:
        self.decks = decks
        self.match = Match(rules).deal(next(decks))

    def choices(self, seat: int) -> int:
        """How many different choices a seat has."""
        return len(view(self.match, seat).choices)

    def play(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Play everybody's choice by its number; the points that the turn brought."""
        before = self.match.points
        options = [view(self.match, seat).choices for seat in range(len(numbers))]
        self.match = self.match.play([o[n] for o, n in zip(options, numbers, strict=True)])
        gained = tuple(b - a for a, b in zip(before, self.match.points, strict=True))
        if self.match.awaits_deck:
            self.match = self.match.deal(next(self.decks))
        return gained


def priced(core: Core, gained: Sequence[int], reward: str, per_round: bool) -> list[float]:
    """What an environment should pay for a turn, written out in another way."""
    n, result = len(gained), core.match.result
    if reward == "win":
        won = () if result is None else result.winners
        return [((s in won) / len(won) - 1 / n) if won else 0.0 for s in range(n)]
    points = gained if per_round else ((0,) * n if result is None else result.points)
    if reward == "points":
        return [float(p) for p in points]
    means = [sum(points[o] for o in range(n) if o != s) / (n - 1) for s in range(n)]
    return [p - mean for p, mean in zip(points, means, strict=True)]
