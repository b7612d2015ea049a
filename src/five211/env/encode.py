"""A view as numbers, and a choice as one: what all research environments share.

An **observation** is what can be seen now, a row of small whole numbers (`uint8`) whose fields
`OBSERVATION` names. An **information state** is the observation and, after it, every card that was
revealed, in order: nothing that the table showed is forgotten (`HISTORY`). Both are made from a
`View` alone, and their seats begin with one's own: 0 is oneself, 1 the next seat, and so on round.

An **action** is a place in the sorted hand or a pair of places, numbered by `five211.fast.view`:
0 to 4 play one card, 5 to 14 two. Of choices that look alike the mask has the first alone, so that
every different choice is one action; any of them is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import prod
from operator import add, index
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from five211 import state as states
from five211.cards import Card, Cards, card
from five211.errors import GameError, shown
from five211.fast import seen
from five211.fast.batch import LEGAL
from five211.fast.view import ACTIONS, FIRST, SECOND, SINGLES
from five211.rules import HAND, Rules
from five211.state import Round
from five211.view import View

Numbers: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]
MOST = 255
"""The highest number that an observation can hold; nothing in 5211 gets there."""
MASKS: Mask = (LEGAL[:, None] >> np.arange(ACTIONS) & 1).astype(np.int8)
"""For each row of `LEGAL`, its actions, a number each."""
PLACES: tuple[tuple[int, ...], ...] = tuple(
    (int(first),) if action < SINGLES else (int(first), int(second))
    for action, (first, second) in enumerate(zip(FIRST, SECOND, strict=True))
)
"""For each action, the places in the sorted hand of the cards that it plays."""
RECENT = 64
"""How many games' rules are remembered with what follows from them."""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that an observation tells."""

    name: str
    axes: tuple[str, ...]
    """What it is told for: "kinds", "places", "players", "colors"; nothing for a single number."""
    most: Callable[[Rules], int] = field(repr=False)
    """The highest that each of its numbers can be."""
    meaning: str


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a field stands in the observations of a game."""

    field: Field
    start: int
    shape: tuple[int, ...]
    most: int

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name

    @property
    def slice(self) -> slice:
        """Its numbers: `observation[slot.slice].reshape(slot.shape)`."""
        return slice(self.start, self.start + prod(self.shape))


def _a_round(rules: Rules) -> int:
    """Cards that a seat plays in a round."""
    return sum(rules.plays)


OBSERVATION = (
    Field("hand", ("kinds",), lambda r: max(r.copies), "one's own cards, how many of each kind"),
    Field(
        "places",
        ("places",),
        lambda r: kinds(r),
        "one's own cards, sorted, as actions name them: the card's kind + 1; 0 for none",
    ),
    Field(
        "unseen",
        ("kinds",),
        lambda r: max(r.copies),
        "the cards that one has not seen in this deal, how many of each kind",
    ),
    Field(
        "laid",
        ("players", "colors"),
        _a_round,
        "cards on the table, by seat and colour, this round",
    ),
    Field(
        "worth",
        ("players", "colors"),
        lambda r: _a_round(r) * len(r.copies),
        "the sum of their values",
    ),
    Field("icons", ("players",), _a_round, "how many of a seat's cards on the table are icons"),
    Field(
        "tally",
        ("colors",),
        lambda r: r.players * _a_round(r),
        "cards of each colour on the table, all seats together",
    ),
    Field(
        "tally_icons",
        (),
        lambda r: r.players * _a_round(r),
        "icons on the table, all seats together",
    ),
    Field("points", ("players",), lambda _: MOST, "each seat's points in the whole game"),
    Field(
        "scored",
        ("players",),
        lambda r: _a_round(r) * r.rounds,
        "cards in each seat's score pile, which break ties; of this deal",
    ),
    Field("pile", (), lambda r: r.pile, "cards left to draw; 0 in the last round"),
    Field("round", (), lambda r: r.rounds, "the round of this deal, from 0"),
    Field("turn", (), lambda r: len(r.plays) - 1, "the turn of this round, from 0"),
    Field(
        "plays", (), lambda r: max(r.plays), "how many cards one plays now; 0 when there is none"
    ),
    Field("last_round", (), lambda _: 1, "whether this is the deal's last round: nobody draws"),
    Field("deal", (), lambda _: MOST, "the deal, from 0; always 0 in the standard game"),
)
HISTORY = Field(
    "history",
    ("deals", "rounds", "cards", "players"),
    lambda r: kinds(r),
    "every card that was revealed: its kind + 1, by round, in the order it was played, by seat;"
    " 0 where none is yet",
)
"""What an information state has after the observation."""


def kinds(rules: Rules) -> int:
    """How many kinds of cards there are: one for each colour and value."""
    return len(rules.colors) * len(rules.copies)


@cache
def layout(rules: Rules, deals: int = 0) -> tuple[Slot, ...]:
    """Where each field stands in an observation, or, with `deals`, in an information state.

    >>> hand, places, *_ = layout(Rules.of(2))
    >>> hand.slice, places.slice
    (slice(0, 30, None), slice(30, 35, None))
    """
    sizes = {
        "kinds": kinds(rules),
        "places": rules.hand,
        "players": rules.players,
        "colors": len(rules.colors),
        "deals": deals,
        "rounds": rules.rounds,
        "cards": _a_round(rules),
    }
    found, start = [], 0
    for one in (*OBSERVATION, HISTORY) if deals else OBSERVATION:
        shape = tuple(sizes[axis] for axis in one.axes)
        found.append(Slot(one, start, shape, one.most(rules)))
        start += prod(shape)
    return tuple(found)


def size(rules: Rules, deals: int = 0) -> int:
    """How many numbers an observation has, or an information state of so many deals.

    >>> size(Rules.of(2)), size(Rules.of(2), deals=1)
    (103, 191)
    """
    last = layout(rules, deals)[-1]
    return last.start + prod(last.shape)


def highest(rules: Rules, deals: int = 0) -> Numbers:
    """The highest that each number can be; the lowest is always 0."""
    slots = layout(rules, deals)
    return np.concatenate([np.full(prod(one.shape), one.most, np.uint8) for one in slots])


def fields(rules: Rules, numbers: Numbers, deals: int = 0) -> dict[str, Numbers]:
    """An observation's numbers by the names of its fields; no copies, for looking and for tests."""
    return {one.name: numbers[one.slice].reshape(one.shape) for one in layout(rules, deals)}


