"""Leaving in mid-game, being away, and the pause while nobody is there."""

from __future__ import annotations

import pytest

from five211 import Player, parse, write
from five211.commands import Away, Back, CallSubstitute, Leave, Sit, Start, Tick
from five211.happenings import (
    CameBack,
    ChoiceKept,
    Chose,
    HostChanged,
    Paused,
    Resumed,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SubstituteCame,
    TimeShort,
    WentAway,
)
from tests.clocks import DAY, HOUR, LETTERS, LIVE, STRICT, deadlines
from tests.hosts import gathered, playing

# Leaving in mid-game


def test_whoever_leaves_in_mid_game_is_played_for_under_the_same_name() -> None:
    host = playing(3)
    host.do(host.choose("ana", host.high(0)))
    mine = host.high(0)
    assert host.do(Leave("ana")) == (
        SeatLeft(0, "Ana"),
        SubstituteCame(0, "hasty", "left"),
        HostChanged(1),
    )
    assert host.table.seats[0].free
    assert host.names == ["Ana", "Bob", "Cleo"]
    host.play()
    assert host.match.state.turns[0][0] == mine  # what lay face down was played
    assert host.table.bots_awaited == (0,)
    host.finish()
    record = host.table.record
    assert record.players == (Player("Ana"), Player("Bob"), Player("Cleo"))
    assert record.played_by[:2] == ((None, None, None), ("hasty", None, None))
    assert parse(write(record)) == record


def test_one_may_leave_before_the_deal() -> None:
    host = gathered(2)
    host.do(Start("ana"))
    assert SubstituteCame(1, "hasty", "left") in host.do(Leave("bob"))
    host.deal()
    assert (host.table.bots_awaited, host.table.late) == ((1,), (0,))


def test_whoever_is_played_for_may_leave_too() -> None:
    host = playing(2, STRICT)
    host.at(30, Tick())
    assert host.do(Leave("ana")) == (SeatLeft(0, "Ana"), HostChanged(1))
    assert host.table.seats[0].substitute == "hasty"


def test_whoever_has_held_a_seat_may_only_come_back_to_that_one() -> None:
    host = playing(3)
    host.do(Leave("ana"), Leave("bob"))
    assert host.refuses(Sit("ana", "Ana", 1), "other_seat").fields == {"seat": 1}
    host.refuses(Sit("bob", "Bob", 0), "other_seat")
    host.do(host.bot(1))  # Ana's seat is still awaited
    assert host.do(Sit("ana", "Ana"))[0] == SeatTaken(0, "Ana", None)
    assert host.do(Sit("bob", "Bob", 1)) == (SeatTaken(1, "Bob", None), SeatReturned(1))
    assert [seat.substitute for seat in host.table.seats] == [None, None, None]
    host.refuses(host.bot(0), "bot_not_awaited")


def test_a_seat_that_is_free_in_mid_game_goes_only_to_somebody_who_has_held_none() -> None:
    host = playing(4, people=3)
    host.do(Leave("ana"), Leave("bob"))
    assert host.do(Sit("zoe", "Zoe", 0)) == (SeatTaken(0, "Zoe", None), SeatReturned(0))
    host.refuses(Sit("ana", "Ana"), "seat_taken")  # hers is gone, and Bob's is not hers
    host.refuses(Sit("ana", "Ana", 1), "other_seat")
    host.refuses(Sit("ana", "Ana", 3), "other_seat")  # nor the bot's
    host.do(Leave("zoe"))
    host.refuses(Sit("zoe", "Zoe", 1), "other_seat")
    host.do(Sit("ana", "Ana"))
    assert host.table.seat_of("ana") == 0


def test_whoever_took_a_bots_seat_and_left_it_has_held_it() -> None:
    host = playing(3, people=2)
    host.do(Sit("zoe", "Zoe", 2), Leave("zoe"), Leave("bob"))
    assert host.table.seats[2].substitute == "hasty"
    host.refuses(Sit("zoe", "Zoe", 1), "other_seat")


# Absence and pauses


def test_whoever_is_away_keeps_the_seat_and_the_clock_runs_on() -> None:
    host = playing(2, STRICT)
    assert host.at(5, Away("ana")) == (WentAway(0),)
    assert host.table.seats[0].person == "ana"
    assert host.at(30, Tick())[0] == SubstituteCame(0, "hasty", "time")
    assert host.do(host.bot(0), Back("ana"))[-2:] == (CameBack(0), SeatReturned(0))


def test_choosing_is_a_sign_of_life() -> None:
    host = playing(2)
    host.do(Away("ana"))
    assert host.do(host.choose("ana"))[0] == CameBack(0)
    host.do(Away("ana"))
    assert host.do(host.take_back("ana"))[0] == CameBack(0)
    assert host.table.seats[0].present


