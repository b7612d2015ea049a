"""Chance in compiled code: a stream of random words for each purpose of each game.

A stream is a 64-bit state that grows by a constant; each state is mixed into a word (SplitMix64).
Where a game's stream begins follows from a key and the game's number, and the key from the seed
and a label by HMAC-SHA256 (`five211.fast.streams`): a seat's stream does not lead to the deck's.
So game 12,345 of a seed is the same whether it is played alone, first, or by another thread.

A word serves several draws: the upper half of its product with n is a number below n, the lower
half is the word for the next draw. What is lost is less than one part in a billion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from five211.fast.source.part import part

u64 = np.uint64
GAMMA = u64(0x9E3779B97F4A7C15)


@intrinsic
def product(_context: Any, _left: Any, _right: Any) -> Any:
    """The 128-bit product of two words, as its upper and its lower half."""
    signature = types.UniTuple(types.uint64, 2)(types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        word, double = ir.IntType(64), ir.IntType(128)
        full = builder.mul(*(builder.zext(one, double) for one in words))
        upper = builder.trunc(builder.lshr(full, ir.Constant(double, 64)), word)
        halves = upper, builder.trunc(full, word)
        return context.make_tuple(builder, signature.return_type, halves)

    return signature, generate


@part
def mix(state: u64) -> u64:
    """The random word of a state."""
    state = (state ^ (state >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> u64(27))) * u64(0x94D049BB133111EB)
    return state ^ (state >> u64(31))


@part
def begin(key: u64, game: u64) -> u64:
    """Where a game's stream begins."""
    return mix(key + game * GAMMA)


@njit
def below(rng: np.ndarray[Any, Any], n: int) -> u64:
    """A number from 0 to n - 1, from a seat's stream: for policies."""
    rng[0] += GAMMA
    upper, _lower = product(mix(rng[0]), u64(n))
    return upper
