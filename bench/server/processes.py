"""The servers and the load generator as processes: started, pinned to cores, asked, stopped.

A server gets one core for itself and the generator another, so that neither takes the other's time;
on a machine with one core they share it, and the figures say less.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WITHIN = 60.0  # seconds for a server to answer for the first time
TICKS = os.sysconf("SC_CLK_TCK")

LIMITS = {
    "BOT_PACE": "0",
    "REQUESTS_A_MINUTE": "100000000",
    "MESSAGES_A_SECOND": "1000000",
    "MESSAGES_AT_ONCE": "1000000",
    "SOCKETS": "100000",
    "SOCKETS_AN_ADDRESS": "100000",
}
"""Ours protects itself against such a load by default; theirs has no limits."""


class Failed(Exception):  # noqa: N818
    """Something does not run; the text says what."""


def core(number: int | None) -> set[int]:
    """The core for a server (0) or for the generator (1); any core, if none is asked for."""
    if number is None:
        return set()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return {cores[number]} if len(cores) > 1 else set(cores)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _pinned(
    command: Sequence[str], where: int | None, env: Mapping[str, str], log: Path, **more: Any
) -> subprocess.Popen[str]:
    cores = core(where)

    def pin() -> None:
        if cores:
            os.sched_setaffinity(0, cores)

    with log.open("ab") as errors:
        more.setdefault("stdout", errors)
        return subprocess.Popen(
            command,
            env={**os.environ, **env},
            stderr=errors,
            text=True,
            preexec_fn=pin,
            start_new_session=True,
            **more,
        )


def _stop(process: subprocess.Popen[str]) -> None:
    """Politely, then not; with the processes that it started."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def cpu_seconds(pid: int) -> float:
    """The seconds of a core that a process has used, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    @property
    def resident(self) -> int:
        """The memory that it has, in kB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    @property
    def busy(self) -> float:
        """The seconds of a core that it has used."""
        return cpu_seconds(self.process.pid)


@contextmanager
def server(kind: str, folder: Path, packages: Path) -> Iterator[Server]:
    """One of the two servers, new and with nothing on it."""
    if kind == "five211":
        with ours(folder) as served:
            yield served
        return
    command = ["node", str(HERE / "peer" / "serve.js")]
    env = {"NODE_PATH": str(packages / "node_modules"), "NODE_ENV": "production"}
    with _serving(command, 0, env, folder) as served:
        yield served


@contextmanager
def ours(folder: Path, where: int | None = 0, **settings: str) -> Iterator[Server]:
    """Our server, as it comes but for its limits and these settings."""
    told = {"DATABASE": str(folder / f"{free_port()}.sqlite"), **LIMITS, **settings}
    env = {f"FIVE211_{name}": value for name, value in told.items()}
    command = [sys.executable, "-m", "five211", "serve", "--port"]
    with _serving(command, where, env, folder) as served:
        yield served


@contextmanager
def _serving(
    command: Sequence[str], where: int | None, env: Mapping[str, str], folder: Path
) -> Iterator[Server]:
    """A server that is told its port last."""
    port = free_port()
    log = folder / f"server-{port}.log"
    process = _pinned([*command, str(port)], where, env, log)
    try:
        _wait(process, port, log)
        yield Server(process, f"http://127.0.0.1:{port}")
    finally:
        _stop(process)


def _wait(process: subprocess.Popen[str], port: int, log: Path) -> None:
    deadline = time.monotonic() + WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Failed(f"the server did not start:\n{log.read_text()[-2000:]}")


class Generator:
    """The load generator, which does one command after the other."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self._log = log

    @property
    def busy(self) -> float:
        """The seconds of a core that it has used."""
        return cpu_seconds(self._process.pid)

    def ask(self, command: str, within: float = 120, **fields: Any) -> dict[str, Any]:
        """Have it do something, and wait for what it says."""
        sending, hearing = self._process.stdin, self._process.stdout
        assert sending is not None
        assert hearing is not None
        try:
            sending.write(json.dumps({"command": command, **fields}) + "\n")
            sending.flush()
        except OSError:
            raise Failed(f"the generator stopped:\n{self._log.read_text()[-2000:]}") from None
        with selectors.DefaultSelector() as selector:
            selector.register(hearing, selectors.EVENT_READ)
            line = hearing.readline() if selector.select(within) else ""
        if not line:
            raise Failed(f"no answer to {command!r}:\n{self._log.read_text()[-2000:]}")
        return dict(json.loads(line))


@contextmanager
def generator(
    kind: str, url: str, folder: Path, packages: Path, *, by: str = "turn", where: int | None = 1
) -> Iterator[Generator]:
    """A load generator for one server, or for several processes at these addresses, by commas."""
    log = folder / "generator.log"
    command = ["node", str(HERE / "load" / "load.js"), kind, url, by]
    env = {"NODE_PATH": str(packages / "node_modules")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = _pinned(command, where, env, log, **pipes)
    try:
        yield Generator(process, log)
    finally:
        _stop(process)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
