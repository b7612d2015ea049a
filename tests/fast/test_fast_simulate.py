"""Work divided into ranges: nothing left out, nothing twice, in order, and stopped cleanly."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from five211 import Rules
from five211.arena.sums import Sums
from five211.fast import machine, policies, simulate
from five211.fast.simulate import Work
from five211.fast.work import AHEAD, FAR, NEAR, ranges, run, total
from five211.scoring import Outcome
from five211.summary import Summary


@pytest.mark.parametrize("games", [0, 1, NEAR, NEAR + 1, 12_345, 10**7])
@pytest.mark.parametrize("most", [NEAR, FAR])
def test_ranges_leave_nothing_out(games: int, most: int) -> None:
    at = 7
    for first, number in ranges(games, most, first=7):
        assert first == at
        assert 1 <= number <= most
        at += number
    assert at == 7 + games


def test_however_many_games_there_are_ranges_cost_nothing() -> None:
    assert list(islice(ranges(10**18, NEAR), 2)) == [(0, NEAR), (NEAR, NEAR)]


class Backwards(Executor):
    """Does nothing until it is asked, then what came last first; keeps count."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.most = 0

    def submit(self, task: Callable[..., Any], /, *args: Any, **_more: Any) -> Future[Any]:
        future = Asked()
        future.ask = self.work
        self.tasks.append((future, lambda: task(*args)))
        self.most = max(self.most, len(self.tasks))
        return future

    def work(self) -> None:
        while self.tasks:
            future, task = self.tasks.pop()
            future.set_result(task())


class Asked(Future[Any]):
    ask: Callable[[], None]

    def result(self, timeout: float | None = None) -> Any:
        if not self.done():
            self.ask()
        return super().result(timeout)


def test_results_come_in_order_and_no_more_wait_than_may() -> None:
    executor, done = Backwards(), list[tuple[int, int]]()
    parts = list(ranges(AHEAD * 3, 1))
    run(executor, lambda first, n: (first, n), parts, done.append)
    assert done == parts
    assert executor.most == AHEAD


def test_what_has_not_begun_never_will_after_an_interrupt() -> None:
    begun, go = list[int](), threading.Event()

    def task(first: int, _games: int) -> int:
        begun.append(first)
        go.wait(60)
        return first

    def interrupted(_first: int) -> None:
        go.clear()
        raise KeyboardInterrupt

    go.set()
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            run(pool, task, ranges(100, 1), interrupted)
        go.set()
    assert 1 <= len(begun) < 100


class Stopped(Future[Sums]):
    """Is not done yet when Ctrl-C comes."""

    def result(self, timeout: float | None = None) -> Sums:  # noqa: ARG002
        raise KeyboardInterrupt


@pytest.mark.parametrize("in_order", [True, False])
def test_after_an_interrupt_what_is_done_behind_one_that_takes_long_may_count(
    in_order: bool,
) -> None:
    done, failed, cancelled = (Future[Sums]() for _ in range(3))
    done.set_result(Sums(5))
    failed.set_exception(OSError())
    cancelled.cancel()
    each = iter([done, Stopped(), done, failed, cancelled, Future[Sums](), done])

    class Hand(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Any:
            return next(each)

    told: list[int] = []
    found = total(Hand(), abs, ranges(7, 1), Sums(), told.append, in_order=in_order)  # type: ignore[arg-type]
    assert told == ([5] if in_order else [5, 5, 5])
    assert found == Sums(sum(told))


def test_an_error_in_a_task_is_raised_here() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        run(pool, lambda first, _games: 1 // first, ranges(3, 1), print)


def test_other_processes_play_the_same_games() -> None:
    near = simulate(2, 700, "random", seed=1, first=5)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        far = simulate(2, 700, "random", seed=1, first=5, executor=pool)
    for one, other in zip(near.rows(), far.rows(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("variant", ["standard", "long"])
def test_a_summary_is_what_the_rows_say(variant: str) -> None:
    games = simulate(3, 2000, "random", seed=4, variant=variant)
    summary = games.summary()
    assert (summary.rules, summary.games) == (games.rules, 2000)
    assert summary.points == tuple(games.points.sum(axis=0))
    assert sum(summary.winners.values()) == 2000
    np.testing.assert_allclose(summary.wins, games.shares().sum(axis=0))
    kinds = games.outcomes.sum(axis=0)
    assert summary.outcomes == Counter(dict(zip(Outcome, kinds, strict=True)))


def test_a_summary_is_the_same_however_the_work_is_divided() -> None:
    rules = Rules.of(3)
    work = Work(rules, ("random",) * 3, "s")
    whole = work.sum_up(0, 5000)
    for size in (77, 1234):
        parts = [work.sum_up(*part) for part in ranges(5000, size)]
        assert len(parts) > 4
        assert sum(reversed(parts), Summary.empty(rules)) == whole


def test_a_built_in_policy_is_one_function_in_llvms_language() -> None:
    text = policies._built_in("greedy")
    assert len(re.findall(rf"define .*@{machine.ENTRY}\(", text)) == 1
