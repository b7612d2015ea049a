"""Chance: a random stream for each purpose, and the shuffle.

The core takes its decks from outside and never draws a random number. Whoever needs some takes a
stream by a seed and a label ("deck", "bot", "look-ahead", with game and seat). A stream is derived
from both by HMAC-SHA256, one way: nobody who holds a bot's stream can find the deck's.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from random import Random

from five211.cards import Card, Cards


def stream(seed: int | str, *label: int | str) -> Random:
    """The stream of random numbers of this label.

    >>> stream(7, "deck", 0).random() == stream(7, "deck", 0).random()
    True
    >>> stream(7, "deck", 0).random() == stream(7, "bot", 0).random()
    False
    """
    text = "/".join(repr(part) for part in label)  # repr keeps 1 and "1" apart
    digest = hmac.digest(repr(seed).encode(), text.encode(), "sha256")
    return Random(int.from_bytes(digest, "big"))  # noqa: S311


def shuffled(cards: Iterable[Card], rng: Random) -> Cards:
    """The cards in random order (Fisher-Yates).

    It uses only `random()`, the one method that Python promises to keep for a seed for ever.
    """
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
