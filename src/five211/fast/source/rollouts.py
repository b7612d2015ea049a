"""The round completed from a view, in many of the worlds that it allows.

A world deals the cards that the seat has not seen: to the other hands, and the rest to draw from.
Every choice is tried in the same worlds, with the same draws and the same chances for the others,
so that what differs between two choices is what they do.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.packed import DECK_BYTES, EMPTY, FINE, KINDS, SCRATCH
from five211.fast.source.chance import GAMMA, begin, mix
from five211.fast.source.dealing import draw
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import ONES, card_at, insert
from five211.fast.source.part import copy, part
from five211.fast.source.scoring import count, scoring_byte
from five211.fast.source.totals import POINTS, scored
from five211.fast.source.turns import choose, lay, replenish
from five211.fast.source.views import (
    HOLDS,
    LAID,
    MOMENT,
    RULES,
    UNSEEN,
    WORTH,
    show_table,
    view_moment,
)
from five211.fast.view import WORDS_OF_VIEW
from five211.rules import HAND, Rules

u64 = np.uint64


@part
def read_table(players, view, words, totals):
    """The cards on the table and the points, as a view tells them."""
    for seat in range(players):
        s = u64(seat)
        words[s] = view[u64(LAID) + s] << u64(5) | view[u64(WORTH) + s]
        points = view[s >> u64(2)] >> ((s & u64(3)) << u64(4)) & u64(0xFFFF)
        totals[s] = points << u64(POINTS)


@part
def read_unseen(view, own, held, deck, unseen):
    """The cards that the seat has not seen, one by one, and how many; those nobody has laid."""
    left = u64(0)
    for kind in range(KINDS):
        k = u64(kind)
        for _card in range((view[u64(UNSEEN) + (k >> u64(3))] >> ((k & u64(7)) << u64(3))) & 0xFF):
            deck[left] = kind
            left += u64(1)
    copy(unseen, view[UNSEEN : UNSEEN + 4])
    for place in range(HAND):
        if u64(place) < held:
            card = card_at(own, u64(place))
            unseen[card >> u64(3)] += u64(1) << ((card & u64(7)) << u64(3))
    return left


@part
def deal_world(players, seat, own, held, deck, left, state, hands, drawing):
    """Hands for the others, and words for everyone's draws; the cards left."""
    for other in range(players):
        s = u64(other)
        state += GAMMA
        word, hand = mix(state), own
        if s != seat:
            hand = u64(EMPTY) * u64(ONES)
            for _card in range(held):
                card, word = draw(deck, left, word)
                left -= u64(1)
                hand = insert(hand, card)
        hands[s] = hand
        state += GAMMA
        drawing[s] = mix(state)
    return left


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    limit, exact, n = u64(rules.limit), u64(rules.exact), u64(players)

    def rollouts(
        given, key, keys, first, worlds, tries, tried, policies, gains, shown, streams, scratch
    ):
        seen, tried = carray(given, WORDS_OF_VIEW), carray(tried, tries)
        policies, keys = carray(policies, players), carray(keys, players)
        states = carray(streams, players)
        gains, view = carray(gains, worlds * tries * n), carray(shown, WORDS_OF_VIEW)
        space = carray(scratch, SCRATCH)
        all_cards, all_bytes = space[0:13], carray(bytes_at(scratch, u64(0)), DECK_BYTES)
        world_cards, world_bytes = space[16:29], carray(bytes_at(scratch, u64(16)), DECK_BYTES)
        cards, deck = space[32:45], carray(bytes_at(scratch, u64(32)), DECK_BYTES)
        laid, totals, actions = space[48:53], space[56:61], space[64:69]
        dealt, hands, words = space[72:77], space[80:85], space[88:93]
        drawn, drawing = space[96:101], space[104:109]
        not_laid, unseen = space[117:121], space[121:125]
        firsts, after = space[112:117], space[148 : 148 + players]
        table = space[128 : 128 + WORDS_OF_VIEW]
        where = seen[MOMENT]
        seat, held = where & u64(0xFF), (where >> u64(8)) & u64(0xFF)
        round_, turn = (where >> u64(16)) & u64(0xFF), (where >> u64(24)) & u64(0xFF)
        pile = (where >> u64(40)) & u64(0xFF)
        own = seen[HOLDS] | (u64(EMPTY) * u64(ONES)) << u64(8 * HAND)
        read_table(players, seen, laid, totals)
        unknown = read_unseen(seen, own, held, all_bytes, not_laid)
        at = u64(0)
        for world in range(worlds):
            copy(world_cards, all_cards)
            rest = deal_world(
                players,
                seat,
                own,
                held,
                world_bytes,
                unknown,
                begin(key, first + world),
                dealt,
                drawn,
            )
            for other in range(players):
                states[u64(other)] = begin(keys[u64(other)], first + world)
            for index in range(tries):
                copy(cards, world_cards)
                copy(hands, dealt)
                copy(words, laid)
                copy(drawing, drawn)
                copy(unseen, not_laid)
                left, holds, to_draw = rest, held, pile
                for now in range(turn, u64(3)):
                    plays = u64(2) if now == u64(0) else u64(1)
                    if now == turn and index:  # nobody knows what is tried: they choose as before
                        copy(actions, firsts)
                        copy(states, after)
                    else:
                        moment = view_moment(round_, now, plays, to_draw)
                        show_table(table, players, holds, moment, words, totals, seen[RULES])
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
                            holds,
                            unseen,
                            actions,
                        )
                        if wrong != FINE:
                            return wrong
                        if now == turn:
                            copy(firsts, actions)
                            copy(after, states)
                    if now == turn:
                        actions[seat] = tried[index]
                    lay(players, plays, actions, hands, words, unseen, None, u64(0))
                    if pile:
                        left = replenish(players, plays, hands, deck, left, drawing)
                        to_draw -= plays * n
                    else:
                        holds -= plays
                scoring = scoring_byte(count(players, words), limit, exact)
                for other in range(players):
                    gains[at], _cards = scored(words[u64(other)], scoring)
                    at += u64(1)
        return FINE

    return entry(takes, rollouts)
