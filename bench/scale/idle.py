"""What it costs that tables and processes are there, though nobody plays.

Every process looks up its live tables once a second, and hears of whatever any other process writes
(docs/architecture.md): small here, and what decides how far one house can grow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from bench.scale.houses import House, Plan, house
from bench.scale.services import Services
from bench.server.measure import FIRST, Memory, Setting, memory_of
from bench.server.processes import Failed
from five211.server.bus.news import write_news
from five211.server.bus.redis import channel

QUIET = 0.02  # seconds of a core; who uses less in half a second has done its work
WITHIN = 60.0
LONG = 33  # tables in a long message
CROWD = 20  # more who listen


@dataclass(frozen=True, slots=True)
class Idle:
    """Milliseconds of a core."""

    server_table: float
    """For a table in memory, with its four people, each second: looking it up, and pings."""
    postgres_table: float
    """The same in PostgreSQL."""
    hear_message: float
    """For a message from another process, of tables that are not here."""
    hear_table: float
    """For each table that such a message names."""
    publish: float
    """Redis, for a message, but for those who hear it."""
    deliver: float
    """Redis, for each of those."""


def measure_memory(setting: Setting, shared: Services, made: int, joined: int) -> dict[str, Memory]:
    """Of a process on either store."""
    found = {}
    for plan in (Plan("sqlite"), Plan("postgres")):
        with house(plan, setting, shared) as one:
            found[plan.store] = memory_of(one.servers[0], one.load, setting, made, joined)
    return found


def measure_idle(setting: Setting, shared: Services, made: int, messages: int) -> Idle:
    """First with no tables, then with many, then with much talk about others'."""
    with house(Plan("postgres"), setting, shared) as one:
        few, many = (_resting(one, shared, setting, count) for count in (FIRST, made))
    with house(Plan("postgres"), setting, shared) as one:
        short = _talk(one, shared, messages, tables=1, others=0)
        long = _talk(one, shared, messages, tables=LONG, others=0)
        crowded = _talk(one, shared, messages, tables=1, others=CROWD)
    hear_table = max(0.0, long[0] - short[0]) / (LONG - 1)
    deliver = max(0.0, crowded[1] - short[1]) / CROWD
    return Idle(
        server_table=max(0.0, many[0] - few[0]) / made,
        postgres_table=max(0.0, many[1] - few[1]) / made,
        hear_message=max(0.0, short[0] - hear_table),
        hear_table=hear_table,
        publish=max(0.0, short[1] - deliver),
        deliver=deliver,
    )


def _resting(one: House, shared: Services, setting: Setting, tables: int) -> tuple[float, float]:
    """Milliseconds of a core each second, of the server and of PostgreSQL, when there are so many
    tables more, with people who do nothing: those who are not there would be noted as away.
    """
    one.load.ask("make", count=tables, variant=setting.variant)
    one.load.ask("attach", count=tables)
    assert one.database is not None
    shared.look_at(one.database)
    _until_quiet(lambda: one.counts["commits"], still=3.0)
    seconds = 2 * setting.seconds
    before, began = (one.busy, shared.postgres_busy), time.monotonic()
    time.sleep(seconds)
    after, took = (one.busy, shared.postgres_busy), time.monotonic() - began
    server, postgres = ((b - a) * 1000 / took for a, b in zip(before, after, strict=True))
    return server, postgres


def _news(tables: int) -> str:
    """News of tables that no process here has, in the length that ids have."""
    return write_news([(f"other-{number:010}", 50) for number in range(tables)])


def _talk(
    one: House, shared: Services, messages: int, tables: int, others: int
) -> tuple[float, float]:
    """Milliseconds of a core for a message, of the server and of Redis; so many more listen."""
    with ExitStack() as stack:
        client = stack.enter_context(shared.client())
        for _ in range(others):
            stack.enter_context(client.pubsub()).subscribe(channel(0))
        _until_quiet(lambda: one.busy / QUIET)
        before = one.busy, shared.redis_busy
        text = _news(tables)
        for _ in range(messages):  # one by one, as they come from many processes
            if not client.publish(channel(0), text):
                raise Failed("nobody hears what is published")
        _until_quiet(lambda: one.busy / QUIET)
        after = one.busy, shared.redis_busy
    server, redis = ((b - a) * 1000 / messages for a, b in zip(before, after, strict=True))
    return server, redis


def _until_quiet(busy: Callable[[], float], still: float = 0.5) -> None:
    """Until what is counted has stood still for so many seconds, more or less."""
    deadline = time.monotonic() + WITHIN
    last = busy()
    while time.monotonic() < deadline:
        time.sleep(still)
        last, before = busy(), last
        if last - before < 1:
            return
