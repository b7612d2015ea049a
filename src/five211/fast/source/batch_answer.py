"""The kernel in which policies choose for some seats of a batch's games."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import MOMENT, NOBODY, NUMBER, SEATS, UNSEEN, row_words
from five211.fast.packed import FINE
from five211.fast.source.chance import begin
from five211.fast.source.entry import entry
from five211.fast.source.part import copy
from five211.fast.source.stepping import HELD, LEFT, TURN, field, plays_of
from five211.fast.source.turns import ask
from five211.fast.source.views import (
    any_action,
    is_legal,
    rules_word,
    show_hand,
    show_table,
    view_moment,
)
from five211.fast.view import RANDOM, WORDS_OF_VIEW
from five211.rules import Rules

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    rounds, limit, exact = rules.rounds, u64(rules.limit), u64(rules.exact)
    size, n, aside = u64(row_words(players)), u64(players), u64(rules.aside)

    def batch_answer(games, memory, policies, keys, begun, streams, actions, table, shown):
        rows, actions = carray(memory, games * size), carray(actions, games * n)
        policies, keys = carray(policies, players), carray(keys, players)
        begun, states = carray(begun, games), carray(streams, games * n)
        table, view = carray(table, WORDS_OF_VIEW), carray(shown, WORDS_OF_VIEW)
        its_rules = rules_word(players, rounds, limit, exact)
        for game in range(games):
            row, at = rows[game * size : game * size + size], game * n
            if begun[game] != row[NUMBER] + u64(1):  # another game: its own streams
                begun[game] = row[NUMBER] + u64(1)
                for seat in range(players):
                    states[at + u64(seat)] = begin(keys[u64(seat)], row[NUMBER])
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            totals, moment = row[SEATS + 3 * players : SEATS + 4 * players], row[MOMENT]
            plays, held = plays_of(moment), field(moment, HELD)
            pile = field(moment, LEFT) - aside
            where = view_moment(moment & u64(0xFF), field(moment, TURN), plays, pile)
            show_table(table, players, held, where, words, totals, its_rules)
            for seat in range(players):
                s = u64(seat)
                if policies[s] == u64(NOBODY):
                    continue
                if policies[s] == u64(RANDOM):
                    stream = states[at + s : at + s + u64(1)]
                    actions[at + s] = any_action(stream, plays, held)
                    continue
                copy(view, table)
                show_hand(view, s, hands[s], held, row[UNSEEN:SEATS])
                action = ask(policies[s], shown, streams, at + s)
                if not is_legal(action, plays, held):
                    return seat
                actions[at + s] = action
        return FINE

    return entry(takes, batch_answer)
