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
from itertools import product
from math import prod
from operator import add, eq, getitem, index, itemgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from five211 import state as states
from five211.cards import Card, Cards, card
from five211.env.given import given, whole
from five211.errors import GameError
from five211.fast import seen
from five211.fast.batch import LEGAL
from five211.fast.view import ACTIONS, FIRST, SECOND, SINGLES
from five211.match import Match
from five211.rules import HAND, Rules
from five211.state import Round
from five211.view import SPECTATOR, View, view

Numbers: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]
BYTE = np.dtype(np.uint8)
MOST = 255
"""The highest number that an observation can hold; nothing in 5211 gets there."""
MASKS: dict[tuple[int, ...], Mask] = {
    (plays, *alike): (
        LEGAL[
            ((plays * (HAND + 1) + held) << (HAND - 1))
            + sum(same << place for place, same in enumerate(alike))
        ]
        >> np.arange(ACTIONS)
        & 1
    ).astype(np.int8)
    for plays in (1, 2)
    for held in range(1, HAND + 1)
    for alike in product((False, True), repeat=held - 1)
}
"""By how many cards are played, and by which neighbours in the hand are alike: the mask."""
LISTS: dict[tuple[int, ...], list[int]] = {
    key: mask.nonzero()[0].tolist() for key, mask in MASKS.items()
}
"""The same as lists of the actions' numbers."""
NO_ACTIONS: Mask = np.zeros(ACTIONS, np.int8)
PLACES: tuple[tuple[int, ...], ...] = tuple(
    (int(first),) if action < SINGLES else (int(first), int(second))
    for action, (first, second) in enumerate(zip(FIRST, SECOND, strict=True))
)
"""For each action, the places in the sorted hand of the cards that it plays."""
PICK: tuple[Callable[[Cards], Cards], ...] = tuple(
    itemgetter(*places) if len(places) > 1 else itemgetter(slice(places[0], places[0] + 1))
    for places in PLACES
)
"""For each action, what takes these cards from a hand."""
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
        "the cards of this deal that neither were on the table nor are in one's hand now, how many"
        " of each kind",
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


def each_kind(rules: Rules) -> Cards:
    """A card of each kind, in the order in which kinds are numbered."""
    values = range(1, len(rules.copies) + 1)
    return tuple(card(color, value) for color in sorted(rules.colors) for value in values)


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
    return numbers_of(view, view.seat, view.hand)


def information_state(view: View, deals: int = 1) -> Numbers:
    """What a seat has seen: the observation, and all cards revealed in the last so many deals.

    In the standard game one deal is all there is. In the longer game, deals that come to more than
    `deals` fall off the front; what they brought is in the points.
    """
    if not whole(deals) or deals < 1:
        raise GameError("env_deals", given=given(deals))
    return numbers_of(view, view.seat, view.hand, int(deals))


def numbers_of(table: View, seat: int, hand: Cards, deals: int = 0) -> Numbers:
    """The same of a seat that holds these cards, from anybody's view: the rest of it is public."""
    of = _encoder(table.rules)
    told = of.observed(table, seat, hand)
    if deals:
        told += of.past(table, seat, deals)
    return np.frombuffer(bytearray(told), BYTE)


def action_mask(view: View) -> Mask:
    """The actions of a seat, 1 for each that it has: every different choice is one of them."""
    return mask_of(view, view.hand)


def mask_of(table: View, hand: Cards) -> Mask:
    """The same of a seat that holds these cards, from anybody's view."""
    return _mask(table, hand).copy()


def legal_actions(view: View) -> list[int]:
    """The same as a list of their numbers."""
    return action_mask(view).nonzero()[0].tolist()


def choice_of(view: View, action: Any) -> Cards:
    """The cards that an action plays."""
    return PICK[number_of(view, view.seat, view.hand, action)](view.hand)


