"""Many views at once: what a network chooses and is told of them, and what a policy chooses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from five211.bots.network import CF, GF, SIZE
from five211.fast.machine import kernel
from five211.fast.network import WORKSPACE
from five211.fast.policies import Policy, policy_address
from five211.fast.streams import key
from five211.fast.view import ACTIONS, COLORS, SINGLES, WORDS_OF_VIEW

CHOOSE_TAKES = "u64 u64* f32* u64 u8* f32* f32* u64* f32*"
TELL_TAKES = "u64 u64* u8* u8* f32* f32* f32*"
ASK_TAKES = "u64 u64* u64 u64 u8* u64* u64*"
TOLD = COLORS * CF + GF
"""Numbers that a network is told of a choice."""
MOST = ACTIONS - SINGLES
"""Choices that there can be at most."""
Views = NDArray[np.void]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a network chose for each view."""

    actions: NDArray[np.uint8]
    likely: Floats
    """How likely it was to choose that."""
    values: Floats
    """The share of the victory that it expects, and the lead."""


def choose(weights: Floats, views: Views, seed: int | str) -> Chosen:
    """A network's choices, by chance."""
    assert weights.shape == (SIZE,)
    number = len(views)
    found = Chosen(
        np.empty(number, np.uint8), np.empty(number, np.float32), np.empty((number, 2), np.float32)
    )
    kernel("network_choose", CHOOSE_TAKES)(
        number,
        np.ascontiguousarray(views).view(np.uint64),
        weights,
        key(seed, "network"),
        found.actions,
        found.likely,
        found.values,
        np.zeros(1, np.uint64),
        np.empty(WORKSPACE + 2 * ACTIONS, np.float32),
    )
    return found


@dataclass(frozen=True, slots=True)
class Told:
    """What a network is told of some views: a row for each choice, and one for each view."""

    number: NDArray[np.uint8]
    """How many choices each view has."""
    actions: NDArray[np.uint8]
    rows: Floats
    before: Floats


def tell(views: Views) -> Told:
    """What a network is told of these views."""
    count = len(views)
    number, actions = np.empty(count, np.uint8), np.empty(count * MOST, np.uint8)
    rows, before = (np.empty((count * most, TOLD), np.float32) for most in (MOST, 1))
    used = kernel("network_tell", TELL_TAKES)(
        count,
        np.ascontiguousarray(views).view(np.uint64),
        number,
        actions,
        rows,
        before,
        np.empty(WORKSPACE, np.float32),
    )
    return Told(number, actions[:used], rows[:used], before)


def ask(policy: Policy, views: Views, seed: int | str) -> NDArray[np.uint8]:
    """A policy's choices."""
    actions = np.empty(len(views), np.uint8)
    kernel("policy_choose", ASK_TAKES)(
        len(views),
        np.ascontiguousarray(views).view(np.uint64),
        policy_address(policy),
        key(seed, "ask"),
        actions,
        np.empty(WORDS_OF_VIEW, np.uint64),
        np.zeros(1, np.uint64),
    )
    return actions
