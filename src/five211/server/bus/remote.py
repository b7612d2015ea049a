"""What the buses over a network have in common: news that wait to be told, and trying again.

Whatever goes wrong with a bus, it is tried again for ever, and play goes on meanwhile. What is
logged has no address, which may have a password.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NoReturn

from five211.server.bus import News
from five211.server.faults import Trouble

AGAIN = 0.5  # seconds until it is tried again
SIGN = 2.0  # seconds after which it says something, though there is nothing to say
WAITING = 10_000  # tables that may wait to be told of


class Remote(ABC):
    """One end of a bus that may be away now and come later."""

    shared = True
    kind: str

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[NoReturn]] = []
        self._trouble = Trouble("bus", logging.WARNING)
        self._answered = False

    @property
    def up(self) -> bool:
        """Whether it answers."""
        return self._answered and not self._trouble.lasts

    def tell(self, news: News) -> None:
        """Say it soon; of many to the same table the last, and of too many nothing."""
        if len(self._waiting) < WAITING:
            self._waiting.update(news)
            self._wake.set()

    async def stop(self) -> None:
        """Listen no longer."""
        left = set(self._tasks)
        while left:  # one may overhear it: `asyncio.wait_for` of Python 3.11, also in redis-py
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=0.5)

    def _keep(self, work: Callable[[], Awaitable[NoReturn]]) -> None:
        """Do this from now on, again and again if it fails."""
        self._tasks.append(asyncio.create_task(self._again(work)))

    async def _again(self, work: Callable[[], Awaitable[NoReturn]]) -> NoReturn:
        while True:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - tables are looked up without it
                reason, kind = self._reason(error), type(error).__name__
                bug = {} if reason else {"exc_info": error}  # where it is
                self._trouble.failed(reason or "a bug", kind=kind, **bug)
                await asyncio.sleep(AGAIN)

    @abstractmethod
    def _reason(self, error: Exception) -> str:
        """Why the other side does not do what it should; nothing if the fault is ours."""

    def _went_well(self) -> None:
        """It answered."""
        self._answered = True
        self._trouble.went_well()

    async def _news(self) -> News:
        """What there is to say; now and then nothing, so that silence means that it is gone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SIGN):
                await self._wake.wait()
        self._wake.clear()
        news, self._waiting = self._waiting, {}
        return tuple(news.items())
