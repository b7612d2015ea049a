"""Pictures of the arena as SVG: a matrix in heat, and ratings in a row; colour is never alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import product

from five211.arena.report import Matrix
from five211.arena.words import half, rating, short, win
from five211.stats.estimate import Estimate
from five211.stats.plots import WIDTH, circle, line, rect, svg, text

SIDE, TOP = 84, 66
"""Room for the names of the rows, and of the columns."""
TALL = 38
STRONGEST = 0.42
"""How much paint a cell has at most: what is written on it is to be read by day and by night."""
FITS = 10
"""Letters of a name."""
STYLE = """
.up{fill:var(--s2)}.down{fill:var(--s0)}.cell{stroke:var(--line);fill:none}
svg .share{font-weight:650;font-variant-numeric:tabular-nums}
.zero{stroke:var(--ink);stroke-dasharray:5 4}.span{stroke:var(--s1);stroke-width:4;opacity:.6}
.spot{fill:var(--s1);stroke:var(--panel)}
"""


def heat(matrix: Matrix, bots: Sequence[str], language: str, title: str, description: str) -> str:
    """A row for each one, a column for each field: the farther from par, the more paint."""
    wide, names = (WIDTH - 1 - SIDE) / len(bots), short(bots, FITS)
    parts = []
    for place, bot in enumerate(bots):
        x, y = SIDE + (place + 0.5) * wide, TOP + (place + 0.5) * TALL
        parts.append(text(SIDE - 6, y + 4, names[bot], "name", "end"))
        parts.append(_leaning(x + 3, TOP - 7, names[bot]))
    for (one, field), contest in matrix.contests.items():
        x, y = SIDE + bots.index(field) * wide, TOP + bots.index(one) * TALL
        parts.append(_paint(contest.win.value, 1 / matrix.players, x, y, wide))
        middle = x + wide / 2
        parts.append(text(middle, y + 17, win(language, contest), "share small", "middle"))
        parts.append(text(middle, y + 31, half(language, contest.win, 100), "axis small", "middle"))
    parts += [
        rect(SIDE + column * wide, TOP + row * TALL, wide, TALL, "cell")
        for row, column in product(range(len(bots)), repeat=2)
    ]
    return svg(TOP + len(bots) * TALL + 2, title, description, *parts)


def _paint(value: float, par: float, x: float, y: float, wide: float) -> str:
    away = (value - par) / (1 - par) if value >= par else (par - value) / par
    kind = "up" if value >= par else "down"
    place = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{TALL}"'
    return f'<rect {place} class="{kind}" fill-opacity="{STRONGEST * away:.2f}"/>'


def _leaning(x: float, y: float, said: str) -> str:
    """A column's name, which ends above it."""
    place = f'x="{x:.1f}" y="{y:.1f}" transform="rotate(40 {x:.1f} {y:.1f})"'
    return f'<text {place} class="name" text-anchor="end">{escape(said)}</text>'


def ladder(ratings: Mapping[str, Estimate], language: str, title: str, description: str) -> str:
    """A line for each bot, the best first: its rating and interval."""
    far = max(max(-one.low, one.high) for one in ratings.values()) or 1.0
    middle, half_wide = (SIDE + WIDTH - 72) / 2, (WIDTH - 72 - SIDE) / 2 - 8

    def x_of(value: float) -> float:
        return middle + half_wide * value / far

    tall, names = 26 * len(ratings), short([*ratings], FITS)
    parts = [line(x_of(0), 2, x_of(0), tall, "zero")]
    for place, (bot, one) in enumerate(ratings.items()):
        y = 16.0 + 26 * place
        parts.append(text(SIDE - 6, y + 4, names[bot], "name", "end"))
        parts.append(line(x_of(one.low), y, x_of(one.high), y, "span"))
        parts.append(circle(x_of(one.value), y, 4.5, "spot"))
        parts.append(text(WIDTH - 2, y + 4, rating(language, one), "value", "end"))
    return svg(tall + 6, title, description, *parts)
