"""Whoever is late or is called for is played for by a substitute. Nobody forfeits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from five211 import Options, Player, table_view, visible
from five211.commands import Away, Back, BotChooses, CallSubstitute, Leave, Sit, Tick
from five211.events import Revealed
from five211.happenings import ChoiceKept, Chose, SeatReturned, SubstituteCame, TookBack
from tests.clocks import DAY, HOUR, LETTERS, LIVE, STRICT, deadlines
from tests.hosts import gathered, playing

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
    assert [turn[0] for turn in host.table.record.played_by] == ["hasty"] * 5 + [None]


def test_nobody_is_thrown_out_and_the_game_has_no_forfeits() -> None:
    host = playing(3, STRICT)
    host.at(30, Tick())
    host.finish()
    assert host.table.record.finished
    assert host.table.record.players == (Player("Ana"), Player("Bob"), Player("Cleo"))
    assert set(host.table.record.played_by) == {("hasty",) * 3}
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
    assert host.table.record.played_by == ((None, None, "hasty"),)


def test_a_choice_that_comes_late_but_before_the_substitutes_is_taken() -> None:
    host = playing(2, STRICT)
    host.do(host.choose("bob"))
    events = host.at(31, host.choose("ana"))
    assert {SubstituteCame(0, "hasty", "time"), SeatReturned(0)} <= set(events[:4])
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
    assert host.table.record.played_by == ((None, "hasty", "hasty"),)


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
    assert host.table.seats[0].substitute == "hasty"


def test_getting_up_and_sitting_down_again_gains_no_time() -> None:
    host = playing(2, STRICT)
    host.at(29, Leave("ana"), Sit("ana", "Ana"))
    assert deadlines(host) == [30, 30]


def test_choosing_late_and_taking_it_back_gains_no_time() -> None:
    host = playing(3, STRICT)
    host.at(31, host.choose("ana"))
    host.refuses(host.take_back("ana"), "too_late")


def test_sending_a_choice_again_costs_no_reserve() -> None:
    host = playing(2, LIVE)
    command = host.choose("ana")
    host.at(5, command)
    host.at(80, command, host.choose("bob"))
    assert [seat.reserve for seat in host.table.seats] == [60, 10]


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
        assert host.table.seats[1].substitute == "hasty"
    host.do(host.bot(0))
    assert SeatReturned(1) in visible(host.do(host.bot(2)), 0)
    assert host.table.seats[1].substitute is None


# No clock: others call


def test_without_a_clock_too_somebody_who_is_called_cannot_stop_the_game() -> None:
    host = playing(2)
    host.do(host.choose("bob"))
    host.at(120, CallSubstitute("bob", 0), Back("ana"))
    host.do(host.bot(0))
    assert host.moment.turn == 1
    assert host.table.seats[0].substitute is None


def test_without_a_clock_others_may_call_a_substitute_after_a_while() -> None:
    host = playing(3, Options(patience=120))
    host.do(host.choose("cleo"))
    host.now = 119
    host.refuses(CallSubstitute("bob", 0), "too_soon")
    assert host.at(120, CallSubstitute("bob", 0)) == (SubstituteCame(0, "hasty", "called"),)
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


def test_without_a_clock_a_substitutes_choice_ends_the_waiting() -> None:
    host = playing(3)
    host.at(120, CallSubstitute("cleo", 0))
    host.do(host.bot(0), Back("ana"))
    host.refuses(host.take_back("ana"), "too_late")
    host.do(host.choose("ana", host.high(0)), host.take_back("ana"))  # her own is her own
    assert 0 in host.table.awaited


def test_everyone_sees_when_a_substitute_may_be_called() -> None:
    host = playing(2)
    assert table_view(host.table, 0).call_from == host.table.options.patience
    host.at(50, Away("ana"), Away("bob"))
    assert table_view(host.table, 0).call_from is None  # nobody waits in a pause
    host.at(80, Back("bob"))
    assert table_view(host.table, 1).call_from == host.table.options.patience + 30
    assert table_view(playing(2, LIVE).table, 0).call_from is None
    assert table_view(gathered(2).table, 0).call_from is None
