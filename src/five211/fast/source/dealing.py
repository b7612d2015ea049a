"""The deck in compiled code: shuffled as it is drawn, the next card taken from any place.

What was not drawn when a deal ends are the cards put aside, which nobody ever sees: so it does not
matter when they are chosen. The first hands take one random word a seat, and so do the draws of
each round; the same game of the same seed has the same deck, whoever plays it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from five211.fast.packed import DECK_SIZE, DECK_WORDS
from five211.fast.source.chance import GAMMA, mix, product
from five211.fast.source.part import part
from five211.rules import HAND

u64 = np.uint64


@part
def draw(deck: Any, left: Any, word: Any) -> Any:
    """A card of those left, and the word for the next draw."""
    place, word = product(word, left)
    card = u64(deck[place])
    deck[place] = deck[left - u64(1)]
    return card, word


@part
def deal(players: int, deck: Any, deck_words: Any, hands: Any, state: Any) -> Any:
    """All cards back into the deck, and a hand to each seat (rule 2.2); the stream's new state."""
    for index in range(DECK_WORDS.size):
        deck_words[u64(index)] = DECK_WORDS[u64(index)]
    left = u64(DECK_SIZE)
    for seat in range(players):
        state += GAMMA
        word, hand = mix(state), u64(0)
        for place in range(HAND):
            card, word = draw(deck, left, word)
            left -= u64(1)
            hand |= card << u64(8 * place)
        hands[u64(seat)] = hand
    return state
