"""What follows from a log of games, round by round; nothing is counted here yet.

Axes are always games, rounds, seats, cards, colours, as far as there are any. The four cards of a
seat are those of the first turn, then the second turn's, then the last one.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from five211.cards import ICON
from five211.fast.packed import ICONS, VALUES
from five211.rules import COLORS, PLAYS, Rules
from five211.stats.habits.judge import Flags, Numbers, judge, tied

TURNS = tuple(slice(*both) for both in pairwise(accumulate(PLAYS, initial=0)))
"""Which of a seat's cards belong to each turn."""
FIRST, SECOND, LAST = TURNS
THIRDS = 3
"""A game is looked at in so many parts, as equal as whole rounds allow."""


class Rounds:
    """All rounds of some games."""

    def __init__(self, rules: Rules, log: NDArray[np.uint8], winners: NDArray[np.uint8]) -> None:
        self.rules = rules
        self.color: Numbers = log.astype(np.int64) // VALUES
        self.value: Numbers = log.astype(np.int64) % VALUES + 1
        self.icon: Flags = self.value == ICON
        self.laid: Flags = self.color[..., None] == np.arange(len(COLORS))
        """Whether a card has a colour."""
        won = (winners[:, None, None] >> np.arange(rules.players)) & 1
        self.won: Flags = np.broadcast_to(won == 1, self.value.shape[:3])
        """Whether a seat wins the game, alone or with others; the same in all its rounds."""
        self.cards, self.seats, self.each = (
            np.ones(self.value.shape[:axes], np.bool_) for axes in (4, 3, 2)
        )
        """Every card, every seat in every round, every round: what shares are of."""

    def third(self) -> Numbers:
        """In which third of its game each round is."""
        return np.asarray(np.arange(self.value.shape[1]) * THIRDS // self.value.shape[1])

    # The table

    def colors_after(self, turn: slice) -> Numbers:
        """Cards of each colour on the table after a turn."""
        return np.asarray(self.laid[..., : turn.stop, :].sum(axis=(2, 3)))

    def icons_after(self, turn: slice) -> Numbers:
        """Icon cards on the table after a turn."""
        return np.asarray(self.icon[..., : turn.stop].sum(axis=(2, 3)))

    @cached_property
    def colors(self) -> Numbers:
        """Cards of each colour at the end of the round."""
        return self.colors_after(LAST)

    @cached_property
    def icons(self) -> Numbers:
        """Icon cards at the end of the round."""
        return self.icons_after(LAST)

    # What scores

    @cached_property
    def scoring(self) -> Numbers:
        """What scores: a colour's number, `ICONS` or `NOTHING`."""
        return judge(self.rules, self.icons, self.colors)

    @cached_property
    def by_icons(self) -> Flags:
        """Whether the icons decide the round."""
        return np.asarray(self.scoring == ICONS)

    @cached_property
    def color_scores(self) -> Flags:
        """Whether a colour scores, for each."""
        return np.asarray(self.scoring[..., None] == np.arange(len(COLORS)))

    @cached_property
    def by_color(self) -> Flags:
        """Whether any does."""
        return np.asarray(self.color_scores.any(axis=-1))

    @cached_property
    def scores(self) -> Flags:
        """Whether a card scores, for its colour or as an icon."""
        for_color = self.color == self.scoring[..., None, None]
        return np.asarray(for_color | (self.icon & self.by_icons[..., None, None]))

    @cached_property
    def points(self) -> Numbers:
        """What each seat gets in the round."""
        return np.asarray((self.value * self.scores).sum(axis=-1))

    # The opening

    @cached_property
    def pair(self) -> Flags:
        """Whether a seat opens with two cards of one colour."""
        one, other = np.moveaxis(self.color[..., FIRST], -1, 0)
        return np.asarray(one == other)

    @cached_property
    def opened_icon(self) -> Flags:
        """Whether a seat opens with an icon card, or two."""
        return np.asarray(self.icon[..., FIRST].any(axis=-1))

    @cached_property
    def opened(self) -> Flags:
        """Whether a seat opens with a colour, for each."""
        return np.asarray(self.laid[..., FIRST, :].any(axis=-2))

    # The last card

    @cached_property
    def last_value(self) -> Numbers:
        """What it is worth."""
        return self.value[..., -1]

    @cached_property
    def last_scores(self) -> Flags:
        """Whether it scores."""
        return self.scores[..., -1]

    @cached_property
    def last_joins(self) -> Flags:
        """Whether it is of the colour that scores."""
        return self._of_last(self.color_scores)

    @cached_property
    def last_busts(self) -> Flags:
        """Whether its colour was below the limit before the turn, and is not any more.

        Not in rounds that the icons decide: no colour matters there.
        """
        limit = self.rules.limit
        over = (self.colors_after(SECOND) < limit) & (self.colors >= limit)
        return self._of_last(over) & ~self.by_icons[..., None]

    @cached_property
    def without(self) -> tuple[Numbers, Numbers]:
        """For each seat the icons and the colours, had it not played its last card."""
        icons = self.icons[..., None] - self.icon[..., -1]
        return icons, self.colors[..., None, :] - self.laid[..., -1, :]

    @cached_property
    def last_decides(self) -> Flags:
        """Whether something else would score without it."""
        return np.asarray(judge(self.rules, *self.without) != self.scoring[..., None])

    @cached_property
    def last_ties(self) -> tuple[Flags, Flags]:
        """Whether it makes a tie for the most cards, and whether it breaks one.

        Not in rounds that the icons decide: no tie matters there.
        """
        with_it = tied(self.rules, self.colors)[..., None]
        without = tied(self.rules, self.without[1])
        matters = ~self.by_icons[..., None]
        return with_it & ~without & matters, ~with_it & without & matters

    @cached_property
    def held(self) -> tuple[Numbers, Numbers]:
        """In the last card's colour, before its turn: what lies there of its seat, and the most
        of any seat, in points."""
        before = slice(0, SECOND.stop)
        worth = (self.value[..., before, None] * self.laid[..., before, :]).sum(axis=-2)
        mine = (worth * self.laid[..., -1, :]).sum(axis=-1)
        most = (worth.max(axis=2, keepdims=True) * self.laid[..., -1, :]).sum(axis=-1)
        return mine, most

    def _of_last(self, colors: Flags) -> Flags:
        """What is true of a colour, for each seat's last card."""
        return np.asarray((colors[..., None, :] & self.laid[..., -1, :]).any(axis=-1))
