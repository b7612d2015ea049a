"""What can be seen of a state, as much as OpenSpiel asks for: as numbers, and in words.

Public information is what lies or lay on the table; private information is one's own hand (or
everybody's, for whoever may see that). With perfect recall it is all that has ever been seen:
every card revealed, in order, and one's own cards as they were drawn. The numbers are those of
`five211.env.encode`, by the same names, each a `float`; they are made from a `View`. Seats begin
with one's own, except where nothing private is told: that is the same to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from five211.cards import Cards, show_cards
from five211.env.encode import fields, information_state, layout, observation
from five211.env.openspiel.course import Course, Setup, turns_of
from five211.env.openspiel.state import Five211State, seats_text
from five211.errors import GameError
from five211.state import State
from five211.view import View, view

Floats = NDArray[np.float32]
PRIVATE = ("hand", "places")
"""The fields of an observation that only its owner may see."""


class Five211Observer:
    """Sees a state with one player's eyes; OpenSpiel's `PyObserver` interface."""

    def __init__(
        self, setup: Setup, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> None:
        if params:
            raise GameError("env_observer")
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        rules, deals = setup.rules, setup.max_deals
        self.setup = setup
        self.public: bool = asked.public_info
        self.recall: bool = asked.perfect_recall
        self.own = asked.private_info != pyspiel.PrivateInfoType.NONE
        self.everybodys = asked.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        seats = rules.players if self.everybodys else 1
        pieces: dict[str, tuple[int, ...]] = {}
        if self.own:
            pieces["player"] = (rules.players,)
        for slot in layout(rules, deals if self.recall else 0):
            private = slot.name in PRIVATE
            if self.own if private else self.public:
                pieces[slot.name] = (seats, *slot.shape) if private else slot.shape
        if self.own and self.recall:
            pieces["drawn"] = (seats, deals, rules.hand + rules.pile // rules.players)
        self.tensor: Floats = np.zeros(sum(map(prod, pieces.values())), np.float32)
        self.dict: dict[str, Floats] = {}
        start = 0
        for name, shape in pieces.items():
            stop = start + prod(shape)
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop

    def _told(self, player: int) -> list[int]:
        """The seats whose hands are told, one's own first."""
        seats = self.setup.rules.players if self.everybodys else 1
        return [(player + step) % self.setup.rules.players for step in range(seats * self.own)]

    def set_from(self, state: Five211State, player: int) -> None:
        """Write what a player sees of a state into `tensor`, and so into `dict`."""
        course, setup = state.course, self.setup
        match, told = course.match, self._told(player)
        self.tensor.fill(0)
        if self.own:
            self.dict["player"][player] = 1
        seen = self._fields(view(match, player if self.own else 0))
        unseen = seen["unseen"] + seen["hand"]
        for place, seat in enumerate(told):
            hand = self._fields(view(match, seat))
            unseen -= hand["hand"]
            for name in PRIVATE:
                self.dict[name][place] = hand[name]
            if self.recall:
                for deal, one in enumerate(course.deals):
                    cards = [card for some in drawn(one, seat) for card in some]
                    numbers = [setup.number[card] + 1 for card in cards]
                    self.dict["drawn"][place, deal, : len(cards)] = numbers
        for name in self.dict.keys() - {"player", "drawn", *PRIVATE}:
            self.dict[name][...] = unseen if name == "unseen" else seen[name]

    def _fields(self, seen: View) -> dict[str, NDArray[np.uint8]]:
        if not self.recall:
            return fields(seen.rules, observation(seen))
        deals = self.setup.max_deals
        return fields(seen.rules, information_state(seen, deals), deals)

    def string_from(self, state: Five211State, player: int) -> str:
        """The same in words."""
        return "\n".join(self._lines(state.course, player))

    def _lines(self, course: Course, player: int) -> Iterator[str]:
        told = self._told(player)
        if self.own:
            yield f"Seat {player}"
        match = course.match
        if self.recall:
            for deal in course.deals:
                yield self._story(deal, told)
        if self.own and match.deals and not (self.recall and self.public):
            yield f"Hand: {seats_text([match.state.hands[seat] for seat in told])}"
        if self.public and match.deals and not self.recall:
            seen = view(match, player)
            now = seen.round + (seen.result is None)
            yield f"Deal {len(seen.earlier) + 1}, round {now}, turn {seen.turn + 1}"
            yield f"Table: {seats_text(seen.table)}"
            gone = [
                card for round_ in seen.rounds for turn in round_.turns for card in sum(turn, ())
            ]
            yield f"Gone: {show_cards(sorted(gone))}"
            yield f"Points: {' '.join(map(str, seen.points))}"
            yield f"Scored: {' '.join(str(len(pile)) for pile in seen.score_piles)}"

    def _story(self, deal: State, told: list[int]) -> str:
        """A deal from its beginning: what was drawn in brackets, what was played without."""
        draws = zip(*(drawn(deal, seat) for seat in told), strict=True)
        words = [f"[{seats_text(next(draws))}]"] if told else []
        for turn in turns_of(deal):
            if self.public:
                words.append(seats_text(turn))
            if told:
                words.append(f"[{seats_text(next(draws))}]")
        return " ".join(words)


def drawn(deal: State, seat: int) -> Iterator[Cards]:
    """The cards that a seat got in a deal: its first hand, and after each turn what it drew."""
    rules, deck = deal.rules, deal.deck
    at = rules.aside + seat * rules.hand
    yield deck[at : at + rules.hand]
    at = rules.aside + rules.players * rules.hand
    for turn in turns_of(deal):
        count = len(turn[seat]) if at < len(deck) else 0
        yield tuple(sorted(deck[at + seat * count : at + (seat + 1) * count]))
        at += rules.players * count