def number_of(table: View, seat: int, hand: Cards, action: Any, remapped: bool = False) -> int:
    """The number of an action of a seat that holds these cards, or an error if it has no such one.

    Of a whole number that is no action of the seat's, one can be made that is: `remapped`.
    """
    try:
        number = index(action)
    except TypeError:
        number, remapped = -1, False
    if action is True or action is False:  # Python counts them as 1 and 0
        number, remapped = -1, False
    if not table.dealt or not hand:
        raise GameError("nothing_to_choose")
    places: tuple[int, ...] = PLACES[number] if 0 <= number < ACTIONS else ()
    if len(places) == table.rules.plays[len(table.turns)] and places[-1] < len(hand):
        return number
    legal: list[int] = _mask(table, hand).nonzero()[0].tolist()
    if remapped:
        return legal[number % len(legal)]
    raise no_action(seat_name(seat), action if number == -1 else number, legal)


def no_action(who: str, action: object, legal: Sequence[int]) -> GameError:
    """What to say of an action that somebody does not have, who is called as the framework does."""
    known = tuple(map(str, legal))
    return GameError("action", action=given(action), who=who, known=known)


def seat_name(seat: int) -> str:
    """What a seat is called in the environments: counted from 0, as agents are."""
    return f"seat_{seat}"


def action_of(view: View, cards: Sequence[Card]) -> int:
    """The action that plays these cards, by the mask."""
    if not view.dealt or not view.hand:
        raise GameError("nothing_to_choose")
    choice = states.check_choice(view.rules, view.hand, view.turn, cards)
    return seen.action_of(view.hand, choice)


def _mask(table: View, hand: Cards) -> Mask:
    """The mask of a hand, which is not to be written to."""
    if not table.dealt or not hand:
        return NO_ACTIONS
    _encoder(table.rules)  # refuses what has more cards than there are actions for
    return MASKS[table.rules.plays[len(table.turns)], *map(eq, hand, hand[1:])]


class _Past(NamedTuple):
    """What follows from the rounds that are over."""

    earlier: tuple[tuple[Round, ...], ...]
    rounds: tuple[Round, ...]
    unseen: int
    points: tuple[int, ...]
    scored: tuple[int, ...]


class _Public(NamedTuple):
    """What everybody sees, a sum for each seat's eyes: counted once a turn."""

    view: View
    """Whose hand does not matter."""
    table: list[int]
    """What lies or lay on the table, and the points."""
    each: list[int]
    """The same with how far the game is: all but one's own hand."""


