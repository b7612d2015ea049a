"""Plays games and digests them, range by range: no game is kept."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from five211.fast.digest import Digest, digest, nothing
from five211.fast.digest import prepare as prepare_digest
from five211.fast.simulate import Work, check_count, prepare, seat_policies
from five211.fast.work import NEAR, ranges, total
from five211.rules import Rules


@dataclass(frozen=True, slots=True)
class Counting:
    """Which games to count."""

    work: Work

    def sums(self, first: int, games: int) -> Digest:
        """The digest of a range of them."""
        return digest(self.work.play(first, games))


def compile_for(rules: Rules, policy: str) -> None:
    """Compile what these games need, before there are threads that would wait for each other."""
    prepare(rules, seat_policies(rules, policy), log=True)
    prepare_digest(rules)


def gather(
    rules: Rules,
    policy: str,
    games: int,
    seed: int | str,
    executor: Executor,
    *,
    usual: int = NEAR,
    told: Callable[[int], object] = lambda _games: None,
) -> Digest:
    """The digest of that many games with one policy in all seats; after Ctrl-C, of those so far."""
    check_count("games", games)
    counting = Counting(Work(rules, seat_policies(rules, policy), seed, log=True))
    parts = ranges(games, counting.work.size(usual))
    return total(executor, counting.sums, parts, nothing(), told)
