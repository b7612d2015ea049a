"""Hands in one word: a card in each byte, or none.

The readable engine keeps hands sorted, and so do these functions; random play alone does not care.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from five211.fast.packed import EMPTY
from five211.fast.source.part import part
from five211.rules import HAND

u64 = np.uint64
ONES = 0x0101_0101_0101_0101
HIGH = 0x8080_8080_8080_8080


@part
def card_at(hand: Any, place: Any) -> Any:
    """The card at a place, from 0."""
    return (hand >> (place << u64(3))) & u64(0xFF)


@part
def without(hand: Any, place: Any) -> Any:
    """The hand without the card at a place; those behind it move up."""
    lower = (u64(1) << (place << u64(3))) - u64(1)
    return (hand & lower) | (((hand >> u64(8)) | u64(EMPTY << 56)) & ~lower)


@part
def insert(hand: Any, card: Any) -> Any:
    """A sorted hand with one more card."""
    behind = ((hand | u64(HIGH)) - card * u64(ONES)) & u64(HIGH)  # a bit a byte that is not less
    place = (behind & (~behind + u64(1))) >> u64(7)  # the lowest bit of the first of those bytes
    lower = place - u64(1)
    return (hand & lower) | (card * place) | ((hand & ~lower) << u64(8))


@part
def in_order(hand: Any) -> Any:
    """A full hand, sorted."""
    result = u64(EMPTY) * u64(ONES)
    for place in range(HAND):
        result = insert(result, card_at(hand, u64(place)))
    return result
