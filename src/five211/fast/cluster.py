"""Many machines as one `Executor`: a scheduler of dask.distributed, by its address.

Its workers need five211 of the same version, and nothing else of ours. A worker that dies costs
only time: what it had is done by another.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from five211.errors import GameError, file_name
from five211.fast.work import FAR, NEAR

PATIENCE = 3
"""Seconds to wait for a scheduler, and then for its first worker."""


@contextmanager
def workers(address: str | None = None) -> Iterator[tuple[Executor, int]]:
    """Who does the work, this machine or a cluster; and how many games a task usually has."""
    if address is not None:
        with cluster(address) as executor:
            yield executor, FAR
        return
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        yield executor, NEAR


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The executor of the cluster whose scheduler is at an address, tcp://host:8786."""
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise GameError("cluster_missing") from None
    for name in ("distributed", "distributed.client"):  # what happens is said here in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    shown = file_name(address)
    try:
        with ThreadPoolExecutor(1) as pool:  # this thread may have a loop of its own
            pool.submit(_greet, dask, address).result()
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception:  # noqa: BLE001 - whoever else is there may say anything
        raise GameError("cluster", address=shown) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise GameError("cluster_idle", address=shown) from None
        try:
            yield client.get_executor(pure=False)
        except (CancelledError, ImportError, dask.KilledWorker, dask.comm.CommClosedError) as error:
            raise GameError("cluster_lost", address=shown, reason=type(error).__name__) from error


def _greet(dask: Any, address: str) -> None:
    """Wait for a scheduler's first words: a client would wait for them for ever."""
    import asyncio  # not at the top: without a cluster nobody needs it

    async def greet() -> None:
        comm = await asyncio.wait_for(dask.core.connect(address, timeout=PATIENCE), PATIENCE)
        await comm.close()

    asyncio.run(greet())
