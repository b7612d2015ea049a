"""The kernel in which a policy chooses for many views at once."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.source.chance import begin
from five211.fast.source.entry import entry
from five211.fast.source.part import copy
from five211.fast.source.turns import ask
from five211.fast.source.views import MOMENT, any_action
from five211.fast.view import RANDOM, WORDS_OF_VIEW

u64 = np.uint64


def make(takes: str) -> str:
    """The kernel: an action for each view."""

    def policy_choose(count, views, policy, key, chosen, shown, stream):
        views, chosen = carray(views, count * u64(WORDS_OF_VIEW)), carray(chosen, count)
        view, rng = carray(shown, WORDS_OF_VIEW), carray(stream, 1)
        for index in range(count):
            rng[0] = begin(key, index)
            at = index * u64(WORDS_OF_VIEW)
            copy(view, views[at : at + u64(WORDS_OF_VIEW)])
            if policy == u64(RANDOM):
                moment = view[u64(MOMENT)]
                held, plays = (moment >> u64(8)) & u64(0xFF), (moment >> u64(32)) & u64(0xFF)
                chosen[index] = any_action(rng, plays, held)
            else:
                chosen[index] = ask(policy, shown, stream, u64(0))
        return 0

    return entry(takes, policy_choose)
