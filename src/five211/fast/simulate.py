"""Whole games by the million: `simulate(4, 1_000_000, "random", seed=7)`.

A game is known by its seed and its number, and is the same however the work is divided, among
threads or among the machines of a cluster.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from five211 import __version__
from five211.errors import GameError
from five211.fast.machine import kernel
from five211.fast.packed import CARDS, FINE, SCRATCH
from five211.fast.policies import Policy, jitted, policy_address
from five211.fast.streams import key
from five211.fast.view import WORDS_OF_VIEW
from five211.fast.work import FAR, NEAR, ranges, run
from five211.rules import Rules, Variant
from five211.scoring import Outcome
from five211.summary import Summary

ROWS = "u16* u8* u16* u8*"
HEAD = "u64 u64 u64 u64"
RANDOM_TAKES = f"u64 u64 {HEAD} {ROWS} u64*"
POLICY_TAKES = f"u64 u64* u64* {HEAD} {ROWS} u64* u64* u64*"

LOGGED_DEALS = 40
"""Deals of the longer game that a log has room for."""


@dataclass(frozen=True, slots=True)
class Games:
    """What many games came to, a row each."""

    rules: Rules
    points: NDArray[np.uint16]
    """Each seat's points: games x players."""
    winners: NDArray[np.uint8]
    """The winners of each game, a bit a seat."""
    outcomes: NDArray[np.uint16]
    """How many rounds were decided by icons, by a colour and by nothing: games x 3."""
    log: NDArray[np.uint8] | None = None
    """The cards played, if they were asked for: games x rounds x players x 4."""

    def __len__(self) -> int:
        return len(self.winners)

    def rows(self) -> tuple[NDArray[Any], ...]:
        """All that there is a row a game of."""
        rows = self.points, self.winners, self.outcomes
        return rows if self.log is None else (*rows, self.log)

    def part(self, at: int, games: int) -> Games:
        """Some of the games; what is written into its rows is written here."""
        return Games(self.rules, *(rows[at : at + games] for rows in self.rows()))

    def won(self, seat: int) -> NDArray[np.bool_]:
        """Whether a seat won each game, alone or with others."""
        return np.asarray((self.winners >> seat) & 1 == 1)

    def shares(self) -> NDArray[np.float64]:
        """Each seat's share of each victory: games x players."""
        won = (self.winners[:, None] >> np.arange(self.rules.players)) & 1
        return np.asarray(won / won.sum(axis=1, keepdims=True))

    def summary(self) -> Summary:
        """All of them summed up."""
        seats = range(self.rules.players)
        won = enumerate(np.bincount(self.winners).tolist())
        return Summary(
            self.rules,
            len(self),
            tuple(self.points.sum(axis=0).tolist()),
            Counter({tuple(s for s in seats if mask >> s & 1): n for mask, n in won if n}),
            Counter(dict(zip(Outcome, self.outcomes.sum(axis=0).tolist(), strict=True))),
        )


@dataclass(frozen=True, slots=True)
class Work:
    """Which games to play: all that a thread or a machine far away needs to know, to be pickled."""

    rules: Rules
    policies: tuple[Policy, ...]
    seed: int | str
    log: bool = False
    version: str = __version__

    def size(self, usual: int) -> int:
        """Games of a task: more than usual of random play, which is many times as quick."""
        return usual << 4 if set(self.policies) == {"random"} else usual

    def play(self, first: int, games: int) -> Games:
        """Play a range of the games."""
        if self.version != __version__:
            raise GameError("cluster_version", here=self.version, there=__version__)
        played = _empty(self.rules, games, log=self.log)
        _play(played, self.policies, self.seed, first)
        return played

    def sum_up(self, first: int, games: int) -> Summary:
        """Play a range of the games, and keep only what they came to."""
        return self.play(first, games).summary()