@pytest.mark.parametrize("go", [Away, Leave])
def test_a_table_with_no_person_present_pauses(go: type[Away] | type[Leave]) -> None:
    host = playing(3, LIVE, people=2)
    host.at(10, Away("ana"))
    assert host.at(12, go("bob"))[-1] == Paused()
    assert host.table.wakes_at is None
    assert host.at(12 + HOUR, Tick()) == ()
    assert (host.table.awaited, host.table.late, host.table.bots_awaited) == ((0, 1, 2), (), ())
    host.refuses(host.bot(2), "bot_not_awaited")
    assert host.do(Back("ana")) == (CameBack(0), Resumed())
    assert deadlines(host)[0] == 90 + HOUR
    assert 2 in host.table.bots_awaited


def test_nobody_is_called_for_in_a_pause() -> None:
    host = playing(2)
    host.do(Away("ana"), Away("bob"))
    host.now = HOUR
    host.refuses(CallSubstitute("ana", 1), "not_awaited")
    host.do(Back("ana"))
    host.refuses(CallSubstitute("ana", 1), "too_soon")  # the wait stood still too
    host.at(HOUR + 120, CallSubstitute("ana", 1))


def test_a_choice_ends_a_pause() -> None:
    host = playing(2, STRICT)
    host.at(10, Away("ana"), Away("bob"))
    events = host.at(HOUR, host.choose("bob"))
    assert events == (CameBack(1), Resumed(), ChoiceKept(1, host.low(1)), Chose(1))
    assert deadlines(host) == [HOUR + 20, HOUR + 20]


def test_sitting_down_ends_a_pause() -> None:
    host = playing(2, STRICT)
    host.do(Leave("ana"), Leave("bob"))
    assert host.table.paused_at == 0
    assert host.table.host is None
    events = host.at(HOUR, Sit("zoe", "Zoe"))
    assert set(events) == {SeatTaken(0, "Zoe", None), SeatReturned(0), Resumed(), HostChanged(0)}
    assert host.table.bots_awaited == (1,)


def test_a_game_that_starts_with_nobody_there_begins_with_a_pause() -> None:
    host = gathered(2, STRICT)
    host.do(Away("ana"), Away("bob"))
    assert host.table.paused_at is None
    assert host.do(Start("ana"))[-1] == Paused()


def test_there_is_no_pause_before_the_start_and_none_after_the_end() -> None:
    host = gathered(2)
    assert host.do(Away("ana"), Away("bob")) == (WentAway(0), WentAway(1))
    host.do(Back("ana"), Start("ana"))
    host.deal()
    host.finish()
    assert host.do(Away("ana"), Leave("bob"))[-1] == SeatLeft(1, "Bob")
    assert host.table.paused_at is None


def test_by_correspondence_the_clock_runs_while_nobody_is_there() -> None:
    host = playing(2, LETTERS)
    host.at(HOUR, Away("ana"), host.choose("bob"))
    assert host.do(Away("bob")) == (WentAway(1),)
    assert host.table.wakes_at == DAY - HOUR
    assert host.at(DAY - HOUR, Tick()) == (TimeShort(0, DAY),)
    assert host.at(DAY, Tick()) == (SubstituteCame(0, "hasty", "time"),)
    host.do(host.bot(0))
    assert host.moment.turn == 1


def test_two_pauses_cost_nobody_any_time() -> None:
    host = playing(2, STRICT)
    host.at(10, Away("ana"), Away("bob"))
    host.at(HOUR, Back("ana"))
    host.at(HOUR + 5, Away("ana"))
    host.at(2 * HOUR, Back("bob"))
    assert deadlines(host) == [2 * HOUR + 15] * 2
    host.at(2 * HOUR + 14, Tick())
    assert host.table.late == (0, 1)


def test_after_a_pause_a_choice_may_be_taken_back_like_before_it() -> None:
    host = playing(2, STRICT)
    host.at(5, host.choose("ana"))
    host.at(6, Away("ana"), Away("bob"))
    host.at(HOUR, host.take_back("ana"))
    assert host.table.awaited == (0, 1)


def test_a_pause_gives_no_reserve_back() -> None:
    host = playing(2, LIVE)
    host.at(50, host.choose("ana"))
    host.at(51, Away("ana"), Away("bob"))
    host.at(HOUR, Back("bob"))
    host.do(host.choose("bob"))
    assert [seat.reserve for seat in host.table.seats] == [40, 39]


def test_whoever_sits_down_in_a_pause_gains_no_time() -> None:
    host = playing(2, STRICT)
    host.at(5, Leave("ana"), Away("bob"))
    host.at(HOUR, Sit("ana", "Ana"))
    assert deadlines(host) == [HOUR + 25, HOUR + 25]


def test_a_deal_in_a_pause_gives_nobody_more_time() -> None:
    host = gathered(2, STRICT)
    host.do(Start("ana"), Away("ana"), Away("bob"))
    host.at(HOUR)
    host.deal()
    host.at(2 * HOUR, Back("ana"))
    assert deadlines(host) == [2 * HOUR + 30] * 2
