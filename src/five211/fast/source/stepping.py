"""A game as a row of words, and one turn of it: what the kernels of a batch share."""

from __future__ import annotations

import numpy as np

from five211.fast.batch import LEGAL, SEATS, UNSEEN
from five211.fast.packed import DECK_SIZE, UNSEEN_WORDS, WORDS
from five211.fast.source.chance import GAMMA, mix
from five211.fast.source.dealing import deal, draw
from five211.fast.source.hands import card_at, in_order, insert, without
from five211.fast.source.part import copy, part
from five211.fast.source.views import show_hand, show_table, take, view_moment
from five211.fast.view import FIRST, SECOND, WORDS_OF_VIEW
from five211.rules import HAND

u64 = np.uint64
# The word that says where a game is: round, turn, cards held, cards left in the deck, deals before.
TURN, HELD, LEFT, DEALS = 8, 16, 24, 32


@part
def field(moment, at):
    """A number of the word that says where a game is."""
    return (moment >> u64(at)) & u64(0xFF)


@part
def moment_of(round_, turn, held, left, deals):
    """The word that says where a game is."""
    after = held << u64(HELD) | left << u64(LEFT) | deals << u64(DEALS)
    return round_ | turn << u64(TURN) | after


@part
def plays_of(moment):
    """How many cards everyone plays now (rule 3.1)."""
    return u64(2) if field(moment, TURN) == u64(0) else u64(1)


@part
def deal_row(players, deck, row, hands, words, drawing, state, deals):
    """Deal a game's next deck; its stream's new state and where it is."""
    state = deal(players, deck, row, hands, state)
    copy(row[UNSEEN:SEATS], UNSEEN_WORDS)
    for seat in range(players):
        hands[u64(seat)] = in_order(hands[u64(seat)])
    state = new_round(players, words, drawing, True, state)
    left = u64(DECK_SIZE - players * HAND)
    return state, moment_of(u64(0), u64(0), u64(HAND), left, deals)


@part
def new_round(players, words, drawing, draws, state):
    """An empty table, and a random word a seat for its draws, if there are any."""
    for seat in range(players):
        words[u64(seat)] = u64(0)
        if draws:
            state += GAMMA
            drawing[u64(seat)] = mix(state)
    return state


@part
def legal_actions(hand, plays, held):
    """The actions of a sorted hand, a bit each."""
    apart = hand ^ (hand >> u64(8))  # a byte is zero where two neighbours are alike
    alike = ~((apart & u64(0x7F7F7F7F)) + u64(0x7F7F7F7F)) & u64(0x80808080)
    index = ((alike >> u64(7)) * u64(0x00204081) >> u64(21)) & u64(15)
    return LEGAL[(plays * u64(HAND + 1) + held) * u64(16) + index]


@part
def play_turn(players, actions, at, turn, draws, deck, left, hands, words, unseen, drawing):
    """Lay everyone's cards and draw as many (rules 3.1 and 3.2); how many are left in the deck."""
    for seat in range(players):
        s = u64(seat)
        action, hand = u64(actions[at + s]), hands[s]
        first = u64(FIRST[action])
        card = card_at(hand, first)
        word = words[s] + WORDS[card]
        take(unseen, card)
        if turn == u64(0):
            second = u64(SECOND[action])
            card = card_at(hand, second)
            word += WORDS[card]
            take(unseen, card)
            hand = without(hand, second)
        hand = without(hand, first)
        words[s] = word
        if draws:
            card, random = draw(deck, left, drawing[s])
            left -= u64(1)
            hand = insert(hand, card)
            if turn == u64(0):
                card, random = draw(deck, left, random)
                left -= u64(1)
                hand = insert(hand, card)
            drawing[s] = random
        hands[s] = hand
    return left


@part
def observe(players, aside, moment, hands, words, totals, unseen, rules, views):
    """Write what each seat of a game may know into its view."""
    turn, held, left = field(moment, TURN), field(moment, HELD), field(moment, LEFT)
    where = view_moment(moment & u64(0xFF), turn, plays_of(moment), left - aside)
    first = views[0:WORDS_OF_VIEW]
    show_table(first, players, held, where, words, totals, rules)
    for seat in range(players):
        view = views[seat * WORDS_OF_VIEW : (seat + 1) * WORDS_OF_VIEW]
        if seat:
            copy(view, first)
        show_hand(view, u64(seat), hands[u64(seat)], held, unseen)
