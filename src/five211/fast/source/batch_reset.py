"""The kernel that deals all games of a batch anew."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import MOMENT, NUMBER, SEATS, STATE, UNSEEN, row_words
from five211.fast.packed import DECK_BYTES
from five211.fast.source.chance import begin
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.stepping import deal_row, legal_actions, observe
from five211.fast.source.totals import clear
from five211.fast.source.views import rules_word
from five211.fast.view import WORDS_OF_VIEW
from five211.rules import Rules

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    rounds, limit, exact = rules.rounds, u64(rules.limit), u64(rules.exact)
    size, n, aside = u64(row_words(players)), u64(players), u64(rules.aside)

    def batch_reset(games, key, memory, legal, observed, views):
        rows, legal = carray(memory, games * size), carray(legal, games * n)
        views = carray(views, games * n * u64(WORDS_OF_VIEW))
        its_rules = rules_word(players, rounds, limit, exact)
        for game in range(games):
            row, at = rows[game * size : game * size + size], game * n
            deck = carray(bytes_at(memory, game * size), DECK_BYTES)
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            drawing = row[SEATS + 2 * players : SEATS + 3 * players]
            totals = row[SEATS + 3 * players : SEATS + 4 * players]
            clear(players, totals)
            row[NUMBER] = game
            row[STATE], row[MOMENT] = deal_row(
                players, deck, row, hands, words, drawing, begin(key, game), u64(0)
            )
            for seat in range(players):
                legal[at + u64(seat)] = legal_actions(hands[u64(seat)], u64(2), u64(5))
            if observed:
                observe(
                    players,
                    aside,
                    row[MOMENT],
                    hands,
                    words,
                    totals,
                    row[UNSEEN:SEATS],
                    its_rules,
                    views[at * u64(WORDS_OF_VIEW) : (at + n) * u64(WORDS_OF_VIEW)],
                )
        return 0

    return entry(takes, batch_reset)
