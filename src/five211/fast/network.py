"""Where things stand in the memory that a compiled network works in: four-byte numbers."""

from __future__ import annotations

from five211.bots.network import CF, GF, H1, H2, H3
from five211.fast.view import COLORS

SPREAD = 22
"""Room for the numbers of cards that may still come."""
OUT, FEATURES = (COLORS + 1) * SPREAD, 2 * (COLORS + 1) * SPREAD
LAYERS = FEATURES + COLORS * CF + GF
WORKSPACE = LAYERS + 2 * H1 + H2 + H3
