"""How somebody plays, read from what they played: the likelier a manner makes it, the more.

Nobody knows what they held. So each of their choices is looked at with a few hands that they may
have held, and a manner is as likely as it makes that choice in the mean of them.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.bots.network import SIZE
from five211.fast.network import WORKSPACE
from five211.fast.packed import (
    DECK_BYTES,
    DECK_SIZE,
    DECK_WORDS,
    EMPTY,
    UNSEEN_WORDS,
    WORDS,
)
from five211.fast.search import MANNERS, ROOM, SCRATCH
from five211.fast.source.chance import begin, below
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import ONES, card_at, insert
from five211.fast.source.network import to_shares, worths
from five211.fast.source.part import copy, part
from five211.fast.source.totals import POINTS, score_round
from five211.fast.source.turns import ask
from five211.fast.source.views import (
    records_at,
    show_hand,
    show_table,
    take,
    view_moment,
)
from five211.fast.view import FIRST, SECOND, WORDS_OF_VIEW
from five211.rules import HAND

u64, i64, f32 = np.uint64, np.int64, np.float32
NOTHING_HELD = np.uint64(EMPTY) * np.uint64(ONES)
SURE = 0.9
"""How much of its own manner a player keeps to, where the manner leaves nothing to chance."""
KEPT = 6
"""Of ten cards that somebody plays next, so many they held before."""
LOOSE = 4.0
"""How warm the network is in the manner of somebody who plays well, but not as we do."""
LEAST = 0.002
"""Nothing that can be played is out of the question."""
DOUBT = 0.04
"""How likely anything is at least: a few hands may all be other than the one that was held."""
FLOOR = 0.02
"""No manner is ever given up: people change theirs."""


@part
def same_cards(hand, action, played, plays):
    """Whether an action plays just these cards, which are sorted."""
    one = card_at(hand, u64(FIRST[action])) == u64(played[0])
    return one and (plays == 1 or card_at(hand, u64(SECOND[action])) == u64(played[1]))


@part
def remove(deck, left, card):
    """Take a card out of the deck; how many are left."""
    for place in range(i64(left)):
        if u64(deck[place]) == card:
            deck[place] = deck[left - u64(1)]
            break
    return left - u64(1)


@part
def show(view, players, seat, hand, held, where, words, totals, unseen, rules):
    """Write what a seat may know."""
    show_table(view, players, held, where, words, totals, rules)
    show_hand(view, seat, hand, held, unseen)


@part
def fits(unseen, hand, card):
    """Whether there can be one more of a card in a hand."""
    there = (unseen[card >> u64(3)] >> ((card & u64(7)) << u64(3))) & u64(0xFF)
    for place in range(HAND):
        there -= u64(card_at(hand, u64(place)) == card)
    return there > u64(0)


@part
def next_of(at, players):
    """Where in the log a seat's next card stands."""
    return at + 1 if at % 4 < 3 else at + 4 * players - 3


