"""Thousands of games stepped at once, for training and for vector environments.

    batch = Batch(players=4, games=4096, seed=7)
    batch.reset()
    while True:
        actions = ...            # games x players, of those that batch.legal allows
        batch.step(actions)      # batch.points, .done, .winners and .legal tell the rest

All games go on by one turn with each step. A game that ends is dealt anew at once, so that what is
legal and what is seen belong to the new one; `done`, `points` and `winners` still tell of the old.
Of 4,096 rows, row 5 plays game 5 of the seed, then game 4,101: the same that `simulate` plays.
An action is a place in the sorted hand, or a pair of places (see `five211.fast.view`).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from five211.errors import GameError
from five211.fast.machine import kernel
from five211.fast.packed import FINE
from five211.fast.simulate import check_range
from five211.fast.streams import key
from five211.fast.view import ACTIONS, FIRST, SECOND, SINGLES
from five211.rules import HAND, Rules, Variant

STATE, MOMENT, NUMBER, SEATS = 13, 14, 15, 16
"""After the deck, a row has its stream, where the game is, its number, and four words a seat."""
RESET_TAKES = "u64 u64 u64 u64* u16*"
STEP_TAKES = "u64 u64 u64 u64* u8* i16* u8* u8* u16*"


def row_words(players: int) -> int:
    """Words of memory that a game takes."""
    return SEATS + 4 * players


def _legal() -> NDArray[np.uint16]:
    """By number of cards played, cards held and which neighbours are alike: the legal actions.

    Of choices that look alike only the first is legal, so that each is one action.
    """
    table = np.zeros((3, HAND + 1, 16), np.uint16)
    for plays, held in ((2, 5), (1, 5), (1, 4), (1, 3), (1, 2)):
        for alike in product((0, 1), repeat=HAND - 1):
            hand = np.cumsum([0, *(1 - same for same in alike)])
            seen = set()
            for action in range(ACTIONS):
                places = (FIRST[action],) if action < SINGLES else (FIRST[action], SECOND[action])
                cards = tuple(hand[place] for place in places)
                if len(places) == plays and max(places) < held and cards not in seen:
                    seen.add(cards)
                    index = sum(same << place for place, same in enumerate(alike))
                    table[plays, held, index] |= 1 << action
    return table


LEGAL = _legal().reshape(-1)


class Batch:
    """Games that are stepped together."""

    def __init__(
        self, players: int, games: int, seed: int | str = 0, variant: str = Variant.STANDARD
    ) -> None:
        self.rules = Rules.of(players, variant)
        check_range(0, games)
        self.games, self.seed = games, seed
        self.points: NDArray[np.int16] = np.zeros((games, players), np.int16)
        """What each seat got in the last step."""
        self.done: NDArray[np.uint8] = np.zeros(games, np.uint8)
        """Whether each game ended in the last step."""
        self.winners: NDArray[np.uint8] = np.zeros(games, np.uint8)
        """Who won the games that ended, a bit a seat."""
        self.legal: NDArray[np.uint16] = np.zeros((games, players), np.uint16)
        """What each seat may do now, a bit an action."""
        self._memory = np.zeros((games, row_words(players)), np.uint64)
        self._reset = kernel("batch_reset", RESET_TAKES, players)
        self._step = kernel("batch_step", STEP_TAKES, players)

    def reset(self) -> None:
        """Deal all games anew, from the beginning of their streams."""
        self._reset(self.games, key(self.seed, "deck"), 0, self._memory, self.legal)
        self.done[:] = 0
        self.points[:] = 0

    def step(self, actions: NDArray[np.uint8]) -> None:
        """Play one turn in every game; nothing is played anywhere if one action is not legal."""
        games, players = self.legal.shape
        if getattr(actions, "shape", None) != (games, players) or actions.dtype != np.uint8:
            raise GameError("batch_shape", games=games, players=players)
        given = np.ascontiguousarray(actions)
        goal = self.rules.goal or 0
        rows: tuple[Any, ...] = (self.points, self.done, self.winners, self.legal)
        deck = key(self.seed, "deck")
        wrong = self._step(self.games, deck, goal, self._memory, given, *rows)
        if wrong != FINE:
            game, seat = divmod(wrong, self.rules.players)
            raise GameError("batch_action", game=game, seat=seat + 1, action=int(given[game, seat]))
