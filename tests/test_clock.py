"""Time at a table: deadlines, substitutes, absence and pauses. Nobody forfeits, nobody gains time.

The time is passed in, so an hour takes no time here. A game begins at time 0.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from five211 import Clock, Options, Player, parse, table_view, visible, write
from five211.commands import (
    Away,
    Back,
    BotChooses,
    CallSubstitute,
    Leave,
    Sit,
    Standstill,
    Start,
    Tick,
)
from five211.events import Revealed
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
    TookBack,
    WentAway,
)
from tests.hosts import Host, gathered, playing

LIVE = Options(clock=Clock(seconds=30, reserve=60, warning=10))
STRICT = Options(clock=Clock(seconds=30, warning=10))
DAY = 86_400
LETTERS = Options(clock=Clock(seconds=DAY, warning=3600, correspondence=True))
HOUR = 3600


def deadlines(host: Host) -> list[float | None]:
    return [host.table.deadline(number) for number in range(len(host.table.seats))]


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
    assert host.at(30, Away("bob"))[0] == SubstituteCame(0, "greedy", "time")


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
    assert host.at(30, Tick()) == (SubstituteCame(0, "greedy", "time"),)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), None, "5"])
def test_what_is_no_time_is_refused(wrong: float) -> None:
    host = playing(2, STRICT)
    host.now = wrong
    host.refuses(Tick(), "time")


# Substitutes


def test_when_time_is_up_a_labelled_substitute_plays() -> None:
    host = playing(3, Options(clock=LIVE.clock, substitute="random"))
    host.do(host.choose("bob"), host.choose("cleo"))
    host.at(89.9, Tick())
    host.refuses(host.bot(0), "bot_not_awaited")
    assert host.at(90, Tick()) == (SubstituteCame(0, "random", "time"),)
    assert table_view(host.table, 1).seats[0].substitute == "random"
    assert (host.table.late, host.table.bots_awaited) == ((), (0,))
    assert host.table.wakes_at is None
    assert host.at(91, Tick()) == ()
    events = host.do(host.bot(0))
    assert events[:2] == (ChoiceKept(0, host.match.state.turns[0][0]), Chose(0))
    assert isinstance(events[2], Revealed)
    assert host.table.record.played_by == (("random", None, None),)


def test_a_substitute_plays_on_until_somebody_comes_back() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    host.at(30, Tick(), host.bot(0))
    for _ in range(4):
        host.do(host.choose("bob"), host.bot(0))
    assert host.at(35, Back("ana")) == (SeatReturned(0),)
    assert host.table.late == (0, 1)
    host.refuses(host.bot(0), "bot_not_awaited")
    host.play()
    assert [turn[0] for turn in host.table.record.played_by] == ["greedy"] * 5 + [None]


def test_nobody_is_thrown_out_and_the_game_has_no_forfeits() -> None:
    host = playing(3, STRICT)
    host.at(30, Tick())
    host.finish()
    assert host.table.record.finished
    assert host.table.record.players == (Player("Ana"), Player("Bob"), Player("Cleo"))
    assert set(host.table.record.played_by) == {("greedy",) * 3}
    assert [seat.person for seat in host.table.seats] == ["ana", "bob", "cleo"]


def test_choosing_is_enough_to_get_the_seat_back() -> None:
    host = playing(3, STRICT)
    host.do(host.choose("bob"))
    host.at(30, Tick())
    mine = host.high(0)
    assert host.at(31, host.choose("ana", mine)) == (ChoiceKept(0, mine), Chose(0), SeatReturned(0))
    host.refuses(host.bot(0), "bot_not_awaited")
    host.do(host.bot(2))
    assert host.match.state.turns[0][0] == mine
    assert host.table.record.played_by == ((None, None, "greedy"),)


def test_a_choice_that_comes_late_but_before_the_substitutes_is_taken() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    events = host.at(31, host.choose("ana"))
    assert {SubstituteCame(0, "greedy", "time"), SeatReturned(0)} <= set(events[:4])
    assert host.moment.turn == 1
    assert host.table.record.played_by == ()


def test_a_substitutes_choice_stays_and_may_be_changed() -> None:
    host = playing(3, STRICT)
    host.at(30, Tick())
    host.do(host.bot(0), host.bot(1))
    assert host.do(Back("ana"), Back("bob")) == (SeatReturned(0), SeatReturned(1))
    assert host.table.awaited == (2,)
    assert table_view(host.table, 0).choice == host.low(0)
    mine, theirs = host.high(0), host.low(1)
    assert host.do(host.choose("ana", mine)) == (ChoiceKept(0, mine),)
    host.do(host.bot(2))
    assert host.match.state.turns[0][:2] == (mine, theirs)
    assert host.table.record.played_by == ((None, "greedy", "greedy"),)


def test_whoever_comes_back_in_time_may_take_a_substitutes_choice_back() -> None:
    host = playing(3, STRICT)
    host.do(host.choose("bob"), host.choose("cleo"))
    host.at(30, Tick(), host.bot(0))  # turn 0 is over
    host.at(40, host.bot(0))
    assert host.at(45, host.take_back("ana")) == (SeatReturned(0), ChoiceKept(0, ()), TookBack(0))
    assert host.table.awaited == (0, 1, 2)
    host.refuses(host.bot(0), "bot_not_awaited")


def test_after_the_deadline_a_choice_may_be_changed_but_not_taken_back() -> None:
    host = playing(3, STRICT)
    host.do(host.choose("ana"))
    host.at(29, host.take_back("ana"), host.choose("ana"))
    host.at(30, Tick())
    host.refuses(host.take_back("ana"), "too_late")
    host.do(host.choose("ana", host.high(0)))
    assert host.table.seats[0].choice == host.high(0)


def test_without_a_clock_a_choice_may_be_taken_back_however_late() -> None:
    host = playing(2)
    host.do(host.choose("ana"))
    assert host.at(10 * DAY, host.take_back("ana")) == (ChoiceKept(0, ()), TookBack(0))


def test_a_seat_that_was_late_has_no_reserve_left() -> None:
    host = playing(2, LIVE)
    host.do(host.choose("bob"))
    host.at(90, Tick(), host.bot(0))
    host.do(Back("ana"))
    assert deadlines(host) == [90 + 30, 90 + 90]


def test_coming_back_at_the_deadline_again_and_again_gains_no_time() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    for now in range(30, 300, 10):
        host.at(now, Back("ana"))
        if host.table.bots_awaited:
            host.do(host.bot(0))
            break
    assert host.now == 30
    assert host.moment.turn == 1


def test_whoever_comes_back_too_late_gets_the_seat_when_the_substitute_has_chosen() -> None:
    host = playing(3, STRICT)
    host.at(30, Tick())
    assert host.do(Back("ana")) == ()
    assert host.table.bots_awaited == (0, 1, 2)
    events = host.do(host.bot(0))
    assert set(events) == {ChoiceKept(0, host.low(0)), SeatReturned(0), Chose(0)}
    assert host.do(host.choose("ana", host.high(0))) == (ChoiceKept(0, host.high(0)),)
    host.refuses(host.take_back("ana"), "too_late")


def test_whoever_goes_away_again_leaves_the_seat_to_the_substitute() -> None:
    host = playing(3, STRICT)
    host.at(30, Tick(), Back("ana"), Away("ana"))
    assert SeatReturned(0) not in host.do(host.bot(0))
    assert host.table.seats[0].substitute == "greedy"


def test_getting_up_and_sitting_down_again_gains_no_time() -> None:
    host = playing(2, STRICT)
    host.at(29, Leave("ana"), Sit("ana", "Ana"))
    assert deadlines(host) == [30, 30]


def test_choosing_late_and_taking_it_back_gains_no_time() -> None:
    host = playing(3, STRICT)
    host.at(31, host.choose("ana"))
    host.refuses(host.take_back("ana"), "too_late")


def test_without_a_clock_too_somebody_who_is_called_cannot_stop_the_game() -> None:
    host = playing(2)
    host.do(host.choose("bob"))
    host.at(120, CallSubstitute("bob", 0), Back("ana"))
    host.do(host.bot(0))
    assert host.moment.turn == 1
    assert host.table.seats[0].substitute is None


def test_sending_a_choice_again_costs_no_reserve() -> None:
    host = playing(2, LIVE)
    command = host.choose("ana")
    host.at(5, command)
    host.at(80, command, host.choose("bob"))
    assert [seat.reserve for seat in host.table.seats] == [60, 10]


# No clock: others call


def test_without_a_clock_others_may_call_a_substitute_after_a_while() -> None:
    host = playing(3, Options(patience=120))
    host.do(host.choose("cleo"))
    host.now = 119
    host.refuses(CallSubstitute("bob", 0), "too_soon")
    assert host.at(120, CallSubstitute("bob", 0)) == (SubstituteCame(0, "greedy", "called"),)
    there_is_one, oneself, has_chosen = (
        host.refuses(CallSubstitute("bob", seat), "not_awaited").fields for seat in range(3)
    )
    assert [there_is_one, oneself, has_chosen] == [{"seat": 1}, {"seat": 2}, {"seat": 3}]
    host.do(CallSubstitute("ana", 1))  # even of somebody who is played for
    assert host.table.bots_awaited == (0, 1)


@pytest.mark.parametrize(("patience", "now", "left"), [(120, 0.5, 120), (120, 119.5, 1)])
def test_the_refusal_says_how_long_to_wait(patience: float, now: float, left: int) -> None:
    host = playing(2, Options(patience=patience))
    host.now = now
    assert host.refuses(CallSubstitute("bob", 0), "too_soon").fields == {"n": left}


def test_the_wait_begins_anew_with_every_turn() -> None:
    host = playing(2)
    host.at(100)
    host.play()
    host.now = 219
    host.refuses(CallSubstitute("bob", 0), "too_soon")
    host.at(220, CallSubstitute("bob", 0))


def test_nobody_is_called_for_a_bot() -> None:
    host = playing(2, people=1)
    host.now = HOUR
    host.refuses(CallSubstitute("ana", 1), "not_awaited")


@pytest.mark.parametrize("options", [LIVE, LETTERS], ids=["live", "letters"])
def test_with_a_clock_nobody_calls(options: Options) -> None:
    host = playing(2, options)
    host.now = 10 * DAY
    host.refuses(CallSubstitute("bob", 0), "has_clock")


@pytest.mark.rule("8.1")
def test_calling_tells_nobody_who_has_chosen_where_the_table_hides_it() -> None:
    host = playing(3, Options(show_chosen=False))
    host.do(host.choose("bob"))
    chosen = host.refuses(CallSubstitute("ana", 1), "too_soon")
    thinking = host.refuses(CallSubstitute("ana", 2), "too_soon")
    assert chosen == thinking


# Leaving in mid-game


def test_whoever_leaves_in_mid_game_is_played_for_under_the_same_name() -> None:
    host = playing(3)
    host.do(host.choose("ana", host.high(0)))
    mine = host.high(0)
    assert host.do(Leave("ana")) == (
        SeatLeft(0, "Ana"),
        SubstituteCame(0, "greedy", "left"),
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
    assert record.played_by[:2] == ((None, None, None), ("greedy", None, None))
    assert parse(write(record)) == record


def test_one_may_leave_before_the_deal() -> None:
    host = gathered(2)
    host.do(Start("ana"))
    assert SubstituteCame(1, "greedy", "left") in host.do(Leave("bob"))
    host.deal()
    assert (host.table.bots_awaited, host.table.late) == ((1,), (0,))


def test_whoever_is_played_for_may_leave_too() -> None:
    host = playing(2, STRICT)
    host.at(30, Tick())
    assert host.do(Leave("ana")) == (SeatLeft(0, "Ana"), HostChanged(1))
    assert host.table.seats[0].substitute == "greedy"


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
    assert host.table.seats[2].substitute == "greedy"
    host.refuses(Sit("zoe", "Zoe", 1), "other_seat")


# Absence and pauses


def test_whoever_is_away_keeps_the_seat_and_the_clock_runs_on() -> None:
    host = playing(2, STRICT)
    assert host.at(5, Away("ana")) == (WentAway(0),)
    assert host.table.seats[0].person == "ana"
    assert host.at(30, Tick())[0] == SubstituteCame(0, "greedy", "time")
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
    assert host.at(DAY, Tick()) == (SubstituteCame(0, "greedy", "time"),)
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


def test_a_bots_answer_for_a_turn_that_is_over_is_not_taken() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    host.at(30, Tick())
    answer = host.bot(0)
    host.do(host.choose("ana"))  # she was quicker
    host.refuses(answer, "turn_over")
    assert isinstance(answer, BotChooses)


def test_where_the_table_hides_who_has_chosen_coming_back_tells_nothing() -> None:
    """The seat is handed back when the turn is over, not when its choice is in."""
    host = playing(3, replace(STRICT, show_chosen=False))
    host.at(30, Tick(), Back("bob"))
    for command in (host.bot(1), host.choose("bob")):
        assert visible(host.do(command), 0) == ()
        assert host.table.seats[1].substitute == "greedy"
    host.do(host.bot(0))
    assert SeatReturned(1) in visible(host.do(host.bot(2)), 0)
    assert host.table.seats[1].substitute is None


def test_without_a_clock_a_substitutes_choice_ends_the_waiting() -> None:
    host = playing(3)
    host.at(120, CallSubstitute("cleo", 0))
    host.do(host.bot(0), Back("ana"))
    host.refuses(host.take_back("ana"), "too_late")
    host.do(host.choose("ana", host.high(0)), host.take_back("ana"))  # her own is her own
    assert 0 in host.table.awaited


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


def test_everyone_sees_when_a_substitute_may_be_called() -> None:
    host = playing(2)
    assert table_view(host.table, 0).call_from == host.table.options.patience
    host.at(50, Away("ana"), Away("bob"))
    assert table_view(host.table, 0).call_from is None  # nobody waits in a pause
    host.at(80, Back("bob"))
    assert table_view(host.table, 1).call_from == host.table.options.patience + 30
    assert table_view(playing(2, LIVE).table, 0).call_from is None
    assert table_view(gathered(2).table, 0).call_from is None
