"""A rendering: in sentences, as an SVG, or as an array of pixels.

All three show the table, the tally and the hands of those seats whose views are handed in. Whoever
holds a whole environment hands in all of them, a single seat only its own. The two pictures are the
same list of boxes, drawn by two pens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from five211 import texts
from five211.cards import Card
from five211.editions import Words, ink, paint, words
from five211.env.font import GLYPHS, HIGH, WIDE
from five211.errors import GameError, shown
from five211.events import GameEnded
from five211.sentences import describe_moment, describe_tally, tell, totals
from five211.view import View

CARD, GAP, ROW = 40, 6, 52
"""A card's width, the room between two things, and a row's height, in pixels."""
NAME, POINTS = 112, 52
"""The widths of a seat's name and of its points."""
CLOTH, PAPER, ICON = "#26323A", "#FFFFFF", "#3FB6A8"
DOT = 4
"""Pixels of a letter's dot."""
ADVANCE = DOT * (WIDE + 1)


@dataclass(frozen=True, slots=True)
class Box:
    """A coloured block with a few letters in it."""

    left: int
    top: int
    width: int
    height: int
    fill: str
    text: str


def sentences(views: Sequence[View], names: Sequence[str], w: Words) -> str:
    """The table in words, and each hand that may be seen."""
    return "\n".join(_lines(views, names, w))


def _lines(views: Sequence[View], names: Sequence[str], w: Words) -> Iterator[str]:
    now = views[0]
    if now.result is not None:
        yield tell(GameEnded(now.result), names, w.language, w.edition)
        return
    yield describe_moment(now, w)
    yield texts.say(w.language, "play.score", totals=totals(names, now.points, w))
    for name, cards in zip(names, now.table, strict=True):
        yield texts.say(w.language, "play.seat", name=name, cards=w.cards(cards))
    yield from describe_tally(now.tally, w)
    for view in views:
        held = w.cards(view.hand)
        yield texts.say(w.language, "env.hand", name=names[view.seat], cards=held)


def boxes(views: Sequence[View], names: Sequence[str], w: Words) -> list[Box]:
    """The table as a picture: a row for the tally, then one a seat."""
    now, paints = views[0], paint(w.edition)
    rules, hands = now.rules, {view.seat: view.hand for view in views}
    a_round, table = sum(rules.plays), NAME + POINTS
    hand = table + a_round * (CARD + GAP) + CARD
    width = hand + rules.hand * (CARD + GAP) + GAP
    found = [Box(0, 0, width, (rules.players + 1) * ROW + GAP, CLOTH, "")]

    def lay(cards: Sequence[Card], left: int, top: int) -> None:
        for place, one in enumerate(cards):
            fill, text = paints[one.color.name], w.card(one)
            found.append(Box(left + place * (CARD + GAP), top, CARD, ROW - GAP, fill, text))

    tally = now.tally
    for place, color in enumerate(tally.colors):
        fill, left = paints[color.color.name], table + place * (CARD + GAP)
        found.append(Box(left, GAP, CARD, ROW - 2 * GAP, fill, str(color.count)))
    where = f"{now.round + 1}/{rules.rounds}"
    found.append(Box(GAP, GAP, NAME + POINTS - 2 * GAP, ROW - 2 * GAP, CLOTH, where))
    icons = f"{tally.icons}/{tally.exact}"
    found.append(Box(hand + CARD, GAP, 2 * CARD, ROW - 2 * GAP, ICON, icons))
    for seat, (name, points) in enumerate(zip(names, now.points, strict=True)):
        top = (seat + 1) * ROW
        found.append(Box(GAP, top, NAME - GAP, ROW - GAP, CLOTH, name))
        found.append(Box(NAME, top, POINTS - GAP, ROW - GAP, PAPER, str(points)))
        lay(now.table[seat], table, top)
        lay(hands.get(seat, ()), hand, top)
    return found


def svg(drawn: Sequence[Box]) -> str:
    """A picture for a page or a paper."""
    whole = drawn[0]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {whole.width} {whole.height}" width="{whole.width}"'
        f' height="{whole.height}" font-family="sans-serif" font-size="18" font-weight="bold"'
        ' text-anchor="middle">'
    ]
    for one in drawn:
        parts.append(
            f'<rect x="{one.left}" y="{one.top}" width="{one.width}" height="{one.height}" rx="4"'
            f' fill="{one.fill}"/>'
        )
        if one.text:
            x, y = one.left + one.width / 2, one.top + one.height / 2 + 6
            parts.append(f'<text x="{x}" y="{y}" fill="{ink(one.fill)}">{escape(one.text)}</text>')
    return "\n".join([*parts, "</svg>"])


def pixels(drawn: Sequence[Box]) -> NDArray[np.uint8]:
    """The same as an array of height x width x 3."""
    whole = drawn[0]
    image = np.zeros((whole.height, whole.width, 3), np.uint8)
    for one in drawn:
        image[one.top : one.top + one.height, one.left : one.left + one.width] = _rgb(one.fill)
        wide = len(one.text) * ADVANCE - DOT
        left = one.left + max(one.width - wide, 0) // 2
        top = one.top + (one.height - DOT * HIGH) // 2
        for place, letter in enumerate(one.text.upper()):
            for x, y in GLYPHS.get(letter, ()):
                to_x, to_y = left + place * ADVANCE + x * DOT, top + y * DOT
                image[to_y : to_y + DOT, to_x : to_x + DOT] = _rgb(ink(one.fill))
    return image


def _rgb(color: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def render(
    mode: str | None, views: Sequence[View], names: Sequence[str], language: str, edition: str
) -> str | NDArray[np.uint8] | None:
    """What an environment's `render()` gives in each of its modes."""
    w = words(language, edition)
    if mode == "rgb_array":
        return pixels(boxes(views, names, w))
    if mode == "svg":
        return svg(boxes(views, names, w))
    if mode == "ansi":
        return sentences(views, names, w)
    if mode == "human":
        print(sentences(views, names, w), end="\n\n")
    return None


RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""The ways to render."""


def check_mode(mode: str | None) -> None:
    """Refuse a way to render that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise GameError("render_mode", text=shown(mode), known=RENDER_MODES)