class _Encoder:
    """Writes the observations of one game's rules; remembers what was public last.

    A row of bytes is one large number, to which each card adds something, wherever it is: so an
    observation is a sum. Every byte of it is small, so none ever carries into the next.
    """

    def __init__(self, rules: Rules) -> None:
        if rules.hand > HAND or not {*rules.plays} <= {1, 2}:
            raise GameError("rules_actions", n=HAND)
        highest(rules)  # refuses numbers that are too large for a byte
        players, every = range(rules.players), each_kind(rules)
        colors = {color: place for place, color in enumerate(sorted(rules.colors))}
        starts = {slot.name: slot.start for slot in layout(rules)}

        def unit(name: str, place: int = 0) -> int:
            return 1 << 8 * (starts[name] + place)

        def lies(step: int, one: Card) -> int:
            place = step * len(colors) + colors[one.color]
            table = unit("laid", place) + one.value * unit("worth", place)
            icon = unit("icons", step) + unit("tally_icons")
            return table + unit("tally", colors[one.color]) + one.is_icon * icon

        self.rules = rules
        self.size = size(rules)
        self.kind = {one: kind for kind, one in enumerate(every)}
        self._gone = {one: -unit("unseen", kind) for one, kind in self.kind.items()}
        self._held = [
            {
                one: unit("hand", kind) + (kind + 1) * unit("places", place) + self._gone[one]
                for one, kind in self.kind.items()
            }
            for place in range(rules.hand)
        ]
        self._laid = [
            {
                one: [lies((seat - own) % len(players), one) + self._gone[one] for own in players]
                for one in every
            }
            for seat in players
        ]
        """By the seat that plays it and by the card: what it adds for each seat's eyes."""
        self._deck = -sum(self._gone[one] for one in rules.deck)
        self._points, self._scored = unit("points"), unit("scored")
        self._far = unit("pile")  # after it: round, turn, plays, last_round, deal
        self._past = self._new_deal(())
        self._public = self._add(view(Match(rules), SPECTATOR), self._eyes(self._past), ())

    def observed(self, table: View, seat: int, hand: Cards) -> bytes:
        """An observation's bytes, field by field as they stand in `OBSERVATION`."""
        if self._public.view is not table:
            self._public = self._look(table)
        total = sum(map(getitem, self._held, hand), self._public.each[seat])
        return total.to_bytes(self.size, "little")

    def past(self, table: View, seat: int, deals: int) -> bytes:
        """The bytes of `HISTORY`."""
        players, at = self.rules.players, 0
        past = bytearray(size(self.rules, deals) - self.size)
        a_deal = len(past) // deals
        before = [[turn for round_ in deal for turn in round_.turns] for deal in table.earlier]
        now = [turn for round_ in table.rounds for turn in round_.turns]
        for turns in [*before, [*now, *table.turns]][-deals:]:
            to = at
            for turn in turns:
                for place in range(len(turn[0])):
                    for step in range(players):
                        past[to] = self.kind[turn[(seat + step) % players][place]] + 1
                        to += 1
            at += a_deal
        return bytes(past)

    def _look(self, table: View) -> _Public:
        """What is public, counted on from what was public last, as far as that is the same."""
        _, last, each = self._public
        old, earlier, rounds = self._public.view, table.earlier, table.rounds
        if old.rounds is rounds and old.earlier == earlier:
            known = old.turns
            if known is table.turns and (old.pile, old.dealt) == (table.pile, table.dealt):
                return _Public(table, last, each)
            if table.turns[: len(known)] == known:
                return self._add(table, last, table.turns[len(known) :])
        else:
            past = self._past
            if past.earlier != earlier or past.rounds != rounds[: len(past.rounds)]:
                past = self._new_deal(earlier)
            self._past = self._count(past, rounds)
        return self._add(table, self._eyes(self._past), table.turns)

    def _add(self, table: View, total: list[int], turns: tuple[tuple[Cards, ...], ...]) -> _Public:
        """What is public, from a sum and the turns that are not in it yet."""
        for turn in turns:
            for laid, cards in zip(self._laid, turn, strict=True):
                for one in cards:
                    total = [*map(add, total, laid[one])]
        pile, dealt, at = table.pile, table.dealt, len(table.turns)
        plays, last_round = self.rules.plays[at] if dealt else 0, dealt and not pile
        deal = min(len(table.earlier), MOST)
        numbers = bytes((pile, len(table.rounds), at, plays, last_round, deal))
        far = int.from_bytes(numbers, "little") * self._far
        return _Public(table, total, [one + far for one in total])

    def _eyes(self, past: _Past) -> list[int]:
        """What follows from the past, for each seat's eyes."""
        points = bytes([min(total, MOST) for total in past.points]) * 2
        scored = bytes(past.scored) * 2
        return [
            past.unseen
            + int.from_bytes(points[own : own + self.rules.players], "little") * self._points
            + int.from_bytes(scored[own : own + self.rules.players], "little") * self._scored
            for own in range(self.rules.players)
        ]

    def _count(self, past: _Past, rounds: tuple[Round, ...]) -> _Past:
        """What follows from some more rounds that are over."""
        unseen, points, scored = past.unseen, [*past.points], [*past.scored]
        for round_ in rounds[len(past.rounds) :]:
            for turn in round_.turns:
                for cards in turn:
                    for one in cards:
                        unseen += self._gone[one]
            for seat, cards in enumerate(round_.score.cards):
                scored[seat] += len(cards)
                points[seat] += round_.score.points[seat]
        return _Past(past.earlier, rounds, unseen, tuple(points), tuple(scored))

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
