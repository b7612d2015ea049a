"""What goes wrong in something that is done again and again: it is logged, and tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Coroutine
from typing import Any

import structlog

from five211.server.metrics import Metrics
from five211.server.store import StoreFailed

log = structlog.get_logger()

QUIET = 10.0  # seconds between two lines in the log about the same trouble
CALM = 8.0  # seconds without a failure until it is over: a bus that is deaf fails every 6.5


class Trouble:
    """Something that may be away, the store or the bus, and what the log says of that.

    A line when it begins, one now and then while it lasts, and one when it is over.
    """

    def __init__(self, what: str, level: int) -> None:
        self._what, self._level = what, level
        self.lasts = False
        self._times = 0
        self._last = self._quiet_until = 0.0

    def failed(self, reason: str, **more: Any) -> None:
        """Once more; the reason has neither an address nor anything that was written."""
        self._last = time.monotonic()
        self._times += 1
        if not self.lasts or self._last >= self._quiet_until:
            self.lasts, self._quiet_until = True, self._last + QUIET
            more = {"reason": reason, "times": self._times, **more}
            log.log(self._level, f"{self._what} failed", **more)
            self._times = 0

    def went_well(self) -> None:
        """It answered; others may fail beside."""
        if self.lasts and time.monotonic() >= self._last + CALM:
            self.lasts, self._times = False, 0
            log.info(f"{self._what} recovered")


class Faults:
    """What goes wrong with a server's store, and in its own code."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._store = Trouble("store", logging.ERROR)

    def store_failed(self, error: StoreFailed, **more: Any) -> None:
        """The disk is full, or the database has gone."""
        self._metrics.store_failures.inc()
        self._store.failed(str(error), **more)

    def store_wrote(self) -> None:
        """Something was written."""
        self._store.went_well()

    async def went_well(self, work: Coroutine[Any, Any, object]) -> bool:
        """Whether it went well this time."""
        try:
            await work
        except StoreFailed as error:
            self.store_failed(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, there is a next time
            log_bug(error)
        else:
            return True
        return False


def log_bug(error: Exception) -> None:
    """Our fault, with its place in the source."""
    log.error("bug", kind=type(error).__name__, exc_info=error)
