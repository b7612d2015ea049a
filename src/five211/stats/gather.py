"""Plays games and digests them, range by range, in threads: compiled code holds no lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from five211.fast.digest import Digest, digest, nothing
from five211.fast.digest import prepare as prepare_digest
from five211.fast.simulate import check_range, prepare, seat_policies, simulate
from five211.rules import Rules

QUICK, SLOW = 1 << 14, 1 << 8
"""Games at a time: of random play in one deal, and of all else."""


def gather(
    rules: Rules,
    policy: str,
    games: int,
    seed: int | str,
    *,
    threads: int | None = None,
    told: Callable[[int], None] = lambda _games: None,
    stopped: Event | None = None,
) -> Digest:
    """The digest of that many games with one policy in all seats.

    Ctrl-C sets `stopped`, and the games so far are what comes back.
    """
    stopped = stopped or Event()
    check_range(0, games)
    prepare(rules, seat_policies(rules, policy), log=True)
    prepare_digest(rules)
    size = QUICK if policy == "random" and rules.goal is None else SLOW
    begins = iter(range(0, games, size))  # C code: no two threads are given the same

    def work() -> Digest:
        found = nothing()
        for begin in begins:
            if stopped.is_set():
                break
            n = min(size, games - begin)
            played = simulate(
                rules.players,
                n,
                policy,
                seed,
                variant=rules.variant,
                first=begin,
                threads=1,
                log=True,
            )
            found += digest(played)
            told(n)
        return found

    workers = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        parts = [pool.submit(work) for _ in range(workers)]
        try:
            for part in parts:
                part.result()
        except KeyboardInterrupt:
            stopped.set()
    return sum((part.result() for part in parts), nothing())
