"""A cluster, people and bots who play there, and somebody who breaks things meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.services.cluster import Cluster
from tests.services.nemesis import Nemesis
from tests.services.people import Table


async def survive(
    folder: Path,
    tables: int,
    seed: int,
    faults: Callable[[Cluster], Iterable[str]],
    pause: tuple[float, float],
    most: float,
) -> tuple[Cluster, Nemesis]:
    """Games while things break; the cluster as it was at the end, when nothing runs any more."""
    rng = Random(seed)
    cluster = Cluster(folder, Random(rng.random()))
    nemesis = Nemesis(cluster, Random(rng.random()))
    async with cluster.running():
        around = [Table(cluster, number, Random(rng.random())) for number in range(tables)]
        enough = asyncio.Event()

        async def breaking() -> None:
            try:
                await nemesis.run(faults(cluster), pause)
            finally:
                await nemesis.mend()
                enough.set()

        jobs = [asyncio.create_task(table.play(enough)) for table in around]
        broken = asyncio.create_task(breaking())
        try:
            async with asyncio.timeout(most):
                await asyncio.gather(broken, *jobs)
        except BaseException as error:
            playing = zip(around, jobs, strict=True)
            states = "\n".join(table.state() for table, job in playing if not job.done())
            logs = "\n".join(server.log[-3000:] for server in cluster.servers)
            raise AssertionError(f"{error!r}\n{nemesis.done}\n{states}\n{logs}") from error
        finally:
            for task in (*jobs, broken):
                task.cancel()
            await asyncio.gather(*jobs, broken, return_exceptions=True)
            with suppress(Exception):  # it has been said
                await nemesis.mend()
    return cluster, nemesis
