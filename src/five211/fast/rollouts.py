"""Rounds completed from a view, for bots that search: thousands in a millisecond of random play.

tried = rollouts(view, worlds=500)
best = tried.choices[tried.means()[:, view.seat].argmax()]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from five211.cards import Cards
from five211.errors import GameError
from five211.fast.machine import kernel
from five211.fast.packed import FINE, SCRATCH
from five211.fast.policies import Policy, policy_address
from five211.fast.seen import action_of, seen
from five211.fast.simulate import check_count, seat_policies
from five211.fast.streams import key
from five211.fast.view import WORDS_OF_VIEW
from five211.rules import check_compiled
from five211.view import View

TAKES = "u64* u64 u64* u64 u64 u64 u8* u64* u8* u64* u64* u64*"
AT_A_TIME = 1 << 10
"""Worlds between two moments at which Ctrl-C is heard."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """What each choice brought in each world."""

    choices: tuple[Cards, ...]
    gains: NDArray[np.uint8]
    """Each seat's points for the round: worlds x choices x players."""

    def means(self) -> NDArray[np.float64]:
        """Each seat's points in the mean of all worlds: choices x players."""
        return np.asarray(self.gains.mean(axis=0))


def rollouts(
    view: View,
    worlds: int,
    policies: Policy | Sequence[Policy] = "random",
    seed: int | str = 0,
) -> Rollouts:
    """Try every choice that the viewer has in so many worlds, each of which the view allows.

    The others play by their policies, and so does the viewer in the later turns of the round.
    """
    rules = view.rules
    check_compiled(rules)
    check_count("worlds", worlds)
    asked = [policy_address(one) for one in seat_policies(rules, policies)]
    record = seen(view)
    choices = view.choices
    actions = np.array([action_of(view.hand, choice) for choice in choices], np.uint8)
    gains = np.empty((worlds, len(choices), rules.players), np.uint8)
    keys = np.array([key(seed, "worlds", seat) for seat in range(rules.players)], np.uint64)
    complete = kernel("rollouts", TAKES, rules.players)
    for first in range(0, worlds, AT_A_TIME):
        some = gains[first : first + AT_A_TIME]
        wrong = complete(
            record.reshape(1).view(np.uint64),
            key(seed, "worlds"),
            keys,
            first,
            len(some),
            len(choices),
            actions,
            np.array(asked, np.uint64),
            some,
            np.zeros(WORDS_OF_VIEW, np.uint64),
            np.zeros(rules.players, np.uint64),
            np.empty(SCRATCH, np.uint64),
        )
        if wrong != FINE:
            raise GameError("policy_action", seat=wrong + 1)
    return Rollouts(choices, gains)
