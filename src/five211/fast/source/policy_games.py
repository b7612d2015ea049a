"""Whole games in which each seat has a policy of its own, built-in or the user's.

The same deck stream as in random play: game 5 of a seed has the same cards whoever plays it. Each
seat has a random stream of its own, which tells nothing of the deck or of the other seats.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.packed import DECK_BYTES, DECK_SIZE, FINE, SCRATCH, UNSEEN_WORDS
from five211.fast.source.chance import GAMMA, begin, mix
from five211.fast.source.dealing import deal
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import in_order
from five211.fast.source.part import copy
from five211.fast.source.totals import (
    clear,
    ends_early,
    new_piles,
    outcome,
    reached,
    score_round,
    write_game,
)
from five211.fast.source.turns import choose, lay, replenish
from five211.fast.source.views import rules_word, show_table, view_moment
from five211.fast.view import WORDS_OF_VIEW
from five211.rules import HAND, Rules

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players; it writes a log of all cards if there is room for one."""
    rules = Rules.of(players)
    rounds_each, limit, exact = rules.rounds, u64(rules.limit), u64(rules.exact)
    aside, row = u64(rules.aside), u64(4 * players)

    def policy_games(
        deck_key,
        keys,
        policies,
        first,
        games,
        goal,
        kept,
        points,
        winners,
        outcomes,
        log,
        shown,
        streams,
        scratch,
    ):
        keys, policies = carray(keys, players), carray(policies, players)
        view, states = carray(shown, WORDS_OF_VIEW), carray(streams, players)
        space = carray(scratch, SCRATCH)
        deck_words, hands, words, totals = space[0:13], space[16:21], space[24:29], space[32:37]
        drawing, actions, unseen = space[40:45], space[48:53], space[56:60]
        table = space[64 : 64 + WORDS_OF_VIEW]
        deck = carray(bytes_at(scratch, u64(0)), DECK_BYTES)
        points, winners = carray(points, games * u64(players)), carray(winners, games)
        outcomes = carray(outcomes, games * u64(3))
        log = carray(log, games * kept * row)
        its_rules = rules_word(players, rounds_each, limit, exact)
        for index in range(games):
            game = first + index
            state = begin(deck_key, game)
            for seat in range(players):
                states[u64(seat)] = begin(keys[u64(seat)], game)
            clear(players, totals)
            rounds = tally = deals = u64(0)
            while True:
                state = deal(players, deck, deck_words, hands, state)
                left = u64(DECK_SIZE - players * HAND)
                copy(unseen, UNSEEN_WORDS)
                for seat in range(players):
                    hands[u64(seat)] = in_order(hands[u64(seat)])
                for round_ in range(rounds_each):
                    at = (index * kept + min(rounds, kept - u64(1))) * row
                    clear(players, words)
                    draws, held = round_ < rounds_each - 1, u64(HAND)
                    for seat in range(players if draws else 0):
                        state += GAMMA
                        drawing[u64(seat)] = mix(state)
                    for turn in range(3):
                        plays = 2 if turn == 0 else 1
                        moment = view_moment(round_, turn, plays, left - aside)
                        show_table(table, players, held, moment, words, totals, its_rules)
                        wrong = choose(
                            players,
                            plays,
                            policies,
                            streams,
                            states,
                            table,
                            shown,
                            view,
                            hands,
                            held,
                            unseen,
                            actions,
                        )
                        if wrong != FINE:
                            return wrong
                        place = at if turn == 0 else at + u64(turn + 1)
                        lay(players, plays, actions, hands, words, unseen, log, place)
                        if draws:
                            left = replenish(players, plays, hands, deck, left, drawing)
                        else:
                            held -= u64(plays)
                    scoring = score_round(players, words, totals, limit, exact)
                    tally += outcome(scoring)
                    rounds += u64(1)
                    if ends_early(players, totals, goal, deals):
                        break
                deals += u64(1)
                if reached(players, totals, goal):  # rules 5.1 and 6.1
                    break
                new_piles(players, totals)
            winners[index] = write_game(players, totals, tally, index, points, outcomes)
        return FINE

    return entry(takes, policy_games)
