"""What scores (rule 4), as bits: the same as `five211.scoring`, which says why."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from five211.fast.packed import COUNTS, ICONS, NOTHING, VALUE_BITS

u64 = np.uint64


@njit
def counted(word: Any) -> Any:
    """The numbers of cards of a seat's word, a byte a colour."""
    return (word >> u64(VALUE_BITS)) & u64(COUNTS)


@njit
def count(players: int, words: Any) -> Any:
    """The numbers of cards on the whole table."""
    counts = u64(0)
    for seat in range(players):
        counts += counted(words[u64(seat)])
    return counts


@njit
def scoring_byte(counts: Any, limit: Any, exact: Any) -> Any:
    """The byte of the seats' words that scores: a colour's, the icons', or the empty one.

    A bit stands for each number of cards: set in `once` if some colour has so many, in `twice` if
    two have. The colour that scores has the highest number under the limit that occurs just once.
    """
    if (counts >> u64(8 * ICONS)) & u64(0xFF) == exact:  # rule 4.1
        return u64(ICONS)
    once, twice = u64(0), u64(0)
    for color in range(5):
        bit = u64(1) << ((counts >> u64(8 * color)) & u64(31))
        twice |= once & bit
        once |= bit
    alone = once & ~twice & ((u64(1) << limit) - u64(2))  # rules 4.3 and 4.5; 0 cards never score
    scoring, most = u64(NOTHING), u64(0)
    for color in range(5):
        bit = (u64(1) << ((counts >> u64(8 * color)) & u64(31))) & alone
        if bit > most:  # rule 4.4
            scoring, most = u64(color), bit
    return scoring