def observation(view: View) -> Numbers:
    """What a seat can see now."""
    return np.frombuffer(bytearray(_encoder(view.rules).observed(view)), np.uint8)


def information_state(view: View, deals: int = 1) -> Numbers:
    """What a seat has seen: the observation, and all cards revealed in the last so many deals.

    In the standard game one deal is all there is. In the longer game, deals that come to more than
    `deals` fall off the front; what they brought is in the points.
    """
    of = _encoder(view.rules)
    seat, players, at = view.seat, view.rules.players, 0
    past = bytearray(size(view.rules, deals) - of.size)
    a_deal = len(past) // deals
    before = [[turn for round_ in deal for turn in round_.turns] for deal in view.earlier]
    now = [turn for round_ in view.rounds for turn in round_.turns]
    for turns in [*before, [*now, *view.turns]][-deals:]:
        to = at
        for turn in turns:
            for place in range(len(turn[0])):
                for step in range(players):
                    past[to] = of.kind[turn[(seat + step) % players][place]] + 1
                    to += 1
        at += a_deal
    return np.frombuffer(bytearray(of.observed(view) + past), np.uint8)


def action_mask(view: View) -> Mask:
    """The actions of a seat, 1 for each that it has: every different choice is one of them."""
    mask: Mask = MASKS[_legal_row(view)].copy()
    return mask


def legal_actions(view: View) -> list[int]:
    """The same as a list of their numbers."""
    return [int(action) for action in np.flatnonzero(MASKS[_legal_row(view)])]


def choice_of(view: View, action: Any) -> Cards:
    """The cards that an action plays."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    hand = view.hand
    if not view.dealt or not hand:
        raise GameError("nothing_to_choose")
    places: tuple[int, ...] = PLACES[number] if 0 <= number < ACTIONS else ()
    if len(places) == view.rules.plays[len(view.turns)] and places[-1] < len(hand):
        return tuple([hand[place] for place in places])
    known = tuple(map(str, legal_actions(view)))
    given = shown(action if number == -1 else number)
    raise GameError("action", action=given, seat=view.seat + 1, known=known)


def action_of(view: View, cards: Sequence[Card]) -> int:
    """The action that plays these cards, by the mask."""
    if not view.dealt or not view.hand:
        raise GameError("nothing_to_choose")
    choice = states.check_choice(view.rules, view.hand, view.turn, cards)
    return seen.action_of(view.hand, choice)


def _legal_row(view: View) -> int:
    """The row of `LEGAL` that has a view's actions; the first is empty."""
    hand = view.hand
    if not view.dealt or not hand:
        return 0
    _encoder(view.rules)  # refuses what has more cards than there are actions for
    alike = 0
    for place, (one, other) in enumerate(pairwise(hand)):
        alike |= (one == other) << place
    plays = view.rules.plays[len(view.turns)]
    return ((plays * (HAND + 1) + len(hand)) << (HAND - 1)) + alike


@dataclass(frozen=True, slots=True)
class _Past:
    """What follows from the rounds that are over."""

    earlier: tuple[tuple[Round, ...], ...]
    rounds: tuple[Round, ...]
    unseen: bytes
    points: tuple[int, ...]
    scored: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Public:
    """What everybody sees: counted once a turn for all seats; by seat twice, so that it turns."""

    earlier: tuple[tuple[Round, ...], ...]
    rounds: tuple[Round, ...]
    turns: tuple[tuple[Cards, ...], ...]
    unseen: bytes
    laid: bytes
    worth: bytes
    icons: bytes
    tally: bytes
    """The cards of each colour, and the icons."""
    points: bytes
    scored: bytes


