"""Thousands of games stepped at once, for training and for vector environments.

    batch = Batch(players=4, games=4096, seed=7)
    batch.reset()
    while True:
        actions = ...            # games x players, of those that batch.legal allows
        batch.step(actions)      # batch.points, .done, .winners and .legal tell the rest

With `views=True`, `batch.views[game, seat]` is what that seat may know, as policies see it too; and
`buffers=Buffers(...)` has everything written into arrays of the caller's.

All games go on by one turn with each step. A game that ends is dealt anew at once, so that what is
legal and what is seen belong to the new one; `done`, `points` and `winners` still tell of the old.
Of 4,096 rows, row 5 plays game 5 of the seed, then game 4,101: the same that `simulate` plays.
An action is a place in the sorted hand, or a pair of places (see `five211.fast.view`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from five211.errors import GameError
from five211.fast.machine import kernel
from five211.fast.packed import FINE
from five211.fast.policies import Policy, policy_address
from five211.fast.simulate import check_count
from five211.fast.streams import key
from five211.fast.view import ACTIONS, FIRST, SECOND, SINGLES, VIEW, WORDS_OF_VIEW
from five211.rules import HAND, Rules, Variant

STATE, MOMENT, NUMBER, UNSEEN, SEATS = 13, 14, 15, 16, 20
"""After the deck, a row has its stream, where the game is, its number, the cards that have not been
on the table, and four words a seat."""
RESET_TAKES = "u64 u64 u64* u16* u64 u64*"
STEP_TAKES = "u64 u64 u64 u64* u8* i16* u8* u8* u16* u64 u64*"
ANSWER_TAKES = "u64 u64* u64* u64* u64* u64* u8* u64* u64*"
NUMBERS_TAKES = "u64 u64 u64 u64* u64* u64 u8* u8*"
NOBODY = 1
"""In place of a policy's address: the seat is played from outside."""
FIELDS = (
    *("hand", "places", "unseen", "laid", "worth", "icons", "tally", "tally_icons", "points"),
    *("scored", "pile"),  # from here on: pile, round, turn, plays, last round, deal
)
"""What `Batch.write` tells, in the order in which it asks for their places."""


def row_words(players: int) -> int:
    """Words of memory that a game takes."""
    return SEATS + 4 * players


def _legal() -> NDArray[np.uint16]:
    """By number of cards played, cards held and which neighbours are alike: the legal actions.

    Of choices that look alike only the first is legal, so that each is one action.
    """
    table = np.zeros((3, HAND + 1, 16), np.uint16)
    for plays, held in ((2, 5), (2, 4), (2, 3), (2, 2), (1, 5), (1, 4), (1, 3), (1, 2), (1, 1)):
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


@dataclass(frozen=True, slots=True)
class Buffers:
    """Where a batch writes what its games come to: arrays of its own, or the caller's."""

    points: NDArray[np.int16]
    """What each seat got in the last step: games x players."""
    done: NDArray[np.uint8]
    """Whether each game ended in the last step."""
    winners: NDArray[np.uint8]
    """Who won the games that ended, a bit a seat."""
    legal: NDArray[np.uint16]
    """What each seat may do now, a bit an action: games x players."""
    views: NDArray[np.void] | None = None
    """What each seat may know now (`five211.fast.VIEW`), if it is wanted: games x players."""

    @classmethod
    def new(cls, players: int, games: int, *, views: bool = False) -> Buffers:
        """New ones."""
        kinds = _kinds(players, games)
        return cls(*(np.zeros(shape, kind) for kind, shape in kinds[: None if views else -1]))

    def each(self) -> tuple[Any, ...]:
        """All of them, in order."""
        return self.points, self.done, self.winners, self.legal, self.views

    def check(self, players: int, games: int, *, views: bool) -> None:
        """Refuse arrays that a kernel cannot write to: it would write past their end."""
        kinds = _kinds(players, games)
        for name, given, (kind, shape) in zip(self.__slots__, self.each(), kinds, strict=True):
            if given is None and name == "views" and not views:
                continue
            fits = isinstance(given, np.ndarray) and given.flags.carray
            if not (fits and (given.dtype, given.shape) == (kind, shape)):
                size = " x ".join(map(str, shape))
                called = "VIEW" if kind.names else kind.name
                raise GameError("batch_buffer", name=name, shape=size, kind=called)


def _kinds(players: int, games: int) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
    """The kind and the shape of each array, in their order."""
    each, every = (games,), (games, players)
    kinds: tuple[Any, ...] = (np.int16, np.uint8, np.uint8, np.uint16, VIEW)
    shapes = every, each, each, every, every
    return [(np.dtype(kind), shape) for kind, shape in zip(kinds, shapes, strict=True)]


