"""How a run went: the share of the victories against others, game by game, as a plot.

python -m train.curves train/logs/two.jsonl train/logs/two2.jsonl > docs/pictures/two.svg

Takes folders of runs, or logs alone; a run that went on from another follows it.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP = 720, 300, 48, 16
PAINTS = ("#12397F", "#E8731A", "#1FB58A", "#8E44E6", "#B8860B", "#444444", "#C2185B", "#00838F")


def curves(logs: Sequence[Path]) -> dict[str, list[tuple[float, float]]]:
    """For each opponent: games played so far, and the share of the victories."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    before: dict[str, float] = {}
    for folder in logs:
        ends = dict(before)
        log = folder / "log.jsonl" if folder.is_dir() else folder
        for line in log.read_text().splitlines():
            told = json.loads(line)
            for name, value in told.items():
                if isinstance(value, list):
                    at = before.get(name, 0.0) + told["games"]
                    found[name].append((at, value[0]))
                    ends[name] = at
        before = ends
    return found


def drawn(logs: Sequence[Path]) -> str:
    """The plot."""
    lines = curves(logs)
    most = max(at for points in lines.values() for at, _ in points) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12">',
        "<title>Share of the victories by games of training</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#F6F3EC"/>',
    ]
    wide, high = WIDTH - LEFT - 130, HEIGHT - TOP - 36

    def place(at: float, share: float) -> str:
        return f"{LEFT + wide * at / most:.1f},{TOP + high * (1 - share):.1f}"

    for tenth in range(0, 11, 2):
        y = TOP + high * (1 - tenth / 10)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{LEFT + wide}" stroke="#C9C2B4"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10 * tenth} %</text>'
        )
    parts.append(
        f'<text x="{LEFT + wide}" y="{HEIGHT - 10}" text-anchor="end">{most:,.0f} games</text>'
    )
    for number, (name, points) in enumerate(lines.items()):
        paint = PAINTS[number % len(PAINTS)]
        dots = " ".join(place(at, share) for at, share in points)
        y = TOP + 12 + 16 * number
        parts.append(
            f'<polyline points="{dots}" fill="none" stroke="{paint}" stroke-width="2"/>'
            f'<text x="{LEFT + wide + 8}" y="{y}" fill="{paint}">{escape(_said(name))}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _said(name: str) -> str:
    """What a curve is called: "2 heuristic" is two players, against heuristic."""
    players, _, other = name.partition(" ")
    return f"{players} players: {other}" if other else f"against the {name} one"


if __name__ == "__main__":
    sys.stdout.write(drawn([Path(one) for one in sys.argv[1:]]))
