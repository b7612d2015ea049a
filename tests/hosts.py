"""Help for tests of the table: a host program in miniature."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy

import pytest

from five211 import (
    Cards,
    Event,
    GameError,
    Match,
    Moment,
    Options,
    Rules,
    Table,
    apply,
    language_names,
)
from five211.commands import BotChooses, Choose, Command, Deal, Rematch, Sit, Start, TakeBack
from tests.tables import deck_for

PEOPLE = ("ana", "bob", "cleo", "dan", "eve")
"""The ids of those who sit down, in the order of their seats; their names have a capital."""


class Host:
    """Holds a table, passes it commands and the time, and hands out what happened."""

    def __init__(
        self, players: int = 3, options: Options | None = None, variant: str = "standard"
    ) -> None:
        self.table = Table.new(Rules.of(players, variant), options)
        self.now = 0.0

    def do(self, *commands: Command) -> tuple[Event, ...]:
        """Commands that the table accepts, now."""
        events: list[Event] = []
        for command in commands:
            self.table, more = apply(self.table, command, self.now)
            events += more
        return tuple(events)

    def at(self, now: float, *commands: Command) -> tuple[Event, ...]:
        """Commands that the table accepts, at a time."""
        self.now = now
        return self.do(*commands)

    def refuses(self, command: Command, code: str) -> GameError:
        """A command that the table does not accept: it says why, and is what it was."""
        before = deepcopy(self.table)
        with pytest.raises(GameError) as caught:
            apply(self.table, command, self.now)
        assert caught.value.code == code
        assert all(caught.value.say(language) for language in language_names())
        assert self.table == before
        return caught.value

    # What is on the table

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    @property
    def moment(self) -> Moment:
        assert self.table.moment is not None
        return self.table.moment

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.table.seats]

    def low(self, seat: int) -> Cards:
        """A seat's first cards, as many as it plays."""
        state = self.match.state
        return state.hands[seat][: state.rules.plays[state.turn]]

    def high(self, seat: int) -> Cards:
        """A seat's last cards, as many as it plays, and not the same as its first ones."""
        state = self.match.state
        cards = state.hands[seat][-state.rules.plays[state.turn] :]
        assert cards != self.low(seat)
        return cards

    # Commands that name the moment

    def choose(self, person: str, cards: Cards | None = None) -> Choose:
        seat = self.table.seat_of(person)
        return Choose(person, self.moment, self.low(seat) if cards is None else cards)

    def take_back(self, person: str) -> TakeBack:
        return TakeBack(person, self.moment)

    def bot(self, seat: int, cards: Cards | None = None) -> BotChooses:
        return BotChooses(seat, self.moment, self.low(seat) if cards is None else cards)

    # Playing on

    def deal(self) -> tuple[Event, ...]:
        return self.do(Deal(deck_for(self.table.rules, self.table.game, len(self.match.deals))))

    def play(self, seats: Iterable[int] | None = None) -> tuple[Event, ...]:
        """The awaited seats choose their lowest cards: all of them, or these."""
        events: list[Event] = []
        for number in self.table.awaited if seats is None else seats:
            seat = self.table.seats[number]
            if seat.played_by_bot or seat.person is None:
                events += self.do(self.bot(number))
            else:
                events += self.do(self.choose(seat.person))
        return tuple(events)

    def finish(self) -> None:
        """Play to the end of the game."""
        while not self.match.over:
            self.deal() if self.table.awaits_deck else self.play()

    def play_again(self) -> None:
        """The next game, dealt."""
        self.do(Rematch("ana"), Start("ana"))
        self.deal()


def gathered(
    players: int = 3,
    options: Options | None = None,
    *,
    people: int | None = None,
    variant: str = "standard",
) -> Host:
    """A table where people have sat down, in every seat or in the first ones."""
    host = Host(players, options, variant)
    host.do(*(Sit(person, person.capitalize()) for person in PEOPLE[:players][:people]))
    return host


def playing(
    players: int = 3,
    options: Options | None = None,
    *,
    people: int | None = None,
    variant: str = "standard",
) -> Host:
    """A game that was dealt at time 0; where no person sits, the bot `random` does."""
    host = gathered(players, options, people=people, variant=variant)
    host.do(Start("ana", fill="random"))
    host.deal()
    return host
