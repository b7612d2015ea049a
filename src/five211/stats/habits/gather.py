"""Plays games of one bot in all seats and counts its habits, range by range: no game is kept.

The compiled engine plays the bots that it has, in threads; any other bot plays in processes, with
the readable engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from five211.bots import Entry, entry
from five211.fast.packed import NUMBERS
from five211.fast.simulate import Work, check_count, prepare, seat_policies
from five211.fast.work import NEAR, ranges, total
from five211.match import Match
from five211.rules import Rules
from five211.simulate import play_match
from five211.state import lay
from five211.stats.habits.chapters import Sums, count, nothing


@dataclass(frozen=True, slots=True)
class Compiled:
    """Games of the compiled engine."""

    work: Work
    size: ClassVar[int] = NEAR
    """Games of a task."""

    @staticmethod
    def of(rules: Rules, bot: str, seed: int | str) -> Compiled:
        """Of a bot that it has."""
        return Compiled(Work(rules, seat_policies(rules, bot), seed, log=True))

    @property
    def rules(self) -> Rules:
        """Which game it is."""
        return self.work.rules

    def compile(self) -> None:
        """Compile what they need, before there are threads that would wait for each other."""
        prepare(self.rules, self.work.policies, log=True)

    def sums(self, first: int, games: int) -> Sums:
        """The sums of a range of them."""
        played = self.work.play(first, games)
        assert played.log is not None
        return count(self.rules, played.log, played.winners)


@dataclass(frozen=True, slots=True)
class Readable:
    """Games of the readable engine; the bot is named by text, so that a process can make it."""

    rules: Rules
    bot: str
    seed: int | str
    load: Callable[[str], Entry] = entry
    size: ClassVar[int] = 4
    """Games of a task: a bot that searches takes a second for one."""

    def sums(self, first: int, games: int) -> Sums:
        """The sums of a range of them; each range has bots of its own."""
        found = self.load(self.bot)
        bots = [found.ready() for _ in range(self.rules.players)]
        matches = [
            play_match(self.rules, bots, self.seed, game) for game in range(first, first + games)
        ]
        return count(self.rules, *log_of(matches))


def log_of(matches: Iterable[Match]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Games as the compiled engine logs them: the cards played, and the winners, a bit a seat."""
    cards, winners = [], []
    for match in matches:
        cards.append(
            [
                [[NUMBERS[one] for one in seat] for seat in lay(match.rules, played.turns)]
                for played in match.state.rounds
            ]
        )
        assert match.result is not None
        winners.append(sum(1 << seat for seat in match.result.winners))
    return np.array(cards, np.uint8), np.array(winners, np.uint8)


def gather(
    task: Compiled | Readable,
    games: int,
    executor: Executor,
    *,
    told: Callable[[int], object] = lambda _games: None,
) -> Sums:
    """The sums of that many games; after Ctrl-C, of those so far."""
    check_count("games", games)
    return total(executor, task.sums, ranges(games, task.size), nothing(task.rules), told)
