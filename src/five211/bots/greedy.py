"""Plays its highest values and hopes that they score."""

from __future__ import annotations

from random import Random

from five211.cards import Cards
from five211.view import View


class GreedyBot:
    """Wants the big numbers, and everybody knows it."""

    def choose(self, view: View, rng: Random) -> Cards:
        """The highest cards of the hand; equal ones in random order, so that no colour is liked."""
        ranked = sorted(view.hand, key=lambda card: (card.value, rng.random()))
        return tuple(sorted(ranked[-view.plays :]))
