"""Many machines play what one would: a real scheduler and real workers, one of which is killed."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed.comm.core import CommClosedError

from five211 import GameError, Rules
from five211.fast import cluster as module
from five211.fast import policies, simulate
from five211.fast.cluster import cluster, workers
from five211.fast.policies import Policy
from five211.fast.simulate import Work
from five211.fast.work import FAR, NEAR, ranges, run
from five211.summary import Summary

DASK = [sys.executable, "-m", "dask"]
LOOPBACK = ["--host", "127.0.0.1", "--no-dashboard"]


@dataclass
class Running:
    """A scheduler and its workers, each a process."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def process(*args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of dask's, ended at the end."""
    with subprocess.Popen(
        [*DASK, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@contextmanager
def started(folder: Path, number: int) -> Iterator[Running]:
    """A cluster of so many workers on loopback."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        options = [*LOOPBACK, "--port", "0", "--scheduler-file", str(file)]
        scheduler = stack.enter_context(process("scheduler", *options))
        for _ in range(600):
            if file.exists():
                break
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        options = [*LOOPBACK, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
        each = [stack.enter_context(process("worker", address, *options)) for _ in range(number)]
        yield Running(address, scheduler, each)


def all_there(executor: Any, number: int) -> None:
    executor._client.wait_for_workers(number, timeout=60)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    patience = pytest.MonkeyPatch()
    patience.setattr(module, "PATIENCE", 60)  # for a busy machine
    with started(tmp_path_factory.mktemp("two"), 2) as running:
        yield running
    patience.undo()


def test_the_same_rows_as_on_one_machine(two: Running) -> None:
    near = simulate(3, 1000, "random", seed=5, first=70, log=True)  # and the code is on disk
    with cluster(two.address) as executor:
        far = simulate(3, 1000, "random", seed=5, first=70, executor=executor, log=True)
    for one, other in zip(far.rows(), near.rows(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_command_says_the_same_of_a_cluster(two: Running) -> None:
    """Its own patience is what a person's is, so the workers are known to be there."""
    given = [sys.executable, "-m", "five211", "simulate", "--json", "-n", "1e3", "--seed", "c"]
    with cluster(two.address) as executor:
        all_there(executor, 2)
        near, far = (
            subprocess.run([*given, *more], capture_output=True, check=True, timeout=120)
            for more in ([], ["--cluster", two.address])
        )
    assert far.stderr == b""
    assert {**json.loads(far.stdout), "seconds": 0} == {**json.loads(near.stdout), "seconds": 0}


def lowest(view: Any, _rng: Any) -> Any:
    """The first cards of the sorted hand."""
    return 5 if view.plays == 2 else 0


def compiled() -> int:
    """How many policies of one's own a worker has compiled."""
    return len(policies._own)


def test_a_policy_of_ones_own_is_sent_along_and_compiled_once(two: Running) -> None:
    """On each of two workers."""
    players: list[Policy] = [lowest, "greedy"]
    with cluster(two.address) as executor:
        far = simulate(2, 20 * FAR, players, seed=5, executor=executor)
        assert executor.submit(compiled).result() == 1
    np.testing.assert_array_equal(far.points, simulate(2, 20 * FAR, players, seed=5).points)


def test_what_a_worker_refuses_is_said_here(two: Running) -> None:
    with cluster(two.address) as executor, pytest.raises(GameError) as error:
        simulate(2, 5, "nobody", executor=executor)
    assert error.value.code == "bot_unknown"


def test_a_worker_of_another_version_refuses() -> None:
    older = replace(Work(Rules.of(2), ("random",) * 2, 1), version="0.0.1")
    with pytest.raises(GameError) as error:
        pickle.loads(pickle.dumps(older)).play(0, 1)
    assert (error.value.code, error.value.fields["here"]) == ("cluster_version", "0.0.1")


def test_a_worker_that_is_killed_costs_nothing_but_time(two: Running) -> None:
    work, games = Work(Rules.of(4), ("greedy",) * 4, "s"), 30_000
    near, done = simulate(4, games, "greedy", seed="s").summary(), list[Summary]()

    def add(part: Summary) -> None:
        if not done:
            two.workers[0].send_signal(signal.SIGKILL)
        done.append(part)

    with workers(two.address) as (executor, most):
        assert most == FAR
        all_there(executor, 2)
        run(executor, work.sum_up, ranges(games, 256), add)
    assert two.workers[0].wait(60) == -signal.SIGKILL
    assert two.workers[1].poll() is None
    assert len(done) > 100
    assert sum(done, Summary.empty(work.rules)) == near


def busy(dask_scheduler: Any) -> bool:
    """Whether a scheduler has something to do."""
    return bool(dask_scheduler.tasks)


def test_a_cluster_that_is_lost_is_one_clear_line(two: Running) -> None:
    """The last of the tests with these two."""
    given = [sys.executable, "-m", "five211", "simulate", "-n", "1e15", "--cluster", two.address]
    with cluster(two.address) as executor, subprocess.Popen(given, stderr=subprocess.PIPE) as lost:
        client: Any = executor._client  # type: ignore[attr-defined]
        while not client.run_on_scheduler(busy):
            time.sleep(0.1)
        two.scheduler.kill()
        _out, said = lost.communicate(timeout=60)
    assert lost.returncode == 2
    assert re.fullmatch(rb"five211: The cluster at .*was lost[^\n]*\n", said), said


@pytest.mark.parametrize("error", [CancelledError(), CommClosedError(), ImportError()])
def test_a_cluster_that_is_lost_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 60)
    with started(tmp_path, 1) as it, pytest.raises(GameError) as caught, workers(it.address):
        raise error
    assert caught.value.code == "cluster_lost"
    assert caught.value.fields["reason"] == type(error).__name__


def test_a_cluster_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 5)
    with started(tmp_path, 0) as running, pytest.raises(GameError) as error:
        workers(running.address).__enter__()
    assert error.value.code == "cluster_idle"


@pytest.mark.parametrize("address", ["", "nonsense", "foo://127.0.0.1:1", "127.0.0.1:1", ":-1"])
def test_where_no_scheduler_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with pytest.raises(GameError) as error, cluster(address):
        pass
    assert error.value.code == "cluster"


def test_somebody_at_the_address_who_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(GameError) as error, cluster(f"127.0.0.1:{port}"):
            pass
    assert error.value.code == "cluster"


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(GameError) as error, cluster("127.0.0.1:1"):
        pass
    assert error.value.code == "cluster_missing"


def test_without_an_address_this_machine_works() -> None:
    with workers() as (executor, most):
        assert most == NEAR
        assert executor.submit(os.getpid).result() == os.getpid()
