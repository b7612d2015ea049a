"""Commands in, events out; and the options that a table is made with."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any, cast

import pytest

from five211 import SPECTATOR, Clock, GameError, Options, apply, visible
from five211.commands import Away, Back, Command, Start, Tick
from five211.events import DealStarted
from five211.happenings import Chose, GameStarted
from tests.hosts import gathered, playing

# Commands in, events out


def test_what_is_no_command_is_refused() -> None:
    host = gathered(2)
    assert host.refuses(cast(Command, "Start"), "command").fields == {"command": "“Start”"}
    host.refuses(cast(Command, None), "command")


def test_the_same_command_at_the_same_time_has_the_same_effect() -> None:
    host = playing(3)
    command = host.choose("ana")
    assert apply(host.table, command, 7) == apply(host.table, command, 7)


def test_a_log_of_commands_is_a_table() -> None:
    log: list[tuple[Command, float]] = []
    host = playing(3)
    start = host.table
    while not host.match.over:
        for person in ("cleo", "ana", "bob"):
            log.append((host.choose(person), host.now + 1))
            host.at(host.now + 1, log[-1][0])
    again = start
    for command, now in log:
        again, _ = apply(again, command, now)
    assert again == host.table


def test_a_table_is_not_changed_in_place() -> None:
    host = playing(2, Options(clock=Clock(30)))
    assert host.table.options.clock is not None
    for value, name in [
        (host.table, "now"),
        (host.table.seats[0], "choice"),
        (host.table.options, "patience"),
        (host.table.options.clock, "seconds"),
        (host.choose("ana"), "cards"),
        (host.moment, "turn"),
        (Chose(0), "seat"),
    ]:
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 0)


def test_nothing_happens_where_nothing_changes() -> None:
    host = playing(2)
    assert host.do(Tick(), Back("ana")) == ()
    host.do(Away("ana"))
    assert host.do(Away("ana")) == ()


def test_spectators_hear_what_is_public() -> None:
    host = gathered(2)
    assert visible(host.do(Start("ana")), SPECTATOR) == (GameStarted(1),)
    assert visible(host.deal(), SPECTATOR) == (DealStarted(0, 80),)
    assert visible(host.do(host.choose("ana")), SPECTATOR) == (Chose(0),)


# Options


@pytest.mark.parametrize(
    "make",
    [
        lambda: Clock(0),
        lambda: Clock(-1),
        lambda: Clock("a"),  # type: ignore[arg-type]
        lambda: Clock(5, reserve=-1),
        lambda: Clock(5, warning=float("nan")),
        lambda: Options(patience=float("inf")),
    ],
)
def test_numbers_that_make_no_clock_are_refused(make: Any) -> None:
    with pytest.raises(GameError) as caught:
        make()
    assert caught.value.code == "clock"


def test_a_table_of_an_unknown_edition_is_refused() -> None:
    with pytest.raises(GameError) as caught:
        Options(edition="zz")
    assert caught.value.code == "edition"


@pytest.mark.parametrize("substitute", ["", " ", None])
def test_a_table_needs_somebody_for_those_who_are_away(substitute: Any) -> None:
    with pytest.raises(GameError) as caught:
        Options(substitute=substitute)
    assert caught.value.code == "bot_missing"
