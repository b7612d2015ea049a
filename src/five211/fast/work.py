"""Work divided: ranges of games, which an `Executor` takes on, put together in their order.

Threads do on one machine (compiled code holds no lock); `fast.cluster` has an executor of many.
A task is a function that can be pickled; it is called with the first game and the number of games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, Protocol, TypeVar


class Sums(Protocol):
    """What games came to, which can be added up."""

    @property
    def games(self) -> int:
        """Of how many games."""
        ...

    def __add__(self, other: Any, /) -> Any: ...


Done = TypeVar("Done")
Sum = TypeVar("Sum", bound=Sums)

NEAR = 1 << 10
"""Games of a task on this machine: a thread that has begun one cannot be stopped."""
FAR = 1 << 13
"""Games of a task on another machine, which is worth its journey."""
AHEAD = 1024
"""Tasks that are handed out before the first of them is back: whatever the number of games, there
are no more in memory."""


def ranges(games: int, size: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each part.

    >>> list(ranges(600, 256))
    [(0, 256), (256, 256), (512, 88)]
    """
    end = first + games
    return ((begin, min(size, end - begin)) for begin in range(first, end, size))


def total(
    executor: Executor,
    task: Callable[[int, int], Sum],
    parts: Iterable[tuple[int, int]],
    nothing: Sum,
    told: Callable[[int], object],
    *,
    in_order: bool = True,
) -> Sum:
    """All results added up; somebody is told of the games of each.

    After Ctrl-C, those so far: the first games, which anybody can play again; or, if the order does
    not matter, also what is done behind one that takes long.
    """
    found = nothing

    def add(part: Sum) -> None:
        nonlocal found
        found = found + part  # wholly or not at all, whenever Ctrl-C comes
        told(part.games)

    with suppress(KeyboardInterrupt):
        run(executor, task, parts, add, in_order=in_order)
    return found


def run(
    executor: Executor,
    task: Callable[[int, int], Done],
    parts: Iterable[tuple[int, int]],
    on_done: Callable[[Done], Any],
    *,
    in_order: bool = True,
) -> None:
    """Do the task for each range; `on_done` is given the results in the order of the ranges.

    On an error, or Ctrl-C, what has not begun never will. If the order does not matter, Ctrl-C
    still brings what is done behind the first that is not.
    """
    waiting: deque[Future[Done]] = deque()

    def take() -> None:
        done = waiting[0].result()
        waiting.popleft()
        on_done(done)

    try:
        for part in parts:
            waiting.append(executor.submit(task, *part))
            if len(waiting) == AHEAD:
                take()
        while waiting:
            take()
    except KeyboardInterrupt:
        for future in () if in_order else waiting:
            if future.done() and not future.cancelled() and future.exception() is None:
                on_done(future.result())
        raise
    finally:
        for future in waiting:
            future.cancel()
