"""Pictures of figures as SVG, drawn here: every mark has a form as well as a colour.

A picture is 360 wide and takes its paint from the page's style (classes), by day and by night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from five211.stats.book import Figure, Row
from five211.stats.estimate import FLAGGED, Estimate

WIDTH = 360
LEFT, RIGHT = 44, WIDTH - 12
TOP, FLOOR = 30, 176
ABOVE = 14
"""More room at the top, for words that point out a row."""
SMALLEST_WHISKER = 7
"""An interval narrower than this is hidden by its mark."""
MARKED = 24
"""A curve with more rows has no mark at each."""

PAINTS = {
    line: place
    for place, lines in enumerate(
        (
            ("random", "first", "four", "high", "others"),
            ("hasty", "second", "five"),
            ("heuristic", "third", "six", "all", "winners"),
            ("neural", "any"),
        )
    )
    for line in lines
}
"""The paint and form of each line: of every bot, and of all that `five211 habits` compares."""

Show = Callable[[float], str]
Tell = Callable[[Estimate], str]
Label = Callable[[Row], str]
Name = Callable[[str], str]
"""What a line is called."""


def svg(height: float, title: str, description: str, *parts: str) -> str:
    """A picture that says what it is."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )


def text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    """Words in a picture."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(said)}</text>'
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{kind}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str, rx: float = 0) -> str:
    """A box."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="{rx:g}" class="{kind}"/>'


def circle(x: float, y: float, r: float, kind: str) -> str:
    """A circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" class="{kind}"/>'


def mark(line: str, x: float, y: float, r: float = 4.5) -> str:
    """A line's own form: a diamond, a square, a circle, a triangle."""
    kind = f"mark {paint(line)}"
    if PAINTS[line] == 0:
        r += 1
        return f'<path d="M{x:.1f} {y - r:.1f}l{r} {r}l-{r} {r}l-{r}-{r}z" class="{kind}"/>'
    if PAINTS[line] == 1:
        return rect(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1, kind)
    if PAINTS[line] == 2:
        return circle(x, y, r, kind)
    r += 1
    return f'<path d="M{x:.1f} {y - r:.1f}l{r} {2 * r - 1}h-{2 * r}z" class="{kind}"/>'


def paint(line: str) -> str:
    """The class of a line's colour."""
    return f"s{PAINTS[line]}"


def ring(x: float, y: float) -> str:
    """An exact value."""
    return circle(x, y, 7.5, "ring")


def key(width: int, drawn: str) -> str:
    """A small picture beside the words that say what it means."""
    return f'<svg viewBox="0 0 {width} 18" class="key" aria-hidden="true">{drawn}</svg>'


def key_mark(bot: str) -> str:
    """A bot's mark on its line."""
    return key(36, line(1, 9, 35, 9, f"curve {paint(bot)}") + mark(bot, 18, 9))


def key_fill(place: int) -> str:
    """A part's fill."""
    return key(18, rect(1, 1, 16, 16, f"part b{place}", 3))


def key_ring() -> str:
    """An exact value's ring."""
    return key(18, ring(9, 9))


def highest(*figures: Figure) -> float:
    """The top of the highest interval."""
    every = (values for figure in figures for values in figure.lines.values())
    return max(one.high for values in every for one in values) or 1.0


def step(most: float) -> float:
    """Between two lines of an axis: 1, 2 or 5 times a power of ten, and at most five of them."""
    power = 10.0 ** floor(log10(most))
    return next(power * n / 10 for n in (2, 5, 10, 20) if most / (power * n / 10) <= 5)


# Parts of a whole


def bars(figure: Figure, tell: Tell, title: str, description: str, *, named: Name) -> str:
    """For each line one bar, cut into its parts, with the values under it.

    A line that is alone may have no name.
    """
    parts, y = [], 16.0
    for one_line, values in figure.lines.items():
        name = named(one_line)
        if name:
            parts.append(mark(one_line, 8, y - 4) + text(20, y, name, "name"))
        else:
            y -= 16
        x, whole = 2.0, WIDTH - 4
        for place, one in enumerate(values):
            width = one.value * whole
            parts.append(rect(x, y + 8, width, 22, f"part b{place}"))
            at = 2 + place * whole / len(values)
            parts.append(rect(at, y + 36, 12, 12, f"part b{place}", 2))
            parts.append(text(at + 18, y + 47, tell(one), "value"))
            x += width
        y += 70
    return svg(y - 16, title, description, *parts)


