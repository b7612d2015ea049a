"""A turn in which each seat's policy is asked: chosen, laid and drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from five211.fast.packed import FINE, WORDS
from five211.fast.source.dealing import draw
from five211.fast.source.hands import card_at, insert, without
from five211.fast.source.part import copy, part
from five211.fast.source.views import any_action, is_legal, show_hand, take
from five211.fast.view import FIRST, RANDOM, SECOND

u64 = np.uint64


@intrinsic
def ask(_context: Any, _address: Any, _view: Any, _streams: Any, _seat: Any) -> Any:
    """The action of the policy at an address, which is shown a view and a seat's stream."""
    pointer = types.CPointer(types.uint64)
    signature = types.int64(types.uint64, pointer, pointer, types.uint64)

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        address, view, streams, seat = given
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word.as_pointer(), word.as_pointer()])
        policy = builder.inttoptr(address, kind.as_pointer())
        return builder.call(policy, [view, builder.gep(streams, [seat])])

    return signature, generate


@part
def choose(
    players, plays, policies, streams, states, table, shown, view, hands, held, unseen, actions
):
    """Everyone's action, before any of them is played; the seat that has none, if there is one.

    Each is shown a view written anew: what one policy writes into it reaches no other.
    """
    for seat in range(players):
        s = u64(seat)
        if policies[s] == u64(RANDOM):
            actions[s] = any_action(states[seat : seat + 1], plays, held)
            continue
        copy(view, table)
        show_hand(view, s, hands[s], held, unseen)
        action = ask(policies[s], shown, streams, s)
        if not is_legal(action, plays, held):
            return seat
        actions[s] = action
    return FINE


@part
def lay(players, plays, actions, hands, words, unseen, log, at):
    """Lay everyone's cards on the table."""
    for seat in range(players):
        s, action = u64(seat), u64(actions[seat])
        first, second = u64(FIRST[action]), u64(SECOND[action])
        hand = hands[s]
        card = card_at(hand, first)
        if plays == 2:
            other = card_at(hand, second)
            hand = without(hand, second)
            words[s] += WORDS[other]
            take(unseen, other)
            if log is not None and log.size:
                log[at + u64(4) * s + u64(1)] = other
        hands[s] = without(hand, first)
        words[s] += WORDS[card]
        take(unseen, card)
        if log is not None and log.size:
            log[at + u64(4) * s] = card


@part
def replenish(players, plays, hands, deck, left, drawing):
    """Everyone draws as many cards as they played (rule 3.2)."""
    for seat in range(players):
        s = u64(seat)
        for _card in range(plays):
            card, drawing[s] = draw(deck, left, drawing[s])
            left -= u64(1)
            hands[s] = insert(hands[s], card)
    return left
