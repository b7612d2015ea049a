"""One thread writes, another reads.

All that waits to be written goes into one transaction (group commit), so that every move can be
durable (`synchronous=FULL`) without each paying for its own sync of the disk. `BEGIN IMMEDIATE`,
because a transaction that begins by reading cannot always become one that writes.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, TypeVar

import structlog

from five211.server.sqlite.file import connect, open_to_write
from five211.server.store import Conflict, StoreFailed

log = structlog.get_logger()

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]


class Threads:
    """A file with the two threads that use it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._jobs: SimpleQueue[tuple[Job[Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "five211-read")
        self._reading: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Make the tables, and start."""
        self._loop = asyncio.get_running_loop()
        opened: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._write_all, args=(opened,), daemon=True)
        self._thread.start()
        await opened

    async def close(self) -> None:
        """Finish what was begun."""
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        await self._loop.run_in_executor(self._reader, self._stop_reading)
        self._reader.shutdown()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()

    def _write_all(self, opened: asyncio.Future[None]) -> None:
        try:
            connection = open_to_write(self._path)
        except StoreFailed as error:
            self._answer(opened, error)
            return
        self._answer(opened, None)
        while (first := self._jobs.get()) is not None:
            jobs = [first]
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                jobs.append(job)
            self._write(connection, jobs)
        connection.close()

    def _write(
        self,
        connection: sqlite3.Connection,
        jobs: list[tuple[Job[Any], asyncio.Future[Any]]],
    ) -> None:
        """All jobs in one transaction; if that fails, each in its own, so that one fails alone."""
        try:
            results = _transaction(connection, [job for job, _ in jobs])
        except Exception as error:  # whatever it is, the thread must go on
            if len(jobs) > 1:
                for job in jobs:
                    self._write(connection, [job])
                return
            if not isinstance(error, (sqlite3.Error, Conflict)):
                log.error("bug", kind=type(error).__name__, exc_info=error)
            known = isinstance(error, sqlite3.Error)  # a bug's words may have values in them
            failed = StoreFailed(str(error) if known else type(error).__name__)
            self._answer(jobs[0][1], error if isinstance(error, Conflict) else failed)
            return
        self._loop.call_soon_threadsafe(_answer_all, [future for _, future in jobs], results)

    def _answer(self, future: asyncio.Future[Any], answer: object) -> None:
        self._loop.call_soon_threadsafe(_answer_all, [future], [answer])

    async def _do(self, job: Job[T]) -> T:
        """Write something."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((job, future))
        return await future

    async def _ask(self, job: Job[T]) -> T:
        """Read something."""
        return await self._loop.run_in_executor(self._reader, self._read, job)

    def _read(self, job: Job[T]) -> T:
        try:
            if self._reading is None:
                self._reading = connect(self._path)
            return job(self._reading)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None


def _transaction(connection: sqlite3.Connection, jobs: list[Job[Any]]) -> list[Any]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        results = [job(connection) for job in jobs]
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a job may have ended it: see `append` in `tables.py`
            connection.execute("ROLLBACK")
        raise
    return results


def _answer_all(futures: list[asyncio.Future[Any]], answers: list[Any]) -> None:
    for future, answer in zip(futures, answers, strict=True):
        if future.done():
            continue  # whoever asked has gone
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
