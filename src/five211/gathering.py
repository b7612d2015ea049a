"""Gathering at a table: seats taken and left, bots, the host, start and rematch."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any
from unicodedata import normalize

from five211.change import Change
from five211.characters import called
from five211.commands import Leave, Rematch, Remove, SeatBot, Sit, Start
from five211.errors import GameError, shown
from five211.happenings import GameStarted, HostChanged, RematchCalled, SeatLeft, SeatTaken
from five211.match import Match
from five211.table import Seat
from five211.view import check_seat

LONGEST_NAME = 24  # characters
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # printable to Python, but nothing to see


def sit(change: Change, command: Sit) -> None:
    """Take a free seat, or a bot's."""
    name = checked_name(command.name)
    if not isinstance(command.person, str) or not command.person:
        raise GameError("person")
    if change.table.match is not None and change.table.match.over:
        if any(seat.person is not None for seat in change.table.seats):
            raise GameError("sit_later")  # else the finished game would get another name
        _gather(change)
    if any(seat.person == command.person for seat in change.table.seats):
        raise GameError("already_seated")
    number = _seat_for(change, command)
    if _name_taken(change, name, number):
        raise GameError("name_taken", name=shown(name))
    bot = change.table.seats[number].played_by_bot
    change.set_seat(number, person=command.person, name=name, bot=None, present=True)
    change.say(SeatTaken(number, name, None))
    if change.table.match is not None:
        change.set(held={**change.table.held, command.person: number})
        change.set_seat(number, substitute=bot)
    change.be_here(number)
    if change.table.host is None:
        _pass_host(change)


def _seat_for(change: Change, command: Sit) -> int:
    """Whoever has held a seat in this game may only come back to that one."""
    seats = change.table.seats
    held = change.table.held.get(command.person)
    wanted = held if command.seat is None else check_seat(change.table.rules, command.seat)
    if wanted is None:
        wanted = next((n for n, seat in enumerate(seats) if seat.free), None)
    if wanted is None:
        raise GameError("table_full")
    if held not in (None, wanted):
        raise GameError("other_seat", seat=held + 1)
    if seats[wanted].person is not None:
        raise GameError("seat_taken", seat=wanted + 1)
    return wanted


def _name_taken(change: Change, name: str, number: int) -> bool:
    """Whether another seat has this name, or one that looks like it."""
    return _alike(name) in map(_alike, _others(change, number))


def _others(change: Change, number: int) -> list[str]:
    return [seat.name for n, seat in enumerate(change.table.seats) if n != number]


def seat_bot(change: Change, command: SeatBot) -> None:
    """Put a bot in a free seat."""
    _check_host(change, command.person)
    _check_gathering(change)
    number = command.seat
    if number is None:
        number = next((n for n, seat in enumerate(change.table.seats) if seat.free), None)
    if number is None:
        raise GameError("table_full")
    if not change.table.seats[check_seat(change.table.rules, number)].free:
        raise GameError("seat_taken", seat=number + 1)
    _put_bot(change, number, command.bot)


def _put_bot(change: Change, number: int, bot: str) -> None:
    bot = checked_name(bot)
    name = bot_name(bot, _others(change, number))
    change.set_seat(number, bot=bot, name=name)
    change.say(SeatTaken(number, name, bot))


def remove(change: Change, command: Remove) -> None:
    """Free a seat before the start."""
    _check_host(change, command.person)
    _check_gathering(change)
    if change.table.seats[check_seat(change.table.rules, command.seat)].free:
        raise GameError("seat_free", seat=command.seat + 1)
    _empty(change, command.seat)


def leave(change: Change, command: Leave) -> None:
    """Get up for good."""
    _empty(change, change.table.seat_of(command.person))


def _empty(change: Change, number: int) -> None:
    """Free a seat; in mid-game a substitute plays it on, under the name that was there."""
    person, match = change.table.seats[number].person, change.table.match
    change.say(SeatLeft(number, change.table.seats[number].name))
    if match is None:
        change.set_seat(number, **_fields(Seat()))
    else:
        change.set_seat(number, person=None, present=False, returning=False)
        if not match.over and change.table.seats[number].substitute is None:
            change.substitute(number, "left")
    if person == change.table.host:
        _pass_host(change)
    change.pause()


def start(change: Change, command: Start) -> None:
    """Begin a game."""
    _check_host(change, command.person)
    _check_gathering(change)
    for number, seat in enumerate(change.table.seats):
        if seat.free:
            if command.fill is None:
                raise GameError("seats_free")
            _put_bot(change, number, command.fill)
    clock = change.options.clock
    for number in range(len(change.table.seats)):
        change.set_seat(number, reserve=0.0 if clock is None else clock.reserve)
    persons = ((seat.person, n) for n, seat in enumerate(change.table.seats))
    change.set(
        match=Match(change.table.rules),
        game=change.table.game + 1,
        held={person: number for person, number in persons if person is not None},
        played_by=(),
    )
    change.say(GameStarted(change.table.game))
    change.pause()


def rematch(change: Change, command: Rematch) -> None:
    """Gather the same people for another game."""
    number = change.table.seat_of(command.person)
    if change.table.match is None or not change.table.match.over:
        raise GameError("game_not_over")
    _gather(change)
    change.say(RematchCalled(number))


def _gather(change: Change) -> None:
    """Clear the table of the game that is over; whoever sits here stays."""
    for number, seat in enumerate(change.table.seats):
        kept = {"person", "name", "bot", "present"} if not seat.free else set()
        change.set_seat(number, **{k: v for k, v in _fields(Seat()).items() if k not in kept})
    change.set(match=None, held={}, played_by=())


def _pass_host(change: Change) -> None:
    """The host is the first person present, or the first person, or nobody."""
    seats = list(enumerate(change.table.seats))
    persons = [n for n, seat in seats if seat.person is not None]
    here = [n for n in persons if change.table.seats[n].present]
    number = next(iter(here + persons), None)
    change.set(host=None if number is None else change.table.seats[number].person)
    if number is not None:
        change.say(HostChanged(number))


def _check_host(change: Change, person: str) -> None:
    """The host decides; while the host is away, anybody who sits here does."""
    change.table.seat_of(person)
    host = next(seat for seat in change.table.seats if seat.person == change.table.host)
    if person != host.person and host.present:
        raise GameError("host_only", name=host.name)


def _check_gathering(change: Change) -> None:
    if change.table.match is not None:
        raise GameError("already_started")


def checked_name(name: str) -> str:
    """A name as it will be shown: text of one line, not too long."""
    tidy = " ".join(name.split()) if isinstance(name, str) and len(name) < 1000 else ""
    if not 0 < len(tidy) <= LONGEST_NAME or not tidy.isprintable() or BLANK & set(tidy):
        raise GameError("name", n=LONGEST_NAME)
    return tidy


def bot_name(bot: str, others: Iterable[str]) -> str:
    """What a bot is called in a seat: "Maxi", or "Maxi 2" where there is one already."""
    name, taken = called(bot)[: LONGEST_NAME - 2].rstrip(), {_alike(one) for one in others}
    names = (name if n == 1 else f"{name} {n}" for n in count(1))
    return next(one for one in names if _alike(one) not in taken)


def _alike(name: str) -> str:
    """What names that look the same have in common."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def _fields(seat: Seat) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in Seat.__dataclass_fields__}
