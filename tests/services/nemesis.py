"""Somebody who breaks one thing after the other, and mends it."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from random import Random
from typing import Any

from tests.services.cluster import DATABASE, Cluster
from tests.services.disk import FILL, FREE, FULL
from tests.services.proxy import Proxy


class Nemesis:
    """Breaks one thing after the other, and mends it."""

    def __init__(self, cluster: Cluster, rng: Random) -> None:
        self._cluster, self._rng = cluster, rng
        self.done: Counter[str] = Counter()
        self.sprung = 0
        """How often the end of a transaction was caught on its way."""
        self._mending: list[asyncio.Task[None]] = []

    async def run(self, faults: Iterable[str], pause: tuple[float, float]) -> None:
        for name in faults:
            await asyncio.sleep(self._rng.uniform(*pause))
            await asyncio.shield(self._later(getattr(self, name)()))
            self.done[name] += 1
            for task in [task for task in self._mending if task.done()]:
                self._mending.remove(task)
                task.result()

    async def mend(self) -> None:
        """Everything is as it should be; what was begun is finished, though nobody waits for it."""
        while any(not task.done() for task in self._mending):
            await asyncio.wait(self._mending)
        while self._mending:
            self._mending.pop().result()

    def _later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something that is not left half done."""
        task = asyncio.create_task(work)
        self._mending.append(task)
        return task

    async def _some(self) -> int:
        """A server that runs."""
        while True:
            found = [n for n, server in enumerate(self._cluster.servers) if server.up]
            if found:
                return self._rng.choice(found)
            await asyncio.sleep(0.05)

    def _moment(self, least: float = 0.2, most: float = 1.0) -> Awaitable[None]:
        return asyncio.sleep(self._rng.uniform(least, most))

    # Servers

    async def kill_server(self) -> None:
        server = self._cluster.servers[await self._some()]
        await server.count()
        server.kill()
        self._later(server.start())

    async def restart_server(self) -> None:
        server = self._cluster.servers[await self._some()]
        await server.count()

        async def work() -> None:
            await server.stop()
            await server.start()

        self._later(work())

    async def pause_server(self) -> None:
        server = self._cluster.servers[await self._some()]
        server.signal(signal.SIGSTOP)
        await self._moment()
        server.signal(signal.SIGCONT)

    async def pause_server_for_long(self) -> None:
        """So long that the others take it for dead, and it them."""
        server = self._cluster.servers[await self._some()]
        server.up = False
        server.signal(signal.SIGSTOP)

        async def work() -> None:
            await asyncio.sleep(10)
            server.signal(signal.SIGCONT)
            server.up = True

        self._later(work())

    # Redis

    async def restart_redis(self) -> None:
        await asyncio.to_thread(self._cluster.redis.stop)
        await self._moment(0, 0.5)
        await asyncio.to_thread(self._cluster.redis.start)

    async def kill_redis(self) -> None:
        await asyncio.to_thread(self._cluster.redis.kill)
        await asyncio.to_thread(self._cluster.redis.start)

    async def pause_redis(self) -> None:
        self._cluster.redis.pause()
        await self._moment()
        self._cluster.redis.go_on()

    # PostgreSQL

    async def _postgres_starts(self) -> None:
        for _ in range(20):
            with suppress(AssertionError):  # something of the old one is still going
                return await asyncio.to_thread(self._cluster.postgres.start)
            await asyncio.sleep(0.5)
        raise AssertionError(self._cluster.postgres.log[-4000:])

    async def restart_postgres(self) -> None:
        await asyncio.to_thread(self._cluster.postgres.stop)
        await self._postgres_starts()

    async def kill_postgres(self) -> None:
        await asyncio.to_thread(self._cluster.postgres.kill)
        await self._postgres_starts()

    async def pause_postgres(self) -> None:
        """Longer than the servers are patient, or not so long."""
        self._cluster.postgres.pause()
        await self._moment(0.5, 2.5)
        self._cluster.postgres.go_on()

    async def fill_disk(self) -> None:
        cluster = self._cluster
        if not cluster.disk.real:
            await asyncio.to_thread(cluster.postgres.execute, DATABASE, FREE, FULL, FILL)
            await self._moment(0.5, 1.5)
            await asyncio.to_thread(cluster.postgres.execute, DATABASE, FREE)
            return
        await asyncio.to_thread(cluster.disk.fill)
        await self._moment(0.5, 1.5)
        cluster.disk.free()
        process = cluster.postgres._process
        assert process is not None
        for _ in range(600):  # PostgreSQL may have given up, for good or to begin again
            if process.poll() is not None:
                await self._postgres_starts()
            if await asyncio.to_thread(cluster.postgres._answers):
                return
            await asyncio.sleep(0.1)
        raise AssertionError(cluster.postgres.log[-4000:])

    # nginx

    async def restart_nginx(self) -> None:
        await asyncio.to_thread(self._cluster.nginx.stop)
        await self._moment(0, 0.5)
        await asyncio.to_thread(self._cluster.nginx.start)

    # The network

    async def cut_people(self) -> None:
        self._cluster.front.cut()

    async def refuse_people(self) -> None:
        self._cluster.front.refuses = True
        self._cluster.front.cut()
        await self._moment()
        self._cluster.front.refuses = False

    async def delay_people(self) -> None:
        await self._delayed(self._cluster.front)

    async def hold_people(self) -> None:
        """What they ask is heard, but no answer comes, and then the connection is cut."""
        await self._lost(self._cluster.front)

    async def cut_postgres(self) -> None:
        self._cluster.to_postgres[await self._some()].cut()

    async def refuse_postgres(self) -> None:
        """One server has no database for a while, the others have."""
        one = self._cluster.to_postgres[await self._some()]
        one.refuses = True
        one.cut()
        await self._moment()
        one.refuses = False

    async def delay_postgres(self) -> None:
        await self._delayed(self._cluster.to_postgres[await self._some()])

    async def hold_postgres(self) -> None:
        """What is to be written is written, but nobody is told so."""
        one = self._cluster.to_postgres[await self._some()]
        await self._trapped(one, one.hold_answers)

    async def lose_postgres(self) -> None:
        """What is to be written is not: the end of the transaction never comes there."""
        one = self._cluster.to_postgres[await self._some()]
        await self._trapped(one, one.hold)

    async def cut_redis(self) -> None:
        self._cluster.to_redis[await self._some()].cut()

    async def delay_redis(self) -> None:
        await self._delayed(self._cluster.to_redis[await self._some()])

    async def _delayed(self, one: Proxy) -> None:
        one.delay = self._rng.uniform(0.01, 0.2)
        await self._moment()
        one.delay = 0.0

    async def _trapped(self, one: Proxy, spring: Callable[[], None]) -> None:
        caught = asyncio.Event()

        def catch() -> None:
            caught.set()
            spring()

        one.trap = (b"COMMIT", catch)
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await caught.wait()
        one.trap = None
        self.sprung += caught.is_set()
        await self._moment(0.05, 0.3)
        one.cut()

    async def _lost(self, one: Proxy) -> None:
        one.hold_answers()
        await self._moment(0.1, 0.6)
        one.cut()


FAULTS = (
    "kill_server",
    "hold_postgres",
    "pause_redis",
    "cut_people",
    "pause_postgres",
    "cut_postgres",
    "restart_server",
    "kill_postgres",
    "hold_people",
    "restart_redis",
    "lose_postgres",
    "restart_nginx",
    "delay_postgres",
    "restart_postgres",
    "pause_server",
    "cut_redis",
    "fill_disk",
    "refuse_postgres",
    "delay_people",
    "kill_redis",
    "delay_redis",
    "refuse_people",
)
"""One of each that is quick."""