# A distribution, or one value for each of a row of things


def curve(
    figure: Figure,
    show: Show,
    title: str,
    description: str,
    *,
    label: Label,
    axes: tuple[str, str],
    at: tuple[Row, str] | None = None,
    beyond: bool = False,
    cards: bool = False,
) -> str:
    """A curve for each line over the rows; `at` is a row to be pointed out, or all from it on."""
    most = highest(figure)
    between = step(most)
    top = between * ceil(most / between - 1e-9)
    wide = (RIGHT - LEFT) / len(figure.rows)
    ceiling = TOP + (ABOVE if at else 0)

    def x_of(place: int) -> float:
        return LEFT + wide * (place + 0.5)

    def y_of(value: float) -> float:
        return FLOOR - (FLOOR - ceiling) * value / top

    across, upwards = axes
    parts = [text(2, 13, upwards, "axis")]
    for number in range(round(top / between) + 1):
        y = y_of(number * between)
        parts.append(line(LEFT, y, RIGHT, y, "grid"))
        parts.append(text(LEFT - 6, y + 4, show(number * between), "axis", "end"))
    if at is not None and at[0] in figure.rows:
        parts += _pointed(x_of(figure.rows.index(at[0])), ceiling, at[1], wide if beyond else 0)
    parts += _x_labels(figure.rows, x_of, wide, label, cards=cards)
    low = FLOOR + (56 if cards else 40)
    parts.append(text((LEFT + RIGHT) / 2, low, across, "axis", "middle"))
    edges = {
        bot: [
            (x_of(at), y_of(one.value), y_of(one.low), y_of(one.high))
            for at, one in enumerate(of)
            if one.among
        ]
        for bot, of in figure.lines.items()
    }
    parts += [sweep(bot, of) for bot, of in edges.items()]
    parts += [marks(bot, of) for bot, of in edges.items()]
    for known in figure.exact.values():
        parts += [ring(x_of(place), y_of(float(value))) for place, value in enumerate(known)]
    return svg(low + 8, title, description, *parts)


def _pointed(x: float, ceiling: float, said: str, wide: float) -> Iterator[str]:
    """A line at a row; or, given how wide rows are, all from that row on."""
    if wide:
        x -= wide / 2
        yield rect(x, ceiling, RIGHT - x, FLOOR - ceiling, "beyond")
        yield line(x, ceiling, x, FLOOR, "pointed")
        yield text(RIGHT, ceiling - 6, said, "point", "end")
        return
    side = "end" if x > WIDTH / 2 else "start"
    yield line(x, ceiling - 14, x, FLOOR, "pointed")
    yield text(x + (-6 if side == "end" else 6), ceiling - 6, said, "point", side)


Edges = Sequence[tuple[float, float, float, float]]
"""By row: where it stands, and how high its value, its lowest and its highest are."""


def sweep(bot: str, edges: Edges) -> str:
    """The line through a bot's values; the intervals of many neighbours are one area around it."""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _low, _high in edges)
    drawn = f'<path d="M{path}" class="curve {paint(bot)}"/>'
    if len(edges) <= MARKED:
        return drawn
    there = [f"{x:.1f} {low:.1f}" for x, _y, low, _high in edges]
    back = [f"{x:.1f} {high:.1f}" for x, _y, _low, high in reversed(edges)]
    return f'<path d="M{"L".join(there + back)}z" class="band {paint(bot)}"/>{drawn}'


def marks(bot: str, edges: Edges) -> str:
    """A bot's mark at each row, or at some if there are many."""
    if len(edges) > MARKED:
        return "".join(mark(bot, x, y, 3.5) for x, y, _low, _high in edges[::5])
    return "".join(
        whisker(x, low, high, bot, upright=True) + mark(bot, x, y) for x, y, low, high in edges
    )


def whisker(at: float, one: float, other: float, bot: str, *, upright: bool) -> str:
    """The interval of 95 %, where it is wide enough to be seen."""
    if abs(one - other) < SMALLEST_WHISKER:
        return ""
    kind = f"whisker {paint(bot)}"
    return line(at, one, at, other, kind) if upright else line(one, at, other, at, kind)


