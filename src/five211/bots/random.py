"""Plays any cards of its hand.

Every physical card is as likely as any other, so a duplicate counts twice: choosing among the
*different* choices would be another policy.
"""

from __future__ import annotations

from random import Random

from five211.cards import Cards
from five211.view import View


class RandomBot:
    """A beginner who plays whatever comes to hand."""

    def choose(self, view: View, rng: Random) -> Cards:
        """Cards drawn from the hand without looking."""
        hand = list(view.hand)
        return tuple(sorted([hand.pop(int(rng.random() * len(hand))) for _ in range(view.plays)]))