def simulate(
    players: int,
    games: int,
    policies: Policy | Sequence[Policy] = "random",
    seed: int | str = 0,
    *,
    variant: str = Variant.STANDARD,
    first: int = 0,
    threads: int | None = None,
    log: bool = False,
    executor: Executor | None = None,
) -> Games:
    """Play that many games, from game number `first` on, with one policy for all or one a seat.

    Threads of this machine play them, or whatever an executor has: see `five211.fast.cluster`.

    >>> len(simulate(4, 1000, seed=7))
    1000
    """
    rules = Rules.of(players, variant)
    if threads is not None:
        check_count("threads", threads)
    work = Work(rules, seat_policies(rules, policies), seed, log)
    check_count("first", first)
    check_count("games", games)
    found = _empty(rules, games, log=log)
    if executor is not None:
        _gather(found, work, executor, first)
        return found

    def fill(begin: int, number: int) -> None:
        _play(found.part(begin - first, number), work.policies, seed, begin)

    size = work.size(NEAR)
    if games <= size:
        fill(first, games)
        return found
    prepare(rules, work.policies, log=log)  # or threads would wait for each other
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        run(pool, fill, ranges(games, size, first), lambda _none: None)
    return found


def _gather(found: Games, work: Work, executor: Executor, first: int) -> None:
    """Have others play the games, and put what comes back into its rows."""
    at = 0

    def keep(part: Games) -> None:
        nonlocal at
        for rows, new in zip(found.part(at, len(part)).rows(), part.rows(), strict=True):
            rows[:] = new
        at += len(part)

    sent = tuple(one if isinstance(one, str) else jitted(one) for one in work.policies)
    task = replace(work, policies=sent).play
    run(executor, task, ranges(len(found), work.size(FAR), first), keep)


def seat_policies(rules: Rules, policies: Policy | Sequence[Policy]) -> tuple[Policy, ...]:
    """A policy for each seat: one for all, or one a seat."""
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        policies = (policies,)
    each = tuple(policies)
    if len(each) not in (1, rules.players):
        raise GameError("bots_number", n=len(each), needed=rules.players)
    return each * (rules.players // len(each))


def check_count(name: str, number: object) -> None:
    """Refuse what is no number of things."""
    if type(number) is not int or not 0 <= number < 2**63:
        raise GameError("count", name=name)


def prepare(rules: Rules, policies: tuple[Policy, ...], *, log: bool = False) -> None:
    """Compile what these games need, or find it on disk."""
    _play(_empty(rules, 0, log=log), policies, 0, 0)


def _empty(rules: Rules, games: int, *, log: bool) -> Games:
    rounds = rules.rounds * (1 if rules.goal is None else LOGGED_DEALS)
    return Games(
        rules,
        np.empty((games, rules.players), np.uint16),
        np.empty(games, np.uint8),
        np.empty((games, 3), np.uint16),
        np.full((games, rounds, rules.players, 4), len(CARDS), np.uint8) if log else None,
    )


def _play(games: Games, policies: tuple[Policy, ...], seed: int | str, first: int) -> None:
    """Fill in the rows of these games."""
    rules, n, log = games.rules, len(games), games.log
    head = first, n, rules.goal or 0, 0 if log is None else log.shape[1]
    rows = games.points, games.winners, games.outcomes, games.winners if log is None else log
    scratch = np.empty(SCRATCH, np.uint64)
    deck = key(seed, "deck")
    if set(policies) == {"random"}:
        play = kernel("random_games", RANDOM_TAKES, rules.players, int(log is not None))
        play(deck, key(seed, "choices"), *head, *rows, scratch)
        return
    keys = np.array([key(seed, "seat", seat) for seat in range(rules.players)], np.uint64)
    asked = np.array([policy_address(one) for one in policies], np.uint64)
    view, streams = np.zeros(WORDS_OF_VIEW, np.uint64), np.zeros(rules.players, np.uint64)
    play = kernel("policy_games", POLICY_TAKES, rules.players)
    wrong = play(deck, keys, asked, *head, *rows, view, streams, scratch)
    if wrong != FINE:
        raise GameError("policy_action", seat=wrong + 1)