def _x_labels(
    rows: Sequence[Row], x_of: Callable[[int], float], wide: float, label: Label, *, cards: bool
) -> list[str]:
    if cards:
        return [card(x_of(place), FLOOR + 11, label(row)) for place, row in enumerate(rows)]
    every = next(n for n in (1, 2, 5, 10, 20, 50) if n * wide >= 23)
    return [
        text(x_of(place), FLOOR + 20, label(row), "axis", "middle")
        for place, row in enumerate(rows)
        if every == 1 or (isinstance(row, int) and row % every == 0)
    ]


def card(x: float, y: float, said: str) -> str:
    """A small card with its value; what it is called, if anything, stands under it."""
    value, _, name = said.partition(" ")
    face = rect(x - 9, y, 18, 24, "card", 3)
    below = text(x, y + 34, name, "axis small", "middle") if name else ""
    return face + text(x, y + 17, value, "name", "middle") + below


# A few values, a line each


def dots(
    figure: Figure,
    tell: Tell,
    title: str,
    description: str,
    *,
    label: Label,
    most: float,
    fair: str = "",
) -> str:
    """For each row every line's value, with a fair share only what is near it.

    `most` is the same for a chapter's figures, so that lengths can be compared.
    """
    every = [one for values in figure.lines.values() for one in values]
    known = [float(value) for values in figure.exact.values() for value in values]
    low, high = _near(every, known) if fair else (0.0, most)
    begin, end = 16.0, WIDTH - 74.0

    def x_of(value: float) -> float:
        return begin + (end - begin) * (value - low) / (high - low)

    marks, y = [], 26.0 if fair else 12.0
    for place, row in enumerate(figure.rows):
        marks.append(text(2, y, label(row), "name"))
        y += 16
        for bot, values in figure.lines.items():
            one, x = values[place], x_of(values[place].value)
            marks.append(line(begin, y, end, y, "grid"))
            if one.among and not fair:
                marks.append(line(begin, y, x, y, f"stem {paint(bot)}"))
            if one.among:
                marks.append(whisker(y, x_of(one.low), x_of(one.high), bot, upright=False))
                marks.append(mark(bot, x, y))
            if bot in figure.exact and not fair:
                marks.append(ring(x_of(float(figure.exact[bot][place])), y))
            marks.append(text(WIDTH - 4, y + 4, tell(one), "value", "end"))
            y += 19
        y += 9
    lines = []
    if fair:
        x = x_of(known[0])
        lines = [line(x, 14, x, y - 18, "pointed"), text(x, 10, fair, "point", "middle")]
    return svg(y - 12, title, description, *lines, *marks)


def _near(every: Sequence[Estimate], known: Sequence[float]) -> tuple[float, float]:
    """As much on either side of the fair share as the farthest interval needs."""
    away = max(abs(edge - known[0]) for one in every for edge in (one.low, one.high))
    return known[0] - 1.1 * away, known[0] + 1.1 * away


# How far the games are from what is known


def strip(found: Sequence[float], show: Show, title: str, description: str, axis: str) -> str:
    """A dot for each z, piled up; the bounds are drawn."""
    reach = max(FLAGGED + 1, ceil(max(abs(z) for z in found)))
    wide = (WIDTH - 24) / (2 * reach)
    piles: dict[int, int] = {}
    dots = []
    for z in sorted(found, key=abs):
        place = round(z * 4)
        height = piles[place] = piles.get(place, 0) + 1
        kind = "far" if abs(z) >= FLAGGED else "dot"
        dots.append((WIDTH / 2 + place / 4 * wide, height, kind))
    tall = max(piles.values()) * 9 + 30
    parts = [circle(x, tall - 9 * height, 3.6, kind) for x, height, kind in dots]
    for z in (-FLAGGED, 0.0, FLAGGED):
        x = WIDTH / 2 + z * wide
        parts.append(line(x, 12, x, tall, "pointed" if z else "grid"))
        parts.append(text(x, tall + 14, show(z), "axis", "middle"))
    parts.append(line(12, tall - 3, WIDTH - 12, tall - 3, "grid"))
    parts.append(text(WIDTH / 2, tall + 32, axis, "axis", "middle"))
    return svg(tall + 40, title, description, *parts)
