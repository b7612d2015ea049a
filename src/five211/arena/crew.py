"""Who plays: a process for each core, since the bots are Python, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from five211.errors import GameError
from five211.fast.cluster import cluster
from five211.interrupts import unheard, work_for_parent


@contextmanager
def crew(address: str | None = None) -> Iterator[Executor]:
    """The cores of this machine, or a cluster."""
    with processes() if address is None else cluster(address) as executor:
        yield executor


@contextmanager
def processes(number: int | None = None) -> Iterator[Executor]:
    """So many processes, or one for each core. Whoever leaves early waits for none of them."""
    number = number or os.cpu_count() or 1
    pool = ProcessPoolExecutor(
        number,
        get_context("spawn"),  # a copy of a process that has threads may hang
        work_for_parent,
    )
    try:
        with unheard():
            for _ in range(number):
                pool.submit(os.getpid)
        yield pool
    except BrokenProcessPool:
        raise GameError("arena_lost") from None
    finally:
        manager: Any = pool._executor_manager_thread
        working = tuple((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)  # before it notices that they are gone
        for process in working:
            process.terminate()  # a bot may think for ever
        if manager is not None:  # none ever began
            manager.join()
