"""How a table is conducted: a command and the time go in, a new table and events come out.

`apply` is a function of its arguments alone, so a log of commands is a table. A command that is
refused raises a `GameError` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from string import ascii_uppercase
from typing import Any
from unicodedata import normalize

from five211.cards import Cards
from five211.commands import (
    Away,
    Back,
    BotChooses,
    CallSubstitute,
    Choose,
    Command,
    Deal,
    Leave,
    Moment,
    Rematch,
    Remove,
    SeatBot,
    Sit,
    Start,
    TakeBack,
    Tick,
)
from five211.errors import GameError, shown
from five211.events import Event
from five211.happenings import (
    CameBack,
    ChoiceKept,
    Chose,
    GameStarted,
    HostChanged,
    Paused,
    RematchCalled,
    Resumed,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SubstituteCame,
    TimeShort,
    TookBack,
    WentAway,
)
from five211.match import Match, happened
from five211.state import check_choice
from five211.table import Seat, Table, bot_name
from five211.view import check_seat

LONGEST_NAME = 24  # characters


def apply(table: Table, command: Command, now: float) -> tuple[Table, tuple[Event, ...]]:
    """What becomes of a table when a command comes in at a time, and what happened."""
    change = _Change(table, now)
    change.pass_time()
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise GameError("command", command=shown(command))
    handle(change, command)
    return change.table, tuple(change.events)


class _Change:
    """A table being changed: the new one so far, and the events on the way."""

    def __init__(self, table: Table, now: float) -> None:
        self.now = max(table.now, now)  # a host program's clock may be set back; ours is not
        self.table = replace(table, now=self.now)
        self.events: list[Event] = []

    def say(self, *events: Event) -> None:
        self.events += events

    def set(self, **fields: Any) -> None:
        self.table = replace(self.table, **fields)

    def set_seat(self, number: int, **fields: Any) -> None:
        seats = list(self.table.seats)
        seats[number] = replace(seats[number], **fields)
        self.set(seats=tuple(seats))

    # Gathering

    def sit(self, command: Sit) -> None:
        name = _checked_name(command.name)
        if self.table.match is not None and self.table.match.over:
            if any(seat.person is not None for seat in self.table.seats):
                raise GameError("sit_later")  # else the finished game would get another name
            self._gather()
        if any(seat.person == command.person for seat in self.table.seats):
            raise GameError("already_seated")
        number = self._seat_for(command)
        if self._name_taken(name, number):
            raise GameError("name_taken", name=shown(name))
        bot = self.table.seats[number].played_by_bot
        self.set_seat(number, person=command.person, name=name, bot=None, present=True)
        self.say(SeatTaken(number, name, None))
        if self.table.match is not None:
            self.set(held={**self.table.held, command.person: number})
            self.set_seat(number, substitute=bot)
        self._be_here(number)
        if self.table.host is None:
            self._pass_host()

    def _name_taken(self, name: str, number: int) -> bool:
        """Whether another seat has this name, or one that looks like it."""
        others = [seat.name for n, seat in enumerate(self.table.seats) if n != number]
        return _alike(name) in map(_alike, others)

    def _seat_for(self, command: Sit) -> int:
        """Whoever has held a seat in this game may only come back to that one."""
        seats = self.table.seats
        held = self.table.held.get(command.person)
        wanted = held if command.seat is None else check_seat(self.table.rules, command.seat)
        if wanted is None:
            wanted = next((n for n, seat in enumerate(seats) if seat.free), None)
        if wanted is None:
            raise GameError("table_full")
        if held not in (None, wanted):
            raise GameError("other_seat", seat=held + 1)
        if seats[wanted].person is not None:
            raise GameError("seat_taken", seat=wanted + 1)
        return wanted

    def seat_bot(self, command: SeatBot) -> None:
        self._check_host(command.person)
        self._check_gathering()
        number = command.seat
        if number is None:
            number = next((n for n, seat in enumerate(self.table.seats) if seat.free), None)
        if number is None:
            raise GameError("table_full")
        if not self.table.seats[check_seat(self.table.rules, number)].free:
            raise GameError("seat_taken", seat=number + 1)
        self._put_bot(number, command.bot)

    def _put_bot(self, number: int, bot: str) -> None:
        name = bot_name(_checked_name(bot), number)
        while self._name_taken(name, number):
            name += ascii_uppercase[number]
        self.set_seat(number, bot=bot, name=name)
        self.say(SeatTaken(number, name, bot))

    def remove(self, command: Remove) -> None:
        self._check_host(command.person)
        self._check_gathering()
        if self.table.seats[check_seat(self.table.rules, command.seat)].free:
            raise GameError("seat_free", seat=command.seat + 1)
        self._empty(command.seat)

    def leave(self, command: Leave) -> None:
        self._empty(self.table.seat_of(command.person))

    def _empty(self, number: int) -> None:
        """Free a seat; in mid-game a substitute plays it on, under the name that was there."""
        person, match = self.table.seats[number].person, self.table.match
        self.say(SeatLeft(number, self.table.seats[number].name))
        if match is None:
            self.set_seat(number, **_fields(Seat()))
        else:
            self.set_seat(number, person=None, present=False, returning=False)
            if not match.over and self.table.seats[number].substitute is None:
                self._substitute(number, "left")
        if person == self.table.host:
            self._pass_host()
        self._pause()

    def start(self, command: Start) -> None:
        self._check_host(command.person)
        self._check_gathering()
        for number, seat in enumerate(self.table.seats):
            if seat.free:
                if command.fill is None:
                    raise GameError("seats_free")
                self._put_bot(number, command.fill)
        clock = self.table.options.clock
        for number in range(len(self.table.seats)):
            self.set_seat(number, reserve=0.0 if clock is None else clock.reserve)
        persons = ((seat.person, n) for n, seat in enumerate(self.table.seats))
        self.set(
            match=Match(self.table.rules),
            game=self.table.game + 1,
            held={person: number for person, number in persons if person is not None},
            played_by=(),
        )
        self.say(GameStarted(self.table.game))
        self._pause()

    def rematch(self, command: Rematch) -> None:
        number = self.table.seat_of(command.person)
        if self.table.match is None or not self.table.match.over:
            raise GameError("game_not_over")
        self._gather()
        self.say(RematchCalled(number))

    def _gather(self) -> None:
        """Clear the table of the game that is over; whoever sits here stays."""
        for number, seat in enumerate(self.table.seats):
            kept = {"person", "name", "bot", "present"} if not seat.free else set()
            self.set_seat(number, **{k: v for k, v in _fields(Seat()).items() if k not in kept})
        self.set(match=None, held={}, played_by=())

    def _pass_host(self) -> None:
        """The host is the first person present, or the first person, or nobody."""
        seats = list(enumerate(self.table.seats))
        persons = [n for n, seat in seats if seat.person is not None]
        here = [n for n in persons if self.table.seats[n].present]
        number = next(iter(here + persons), None)
        self.set(host=None if number is None else self.table.seats[number].person)
        if number is not None:
            self.say(HostChanged(number))

    def _check_host(self, person: str) -> None:
        """The host decides; while the host is away, anybody who sits here does."""
        self.table.seat_of(person)
        host = next(seat for seat in self.table.seats if seat.person == self.table.host)
        if person != host.person and host.present:
            raise GameError("host_only", name=host.name)

    def _check_gathering(self) -> None:
        if self.table.match is not None:
            raise GameError("already_started")

    # Playing

    def deal(self, command: Deal) -> None:
        match = self._match()
        dealt = match.deal(command.deck)
        self.set(match=dealt)
        self.say(*happened(match, dealt))
        self._begin_turn()

    def choose(self, command: Choose) -> None:
        number = self.table.seat_of(command.person)
        cards = self._checked_choice(number, command.moment, command.cards)
        self._be_here(number)
        if self.table.seats[number].returning:  # no need to wait for the substitute's choice
            self._hand_back(number)
        self._put_down(number, cards, None)

    def bot_chooses(self, command: BotChooses) -> None:
        number = check_seat(self.table.rules, command.seat)
        cards = self._checked_choice(number, command.moment, command.cards)
        if number not in self.table.bots_awaited:
            raise GameError("bot_not_awaited", seat=number + 1)
        self._put_down(number, cards, self.table.seats[number].played_by_bot)

    def _checked_choice(self, number: int, moment: Moment, cards: Cards) -> Cards:
        self._check_moment(moment)
        state = self._match().state
        return check_choice(state.rules, state.hands[number], state.turn, cards)

    def _check_moment(self, moment: Moment) -> None:
        if self.table.moment is None:
            raise GameError("nothing_to_choose")
        if moment != self.table.moment:
            raise GameError("turn_over")

    def _put_down(self, number: int, cards: Cards, bot: str | None) -> None:
        first = self.table.seats[number].choice is None
        self.set_seat(number, choice=cards, chosen_by=bot)
        self.say(ChoiceKept(number, cards))
        if first:
            self.set_seat(number, chosen_at=self.now)
            self.say(Chose(number, hidden=not self.table.options.show_chosen))
        if self.table.seats[number].returning:
            self._hand_back(number)
        if not self.table.awaited:
            self._reveal()

    def take_back(self, command: TakeBack) -> None:
        number = self.table.seat_of(command.person)
        self._check_moment(command.moment)
        self._be_here(number)
        if self.table.seats[number].choice is None:
            raise GameError("nothing_to_take_back")
        if self.table.options.clock is not None and self.table.time_is_up(number):
            raise GameError("too_late")
        self.set_seat(number, choice=None, chosen_by=None)
        self.say(ChoiceKept(number, ()))
        self.say(TookBack(number, hidden=not self.table.options.show_chosen))

    def _reveal(self) -> None:
        """The last choice is in: turn over, draw, score, and go on."""
        match, seats = self._match(), self.table.seats
        played = match.play([seat.choice or () for seat in seats])
        by = tuple(seat.chosen_by for seat in seats)
        self.set(match=played, played_by=(*self.table.played_by, by))
        for number in range(len(seats)):
            self._charge_reserve(number)
            self.set_seat(number, choice=None, chosen_by=None)
        self.say(*happened(match, played))
        self._begin_turn()

    def _charge_reserve(self, number: int) -> None:
        clock, seat = self.table.options.clock, self.table.seats[number]
        if clock is not None:
            used = max(0.0, seat.chosen_at - seat.since - clock.seconds)
            self.set_seat(number, reserve=max(0.0, seat.reserve - used))

    def _begin_turn(self) -> None:
        paused = self.table.paused_at
        since = self.now if paused is None else paused  # `_resume` adds the pause to it
        for number in range(len(self.table.seats)):
            self.set_seat(number, since=since, warned=False)

    def _match(self) -> Match:
        if self.table.match is None:
            raise GameError("not_started")
        return self.table.match

    # Absence

    def away(self, command: Away) -> None:
        number = self.table.seat_of(command.person)
        if self.table.seats[number].present:
            self.set_seat(number, present=False, returning=False)
            self.say(WentAway(number))
            self._pause()

    def back(self, command: Back) -> None:
        self._be_here(self.table.seat_of(command.person))

    def _be_here(self, number: int) -> None:
        """A person shows signs of life: counts as present, and takes the seat back."""
        if not self.table.seats[number].present:
            self.set_seat(number, present=True)
            self.say(CameBack(number))
        self._resume()
        if self.table.seats[number].substitute is not None:
            if number in self.table.awaited and self.table.time_is_up(number):
                # The substitute chooses first, unless the person does so at once.
                self.set_seat(number, returning=True)
            else:
                self._hand_back(number)

    def _hand_back(self, number: int) -> None:
        """The person plays from now on. A choice that lies there stays, and may be changed."""
        self.set_seat(number, substitute=None, returning=False, warned=False)
        self.say(SeatReturned(number))

    def call_substitute(self, command: CallSubstitute) -> None:
        caller = self.table.seat_of(command.person)
        number = check_seat(self.table.rules, command.seat)
        if self.table.options.clock is not None:
            raise GameError("has_clock")
        if self.table.moment is None or number == caller:
            raise GameError("not_awaited", seat=number + 1)
        wait = self.table.seats[number].since + self.table.options.patience - self.now
        if wait > 0:  # asked first: too soon is too soon, whether or not that seat has chosen
            raise GameError("too_soon", n=ceil(wait))
        if number not in self.table.late:
            raise GameError("not_awaited", seat=number + 1)
        self._substitute(number, "called")

    def _substitute(self, number: int, why: str) -> None:
        bot = self.table.options.substitute
        self.set_seat(number, substitute=bot, reserve=0.0)
        self.say(SubstituteCame(number, bot, why))

    def _pause(self) -> None:
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

    def _resume(self) -> None:
        """Nobody loses time to a pause."""
        if self.table.paused_at is not None:
            pause = self.now - self.table.paused_at
            for number, seat in enumerate(self.table.seats):
                since, chosen_at = seat.since + pause, seat.chosen_at + pause
                self.set_seat(number, since=since, chosen_at=chosen_at)
            self.set(paused_at=None)
            self.say(Resumed())

    def tick(self, command: Tick) -> None:
        """Nothing but what `pass_time` does before every command."""

    def pass_time(self) -> None:
        """Warn those whose time is short, and seat substitutes for those whose time is up."""
        clock = self.table.options.clock
        if clock is None:
            return
        for number in self.table.late:
            deadline = self.table.deadline(number)
            assert deadline is not None
            if self.table.time_is_up(number):
                self._substitute(number, "time")
            elif deadline - clock.warning <= self.now and not self.table.seats[number].warned:
                self.set_seat(number, warned=True)
                self.say(TimeShort(number, deadline))


def _checked_name(name: str) -> str:
    """A name as it will be shown: text of one line, not too long."""
    tidy = " ".join(name.split()) if isinstance(name, str) and len(name) < 1000 else ""
    if not 0 < len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise GameError("name", n=LONGEST_NAME)
    return tidy


def _alike(name: str) -> str:
    """What names that look the same have in common."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def _fields(seat: Seat) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in Seat.__dataclass_fields__}


_HANDLERS: dict[type[Any], Callable[[_Change, Any], None]] = {
    Sit: _Change.sit,
    SeatBot: _Change.seat_bot,
    Remove: _Change.remove,
    Leave: _Change.leave,
    Start: _Change.start,
    Deal: _Change.deal,
    Choose: _Change.choose,
    TakeBack: _Change.take_back,
    BotChooses: _Change.bot_chooses,
    Away: _Change.away,
    Back: _Change.back,
    CallSubstitute: _Change.call_substitute,
    Rematch: _Change.rematch,
    Tick: _Change.tick,
}
