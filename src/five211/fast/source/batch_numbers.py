"""The kernel that writes what seats of a batch see as rows of bytes, and what they may do.

Which field stands where is told by whoever asks (`five211.env.encode`), in the order of `FIELDS`.
Most are written eight bytes at once, the last of which belong to the field behind: so fields are
written in the order in which they stand, and what stands at the end of a row byte by byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from five211.fast.batch import FIELDS, MOMENT, SEATS, UNSEEN, row_words
from five211.fast.packed import ICONS, VALUES_OF_WORD
from five211.fast.source.entry import entry
from five211.fast.source.hands import ONES, card_at
from five211.fast.source.part import part
from five211.fast.source.scoring import counted
from five211.fast.source.stepping import DEALS, HELD, LEFT, TURN, field, legal_actions, plays_of
from five211.fast.source.totals import POINTS
from five211.fast.view import ACTIONS, COLORS
from five211.rules import Rules

u64 = np.uint64
BITS = 0x8040_2010_0804_0201
"""In each byte another bit."""
SEVENS = 0x7F7F_7F7F_7F7F_7F7F


@intrinsic
def store(_context: Any, _bytes: Any, _place: Any, _word: Any) -> Any:
    """Write a word of eight bytes at any place."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        start, place, word = given
        to = builder.bitcast(builder.gep(start, [place]), ir.IntType(64).as_pointer())
        builder.store(word, to, align=1)
        return ir.Constant(ir.IntType(64), 0)

    pointer = types.CPointer(types.uint8)
    return types.uint64(pointer, types.uint64, types.uint64), generate


@part
def spread(bits: Any) -> Any:
    """Eight bits, a byte each."""
    each = (bits & u64(0xFF)) * u64(ONES) & u64(BITS)
    return ((each + u64(SEVENS)) >> u64(7)) & u64(ONES)


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    n, aside, last = u64(players), u64(rules.aside), u64(rules.rounds - 1)
    row_size, actions = u64(row_words(players)), u64(ACTIONS)
    row_of_colors = u64(COLORS)

    def batch_numbers(games, first, seats, memory, places, size, numbers, masks):
        rows, at = carray(memory, games * row_size), carray(places, len(FIELDS))
        each = carray(numbers, games * seats * size)
        hand_at, place_at, unseen_at, laid_at, worth_at = at[0], at[1], at[2], at[3], at[4]
        icons_at, tally_at, all_icons_at, points_at = at[5], at[6], at[7], at[8]
        scored_at, pile_at = at[9], at[10]
        for game in range(games):
            start = game * row_size
            row = rows[start : start + row_size]
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            totals, moment = row[SEATS + 3 * players : SEATS + 4 * players], row[MOMENT]
            held, plays, round_ = field(moment, HELD), plays_of(moment), moment & u64(0xFF)
            held_bytes = (u64(1) << (held << u64(3))) - u64(1)
            for index in range(seats):
                seat, line = u64(first) + u64(index), game * seats + u64(index)
                own = line * size
                hand, tally = hands[seat], u64(0)
                for word in range(4):
                    store(numbers, own + hand_at + u64(8 * word), u64(0))
                store(numbers, own + place_at, (hand + u64(ONES)) & held_bytes)
                for word in range(4):
                    store(numbers, own + unseen_at + u64(8 * word), row[u64(UNSEEN + word)])
                for place in range(held):
                    card = card_at(hand, u64(place))
                    each[own + hand_at + card] += 1
                    each[own + unseen_at + card] -= 1
                for step in range(players):
                    other = seat + u64(step)
                    other -= n if other >= n else u64(0)
                    laid = counted(words[other])
                    tally += laid
                    store(numbers, own + laid_at + u64(step) * row_of_colors, laid)
                for step in range(players):
                    other = seat + u64(step)
                    other -= n if other >= n else u64(0)
                    worth = words[other] & u64(VALUES_OF_WORD)
                    store(numbers, own + worth_at + u64(step) * row_of_colors, worth)
                for step in range(players):
                    other = seat + u64(step)
                    other -= n if other >= n else u64(0)
                    each[own + icons_at + u64(step)] = counted(words[other]) >> u64(8 * ICONS)
                    each[own + points_at + u64(step)] = min(totals[other] >> u64(POINTS), u64(0xFF))
                    each[own + scored_at + u64(step)] = totals[other] & u64(0xFF)
                for color in range(COLORS):
                    each[own + tally_at + u64(color)] = (tally >> u64(8 * color)) & u64(0xFF)
                each[own + all_icons_at] = tally >> u64(8 * ICONS)
                each[own + pile_at] = field(moment, LEFT) - aside
                each[own + pile_at + u64(1)] = round_
                each[own + pile_at + u64(2)] = field(moment, TURN)
                each[own + pile_at + u64(3)] = plays
                each[own + pile_at + u64(4)] = u64(round_ == last)
                each[own + pile_at + u64(5)] = min(moment >> u64(DEALS), u64(0xFF))
                legal = u64(legal_actions(hand, plays, held))
                store(masks, line * actions, spread(legal))
                store(masks, line * actions + actions - u64(8), spread(legal >> (actions - u64(8))))
        return 0

    return entry(takes, batch_numbers)
