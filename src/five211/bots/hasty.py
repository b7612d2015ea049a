"""Plays as though the round ended now: what would its cards score, as the table stands?

It knows the rules and no more. Before the first turn the table is bare, so it opens with two cards
of one colour; later it joins what leads, or makes it bust. It does not ask what is still to come.
`five211.fast.policies` has the same, compiled, and a test holds the two together.
"""

from __future__ import annotations

from random import Random

from five211.cards import Cards
from five211.scoring import derive
from five211.view import View


class HastyBot:
    """Takes what would score right now."""

    def choose(self, view: View, rng: Random) -> Cards:
        """The choice that would bring it most beside the others; equal ones by chance."""
        return max(view.choices, key=lambda choice: (ahead(view, choice), rng.random()))


def ahead(view: View, choice: Cards) -> int:
    """By how much one would be ahead of the others, of all of them together, in this round."""
    table = list(view.table)
    table[view.seat] += choice
    points = derive(view.rules, table).points
    return view.rules.players * points[view.seat] - sum(points)
