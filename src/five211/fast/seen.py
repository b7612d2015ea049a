"""A player's view as compiled policies see it, and a player's choice as they say it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from five211.cards import Cards
from five211.errors import GameError
from five211.fast.packed import EMPTY, ICONS, NUMBERS, VALUE_BITS, VALUE_MASK, WORDS
from five211.fast.view import COLORS, FIRST, SECOND, SINGLES, VIEW
from five211.view import View, check_seat


def seen(view: View) -> NDArray[np.void]:
    """The record of what a seat may know; there must be something to choose."""
    rules = view.rules
    check_seat(rules, view.seat)
    if not view.choices:
        raise GameError("nothing_to_choose")
    check_numbers(view)
    found = np.zeros((), VIEW)
    found["hand"] = EMPTY
    found["hand"][: len(view.hand)] = [NUMBERS[card] for card in view.hand]
    found["points"][: rules.players] = view.points
    for seat, cards in enumerate(view.table):
        laid = WORDS[[NUMBERS[card] for card in cards]].sum(keepdims=True).view(np.uint8)
        found["laid"][seat], found["worth"][seat] = laid >> VALUE_BITS, laid & VALUE_MASK
    on_table = found["laid"].sum(axis=0)
    found["count"], found["icons"] = on_table[:COLORS], on_table[ICONS]
    for card in view.unseen:
        found["unseen"][NUMBERS[card]] += 1
    found["seat"], found["held"], found["pile"] = view.seat, len(view.hand), view.pile
    found["round"], found["turn"], found["plays"] = len(view.rounds), view.turn, view.plays
    found["players"], found["rounds"] = rules.players, rules.rounds
    found["limit"], found["exact"] = rules.limit, rules.exact
    return found


def check_numbers(view: View) -> None:
    """Refuse numbers of cards that cannot be: a kernel would look for cards that are not there."""
    rules, turn = view.rules, view.turn
    others = (rules.players - 1) * len(view.hand)
    held = rules.hand - (sum(rules.plays[:turn]) if view.pile == 0 else 0)
    left = rules.pile - rules.players * (
        len(view.rounds) * sum(rules.plays) + sum(rules.plays[:turn])
    )
    sound = len(view.hand) == held and view.pile == max(left, 0)
    if not sound or len(view.unseen) != rules.aside + view.pile + others:
        raise GameError("view_numbers")


def action_of(hand: Cards, choice: Cards) -> int:
    """The action that plays these cards of a sorted hand."""
    first = hand.index(choice[0])
    if len(choice) == 1:
        return first
    second = hand.index(choice[1], first + 1)
    pairs = zip(FIRST[SINGLES:], SECOND[SINGLES:], strict=True)
    return SINGLES + list(pairs).index((first, second))
