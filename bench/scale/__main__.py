"""What games cost on one process and on several, each part of it; and on paper for a million.

    make bench-scale
    make bench-scale ARGS="--quick --json figures.json"

SQLite with one process, and PostgreSQL with Redis with one, two and three; people's connections go
to one process a table, as nginx sends them, or to each in turn. All of it is on this machine and
shares its cores, so beyond one process moves a second say little: what a move costs each part is
the figure. It prints Markdown for docs/figures.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.scale.houses import Plan
from bench.scale.idle import Idle, measure_idle, measure_memory
from bench.scale.playing import Figures, measure
from bench.scale.report import (
    bytes_lines,
    game_lines,
    idle_lines,
    machine_lines,
    memory_lines,
    note_lines,
    sizing_lines,
    speed_lines,
)
from bench.scale.services import Services, services
from bench.scale.sizing import Assumed, Measured, size
from bench.server.measure import PLAYERS, Memory, Setting
from bench.server.packages import install, sync_ms
from bench.server.processes import Failed

PLANS = (
    Plan("sqlite"),
    Plan("postgres"),
    Plan("postgres", 2, "table"),
    Plan("postgres", 2, "turn"),
    Plan("postgres", 3, "table"),
    Plan("postgres", 3, "turn"),
    Plan("sqlite", steady=True),
    Plan("postgres", steady=True),
    Plan("postgres", 2, "first", steady=True),
    Plan("postgres", 3, "table", steady=True),
    Plan("postgres", 3, "turn", steady=True),
)
# What a size on paper is made from: as people play, at one process, and followed by another.
ONE, FOLLOWED = Plan("postgres", steady=True), Plan("postgres", 2, "first", steady=True)
# Of what one process did in the closed loop: little, since a process at its end puts very many
# moves into a commit, and what that costs says nothing of one that has time.
STEADY = 1 / 5
SLOWEST = 100.0  # moves a second, where that was not measured
# What two changes of five211 would bring: tables let go by who made them, and fewer looks.
TIDIER = Assumed(copies=1, looks_a_second=0.1)
MEMORY, IDLE = "memory", "idle"


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="bench.scale", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--tables", type=int, default=100, help="played at, in all")
    parser.add_argument("--quick", action="store_true", help="2 s, few tables: rough")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--packages", type=Path, help="a folder that has the npm packages")
    names = [*(plan.key for plan in PLANS), MEMORY, IDLE]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    return parser.parse_args(given)


def run(asked: argparse.Namespace, folder: Path, shared: Services) -> dict[str, Any]:
    """Measure and print."""
    packages = asked.packages
    if packages is None:
        packages = folder / "packages"
        packages.mkdir()
        install(packages, "ws")
    quick = asked.quick
    seconds, warm = (2.0, 0.5) if quick else (asked.seconds, 3.0)
    tables, made, joined, messages = (18, 50, 5, 200) if quick else (asked.tables, 1000, 250, 5000)
    setting = Setting(folder, packages, seconds, warm, "standard")
    here = {**machine(folder, shared), "seconds": seconds, "tables": tables}
    figures: dict[Plan, Figures] = {}
    for plan in PLANS:
        if plan.key in asked.only:
            _say(plan.name)
            rate = _rate(plan, figures)
            count = tables if rate is None else 2 * tables
            figures[plan] = measure(plan, count, rate, setting, shared)
    seen = list(figures.values())
    found: dict[str, Any] = {"machine": here, "figures": [asdict(one) for one in seen]}
    parts = [speed_lines(seen), game_lines(seen), bytes_lines(seen)]
    if MEMORY in asked.only:
        _say("memory")
        memory = measure_memory(setting, shared, made, joined)
        found[MEMORY] = {store: asdict(one) for store, one in memory.items()}
        parts.append(memory_lines(memory))
    if IDLE in asked.only:
        _say("idle tables, and talk of others")
        idle = measure_idle(setting, shared, made, messages)
        found[IDLE] = asdict(idle)
        parts.append(idle_lines(idle))
    if {ONE, FOLLOWED} <= set(figures) and {MEMORY, IDLE} <= set(asked.only):
        measured = measured_from(figures, memory["postgres"], idle)
        found["measured"] = asdict(measured)
        for name, assumed in (("today", Assumed()), ("tidier", TIDIER)):
            sized = size(measured, assumed)
            found[name] = {"assumed": asdict(assumed), "sized": asdict(sized)}
            parts.append(sizing_lines(sized, assumed))
    here["load_after"] = os.getloadavg()[0]
    for lines in (machine_lines(here), *parts, note_lines(seen)):
        print(*lines, "", sep="\n")
    return found


def measured_from(all_: Mapping[Plan, Figures], memory: Memory, idle: Idle) -> Measured:
    """What a size on paper is made from."""
    figures, followed = all_[ONE], all_[FOLLOWED]
    return Measured(
        server_move=figures.cpu["server"],
        postgres_move=figures.cpu["postgres"],
        server_follow=followed.cpu["following"],
        postgres_follow=max(0.0, followed.cpu["postgres"] - figures.cpu["postgres"]),
        **asdict(idle),
        commits_a_move=figures.counts["commits"],
        rows_a_move=figures.counts["rows"],
        wal_a_move=figures.size["wal"],
        wire_a_move=figures.size["to_people"] + figures.size["from_people"],
        moves_a_game=figures.moves_a_game,
        table_kb=memory.table + memory.playing,
        sockets_kb=PLAYERS * memory.socket,
        process_mb=memory.before / 1000,
        # The more games, the less of it is pages that are there without any.
        game_bytes=min(one.stored.game for one in all_.values() if one.plan.store == "postgres"),
        table_bytes=figures.stored.table,
    )


def _rate(plan: Plan, figures: Mapping[Plan, Figures]) -> float | None:
    """Moves a second that are asked for; none for as many as it can do."""
    if not plan.steady:
        return None
    full = figures.get(Plan("postgres"))
    return SLOWEST if full is None else full.moves_a_second * STEADY


def machine(folder: Path, shared: Services) -> dict[str, Any]:
    """What it ran on, as far as figures depend on it."""
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    with shared.client() as client:
        redis = client.info("server")
    assert isinstance(redis, dict)
    version = str(shared.postgres.execute("postgres", "SHOW server_version")[0][0])
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "python": platform.python_version(),
        "postgres": version.split()[0],
        "redis": redis["redis_version"],
        "node": node.stdout.strip().removeprefix("v"),
        "cores": len(os.sched_getaffinity(0)),
        "sync_ms": round(sync_ms(folder), 3),
        "load_before": os.getloadavg()[0],
    }


def _say(what: str) -> None:
    print(f"... {what}", file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> None:
    """Everything in folders that are gone afterwards."""
    asked = arguments(given)
    try:
        with tempfile.TemporaryDirectory(prefix="five211-bench-") as folder, services() as shared:
            found = run(asked, Path(folder), shared)
    except Failed as failed:
        sys.exit(f"bench-scale: {failed}")
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
