"""The kernel that deals all games of a batch anew."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import MOMENT, NUMBER, SEATS, STATE, row_words
from five211.fast.packed import DECK_BYTES
from five211.fast.source.chance import begin
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.stepping import deal_row, legal_actions
from five211.fast.source.totals import clear

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    size, n = u64(row_words(players)), u64(players)

    def batch_reset(games, key, first, memory, legal):
        rows, legal = carray(memory, games * size), carray(legal, games * n)
        for game in range(games):
            row = rows[game * size : game * size + size]
            deck = carray(bytes_at(memory, game * size), DECK_BYTES)
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            drawing = row[SEATS + 2 * players : SEATS + 3 * players]
            clear(players, row[SEATS + 3 * players : SEATS + 4 * players])
            row[NUMBER] = first + game
            row[STATE], row[MOMENT] = deal_row(
                players, deck, row, hands, words, drawing, begin(key, first + game), u64(0)
            )
            for seat in range(players):
                legal[game * n + u64(seat)] = legal_actions(hands[u64(seat)], u64(2), u64(5))
        return 0

    return entry(takes, batch_reset)
