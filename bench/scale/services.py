"""What several processes share: a real PostgreSQL and a real Redis, as the tests start them.

PostgreSQL keeps every commit for good here, and is set up as Debian does but for its port.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from redis import Redis as Client

from bench.server.processes import Failed, cpu_seconds
from tests.services.postgres import Postgres
from tests.services.redis import Redis, redis

AS_IT_COMES = {"autovacuum": "on", "shared_buffers": "128MB", "max_connections": "100"}
SIZE = "SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::bigint FROM pg_stat_user_tables"
WRITTEN = "SELECT (pg_current_wal_lsn() - '0/0')::bigint"
FIRST = "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer"


@dataclass(frozen=True, slots=True)
class Services:
    """Both, running."""

    postgres: Postgres
    redis: Redis

    def new_database(self, name: str) -> str:
        """The address of an empty database."""
        self.postgres.execute("postgres", f"CREATE DATABASE {name}")
        return self.postgres.url(name)

    def drop_database(self, name: str) -> None:
        """What it held was measured."""
        self.postgres.execute("postgres", f"DROP DATABASE {name} WITH (FORCE)")

    def look_at(self, database: str) -> None:
        """Have its tables looked at, as autovacuum does within a minute: plans depend on it."""
        self.postgres.execute(database, "ANALYZE", "SELECT 1")

    def number(self, database: str, *statements: str) -> int:
        """One number that PostgreSQL tells."""
        return int(self.postgres.execute(database, *statements)[0][0])

    @property
    def wal(self) -> int:
        """Bytes of the log of writes, since ever."""
        return self.number("postgres", WRITTEN)

    @property
    def postgres_busy(self) -> float:
        """Seconds of a core, also of those of its processes that have ended."""
        first = psutil.Process(self.number("postgres", FIRST))
        spent = first.cpu_times()
        busy = spent.user + spent.system + spent.children_user + spent.children_system
        for child in first.children():
            try:
                busy += sum(child.cpu_times()[:2])
            except psutil.NoSuchProcess:  # it is among those that ended the next time
                continue
        return float(busy)

    def client(self) -> Client:
        """Somebody who speaks to Redis."""
        return Client.from_url(self.redis.url)

    @property
    def published(self) -> int:
        """Messages that were published in Redis, since ever."""
        with self.client() as client:
            counts = client.info("commandstats")
        assert isinstance(counts, dict)
        return int(counts.get("cmdstat_publish", {"calls": 0})["calls"])

    @property
    def redis_busy(self) -> float:
        """Seconds of a core."""
        with self.client() as client:
            told = client.info("server")
        assert isinstance(told, dict)
        return cpu_seconds(int(told["process_id"]))


@contextmanager
def services() -> Iterator[Services]:
    """Both, with nothing in them."""
    if shutil.which("redis-server") is None:
        raise Failed("Redis is missing. On Debian: apt-get install redis-server")
    try:
        postgres = Postgres(**AS_IT_COMES)
    except AssertionError as missing:
        raise Failed(str(missing)) from None
    try:
        postgres.start()
        with redis() as bus:
            yield Services(postgres, bus)
    finally:
        postgres.remove()