class _Encoder:
    """Writes the observations of one game's rules; remembers what was public last."""

    def __init__(self, rules: Rules) -> None:
        if rules.hand > HAND or not {*rules.plays} <= {1, 2}:
            raise GameError("rules_actions", n=HAND)
        values = range(1, len(rules.copies) + 1)
        every = [card(color, value) for color in sorted(rules.colors) for value in values]
        self.rules = rules
        self.size = size(rules)
        self.kind = {one: kind for kind, one in enumerate(every)}
        self._color = {color: place for place, color in enumerate(sorted(rules.colors))}
        self._deck = bytes(rules.copies * len(rules.colors))
        self._past = self._new_deal(())
        self._public = self._look((), (), ())

    def observed(self, view: View) -> bytes:
        """An observation's bytes, field by field as they stand in `OBSERVATION`."""
        rules, seat = self.rules, view.seat
        players, colors = rules.players, len(rules.colors)
        public = self._public
        if not (public.turns is view.turns and public.rounds is view.rounds) or (
            public.earlier != view.earlier
        ):
            public = self._public = self._look(view.earlier, view.rounds, view.turns)
        kinds = [self.kind[one] for one in view.hand]
        hand, unseen = bytearray(len(self.kind)), bytearray(public.unseen)
        places = bytearray(rules.hand)
        for place, kind in enumerate(kinds):
            hand[kind] += 1
            unseen[kind] -= 1
            places[place] = kind + 1
        around, table = slice(seat, seat + players), slice(seat * colors, (seat + players) * colors)
        turn, dealt = len(view.turns), view.dealt
        return b"".join(
            (
                hand,
                places,
                unseen,
                public.laid[table],
                public.worth[table],
                public.icons[around],
                public.tally,
                public.points[around],
                public.scored[around],
                bytes(
                    (
                        view.pile,
                        len(view.rounds),
                        turn,
                        rules.plays[turn] if dealt and kinds else 0,
                        dealt and not view.pile,
                        min(len(view.earlier), MOST),
                    )
                ),
            )
        )

    def _look(
        self,
        earlier: tuple[tuple[Round, ...], ...],
        rounds: tuple[Round, ...],
        turns: tuple[tuple[Cards, ...], ...],
    ) -> _Public:
        past = self._past
        if past.rounds is not rounds or past.earlier != earlier:
            if past.earlier != earlier or past.rounds != rounds[: len(past.rounds)]:
                past = self._new_deal(earlier)
            past = self._past = self._count(past, rounds)
        players, colors = self.rules.players, len(self.rules.colors)
        unseen, tally = bytearray(past.unseen), bytearray(colors + 1)
        laid, worth, icons = bytearray(players * colors), bytearray(players * colors), [0] * players
        for turn in turns:
            for seat, cards in enumerate(turn):
                for one in cards:
                    color = self._color[one.color]
                    unseen[self.kind[one]] -= 1
                    laid[seat * colors + color] += 1
                    worth[seat * colors + color] += one.value
                    tally[color] += 1
                    if one.is_icon:
                        icons[seat] += 1
                        tally[colors] += 1
        each = bytes(laid) * 2, bytes(worth) * 2, bytes(icons) * 2, bytes(tally)
        points = bytes(min(total, MOST) for total in past.points)
        scored = bytes(past.scored)
        return _Public(earlier, rounds, turns, bytes(unseen), *each, points * 2, scored * 2)

    def _count(self, past: _Past, rounds: tuple[Round, ...]) -> _Past:
        """What follows from some more rounds that are over."""
        unseen, points, scored = bytearray(past.unseen), [*past.points], [*past.scored]
        for round_ in rounds[len(past.rounds) :]:
            for turn in round_.turns:
                for cards in turn:
                    for one in cards:
                        unseen[self.kind[one]] -= 1
            for seat, cards in enumerate(round_.score.cards):
                scored[seat] += len(cards)
                points[seat] += round_.score.points[seat]
        return _Past(past.earlier, rounds, bytes(unseen), tuple(points), tuple(scored))

    def _new_deal(self, earlier: tuple[tuple[Round, ...], ...]) -> _Past:
        """What follows from the deals before this one."""
        nothing = (0,) * self.rules.players
        points = nothing
        for deal in earlier:
            for round_ in deal:
                points = tuple(map(add, points, round_.score.points))
        return _Past(earlier, (), self._deck, points, nothing)


_recent: dict[int, _Encoder] = {}  # by the rules' identity, which is quicker than what they are


def _encoder(rules: Rules) -> _Encoder:
    found = _recent.get(id(rules))
    if found is None or found.rules is not rules:
        if len(_recent) >= RECENT:
            _recent.clear()
        found = _recent[id(rules)] = _Encoder(rules)
    return found
