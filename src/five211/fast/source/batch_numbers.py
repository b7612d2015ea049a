"""The kernel that writes what seats of a batch see as rows of bytes, and what they may do.

Which field stands where is told by whoever asks (`five211.env.encode`), in the order of `FIELDS`.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import FIELDS, MOMENT, SEATS, UNSEEN, row_words
from five211.fast.packed import ICONS, KINDS, VALUE_BITS, VALUE_MASK
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import card_at
from five211.fast.source.stepping import DEALS, HELD, LEFT, TURN, field, legal_actions, plays_of
from five211.fast.source.totals import POINTS
from five211.fast.view import ACTIONS, COLORS
from five211.rules import Rules

u64, u8 = np.uint64, np.uint8


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    n, aside, last = u64(players), u64(rules.aside), u64(rules.rounds - 1)
    row_size = u64(row_words(players))

    def batch_numbers(games, first, seats, memory, places, size, numbers, masks):
        rows, at = carray(memory, games * row_size), carray(places, len(FIELDS))
        numbers = carray(numbers, games * seats * size)
        masks = carray(masks, games * seats * u64(ACTIONS))
        to_hand, to_place, to_unseen, to_laid, to_worth, to_icons, to_tally = (
            at[0],
            at[1],
            at[2],
            at[3],
            at[4],
            at[5],
            at[6],
        )
        to_all_icons, to_points, to_scored, to_pile = at[7], at[8], at[9], at[10]
        for game in range(games):
            start = game * row_size
            row = rows[start : start + row_size]
            gone = carray(bytes_at(memory, start + u64(UNSEEN)), KINDS)
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            totals, moment = row[SEATS + 3 * players : SEATS + 4 * players], row[MOMENT]
            held, plays = field(moment, HELD), plays_of(moment)
            for index in range(seats):
                seat, line = u64(first) + u64(index), game * seats + u64(index)
                own = numbers[line * size : line * size + size]
                for place in range(size):
                    own[u64(place)] = u8(0)
                for kind in range(KINDS):
                    own[to_unseen + u64(kind)] = gone[kind]
                hand = hands[seat]
                for place in range(held):
                    card = card_at(hand, u64(place))
                    own[to_hand + card] += u8(1)
                    own[to_unseen + card] -= u8(1)
                    own[to_place + u64(place)] = card + u64(1)
                for step in range(players):
                    other = seat + u64(step)
                    if other >= n:
                        other -= n
                    word, line_at = words[other], u64(step * COLORS)
                    for color in range(COLORS):
                        byte = (word >> u64(8 * color)) & u64(0xFF)
                        own[to_laid + line_at + u64(color)] = byte >> u64(VALUE_BITS)
                        own[to_worth + line_at + u64(color)] = byte & u64(VALUE_MASK)
                        own[to_tally + u64(color)] += u8(byte >> u64(VALUE_BITS))
                    icons = (word >> u64(8 * ICONS + VALUE_BITS)) & u64(7)
                    own[to_icons + u64(step)] = icons
                    own[to_all_icons] += u8(icons)
                    own[to_points + u64(step)] = min(totals[other] >> u64(POINTS), u64(0xFF))
                    own[to_scored + u64(step)] = totals[other] & u64(0xFF)
                round_ = moment & u64(0xFF)
                own[to_pile] = field(moment, LEFT) - aside
                own[to_pile + u64(1)] = round_
                own[to_pile + u64(2)] = field(moment, TURN)
                own[to_pile + u64(3)] = plays
                own[to_pile + u64(4)] = u64(round_ == last)
                own[to_pile + u64(5)] = min(moment >> u64(DEALS), u64(0xFF))
                legal = u64(legal_actions(hand, plays, held))
                mask = masks[line * u64(ACTIONS) : (line + u64(1)) * u64(ACTIONS)]
                for action in range(ACTIONS):
                    mask[u64(action)] = (legal >> u64(action)) & u64(1)
        return 0

    return entry(takes, batch_numbers)
