"""How the compiled engine packs the game into bytes and words.

A card is a number from 0 to 29: six for each colour, in order. A hand is one 64-bit word, a card in
each byte. What a seat has on the table is one word, too, a byte for each colour and one for the
icons: the sum of the values (19 at most) in its lower five bits, the number of cards (4 at most) in
its upper three. So a card is laid on the table by one addition, and what a seat scores is one byte.
"""

from __future__ import annotations

import numpy as np

from five211.cards import Card, Color, card
from five211.rules import COLORS, COPIES, Rules

VALUES = len(COPIES)
KINDS = len(COLORS) * VALUES
DECK_SIZE = sum(COPIES) * len(COLORS)
DECK_BYTES = 104  # the cards, and room to copy them by words of eight
SCRATCH = 160
"""Words of memory that a kernel is lent to work in."""
EMPTY = 0x7F
"""The byte of a place in a hand that holds no card: higher than any card, so that it sorts last."""
FINE = -1
"""What a kernel returns if every action was one that could be played."""
ICONS = len(COLORS)
"""The byte of the icons, after those of the colours."""
NOTHING = ICONS + 1
"""The byte that is always zero: what scores when nothing does."""
COUNTS = 0x0707_0707_0707
"""The numbers of cards in a word, once it is shifted down by `VALUE_BITS`."""
VALUE_BITS = 5
VALUE_MASK = (1 << VALUE_BITS) - 1
VALUES_OF_WORD = 0x1F1F_1F1F_1F1F
"""The sums of values in a word."""

CARDS: tuple[Card, ...] = tuple(
    card(color, value) for color in Color for value in range(1, VALUES + 1)
)
"""The card of each number."""
NUMBERS = {one: number for number, one in enumerate(CARDS)}


def _words() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    words = np.zeros(32, np.uint64)
    for number, one in enumerate(CARDS):
        laid = (one.value + (1 << VALUE_BITS)) << 8 * one.color
        if one.is_icon:
            laid += (1 + (1 << VALUE_BITS)) << 8 * ICONS
        words[number] = laid
    return words


def _deck() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    deck = np.zeros(DECK_BYTES, np.uint8)
    deck[:DECK_SIZE] = [NUMBERS[one] for one in Rules.of(2).deck]
    return deck


WORDS = _words()
"""What each card adds to the word of the seat that lays it."""
DECK = _deck()
DECK_WORDS = DECK.view(np.uint64)
UNSEEN_WORDS = np.array(COPIES * len(COLORS) + (0, 0), np.uint8).view(np.uint64)
"""How many of each card there are, a byte a kind, and two more to fill up a word."""
