"""Deadlines, reserves and warnings, and a server that stood still. Nobody gains time."""

from __future__ import annotations

import pytest

from five211 import Clock, Options
from five211.commands import Away, Back, Leave, Sit, Standstill, Start, Tick
from five211.happenings import ChoiceKept, Chose, SubstituteCame, TimeShort
from tests.clocks import DAY, HOUR, LETTERS, LIVE, STRICT, deadlines
from tests.hosts import gathered, playing

# Deadlines


def test_without_a_clock_there_is_no_deadline() -> None:
    host = playing(2)
    assert deadlines(host) == [None, None]
    assert host.table.wakes_at is None
    assert host.at(10 * DAY, Tick()) == ()
    assert host.table.late == (0, 1)


def test_a_turns_time_begins_when_the_cards_are_dealt() -> None:
    host = gathered(2, LIVE)
    host.at(100, Start("ana"))
    assert host.table.wakes_at is None
    assert host.at(1000, Tick()) == ()
    host.deal()
    assert deadlines(host) == [1090, 1090]
    assert host.table.wakes_at == 1080


def test_every_turn_has_its_own_time() -> None:
    host = playing(2, LIVE)
    host.at(20, host.choose("ana"))
    host.at(25, host.choose("bob"))
    assert deadlines(host) == [25 + 30 + 60] * 2


def test_the_reserve_is_for_the_whole_game() -> None:
    host = playing(2, LIVE)
    host.at(30, host.choose("ana"))  # just in time
    host.at(50, host.choose("bob"))  # 20 of the reserve
    assert deadlines(host) == [50 + 90, 50 + 70]
    host.at(50, host.choose("ana"))
    host.at(50 + 45, host.choose("bob"))  # 15 more
    assert deadlines(host) == [95 + 90, 95 + 55]


def test_the_next_game_has_a_new_reserve() -> None:
    host = playing(2, LIVE)
    host.at(50)
    host.finish()
    assert {seat.reserve for seat in host.table.seats} == {40}
    host.play_again()
    assert deadlines(host) == [140, 140]


def test_a_seat_is_warned_once_before_its_time_is_up() -> None:
    host = playing(2, LIVE)
    host.do(host.choose("bob"))
    assert host.table.wakes_at == 80
    assert host.at(79, Tick()) == ()
    assert host.at(80, Tick()) == (TimeShort(0, 90),)
    assert host.table.wakes_at == 90
    assert host.at(85, Tick(), Tick()) == ()


def test_a_seat_is_warned_in_every_turn() -> None:
    host = playing(2, STRICT)
    host.at(20, Tick())
    host.play()
    assert host.at(40, Tick()) == (TimeShort(0, 50), TimeShort(1, 50))


def test_whoever_comes_back_is_warned_again() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    assert host.at(20, Tick()) == (TimeShort(0, 30),)
    host.do(Leave("ana"), Sit("ana", "Ana"))
    deadline = host.table.deadline(0)
    assert deadline is not None
    assert host.table.wakes_at == deadline - 10
    assert host.at(deadline - 10, Tick()) == (TimeShort(0, deadline),)


def test_any_command_lets_the_time_pass() -> None:
    host = playing(2, STRICT)
    assert host.at(20, host.choose("bob"))[:2] == (TimeShort(0, 30), TimeShort(1, 30))
    assert host.at(30, Away("bob"))[0] == SubstituteCame(0, "hasty", "time")


def test_a_refused_command_lets_no_time_pass() -> None:
    host = playing(2, STRICT)
    host.now = 30
    host.refuses(Start("ana"), "already_started")
    assert len(host.do(Tick())) == 2


def test_the_table_wakes_for_the_seat_that_is_next() -> None:
    host = playing(3, LIVE, people=2)
    host.at(50, host.choose("bob"))
    host.do(host.bot(2), host.choose("ana"))
    assert deadlines(host)[:2] == [50 + 70, 50 + 70]
    host.at(60, host.choose("ana"))
    assert host.table.wakes_at == 110  # Bob's warning; the bot has no deadline
    host.do(host.take_back("ana"), host.choose("bob"))
    assert host.table.wakes_at == 110
    host.do(host.choose("ana"))
    host.do(host.bot(2))
    assert host.moment.turn == 2


def test_a_warning_longer_than_the_turn_comes_at_once() -> None:
    host = playing(2, Options(clock=Clock(seconds=5, warning=10)))
    assert host.table.wakes_at == -5
    assert host.do(Tick()) == (TimeShort(0, 5), TimeShort(1, 5))


@pytest.mark.parametrize("earlier", [10.0, -1e9])
def test_a_clock_that_is_set_back_is_harmless(earlier: float) -> None:
    host = playing(2, STRICT)
    host.at(20, Tick())
    assert host.at(earlier, Tick(), host.choose("bob")) == (ChoiceKept(1, host.low(1)), Chose(1))
    assert host.table.now == 20
    assert host.table.seats[1].chosen_at == 20
    assert host.at(30, Tick()) == (SubstituteCame(0, "hasty", "time"),)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), None, "5"])
def test_what_is_no_time_is_refused(wrong: float) -> None:
    host = playing(2, STRICT)
    host.now = wrong
    host.refuses(Tick(), "time")


# The server stood still


def test_nobody_loses_time_while_the_server_does_not_run() -> None:
    host = playing(2, LETTERS)
    host.at(10, host.choose("ana"))
    assert host.at(10 * DAY, Standstill(10 * DAY - 10)) == ()  # no substitute, no warning
    assert deadlines(host)[1] == DAY + 10 * DAY - 10
    assert host.table.late == (1,)
    host.refuses(Standstill(-1), "time")
    host.refuses(Standstill(float("inf")), "time")
    host.refuses(Standstill("long"), "time")  # type: ignore[arg-type]


def test_a_pause_gives_its_time_back_by_itself() -> None:
    host = playing(2, LIVE)
    host.at(10, Away("ana"), Away("bob"))
    before = deadlines(host)
    host.at(HOUR, Standstill(HOUR - 10))
    assert deadlines(host) == before
    host.do(Back("ana"))
    assert deadlines(host) == [one + HOUR - 10 for one in before if one is not None]