@part
def likelihoods(
    manners, policies, weights, shown, hand, played, plays, stream, space, choices, shares, into
):
    """How likely each manner makes these cards, out of this hand; the view is written already."""
    view = carray(records_at(shown), 1)[0]
    held = i64(view.held)
    every = f32(held * (held - 1) // 2) if plays == 2 else f32(held)
    found, number = -1, worths(weights, view, space, choices, shares)
    for index in range(number):
        if same_cards(hand, i64(choices[index]), played, plays):
            found = index
    loose = shares[number : 2 * number]
    copy(loose, shares)
    to_shares(shares, number, 1.0)
    to_shares(loose, number, LOOSE)
    into[0] = into[MANNERS - 1] = f32(LEAST)
    if found >= 0:
        into[0] = max(shares[found], f32(LEAST))
        into[MANNERS - 1] = max(loose[found], f32(LEAST))
    for manner in range(1, MANNERS - 1):
        into[manner] = f32(0)
        if manners[manner]:
            action = ask(policies[manner], shown, stream, u64(0))
            hit = f32(same_cards(hand, action, played, plays))
            into[manner] = f32(SURE) * hit + f32(1 - SURE) / every


@part
def hand_that_fits(log, at, plays, players, unseen, deck, left, rng):
    """A hand out of which the cards at this place of the log may have been played.

    Some of what its owner played next they held by then; the rest is any card.
    """
    hand, room = NOTHING_HELD, HAND - plays
    for _card in range(plays):
        hand = insert(hand, u64(log[at]))
        at = next_of(at, players)
    while room and at < log.size:
        if below(rng, 10) < u64(KEPT) and fits(unseen, hand, u64(log[at])):
            hand = insert(hand, u64(log[at]))
            room -= 1
        at = next_of(at, players)
    while room:
        card = u64(deck[below(rng, left)])
        if fits(unseen, hand, card):
            hand = insert(hand, card)
            room -= 1
    return hand


@part
def updated(now, total):
    """What is thought of somebody, by how likely each manner makes what they played."""
    every = f32(0)
    for manner in range(MANNERS):
        now[manner] *= total[manner] + f32(DOUBT)
        every += now[manner]
    for manner in range(MANNERS):
        now[manner] = max(now[manner] / every, f32(FLOOR))


def make(takes: str) -> str:
    """The kernel, for any number of players: it goes through the rounds of a deal that are over."""

    def manners(
        rules,
        pile,
        played,
        log,
        given,
        seat,
        weights,
        policies,
        key,
        tries,
        priors,
        shown,
        stream,
        scratch,
        floats,
    ):
        players, n = i64(rules & u64(0xFF)), rules & u64(0xFF)
        limit, exact = (rules >> u64(16)) & u64(0xFF), (rules >> u64(24)) & u64(0xFF)
        log, given = carray(log, played * u64(4 * players)), carray(given, players)
        weights, policies = carray(weights, SIZE), carray(policies, MANNERS)
        priors, view = carray(priors, players * MANNERS), carray(shown, WORDS_OF_VIEW)
        rng, space = carray(stream, 1), carray(floats, WORKSPACE + ROOM)
        more = space[WORKSPACE:]
        choices, shares = more[0:16], more[16:48]
        likely, total = more[48 : 48 + MANNERS], more[56 : 56 + MANNERS]
        memory = carray(scratch, SCRATCH)
        deck = carray(bytes_at(scratch, u64(0)), DECK_BYTES)
        words, totals, unseen = memory[16:21], memory[24:29], memory[32:36]
        copy(unseen, UNSEEN_WORDS)
        copy(memory[0 : DECK_WORDS.size], DECK_WORDS)
        left = u64(DECK_SIZE)
        for other in range(players):
            totals[other] = u64(given[other]) << u64(POINTS)
        rng[0] = begin(key, u64(0))
        for round_ in range(i64(played)):
            for other in range(players):
                words[other] = u64(0)
            for turn in range(3):
                plays = 2 if turn == 0 else 1
                first = 4 * players * round_ + (0, 2, 3)[turn]
                where = view_moment(round_, turn, plays, pile)
                for other in range(players):
                    if u64(other) == seat:
                        continue
                    now, at = priors[other * MANNERS :][:MANNERS], first + 4 * other
                    total[:] = f32(0)
                    for _try in range(i64(tries)):
                        hand = hand_that_fits(log, at, plays, players, unseen, deck, left, rng)
                        show(
                            view,
                            players,
                            u64(other),
                            hand,
                            u64(HAND),
                            where,
                            words,
                            totals,
                            unseen,
                            rules,
                        )
                        likelihoods(
                            now,
                            policies,
                            weights,
                            shown,
                            hand,
                            log[at:],
                            plays,
                            stream,
                            space,
                            choices,
                            shares,
                            likely,
                        )
                        for manner in range(MANNERS):
                            total[manner] += likely[manner] / f32(tries)
                    updated(now, total)
                for other in range(players):
                    for index in range(plays):
                        card = u64(log[first + 4 * other + index])
                        words[other] += WORDS[card]
                        take(unseen, card)
                        left = remove(deck, left, card)
                pile -= u64(plays) * n
            score_round(players, words, totals, limit, exact)
        return 0

    return entry(takes, manners)
