"""Our server beside boardgame.io's, with the same game, under the same load, in the same run.

    make bench-server
    make bench-server ARGS="--quick --json figures.json"

Ours writes every move to an SQLite file before it answers; theirs keeps games in memory only. Each
is one process on one core, on loopback, as it comes but for our limits. A move is a choice of
cards that was acknowledged; its time is from sending it to the acknowledgement, in the open loop
from when it was due.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.server.measure import NAMES, PLANS, Setting, measure, measure_memory
from bench.server.packages import VERSIONS, install, sync_ms
from bench.server.processes import Failed
from bench.server.report import figures_lines, memory_lines, note_lines, ratio_lines

MEMORY = "memory"


def arguments() -> argparse.Namespace:
    """What was asked for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--quick", action="store_true", help="2 seconds each")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--variant", choices=("standard", "long"), default="standard")
    parser.add_argument("--packages", type=Path, help="a folder that has the npm packages")
    names = [*(plan.name for plan in PLANS), MEMORY]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--server", choices=list(NAMES), help="only this one")
    return parser.parse_args()


def machine(folder: Path) -> dict[str, Any]:
    """What it ran on, as far as figures depend on it."""
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return {
        "python": platform.python_version(),
        "node": node.stdout.strip(),
        "packages": VERSIONS,
        "cores": len(os.sched_getaffinity(0)),
        "sync_ms": round(sync_ms(folder), 3),
    }


def run(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure and print."""
    packages = asked.packages
    if packages is None:
        packages = folder / "packages"
        packages.mkdir()
        install(packages)
    here = machine(folder)
    print(*(f"{name}: {value}" for name, value in here.items()), sep="\n", end="\n\n")
    seconds, warm = (2.0, 1.0) if asked.quick else (asked.seconds, 2.0)
    setting = Setting(folder, packages, seconds, warm, asked.variant)
    figures = []
    for plan in PLANS:
        for kind in NAMES:
            if plan.name in asked.only and asked.server in (None, kind):
                print(f"... {plan.name}, {NAMES[kind]}", file=sys.stderr, flush=True)
                figures.append(measure(plan, kind, setting))
    print(*figures_lines(figures), "", *ratio_lines(figures), *note_lines(figures), sep="\n")
    found = {"machine": here, "seconds": seconds, "figures": [asdict(one) for one in figures]}
    if MEMORY in asked.only and asked.server != "boardgame":
        print("... memory", file=sys.stderr, flush=True)
        memory = measure_memory(setting)
        print("", *memory_lines(memory), sep="\n")
        found[MEMORY] = asdict(memory)
    return found


def main() -> None:
    """Everything in a folder that is gone afterwards."""
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="five211-bench-") as folder:
        try:
            found = run(asked, Path(folder))
        except Failed as failed:
            sys.exit(f"bench-server: {failed}")
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
