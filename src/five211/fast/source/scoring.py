"""What scores (rule 4), as bits: the same as `five211.scoring`, which says why."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from five211.fast.packed import COUNTS, ICONS, NOTHING, VALUE_BITS
from five211.fast.source.part import part

u64 = np.uint64
COLORS = (1 << 8 * ICONS) - 1  # the bytes of the colours


def _zeros(count: str) -> Any:
    """One of the processor's two ways to count zeros in a word."""

    @intrinsic
    def zeros(_context: Any, _word: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return getattr(builder, count)(*given, ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), generate

    return zeros


zeros_above, zeros_below = _zeros("ctlz"), _zeros("cttz")


@part
def counted(word: Any) -> Any:
    """The numbers of cards of a seat's word, a byte a colour."""
    return (word >> u64(VALUE_BITS)) & u64(COUNTS)


@part
def count(players: int, words: Any) -> Any:
    """The numbers of cards on the whole table."""
    counts = u64(0)
    for seat in range(players):
        counts += counted(words[u64(seat)])
    return counts


@part
def scoring_byte(counts: Any, limit: Any, exact: Any) -> Any:
    """The byte of the seats' words that scores: a colour's, the icons', or the empty one.

    A bit stands for each number of cards: set in `once` if some colour has so many, in `twice` if
    two have. The colour that scores has the highest number under the limit that occurs just once.
    There is no jump in here: what chance decides, a processor cannot foresee.
    """
    once, twice = u64(0), u64(0)
    for color in range(ICONS):
        bit = u64(1) << ((counts >> u64(8 * color)) & u64(31))
        twice |= once & bit
        once |= bit
    alone = once & ~twice & ((u64(1) << limit) - u64(2))  # rules 4.3 and 4.5; 0 cards never score
    most = u64(63) - zeros_above(alone | u64(1))  # rule 4.4
    apart = (counts & u64(COLORS)) ^ (most * u64(COLORS // 0xFF))  # a byte is zero where it is most
    equal = (apart - u64(COLORS // 0xFF)) & ~apart & u64(COLORS // 0xFF << 7)
    color = zeros_below(equal) >> u64(3)
    scoring = color if alone else u64(NOTHING)
    by_icons = (counts >> u64(8 * ICONS)) & u64(0xFF) == exact  # rule 4.1
    return u64(ICONS) if by_icons else scoring