class Batch:
    """Games that are stepped together."""

    def __init__(
        self,
        players: int,
        games: int,
        seed: int | str = 0,
        variant: str = Variant.STANDARD,
        *,
        views: bool = False,
        buffers: Buffers | None = None,
    ) -> None:
        self.rules = Rules.of(players, variant)
        check_count("games", games)
        self.games, self.seed = games, seed
        self.buffers = buffers or Buffers.new(players, games, views=views)
        self.buffers.check(players, games, views=views)
        self._dealt = False
        self._memory = np.zeros((games, row_words(players)), np.uint64)
        self._reset = kernel("batch_reset", RESET_TAKES, players)
        self._step = kernel("batch_step", STEP_TAKES, players)

    @property
    def points(self) -> NDArray[np.int16]:
        """What each seat got in the last step."""
        return self.buffers.points

    @property
    def done(self) -> NDArray[np.uint8]:
        """Whether each game ended in the last step."""
        return self.buffers.done

    @property
    def winners(self) -> NDArray[np.uint8]:
        """Who won the games that ended, a bit a seat."""
        return self.buffers.winners

    @property
    def legal(self) -> NDArray[np.uint16]:
        """What each seat may do now, a bit an action."""
        return self.buffers.legal

    @property
    def views(self) -> NDArray[np.void] | None:
        """What each seat may know now, if it was asked for."""
        return self.buffers.views

    def reset(self) -> None:
        """Deal all games anew, from the beginning of their streams."""
        deck = key(self.seed, "deck")
        self._reset(self.games, deck, self._memory, self.legal, *self._observed())
        self.done[:] = self.winners[:] = 0
        self._dealt = True
        self.points[:] = 0

    def step(self, actions: NDArray[np.uint8]) -> None:
        """Play one turn in every game; nothing is played anywhere if one action cannot be.

        Of choices that look alike `legal` has the first alone, but any of them is played.
        """
        if not self._dealt:
            raise GameError("batch_reset")
        games, players = self.legal.shape
        if getattr(actions, "shape", None) != (games, players) or actions.dtype != np.uint8:
            raise GameError("batch_shape", games=games, players=players)
        given = np.ascontiguousarray(actions)
        goal = self.rules.goal or 0
        rows = self.buffers.each()[:-1]
        deck = key(self.seed, "deck")
        memory = self._memory
        wrong = self._step(self.games, deck, goal, memory, given, *rows, *self._observed())
        if wrong != FINE:
            game, seat = divmod(wrong, self.rules.players)
            raise GameError("batch_action", game=game, seat=seat + 1, action=int(given[game, seat]))

    def write(
        self,
        seats: range,
        places: NDArray[np.uint64],
        numbers: NDArray[np.uint8],
        masks: NDArray[np.uint8],
    ) -> None:
        """What these seats see, a row of bytes each whose fields stand where `places` says."""
        rows = self.games * len(seats)
        assert numbers.shape[0] == masks.shape[0] == rows
        assert (masks.shape[1], len(places)) == (ACTIONS, len(FIELDS))
        assert np.all(np.diff(places.astype(np.int64)) > 0)  # the kernel relies on their order
        to_write = places, numbers.shape[1], numbers, masks
        write = kernel("batch_numbers", NUMBERS_TAKES, self.rules.players)
        write(self.games, seats.start, len(seats), self._memory, *to_write)

    def _observed(self) -> tuple[int, NDArray[np.uint64]]:
        """Whether views are written, and where."""
        if self.views is None:
            return 0, self._memory
        return 1, self.views.view(np.uint64)


class Answers:
    """Policies that choose for some seats of a batch, as they would in `simulate` of its seed."""

    def __init__(self, batch: Batch, policies: Sequence[Policy | None]) -> None:
        games, players = batch.legal.shape
        self._batch = batch
        self._policies = np.array(
            [NOBODY if one is None else policy_address(one) for one in policies], np.uint64
        )
        self._begun = np.zeros(games, np.uint64)
        self._streams = np.zeros((games, players), np.uint64)
        self._table, self._shown = np.zeros((2, WORDS_OF_VIEW), np.uint64)
        self._choose = kernel("batch_answer", ANSWER_TAKES, players)

    def reset(self) -> None:
        """Begin the streams anew, with the batch."""
        self._begun[:] = 0

    def choose(self, actions: NDArray[np.uint8]) -> None:
        """Write what each policy chooses for its seat in every game; once for each turn."""
        batch = self._batch
        keys = [key(batch.seed, "seat", seat) for seat in range(batch.rules.players)]
        wrong = self._choose(
            batch.games,
            batch._memory,
            self._policies,
            np.array(keys, np.uint64),
            self._begun,
            self._streams,
            actions,
            self._table,
            self._shown,
        )
        if wrong != FINE:
            raise GameError("policy_action", seat=wrong + 1)
