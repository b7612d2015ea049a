"""A policy's view, in compiled code: what it holds, how it is written, and how it is answered."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, njit

from five211.fast.packed import VALUES, VALUES_OF_WORD
from five211.fast.source.hands import card_at
from five211.fast.source.part import part
from five211.fast.source.scoring import counted
from five211.fast.source.totals import POINTS
from five211.fast.view import ACTIONS, SECOND, SINGLES, VIEW
from five211.rules import HAND

u64 = np.uint64
RECORD = from_dtype(VIEW)
UNSEEN = VIEW.fields["unseen"][1] // 8


@njit
def single(place: int) -> int:
    """The action that plays the card at this place."""
    return place


@njit
def pair(place: int, other: int) -> int:
    """The action that plays the cards at these two places."""
    low, high = min(place, other), max(place, other)
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
def is_legal(action: int, plays: int, held: int) -> bool:
    """Whether an action plays so many cards, all of them held."""
    if plays == 1:
        return 0 <= action < held
    return SINGLES <= action < ACTIONS and SECOND[u64(action)] < held


@part
def show_rules(view: Any, players: int, rounds: int, limit: Any, exact: Any) -> None:
    """Write what never changes; a view is written by words of eight bytes, which is quick."""
    view[19] = u64(players) | u64(rounds) << u64(8) | limit << u64(16) | exact << u64(24)


@part
def take(kinds: Any, card: Any) -> None:
    """One card less of its kind, where each kind has a byte."""
    kinds[card >> u64(3)] -= u64(1) << ((card & u64(7)) << u64(3))


@part
def show(
    view: Any,
    players: int,
    seat: Any,
    hand: Any,
    held: Any,
    moment: Any,
    words: Any,
    totals: Any,
    unseen: Any,
) -> None:
    """Write what a seat may know; `unseen` is what nobody has seen on the table in this deal."""
    low = high = counts = u64(0)
    for other in range(players):
        points, word = totals[u64(other)] >> u64(POINTS), words[u64(other)]
        if other < 4:
            low |= points << u64(16 * other)
        else:
            high = points
        laid = counted(word)
        counts += laid
        view[u64(4 + other)] = laid
        view[u64(9 + other)] = word & u64(VALUES_OF_WORD)
    view[u64(0)], view[u64(1)], view[u64(2)], view[u64(3)] = low, high, hand, counts
    own = view[UNSEEN : UNSEEN + 4]
    for index in range(4):
        own[u64(index)] = unseen[u64(index)]
    for place in range(HAND):
        if u64(place) < held:
            take(own, card_at(hand, u64(place)))
    view[u64(18)] = seat | held << u64(8) | moment


@part
def moment_of(round_: Any, turn: Any, plays: Any, pile: Any) -> Any:
    """The word of a view that says where the game is."""
    return u64(round_) << u64(16) | u64(turn) << u64(24) | u64(plays) << u64(32) | pile << u64(40)
