"""Help for tests of time at a table, which is passed in: an hour takes no time here.

A game begins at time 0.
"""

from __future__ import annotations

from five211 import Clock, Options
from tests.hosts import Host

LIVE = Options(clock=Clock(seconds=30, reserve=60, warning=10))
STRICT = Options(clock=Clock(seconds=30, warning=10))
DAY = 86_400
LETTERS = Options(clock=Clock(seconds=DAY, warning=3600, correspondence=True))
HOUR = 3600


def deadlines(host: Host) -> list[float | None]:
    return [host.table.deadline(number) for number in range(len(host.table.seats))]
