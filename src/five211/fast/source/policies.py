"""The built-in policies: written as users write theirs (see `five211.fast.view`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.core.ccallback import CFunc

from five211.bots.heuristic import BILLIONTHS, FOLLOW, RESERVE
from five211.bots.network import FILE
from five211.fast.network import WORKSPACE
from five211.fast.packed import ICONS
from five211.fast.source.chance import below
from five211.fast.source.entry import memory, text
from five211.fast.source.network import chances, drawn
from five211.fast.source.part import part
from five211.fast.source.scoring import scoring_byte
from five211.fast.source.views import RECORD, color_of, pair, single, value_of
from five211.fast.view import ACTIONS, COLORS, NO_ACTION
from five211.rules import ASIDE

u64 = np.uint64
MOST = 21  # numbers of cards that may still come in a round, none included
doubles = memory(types.float64, 20 * MOST)
floats = memory(types.float32, WORKSPACE + 2 * ACTIONS)
LEAST = min(ASIDE)
NETWORKS = np.load(FILE).astype(np.float32)


def policy_entry(policy: Callable[..., Any], *, may_fail: bool) -> Any:
    """A policy as a kernel can call it: of a pointer to its view, and of one to its stream."""

    def ask(view: Any, stream: Any) -> Any:
        return policy(carray(view, 1)[0], carray(stream, 1))

    def try_it(view: Any, stream: Any) -> Any:
        try:
            action = policy(carray(view, 1)[0], carray(stream, 1))
        except Exception:  # noqa: BLE001 - no action, which the kernel refuses
            return NO_ACTION
        return NO_ACTION if action is None else int(action)

    pointers = types.CPointer(RECORD), types.CPointer(types.uint64)
    made = CFunc(try_it if may_fail else ask, (pointers, types.int64), {}, {"error_model": "numpy"})
    made.compile()
    return made


def make(name: str) -> str:
    """A built-in policy, as LLVM's text."""
    return text(policy_entry(njit(BUILT_IN[name]), may_fail=False))


def greedy(view: Any, rng: Any) -> Any:
    """The highest values; equal ones by chance, so that no colour is liked."""
    best, next_best = -1, -1
    place, other = 0, 0
    for at in range(view.held):
        rank = value_of(view.hand[at]) * 1024 + below(rng, 1024)
        if rank > best:
            next_best, other = best, place
            best, place = rank, at
        elif rank > next_best:
            next_best, other = rank, at
    if view.plays == 1:
        return single(place)
    return pair(place, other)


def hasty(view: Any, rng: Any) -> Any:
    """What would bring most if the round ended now; equal ones by chance."""
    best, action = -(10**9), 0
    for place in range(view.held):
        for other in range(place + 1, view.held) if view.plays == 2 else range(place, place + 1):
            rank = _ahead(view, place, other) * 1024 + below(rng, 1024)
            if rank > best:
                best, action = rank, single(place) if view.plays == 1 else pair(place, other)
    return action


@part
def _ahead(view: Any, place: int, other: int) -> int:
    """By how much one would be ahead of all the others together, if the round ended now."""
    counts = u64(view.icons) << u64(8 * ICONS)
    for color in range(COLORS):
        counts += u64(view.count[color]) << u64(8 * color)
    for at in range(place, other + 1):
        if at == place or at == other:
            counts += u64(1) << u64(8 * color_of(view.hand[at]))
            counts += u64(value_of(view.hand[at]) == 1) << u64(8 * ICONS)
    scoring = scoring_byte(counts, u64(view.limit), u64(view.exact))
    own, ahead = 0, 0
    for at in range(place, other + 1):
        if at == place or at == other:
            card = view.hand[at]
            scores = value_of(card) == 1 if scoring == ICONS else color_of(card) == scoring
            own += value_of(card) * scores
    for seat in range(view.players):
        laid = np.int64(view.worth[seat, scoring])
        ahead += (view.players - 1) * (laid + own) if seat == view.seat else -laid
    return ahead


