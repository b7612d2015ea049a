"""How colours look in a terminal: paint, ink to be read on it, and a shape; never paint alone.

A terminal of sixteen colours gets the five of them that are farthest apart; one without colours
still has letters and shapes.
"""

from __future__ import annotations

from five211.cards import Color
from five211.editions import ink, paint

SHAPES = {Color.Y: "●", Color.G: "♠", Color.O: "◆", Color.B: "■", Color.V: "★"}
"""As on the page's cards: sun, leaf, diamond, tile, star."""
FEW = {
    "classic": {"Y": "#ffff00", "G": "#008000", "O": "#800000", "B": "#000080", "V": "#ff00ff"},
    "azul": {"Y": "#ffff00", "G": "#008000", "O": "#800000", "B": "#000080", "V": "#00ffff"},
}
"""Of the sixteen colours that every terminal has, the ones that stand for an edition's."""


def inks(edition: str, few: bool = False) -> dict[Color, str]:
    """For each colour a style: black or white on its paint, whichever is easier to read."""
    paints = FEW[edition] if few and edition in FEW else paint(edition)
    return {color: f"bold {ink(paints[color.name])} on {paints[color.name]}" for color in Color}
