"""One look ahead from a view, for bots: what each choice leads to (see `fast.source.search`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from five211.bots.network import SIZE
from five211.cards import Cards
from five211.fast.machine import kernel
from five211.fast.network import WORKSPACE
from five211.fast.packed import NUMBERS
from five211.fast.policies import policy_address
from five211.fast.seen import seen
from five211.fast.streams import key
from five211.fast.view import ACTIONS, FIRST, RULES_AT, SECOND, SINGLES, WORDS_OF_VIEW
from five211.rules import check_compiled
from five211.view import View

MANNERS = 4
"""How others may play: as the network, `heuristic`, `greedy`, or as the network with less care."""
POLICIES = ("random", "heuristic", "greedy", "random")  # the network is not asked by name
CANDIDATES = 32
"""Hands that one is picked of, at most."""
SCRATCH = 160 + 5 * CANDIDATES
ROOM = 232 + CANDIDATES * MANNERS
TAKES = (
    "u64* u64* u64 u64 u8* f32* f32* u64* u64 u64 u64 u64 u64 f32* f32* f32* u64* u64* u64* f32*"
)
READ_TAKES = "u64 u64 u64 u8* u64* u64 f32* u64* u64 u64 f32* u64* u64* u64* f32*"
Floats: TypeAlias = NDArray[np.float32]


def compile_search() -> None:
    """Compile all that a search needs, or find it on disk."""
    for name in POLICIES:
        policy_address(name)
    kernel("search", TAKES)
    kernel("manners", READ_TAKES)


@dataclass(frozen=True, slots=True)
class Searched:
    """What each choice leads to, in the mean of all worlds."""

    choices: tuple[Cards, ...]
    likely: Floats
    """How likely the network by itself makes each."""
    shares: Floats
    """The share of the victory to come."""
    leads: Floats
    """The lead to come, by `LEAD`."""


def search(
    view: View,
    weights: Floats,
    manners: Floats,
    worlds: int,
    seed: int | str = 0,
    tries: int = 4,
    joints: int = 2,
    ends: int = 2,
) -> Searched:
    """Look at every choice in so many worlds; `manners` says how likely each seat plays how.

    In a world the others' choices are drawn `joints` times; `ends` times in a second turn of three
    players or more, where the round is played to its end each time. Of two players, all are seen.
    """
    rules = view.rules
    check_compiled(rules)
    n = rules.players
    assert weights.shape == (SIZE,)
    assert manners.shape == (n, MANNERS)
    assert 0 < tries <= CANDIDATES
    assert joints > 0
    assert ends > 0
    log = np.zeros((n, 4), np.uint8)
    note(view.turns, log)
    piles = np.array([len(pile) for pile in view.score_piles], np.uint64)
    found, actions, likely = (
        np.empty(size, np.float32) for size in (2 * ACTIONS + 1, ACTIONS, ACTIONS)
    )
    tried = kernel("search", TAKES)(
        seen(view).reshape(1).view(np.uint64),
        piles,
        rules.goal or 0,
        len(view.earlier),
        log,
        weights,
        manners,
        np.array([policy_address(name) for name in POLICIES], np.uint64),
        key(seed, "search"),
        worlds,
        tries,
        joints,
        ends,
        found,
        actions,
        likely,
        np.empty(WORDS_OF_VIEW, np.uint64),
        np.zeros(1, np.uint64),
        np.empty(SCRATCH, np.uint64),
        np.empty(WORKSPACE + ROOM, np.float32),
    )
    means = found[: 2 * tried].reshape(-1, 2) / found[-1]
    choices = tuple(cards_of(view.hand, int(action)) for action in actions[:tried])
    return Searched(choices, likely[:tried], means[:, 0], means[:, 1])


def manners(
    view: View, weights: Floats, priors: Floats, seed: int | str = 0, tries: int = 3
) -> Floats:
    """How likely each seat plays in each manner, from the rounds of this deal that are over."""
    check_compiled(view.rules)
    n, record = view.rules.players, seen(view).reshape(1)
    log = np.zeros((len(view.rounds), n, 4), np.uint8)
    won = np.zeros(n, np.int64)
    for number, round_ in enumerate(view.rounds):
        won += round_.score.points
        note(round_.turns, log[number])
    found = np.tile(priors, (n, 1))
    kernel("manners", READ_TAKES)(
        int(record.view(np.uint64)[RULES_AT]),
        view.rules.pile,
        len(log),
        log,
        (np.array(view.points) - won).astype(np.uint64),
        view.seat,
        weights,
        np.array([policy_address(name) for name in POLICIES], np.uint64),
        key(seed, "manners"),
        tries,
        found,
        np.empty(WORDS_OF_VIEW, np.uint64),
        np.zeros(1, np.uint64),
        np.empty(SCRATCH, np.uint64),
        np.empty(WORKSPACE + ROOM, np.float32),
    )
    return found


def note(turns: tuple[tuple[Cards, ...], ...], log: NDArray[np.uint8]) -> None:
    """Write the turns of a round into a log: four places a seat, each turn's cards in order."""
    for at, turn in zip((0, 2, 3), turns, strict=False):
        for seat, cards in enumerate(turn):
            log[seat, at : at + len(cards)] = sorted(NUMBERS[card] for card in cards)


def cards_of(hand: Cards, action: int) -> Cards:
    """The cards that an action plays."""
    if action < SINGLES:
        return (hand[action],)
    return hand[FIRST[action]], hand[SECOND[action]]
