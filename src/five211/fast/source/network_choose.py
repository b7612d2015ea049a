"""The kernel in which a network chooses for many views at once, as training does."""

from __future__ import annotations

from numba import carray

from five211.bots.network import SIZE
from five211.fast.network import WORKSPACE
from five211.fast.source.chance import begin
from five211.fast.source.entry import entry
from five211.fast.source.network import chances, drawn, values_of
from five211.fast.source.views import records_at
from five211.fast.view import ACTIONS


def make(takes: str) -> str:
    """The kernel: actions, how likely they were, and the two values of each view."""

    def network_choose(count, views, weights, key, chosen, likely, valued, stream, scratch):
        views, weights = carray(records_at(views), count), carray(weights, SIZE)
        chosen, likely = carray(chosen, count), carray(likely, count)
        valued, rng = carray(valued, 2 * count), carray(stream, 1)
        space = carray(scratch, WORKSPACE + 2 * ACTIONS)
        actions, shares = space[WORKSPACE:][:ACTIONS], space[WORKSPACE + ACTIONS :]
        for index in range(count):
            rng[0] = begin(key, index)
            number = chances(weights, views[index], space, actions, shares)
            taken = drawn(shares, number, rng)
            chosen[index], likely[index] = actions[taken], shares[taken]
            share, lead = values_of(weights, views[index], space)
            valued[2 * index], valued[2 * index + 1] = share, lead
        return 0

    return entry(takes, network_choose)