def heuristic(view: Any, _rng: Any) -> Any:
    """The best hope to gain more than the others, if unknown cards fall by chance."""
    later = 2 - view.turn
    cards = (view.players - 1) * view.plays + view.players * later
    space = carray(doubles(), (20, MOST))
    spread, out, share, base, own = space[0:6], space[6:11], space[11], space[12], space[13]
    unseen = 0
    for kind in range(view.unseen.size):
        unseen += view.unseen[kind]
    for color in range(COLORS + 1):
        share[color] = 0.0
    for kind in range(view.unseen.size):
        share[color_of(kind)] += view.unseen[kind] / unseen
        if value_of(kind) == 1:
            share[COLORS] += view.unseen[kind] / unseen
    for color in range(COLORS + 1):
        _binomial(cards, share[color], spread[color])
    best, action = -(10**15), 0
    for place in range(view.held):
        for other in range(place + 1, view.held) if view.plays == 2 else range(place, place + 1):
            worth = _worth(view, place, other, later, cards, spread, base, own, out)
            if worth > best:
                best, action = worth, single(place) if view.plays == 1 else pair(place, other)
    return action


def neural(view: Any, rng: Any) -> Any:
    """What the network thinks of each choice, by chance."""
    space = carray(floats(), WORKSPACE + 2 * ACTIONS)
    actions, shares = space[WORKSPACE:][:ACTIONS], space[WORKSPACE + ACTIONS :]
    number = chances(NETWORKS[view.players - LEAST], view, space, actions, shares)
    return int(actions[drawn(shares, number, rng)])


@part
def _binomial(trials: int, chance: float, into: Any) -> None:
    """How likely each number of successes is."""
    into[:] = 0.0
    into[0] = 1.0
    for done in range(trials):
        for successes in range(done + 1, 0, -1):
            into[successes] = into[successes] * (1 - chance) + into[successes - 1] * chance
        into[0] *= 1 - chance


@part
def _worth(
    view: Any,
    place: int,
    other: int,
    later: int,
    cards: int,
    spread: Any,
    base: Any,
    own: Any,
    out: Any,
) -> float:
    """The expected gain over the mean of the others, less what the cards are worth later."""
    limit = int(view.limit)
    cost = 0.0
    for color in range(COLORS):
        base[color], own[color] = view.count[color], view.worth[view.seat, color]
    base[COLORS], own[COLORS] = view.icons, 0.0
    for at in range(view.held):
        card = view.hand[at]
        value = value_of(card)
        if at == place or at == other:
            base[color_of(card)] += 1
            own[color_of(card)] += value
            base[COLORS] += value == 1
            cost += value * RESERVE * (view.pile > 0)
        elif later:
            own[color_of(card)] += value * FOLLOW * later / 2
    # How likely a colour does not stand in the way of one with n cards: it has less, or is out.
    for color in range(COLORS):
        laid, less, over = int(base[color]), 0.0, 0.0
        for extra in range(max(limit - laid, 0), cards + 1):
            over += spread[color, extra]
        for n in range(limit):
            out[color, n] = less + over
            if 0 <= n - laid <= cards:
                less += spread[color, n - laid]
    gain = 0.0
    for color in range(COLORS):
        laid, scores = int(base[color]), 0.0
        for n in range(max(laid, 1), min(limit, laid + cards + 1)):
            alone = spread[color, n - laid]
            for rival in range(COLORS):
                if rival != color:
                    alone *= out[rival, n]
            scores += alone
        theirs = 0.0
        for seat in range(view.players):
            if seat != view.seat:
                theirs += view.worth[seat, color]
        gain += scores * (own[color] - theirs / (view.players - 1))
    missing = int(view.exact - base[COLORS])
    if 0 <= missing <= cards:
        gain *= 1 - spread[COLORS, missing]
    return round((gain - cost) * BILLIONTHS)


BUILT_IN = {"greedy": greedy, "hasty": hasty, "heuristic": heuristic, "neural": neural}
