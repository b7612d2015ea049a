"""The tables of docs/strength.md, from what `make strength` wrote.

python bench/strength.py build/strength
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from five211.stats.estimate import Estimate

BEST = "expert"
UNKNOWN = "–"
GOALS = {  # of the best against a field of each, by how many play
    2: {"greedy": 99, "heuristic": 74, "montecarlo": 60, "neural": 60},
    4: {"greedy": 65, "heuristic": 40, "montecarlo": 33, "neural": 33},
}


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def heads(cells: Sequence[str]) -> Iterator[str]:
    """The first two lines of a table."""
    yield row(cells)
    yield row(["---"] * len(cells))


def share(cell: dict[str, Any]) -> str:
    """A share of the victories, in %, with the longer half of its interval."""
    win = estimate(cell["win"])
    return f"{100 * win.value:.1f} ± {100 * win.half:.1f}"


def estimate(told: dict[str, Any]) -> Estimate:
    """A figure, as JSON tells it."""
    return Estimate(told["value"], 0.0, told["low"], told["high"], 1)


def matrix(report: dict[str, Any]) -> Iterator[str]:
    """Everybody against a field of each other; whoever stopped it has not seen all of them."""
    bots = report["bots"]
    cells = {(cell["one"], cell["field"]): cell for cell in report["cells"]}
    yield from heads(["one ↓, field →", *(f"`{bot}`" for bot in bots)])
    for one in bots:
        found = [
            share(cells[one, field]) if (one, field) in cells else "" if one == field else UNKNOWN
            for field in bots
        ]
        yield row([f"`{one}`", *found])


def best(reports: dict[int, dict[str, Any]]) -> Iterator[str]:
    """The best against each other, beside what is par and what was hoped for; if it played."""
    if any(BEST not in report["bots"] for report in reports.values()):
        return
    yield from heads([f"`{BEST}` against", *(f"{n} players, par {100 / n:.0f}" for n in reports)])
    for field in next(iter(reports.values()))["bots"]:
        if field == BEST:
            continue
        told = []
        for n, report in reports.items():
            cells = {(cell["one"], cell["field"]): cell for cell in report["cells"]}
            cell = cells.get((BEST, field))
            if cell is None:
                told.append(UNKNOWN)
                continue
            goal = GOALS.get(n, {}).get(field)
            beyond = "" if cell["beyond"] > 0 else ", within the interval of par"
            hoped = f", goal {goal}" if goal else ""
            told.append(f"{share(cell)}, {cell['lead']['value']:+.1f} points{hoped}{beyond}")
        yield row([f"`{field}`", *told])


def ratings(reports: dict[int, dict[str, Any]]) -> Iterator[str]:
    """Ratings, the best in the mean first; where not everybody met everybody there are none."""
    found = {
        (bot["bot"], n): estimate(bot)
        for n, report in reports.items()
        for bot in report["ratings"]
        if bot["players"] == n
    }

    def strength(bot: str) -> float:
        return sum(one.value for (name, _n), one in found.items() if name == bot)

    yield from heads(["ratings", *(f"{n} players" for n in reports)])
    for bot in sorted(next(iter(reports.values()))["bots"], key=strength, reverse=True):
        each = [found.get((bot, n)) for n in reports]
        told = (f"{one.value:.0f} ± {one.half:.0f}" if one else UNKNOWN for one in each)
        yield row([f"`{bot}`", *told])


def main(folder: Path) -> None:
    """Print them all."""
    files = {n: folder / f"{n}.json" for n in range(2, 6)}
    reports = {n: json.loads(file.read_text()) for n, file in files.items() if file.exists()}
    if not reports:
        sys.exit(f"{folder} has no file of `make strength`, such as 2.json.")
    for n, report in reports.items():
        minutes = report["seconds"] / 60
        print(f"**{n} players** (par {100 / n:.0f}; {report['games']:,} games, {minutes:.0f} min):")
        print("", *matrix(report), "", sep="\n")
    for table in (best, ratings):
        print(*table(reports), "", sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
