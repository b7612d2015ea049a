"""The compiled engine beside other game libraries, in one run.

    make bench-peers
    make bench-peers ARGS="--seconds 2 --only pgx --keep /somewhere"

Each library is used as its documentation does, with random legal actions, in a virtual environment
of its own, which is thrown away. All run one after the other on the same core; one that would use
more runs a second time on all of them. What cannot be installed or run is named, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.peers.report import OURS, Figure, table_lines, verdict

ROOT = Path(__file__).parent.parent.parent
INSTALLS_WITHIN, RUNS_WITHIN = 1200.0, 900.0  # seconds


@dataclass(frozen=True, slots=True)
class Peer:
    """A library, its file here and what pip is asked for."""

    name: str
    module: str
    packages: tuple[str, ...] = ()
    parallel: bool = False
    """Whether it would use more than one core by itself."""


OURSELVES = Peer(OURS, "ours")
PEERS = (
    Peer("OpenSpiel", "open_spiel", ("open_spiel==2.0.2",)),
    Peer("Pgx", "pgx", ("pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2"), parallel=True),
    Peer("RLCard", "rlcard", ("rlcard==1.2.0",)),
    Peer("PettingZoo", "pettingzoo", ("pettingzoo[classic]==1.27.0",)),
    Peer("Catanatron", "catanatron", ("catanatron==3.2.1",)),
)


class Failed(Exception):  # noqa: N818
    """Something cannot be installed or run; the text says why, in a line."""


def checked(
    command: Sequence[str],
    within: float,
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> str:
    """What a command prints; the last line of its errors is the reason if it fails."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=within,
            cwd=ROOT,
            env=env,
            preexec_fn=before,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"took more than {within:.0f} s") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise Failed(said[-1] if said else f"ended with {done.returncode}")
    return done.stdout


def environment(peer: Peer, folder: Path) -> str:
    """The Python of an environment with the peer in it; one that is there already will do."""
    home = folder / peer.module
    python, ready = home / "bin" / "python", home / "ready"
    wanted = " ".join(peer.packages)
    if not ready.exists() or ready.read_text() != wanted:
        print(f"... installing {wanted}", file=sys.stderr, flush=True)
        checked([sys.executable, "-m", "venv", "--clear", str(home)], INSTALLS_WITHIN)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        checked([*install, *peer.packages], INSTALLS_WITHIN)
        ready.write_text(wanted)
    return str(python)


def one_core() -> None:
    """Stay on one core, with all threads: the same for all libraries."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def run(peer: Peer, python: str, seconds: float, cores: int = 1) -> Iterator[Figure]:
    """What a peer's file prints, run by that Python."""
    command = [python, "-m", f"bench.peers.{peer.module}", str(seconds)]
    env = {**os.environ, "JAX_PLATFORMS": "cpu"}
    print(f"... {peer.name}, cores: {cores}", file=sys.stderr, flush=True)
    said = checked(command, RUNS_WITHIN, env, one_core if cores == 1 else None)
    for line in said.splitlines():
        if line.startswith("{"):  # some libraries say hello
            found = Figure(library=peer.name, cores=cores, **json.loads(line))
            yield replace(found, failed=" ".join(found.failed.split())[:160])


def measure(peer: Peer, folder: Path, seconds: float) -> Iterator[Figure]:
    """All figures of a peer, or the reason why there are none."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    try:
        python = environment(peer, folder) if peer.packages else sys.executable
        yield from run(peer, python, seconds)
        if peer.parallel and cores > 1:
            yield from (one for one in run(peer, python, seconds, cores) if not one.failed)
    except Failed as failed:
        yield Figure(peer.name, failed=str(failed))


def main() -> None:
    """Everything."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5, help="of each game")
    parser.add_argument("--keep", type=Path, help="a folder for environments that stay")
    names = [peer.module for peer in PEERS]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    asked = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="five211-bench-") as folder:
        kept = Path(folder) if asked.keep is None else asked.keep.resolve()
        chosen = [OURSELVES, *(peer for peer in PEERS if peer.module in asked.only)]
        figures = [one for peer in chosen for one in measure(peer, kept, asked.seconds)]
    print(*table_lines(figures), "", verdict(figures), sep="\n")


if __name__ == "__main__":
    main()
