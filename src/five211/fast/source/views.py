"""A policy's view, in compiled code: what it holds, how it is written, and how it is answered."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, njit, types
from numba.extending import intrinsic

from five211.fast.packed import VALUES, VALUES_OF_WORD
from five211.fast.source.chance import below
from five211.fast.source.hands import card_at
from five211.fast.source.part import part
from five211.fast.source.scoring import counted
from five211.fast.source.totals import POINTS
from five211.fast.view import ACTIONS, MOST_SEATS, NO_ACTION, SECOND, SINGLES, VIEW
from five211.rules import HAND

u64 = np.uint64
RECORD = from_dtype(VIEW)
HOLDS, COUNT, LAID, WORTH, UNSEEN, MOMENT, RULES = (
    VIEW.fields[name][1] // 8
    for name in ("hand", "count", "laid", "worth", "unseen", "seat", "players")
)


@intrinsic
def records_at(_context: Any, _words: Any) -> Any:
    """Words as views."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], context.get_value_type(signature.return_type))

    return types.CPointer(RECORD)(types.CPointer(types.uint64)), generate


@njit
def single(place: int) -> int:
    """The action that plays the card at this place; none for what is no place."""
    return place if 0 <= place < HAND else NO_ACTION


@njit
def pair(place: int, other: int) -> int:
    """The action that plays the cards at these two places; none for what are no two places."""
    low, high = min(place, other), max(place, other)
    if low < 0 or low == high or high >= HAND:
        return NO_ACTION
    return SINGLES + low * (2 * HAND - 1 - low) // 2 + high - low - 1


@njit
def color_of(card: int) -> int:
    """A card's colour, from 0 to 4."""
    return card // VALUES


@njit
def value_of(card: int) -> int:
    """A card's value, from 1 to 6."""
    return card % VALUES + 1


@part
def any_action(rng: Any, plays: Any, held: Any) -> Any:
    """Any cards of the hand."""
    place = below(rng, held)
    if plays == 1:
        return single(place)
    other = below(rng, held - u64(1))
    return pair(place, other + (other >= place))


@part
def is_legal(action: int, plays: int, held: int) -> bool:
    """Whether an action plays so many cards, all of them held."""
    if plays == 1:
        return 0 <= action < held
    return SINGLES <= action < ACTIONS and SECOND[u64(action)] < held


@part
def rules_word(players: int, rounds: int, limit: Any, exact: Any) -> Any:
    """The word of a view that never changes."""
    return u64(players) | u64(rounds) << u64(8) | limit << u64(16) | exact << u64(24)


@part
def take(kinds: Any, card: Any) -> None:
    """One card less of its kind, where each kind has a byte."""
    kinds[card >> u64(3)] -= u64(1) << ((card & u64(7)) << u64(3))


@part
def show_table(
    view: Any, players: int, held: Any, moment: Any, words: Any, totals: Any, rules: Any
) -> None:
    """Write what everyone sees; a view is written by words of eight bytes, which is quick."""
    low = high = counts = u64(0)
    for seat in range(players):
        points, word = totals[u64(seat)] >> u64(POINTS), words[u64(seat)]
        if seat < 4:
            low |= points << u64(16 * seat)
        else:
            high = points
        laid = counted(word)
        counts += laid
        view[u64(LAID + seat)] = laid
        view[u64(WORTH + seat)] = word & u64(VALUES_OF_WORD)
    for seat in range(players, MOST_SEATS):
        view[u64(LAID + seat)] = view[u64(WORTH + seat)] = u64(0)
    view[u64(0)], view[u64(1)], view[u64(COUNT)] = low, high, counts
    view[u64(MOMENT)], view[u64(RULES)] = held << u64(8) | moment, rules


@part
def show_hand(view: Any, seat: Any, hand: Any, held: Any, unseen: Any) -> None:
    """Write what one seat alone knows; `unseen` is what has not lain on the table in this deal."""
    own = view[UNSEEN : UNSEEN + 4]
    for index in range(4):
        own[u64(index)] = unseen[u64(index)]
    for place in range(HAND):
        if u64(place) < held:
            take(own, card_at(hand, u64(place)))
    view[u64(HOLDS)] = hand
    view[u64(MOMENT)] = (view[u64(MOMENT)] & ~u64(0xFF)) | seat


@part
def view_moment(round_: Any, turn: Any, plays: Any, pile: Any) -> Any:
    """The word of a view that says where the game is."""
    return u64(round_) << u64(16) | u64(turn) << u64(24) | u64(plays) << u64(32) | pile << u64(40)
