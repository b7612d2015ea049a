"""How a table is conducted: a command and the time go in, a new table and events come out.

`apply` is a function of its arguments alone, so a log of commands is a table. A command that is
refused raises a `GameError` and changes nothing. Here is what has to do with absence and time;
`gathering` and `playing` hold the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from typing import Any

from five211 import gathering, playing
from five211.change import Change
from five211.commands import (
    Away,
    Back,
    BotChooses,
    CallSubstitute,
    Choose,
    Command,
    Deal,
    Leave,
    Rematch,
    Remove,
    SeatBot,
    Sit,
    Standstill,
    Start,
    TakeBack,
    Tick,
)
from five211.errors import GameError, shown
from five211.events import Event
from five211.happenings import TimeShort, WentAway
from five211.table import Table
from five211.view import check_seat


def apply(table: Table, command: Command, now: float) -> tuple[Table, tuple[Event, ...]]:
    """What becomes of a table when a command comes in at a time, and what happened."""
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise GameError("command", command=shown(command))
    change = Change(table, now)
    if not isinstance(command, Standstill):
        _pass_time(change)
    handle(change, command)
    return change.done(), tuple(change.events)


def _away(change: Change, command: Away) -> None:
    number = change.table.seat_of(command.person)
    if change.table.seats[number].present:
        change.set_seat(number, present=False, returning=False)
        change.say(WentAway(number))
        change.pause()


def _back(change: Change, command: Back) -> None:
    change.be_here(change.table.seat_of(command.person))


def _call_substitute(change: Change, command: CallSubstitute) -> None:
    caller = change.table.seat_of(command.person)
    number = check_seat(change.table.rules, command.seat)
    if change.options.clock is not None:
        raise GameError("has_clock")
    if change.table.moment is None or number == caller:
        raise GameError("not_awaited", seat=number + 1)
    wait = change.table.seats[number].since + change.options.patience - change.now
    if wait > 0:  # asked first: too soon is too soon, whether or not that seat has chosen
        raise GameError("too_soon", n=ceil(wait))
    if number not in change.table.late:
        raise GameError("not_awaited", seat=number + 1)
    change.substitute(number, "called")


def _standstill(change: Change, command: Standstill) -> None:
    if not isinstance(command.seconds, (int, float)) or not 0 <= command.seconds < inf:
        raise GameError("time", given=shown(command.seconds))
    if change.table.paused_at is None:  # a pause gives its time back by itself
        change.give_back(command.seconds)


def _tick(change: Change, command: Tick) -> None:
    """Nothing but what `_pass_time` does before every command."""


def _pass_time(change: Change) -> None:
    """Warn those whose time is short, and seat substitutes for those whose time is up."""
    clock = change.options.clock
    if clock is None:
        return
    for number in change.table.late:
        deadline = change.table.deadline(number)
        assert deadline is not None
        if change.time_is_up(number):
            change.substitute(number, "time")
        elif deadline - clock.warning <= change.now and not change.table.seats[number].warned:
            change.set_seat(number, warned=True)
            change.say(TimeShort(number, deadline))


_HANDLERS: dict[type[Any], Callable[[Change, Any], None]] = {
    Sit: gathering.sit,
    SeatBot: gathering.seat_bot,
    Remove: gathering.remove,
    Leave: gathering.leave,
    Start: gathering.start,
    Rematch: gathering.rematch,
    Deal: playing.deal,
    Choose: playing.choose,
    TakeBack: playing.take_back,
    BotChooses: playing.bot_chooses,
    Away: _away,
    Back: _back,
    CallSubstitute: _call_substitute,
    Standstill: _standstill,
    Tick: _tick,
}
