"""The kernel that writes down what a network is told of many views: what it learns from."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.bots.network import CF, GF
from five211.fast.network import FEATURES, WORKSPACE
from five211.fast.source.entry import entry
from five211.fast.source.network import is_first, look, tell
from five211.fast.source.part import copy
from five211.fast.source.views import pair, records_at, single
from five211.fast.view import ACTIONS, COLORS, SINGLES

i64 = np.int64
TOLD = COLORS * CF + GF


def make(takes: str) -> str:
    """The kernel: a row for each action of each view, and one for each view before any."""

    def network_tell(count, views, number, actions, rows, before, scratch):
        views, number = carray(records_at(views), count), carray(number, count)
        most = count * (ACTIONS - SINGLES)
        actions = carray(actions, most)
        rows, before = carray(rows, most * TOLD), carray(before, count * TOLD)
        space = carray(scratch, WORKSPACE)
        told = space[FEATURES : FEATURES + TOLD]
        at = 0
        for index in range(i64(count)):
            view, first = views[index], at
            plays, players = i64(view.plays), i64(view.players)
            coming = (players - 1) * plays + players * (2 - i64(view.turn))
            look(view, coming, space)
            for place in range(i64(view.held)):
                for other in (
                    range(place + 1, i64(view.held)) if plays == 2 else range(place, place + 1)
                ):
                    if is_first(view.hand, place, other):
                        tell(view, coming, place, other, space)
                        copy(rows[at * TOLD : (at + 1) * TOLD], told)
                        actions[at] = single(place) if plays == 1 else pair(place, other)
                        at += 1
            number[index] = at - first
            look(view, coming + plays, space)
            tell(view, coming + plays, -1, -1, space)
            copy(before[index * TOLD : (index + 1) * TOLD], told)
        return at

    return entry(takes, network_tell)
