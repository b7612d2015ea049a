"""Whole games of random play: the quickest loop of the compiled engine.

Every physical card of a hand is as likely as any other, so a duplicate counts twice, as it does in
`five211.bots.random`. A hand stays in the order in which the cards came: a new card takes the place
of the one that was played. Each seat takes one random word a round for its choices.

A kernel is made for each number of players, so that every bound is a constant; see
bench/limit.c for the same in C.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.packed import DECK_BYTES, DECK_SIZE, SCRATCH, WORDS
from five211.fast.source.chance import GAMMA, begin, mix, product
from five211.fast.source.dealing import deal, draw
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import card_at, without
from five211.fast.source.part import part
from five211.fast.source.totals import (
    clear,
    ends_early,
    new_piles,
    outcome,
    reached,
    score_round,
    write_game,
)
from five211.rules import HAND, Rules

u64 = np.uint64


@part
def first_turn(players, hands, words, choosing, drawing, deck, left, choice, state, log, at):
    """Two cards from each hand, two new ones in their places."""
    for seat in range(players):
        s = u64(seat)
        choice += GAMMA
        state += GAMMA
        word, deck_word, hand = mix(choice), mix(state), hands[s]
        i, word = product(word, u64(5))
        j, choosing[s] = product(word, u64(4))
        if j >= i:
            j += u64(1)
        i, j = i << u64(3), j << u64(3)
        one, two = (hand >> i) & u64(0xFF), (hand >> j) & u64(0xFF)
        words[s] = WORDS[one] + WORDS[two]
        new, deck_word = draw(deck, left, deck_word)
        newer, drawing[s] = draw(deck, left - u64(1), deck_word)
        left -= u64(2)
        hands[s] = hand ^ ((one ^ new) << i) ^ ((two ^ newer) << j)
        if log is not None:
            log[at + u64(4) * s], log[at + u64(4) * s + u64(1)] = one, two
    return left, choice, state


@part
def later_turn(players, hands, words, choosing, drawing, deck, left, log, at):
    """One card from each hand, a new one in its place."""
    for seat in range(players):
        s = u64(seat)
        hand = hands[s]
        i, choosing[s] = product(choosing[s], u64(5))
        i <<= u64(3)
        one = (hand >> i) & u64(0xFF)
        words[s] += WORDS[one]
        new, drawing[s] = draw(deck, left, drawing[s])
        left -= u64(1)
        hands[s] = hand ^ ((one ^ new) << i)
        if log is not None:
            log[at + u64(4) * s] = one
    return left


@part
def last_round(players, hands, words, choice, log, at):
    """Four cards from each hand, and nothing drawn (rule 5.1)."""
    for seat in range(players):
        s = u64(seat)
        choice += GAMMA
        word, hand, laid = mix(choice), hands[s], u64(0)
        for turn in range(4):
            place, word = product(word, u64(HAND - turn))
            one, hand = card_at(hand, place), without(hand, place)
            laid += WORDS[one]
            if log is not None:
                log[at + u64(4) * s + u64(turn)] = one
        words[s] = laid
    return choice


def make(takes: str, players: int, logged: int) -> str:
    """The kernel for so many players, which writes a log of all cards, or does not."""
    rules = Rules.of(players)
    draws, limit, exact = rules.rounds - 1, u64(rules.limit), u64(rules.exact)
    row = u64(4 * players)

    def random_games(
        deck_key, choice_key, first, games, goal, kept, points, winners, outcomes, log, scratch
    ):
        space = carray(scratch, SCRATCH)
        deck_words, hands, words, totals = space[0:13], space[16:21], space[24:29], space[32:37]
        choosing, drawing = space[40:45], space[48:53]
        deck = carray(bytes_at(scratch, u64(0)), DECK_BYTES)
        points, winners = carray(points, games * u64(players)), carray(winners, games)
        outcomes = carray(outcomes, games * u64(3))
        log = carray(log, games * kept * row) if logged else None
        for index in range(games):
            game = first + index
            state, choice = begin(deck_key, game), begin(choice_key, game)
            clear(players, totals)
            rounds = tally = deals = u64(0)
            while True:
                state = deal(players, deck, deck_words, hands, state)
                left = u64(DECK_SIZE - players * HAND)
                for round_ in range(draws + 1):
                    at = (index * kept + min(rounds, kept - u64(1))) * row
                    if round_ < draws:
                        left, choice, state = first_turn(
                            players,
                            hands,
                            words,
                            choosing,
                            drawing,
                            deck,
                            left,
                            choice,
                            state,
                            log,
                            at,
                        )
                        for turn in range(2, 4):
                            left = later_turn(
                                players,
                                hands,
                                words,
                                choosing,
                                drawing,
                                deck,
                                left,
                                log,
                                at + u64(turn),
                            )
                    else:
                        choice = last_round(players, hands, words, choice, log, at)
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
        return 0

    return entry(takes, random_games)
