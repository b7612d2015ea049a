"""Plays what a small network thinks of each choice, as likely as the network says.

It learnt by playing against itself and a population of others (`train/`). Nothing is searched, so
it answers in less than a millisecond; and since it mixes, nobody can be sure of its next card.
"""

from __future__ import annotations

from random import Random

from five211.cards import Cards
from five211.view import View


class NeuralBot:
    """Has seen a great many games, and plays by feel."""

    def choose(self, view: View, rng: Random) -> Cards:
        """One of the choices, by chance."""
        from five211.bots import network  # not at the top: NumPy takes a while to begin

        return drawn(view.choices, network.shares(view).tolist(), rng)


def drawn(choices: tuple[Cards, ...], shares: list[float], rng: Random) -> Cards:
    """One of the choices, as likely as its share."""
    at = rng.random()
    for choice, share in zip(choices, shares, strict=True):
        at -= share
        if at < 0:
            return choice
    return choices[-1]  # shares that sum up to a little less than one
