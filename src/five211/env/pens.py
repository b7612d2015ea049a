"""Two pens for one list of boxes: an SVG, and an array of pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import combining, normalize

import numpy as np
from numpy.typing import NDArray

from five211.editions import ink
from five211.env.font import GLYPHS, HIGH, WIDE

LARGE, SMALL = 4, 2
"""Pixels of a letter's dot: on cards and in their counts, and in words."""
SIZES = {LARGE: 18, SMALL: 13}
"""The same as the sizes of an SVG's letters."""


@dataclass(frozen=True, slots=True)
class Box:
    """A coloured block with letters in its middle, or from its left."""

    left: int
    top: int
    width: int
    height: int
    fill: str
    text: str
    dot: int = LARGE
    begins: bool = False
    """Whether its letters begin at the left."""


def advance(dot: int) -> int:
    """The pixels from one letter to the next."""
    return dot * (WIDE + 1)


def plain(text: str) -> str:
    """A text in the letters that the font has, as far as it has them."""
    apart = normalize("NFKD", text.replace("’", "'"))
    return "".join(letter for letter in apart if not combining(letter)).upper()


def svg(drawn: Sequence[Box]) -> str:
    """A picture for a page or a paper."""
    whole = drawn[0]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {whole.width} {whole.height}" width="{whole.width}"'
        f' height="{whole.height}" font-family="sans-serif" text-anchor="middle">'
    ]
    for one in drawn:
        if one is whole or one.fill != whole.fill:
            parts.append(
                f'<rect x="{one.left}" y="{one.top}" width="{one.width}" height="{one.height}"'
                f' rx="4" fill="{one.fill}"/>'
            )
        if one.text:
            size = SIZES[one.dot]
            x, y = one.left + one.width / 2, one.top + one.height / 2 + size / 3
            look = ' font-weight="bold"' if one.dot == LARGE else ""
            if one.begins:
                x, look = one.left, ' text-anchor="start"'
            parts.append(
                f'<text x="{x:g}" y="{y:g}" font-size="{size}"{look}'
                f' fill="{ink(one.fill)}">{escape(one.text)}</text>'
            )
    return "\n".join([*parts, "</svg>"])


def pixels(drawn: Sequence[Box]) -> NDArray[np.uint8]:
    """The same as an array of height x width x 3."""
    whole = drawn[0]
    image = np.zeros((whole.height, whole.width, 3), np.uint8)
    for one in drawn:
        image[one.top : one.top + one.height, one.left : one.left + one.width] = _rgb(one.fill)
        text, dot = plain(one.text), one.dot
        wide = len(text) * advance(dot) - dot
        left = one.left + (0 if one.begins else max(one.width - wide, 0) // 2)
        top = one.top + (one.height - dot * HIGH) // 2
        for place, letter in enumerate(text):
            for x, y in GLYPHS.get(letter, ()):
                to_x, to_y = left + place * advance(dot) + x * dot, top + y * dot
                image[to_y : to_y + dot, to_x : to_x + dot] = _rgb(ink(one.fill))
    return image


def _rgb(color: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue
