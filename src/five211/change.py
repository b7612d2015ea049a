"""A table being changed: what the commands share.

A change starts from a table and collects a new one and the events on the way. If a command is
refused half way, the change is thrown away and the table is what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from operator import attrgetter
from typing import Any, Generic, TypeVar

from five211.errors import GameError, shown
from five211.events import Event
from five211.happenings import CameBack, Paused, Resumed, SeatReturned, SubstituteCame
from five211.match import Match
from five211.table import Seat, Table

Value = TypeVar("Value")


class Replacing(Generic[Value]):
    """`dataclasses.replace` for one class, in half the time: a table does little else."""

    def __init__(self, kind: type[Value]) -> None:
        names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
        self._kind = kind
        self._values = attrgetter(*names)
        self._places = {name: place for place, name in enumerate(names)}

    def __call__(self, value: Value, changes: Mapping[str, Any]) -> Value:
        """The value with some fields changed."""
        values = list(self._values(value))
        for name, new in changes.items():
            values[self._places[name]] = new
        return self._kind(*values)


_replace_seat, _replace_table = Replacing(Seat), Replacing(Table)


class Change:
    """The new table so far, and the events on the way."""

    def __init__(self, table: Table, now: float) -> None:
        if not isinstance(now, (int, float)) or not isfinite(now):
            raise GameError("time", given=shown(now))
        self.now = max(table.now, now)  # a host program's clock may be set back; ours is not
        self.options = table.options
        self._table = table
        self._fields: dict[str, Any] = {}
        self._seats: dict[int, dict[str, Any]] = {}
        self.events: list[Event] = []

    @property
    def table(self) -> Table:
        """The table with all that was set so far; made only when it is looked at."""
        if self._seats:
            seats = list(self._fields.get("seats", self._table.seats))
            for number, fields in self._seats.items():
                seats[number] = _replace_seat(seats[number], fields)
            self._fields["seats"] = tuple(seats)
            self._seats = {}
        if self._fields:
            self._fields["now"] = self.now
            self._table = _replace_table(self._table, self._fields)
            self._fields = {}
        return self._table

    def done(self) -> Table:
        """The table at the time of the change, also if nothing else has changed."""
        if self.table.now != self.now:
            self.set(now=self.now)
        return self.table

    def time_is_up(self, number: int) -> bool:
        """Whether a seat has had its time for this turn, by now."""
        return self.done().time_is_up(number)

    def say(self, *events: Event) -> None:
        """Add events."""
        self.events += events

    def set(self, **fields: Any) -> None:
        """Change something of the table."""
        self._fields.update(fields)

    def set_seat(self, number: int, **fields: Any) -> None:
        """Change something of a seat."""
        self._seats.setdefault(number, {}).update(fields)

    def be_here(self, number: int) -> None:
        """A person shows signs of life: counts as present, and takes the seat back."""
        if not self.table.seats[number].present:
            self.set_seat(number, present=True)
            self.say(CameBack(number))
        self.resume()
        if self.table.seats[number].substitute is None:
            return
        # Whose time is up waits until the substitute has chosen; where the table hides who has
        # chosen, until the turn is over, or the moment of coming back would tell.
        waits = number in self.table.awaited or not self.options.show_chosen
        if waits and self.table.moment is not None and self.time_is_up(number):
            self.set_seat(number, returning=True)
        else:
            self.hand_back(number)

    def hand_back(self, number: int) -> None:
        """The person plays from now on. A choice that lies there stays, and may be changed."""
        self.set_seat(number, substitute=None, returning=False, warned=False)
        self.say(SeatReturned(number))

    def substitute(self, number: int, why: str) -> None:
        """A bot plays for a seat until its person comes back."""
        bot = self.options.substitute
        self.set_seat(number, substitute=bot, reserve=0.0)
        self.say(SubstituteCame(number, bot, why))

    def pause(self) -> None:
        """With no person at the table, clocks and bots stand still (but not by correspondence)."""
        table = self.table
        clock = table.options.clock
        if (
            table.match is not None
            and not table.match.over
            and table.paused_at is None
            and not (clock and clock.correspondence)
            and not any(seat.present for seat in table.seats)
        ):
            self.set(paused_at=self.now)
            self.say(Paused())

    def resume(self) -> None:
        """Nobody loses time to a pause."""
        if self.table.paused_at is not None:
            self.give_back(self.now - self.table.paused_at)
            self.set(paused_at=None)
            self.say(Resumed())

    def give_back(self, seconds: float) -> None:
        """Everyone's time for this turn began so much later."""
        for number, seat in enumerate(self.table.seats):
            since, chosen_at = seat.since + seconds, seat.chosen_at + seconds
            self.set_seat(number, since=since, chosen_at=chosen_at)

    def begin_turn(self) -> None:
        """Everyone's time begins."""
        paused = self.table.paused_at
        since = self.now if paused is None else paused  # `resume` adds the pause to it
        for number, seat in enumerate(self.table.seats):
            self.set_seat(number, since=since, warned=False)
            if seat.returning:
                self.hand_back(number)

    @property
    def match(self) -> Match:
        """The game, or an error while people gather."""
        if self.table.match is None:
            raise GameError("not_started")
        return self.table.match
