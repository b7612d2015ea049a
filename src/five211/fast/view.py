"""What a policy sees, as a record of small numbers; and how it says what it plays.

A policy is a function `policy(view, rng)` that Numba can compile. It returns an action: the places
in the sorted hand of the cards that it plays, by `single(place)` or `pair(place, other)`. What a
player in that seat may know (rule 8) is in the view, and nothing else.

    from numba import njit
    from five211.fast import below, pair, simulate, single

    @njit
    def last(view, rng):
        if view.plays == 2:
            return pair(view.held - 2, view.held - 1)
        return single(below(rng, view.held))

    simulate(4, 1_000_000, [last, "random", "random", "random"], seed=7)
"""

from __future__ import annotations

import numpy as np

from five211.fast.packed import ICONS, KINDS
from five211.rules import ASIDE, HAND

COLORS, MOST_SEATS = ICONS, max(ASIDE)

_FIELDS = {  # by name: type, size of the array, at which word of eight bytes and which byte of it
    "points": (np.int16, MOST_SEATS, 0, 0),  # each seat's points in the whole game
    "hand": (np.uint8, HAND, 2, 0),  # one's cards, sorted; a card is 6 * colour + value - 1
    "count": (np.uint8, COLORS, 3, 0),  # cards of each colour on the table
    "icons": (np.uint8, None, 3, ICONS),  # icons on the table
    "laid": (np.uint8, (MOST_SEATS, 8), 4, 0),  # cards on the table, by seat and colour
    "worth": (np.uint8, (MOST_SEATS, 8), 9, 0),  # the sum of their values
    "unseen": (np.uint8, KINDS, 14, 0),  # how many of each card one has not seen in this deal
    "seat": (np.uint8, None, 18, 0),  # one's own, from 0
    "held": (np.uint8, None, 18, 1),  # how many cards one holds
    "round": (np.uint8, None, 18, 2),  # of this deal, from 0
    "turn": (np.uint8, None, 18, 3),  # 0, 1 or 2
    "plays": (np.uint8, None, 18, 4),  # how many cards are played now: 2 or 1
    "pile": (np.uint8, None, 18, 5),  # how many cards are left to draw; 0 in the last round
    "players": (np.uint8, None, 19, 0),
    "rounds": (np.uint8, None, 19, 1),  # of one deal
    "limit": (np.uint8, None, 19, 2),  # cards at which a colour is out
    "exact": (np.uint8, None, 19, 3),  # icons at which they score
}
WORDS_OF_VIEW = 20
RULES_AT = _FIELDS["players"][2]
"""The word of a view that never changes in a game."""
VIEW = np.dtype(
    {
        "names": list(_FIELDS),
        "formats": [kind if size is None else (kind, size) for kind, size, *_ in _FIELDS.values()],
        "offsets": [8 * word + byte for *_, word, byte in _FIELDS.values()],
        "itemsize": 8 * WORDS_OF_VIEW,
    }
)
RANDOM = 0
"""In place of a policy's address: any cards, which the kernels choose themselves."""
NO_ACTION = -1
SINGLES = HAND
ACTIONS = SINGLES + HAND * (HAND - 1) // 2
FIRST = np.array([0, 1, 2, 3, 4] + [i for i in range(HAND) for _ in range(i + 1, HAND)], np.uint8)
SECOND = np.array([0] * HAND + [j for i in range(HAND) for j in range(i + 1, HAND)], np.uint8)
