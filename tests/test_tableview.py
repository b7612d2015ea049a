"""What each viewer sees of a table, and hears of what happens at it (rules 3.3, 8.1, 8.2)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from five211 import (
    SPECTATOR,
    Cards,
    Clock,
    Event,
    GameError,
    Options,
    Rules,
    SeatView,
    Table,
    TableView,
    Viewer,
    table_view,
    view,
    visible,
)
from five211.commands import Away, Leave, SeatBot, Sit, Start, Tick
from five211.events import Drew, HandDealt, Revealed
from five211.happenings import ChoiceKept, Chose, SubstituteCame, TimeShort, TookBack
from tests.hosts import Host, gathered, playing

HIDDEN = Options(show_chosen=False)
CLOCK = Clock(seconds=30, warning=10)
VIEWERS: list[Viewer] = [0, 1, 2, SPECTATOR]


def chosen(host: Host, viewer: Viewer) -> list[bool | None]:
    return [seat.chosen for seat in table_view(host.table, viewer).seats]


def deadlines(host: Host, viewer: Viewer) -> list[float | None]:
    return [seat.deadline for seat in table_view(host.table, viewer).seats]


# Views


def test_a_table_before_the_start() -> None:
    host = gathered(3, people=1)
    host.do(SeatBot("ana", "random"), Away("ana"))
    ana = SeatView("Ana", None, None, False, False, True, None, None)
    bot = SeatView("Kiwi", "random", None, False, False, False, None, None)
    nobody = SeatView("", None, None, True, False, False, None, None)
    assert table_view(host.table, SPECTATOR) == TableView(
        viewer=SPECTATOR,
        rules=Rules.of(3),
        options=Options(),
        game=0,
        moment=None,
        seats=(ana, bot, nobody),
        paused=False,
        awaits_deck=False,
        view=None,
        choice=None,
        call_from=None,
    )


def test_a_table_in_mid_game() -> None:
    host = playing(3, Options(edition="azul", clock=CLOCK), people=2)
    host.do(Leave("ana"), host.choose("bob"))
    seen = table_view(host.table, 1)
    assert seen.seats == (
        SeatView("Ana", None, "hasty", True, False, False, False, None),
        SeatView("Bob", None, None, False, True, True, True, None),
        SeatView("Kiwi", "random", None, False, False, False, False, None),
    )
    assert (seen.viewer, seen.options.edition, seen.options.clock) == (1, "azul", CLOCK)
    assert (seen.game, seen.moment) == (1, host.moment)
    assert seen.view == view(host.match, 1)
    assert seen.choice == host.low(1)


def test_everybody_sees_who_the_host_is() -> None:
    host = gathered(3)
    assert [seat.host for seat in table_view(host.table, 2).seats] == [True, False, False]
    host.do(Leave("ana"))
    assert [seat.host for seat in table_view(host.table, SPECTATOR).seats] == [False, True, False]


def test_a_table_that_awaits_a_deck_and_one_that_pauses() -> None:
    host = gathered(2)
    host.do(Start("ana"))
    seen = table_view(host.table, 0)
    assert (seen.awaits_deck, seen.moment, seen.paused) == (True, None, False)
    host.deal()
    host.do(Away("ana"), Away("bob"))
    seen = table_view(host.table, 0)
    assert (seen.awaits_deck, seen.moment, seen.paused) == (False, host.moment, True)


@pytest.mark.rule("8.2")
def test_everybody_sees_their_own_choice_and_nobody_elses() -> None:
    host = playing(3)
    host.do(host.choose("ana"), host.choose("bob"))
    seen: list[Cards | None] = [table_view(host.table, viewer).choice for viewer in VIEWERS]
    assert seen == [host.low(0), host.low(1), None, None]


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("viewer", [1, 2, SPECTATOR])
def test_a_view_does_not_depend_on_what_others_put_face_down(viewer: Viewer) -> None:
    host = playing(3)
    host.do(host.choose("ana"))
    one = table_view(host.table, viewer)
    host.do(host.choose("ana", host.high(0)))
    assert table_view(host.table, viewer) == one
    assert table_view(host.table, 0) != one


@pytest.mark.rule("8.1")
def test_everybody_sees_who_has_chosen() -> None:
    host = playing(3, people=2)
    assert [chosen(host, viewer) for viewer in VIEWERS] == [[False] * 3] * 4
    host.do(host.bot(2), host.choose("ana"))
    assert [chosen(host, viewer) for viewer in VIEWERS] == [[True, False, True]] * 4


@pytest.mark.rule("8.1")
def test_where_the_table_hides_it_everybody_sees_only_whether_they_have_chosen_themselves() -> None:
    host = playing(3, HIDDEN, people=2)
    before = [table_view(host.table, viewer) for viewer in VIEWERS]
    host.do(host.bot(2), host.choose("ana"))
    assert chosen(host, 0) == [True, None, None]
    assert chosen(host, 1) == [None, False, None]
    assert chosen(host, SPECTATOR) == [None, None, None]
    assert table_view(host.table, 1) == before[1]
    assert table_view(host.table, SPECTATOR) == before[3]


def test_while_there_is_nothing_to_choose_nobody_has_chosen() -> None:
    host = playing(2)
    host.finish()
    assert chosen(host, 0) == chosen(host, SPECTATOR) == [None, None]


def test_deadlines_of_those_who_are_awaited_are_shown() -> None:
    host = playing(3, Options(clock=CLOCK), people=2)
    assert deadlines(host, SPECTATOR) == [30, 30, None]  # a bot has none
    host.do(host.choose("ana"))
    assert [deadlines(host, viewer) for viewer in VIEWERS] == [[None, 30, None]] * 4
    host.do(Away("ana"), Away("bob"))
    assert deadlines(host, 1) == [None, None, None]  # in a pause nobody's time is up


@pytest.mark.rule("8.1")
def test_a_deadline_would_tell_who_has_not_chosen_so_it_is_hidden_too() -> None:
    host = playing(3, replace(HIDDEN, clock=CLOCK))
    assert deadlines(host, 1) == [None, 30, None]
    assert deadlines(host, SPECTATOR) == [None, None, None]
    others = table_view(host.table, 1)
    host.do(host.choose("ana"))
    assert table_view(host.table, 1) == others


@pytest.mark.rule("8.2")
def test_a_spectator_sees_no_hand_and_a_seat_only_its_own() -> None:
    host = playing(3)
    hands = []
    for viewer in VIEWERS:
        game = table_view(host.table, viewer).view
        assert game is not None
        hands.append(game.hand)
    assert hands == [*host.match.state.hands, ()]


def test_nobody_sees_who_somebody_is() -> None:
    host = Host(2)
    host.do(Sit("secret-id-1", "Ana"), Sit("secret-id-2", "Bob"), Start("secret-id-1"))
    host.deal()
    for viewer in (0, 1, SPECTATOR):
        assert "secret-id" not in repr(table_view(host.table, viewer))
    events = host.do(Leave("secret-id-1"), Sit("secret-id-3", "Zoe"))
    assert "secret-id" not in repr(events)


@pytest.mark.parametrize("viewer", [-1, 9, 3, True, False, "0", None, 0.0, "spectator"])
def test_nobody_else_sees_anything(viewer: Any) -> None:
    for table in (playing(3).table, gathered(3).table):
        with pytest.raises(GameError) as caught:
            table_view(table, viewer)
        assert caught.value.code == "seat"


@pytest.mark.parametrize("viewer", [True, 1.0, "1", None])
def test_nobody_else_hears_anything(viewer: Any) -> None:
    with pytest.raises(GameError) as caught:
        visible((ChoiceKept(1, ()), Chose(1)), viewer)
    assert caught.value.code == "seat"


def test_a_view_says_everything_that_the_white_list_names_and_no_more() -> None:
    """Who adds a field has to think about who may know it, and change this list."""
    assert {field.name for field in fields(TableView)} == {
        *("viewer", "rules", "options", "game", "moment", "seats"),
        *("paused", "awaits_deck", "view", "choice", "call_from"),
    }
    assert {field.name for field in fields(SeatView)} == {
        *("name", "bot", "substitute", "free", "present", "host", "chosen", "deadline"),
    }


# Events


@pytest.mark.rule("3.3")
def test_that_somebody_chose_is_told_to_all_and_what_only_to_them() -> None:
    host = playing(3)
    events = host.do(host.choose("ana"))
    assert visible(events, 0) == (ChoiceKept(0, host.low(0)), Chose(0))
    for viewer in (1, 2, SPECTATOR):
        assert visible(events, viewer) == (Chose(0),)


@pytest.mark.rule("3.3")
def test_that_somebody_changed_a_choice_is_told_to_nobody_else() -> None:
    host = playing(3)
    host.do(host.choose("ana"))
    events = host.do(host.choose("ana", host.high(0)))
    assert visible(events, 0) == (ChoiceKept(0, host.high(0)),)
    for viewer in (1, 2, SPECTATOR):
        assert visible(events, viewer) == ()


@pytest.mark.rule("3.3")
def test_that_somebody_took_a_choice_back_is_told_to_all_but_not_what_it_was() -> None:
    host = playing(3)
    host.do(host.choose("ana"))
    events = host.do(host.take_back("ana"))
    assert visible(events, 0) == (ChoiceKept(0, ()), TookBack(0))
    assert visible(events, 1) == visible(events, SPECTATOR) == (TookBack(0),)


@pytest.mark.rule("8.1")
def test_where_the_table_hides_it_nobody_else_hears_of_choices_at_all() -> None:
    host = playing(3, HIDDEN, people=2)
    events = host.do(
        host.choose("ana"), host.choose("ana", host.high(0)), host.take_back("ana"), host.bot(2)
    )
    assert len(visible(events, 0)) == 5
    for viewer in (1, SPECTATOR):
        assert visible(events, viewer) == ()


@pytest.mark.rule("8.1")
def test_when_all_have_chosen_everybody_sees_the_cards_at_once() -> None:
    host = playing(3, HIDDEN)
    events = host.play()
    revealed = [event for event in events if isinstance(event, Revealed)]
    assert len(revealed) == 1
    for viewer in VIEWERS:
        assert revealed[0] in visible(events, viewer)


@pytest.mark.rule("8.2")
def test_what_is_dealt_and_drawn_is_told_to_its_owner() -> None:
    host = gathered(2)
    host.do(Start("ana"))
    events: tuple[Event, ...] = (*host.deal(), *host.play())
    for seat in (0, 1):
        mine = [event for event in visible(events, seat) if isinstance(event, HandDealt | Drew)]
        assert [(type(event), event.seat) for event in mine] == [(HandDealt, seat), (Drew, seat)]
    assert not any(isinstance(e, HandDealt | Drew) for e in visible(events, SPECTATOR))


def test_a_warning_is_for_whom_it_concerns_and_a_substitute_is_told_to_all() -> None:
    host = playing(2, Options(clock=CLOCK, show_chosen=False))
    warned = host.at(20, Tick())
    assert visible(warned, 0) == (TimeShort(0, 30),)
    assert visible(warned, SPECTATOR) == ()
    came = host.at(30, Tick())
    assert SubstituteCame(0, "hasty", "time") in visible(came, SPECTATOR)


def test_what_a_substitute_chose_is_told_to_the_seats_owner_alone() -> None:
    host = playing(2, Options(clock=CLOCK))
    host.at(30, Tick())
    events = host.do(host.bot(0))
    assert ChoiceKept(0, host.low(0)) in visible(events, 0)
    assert visible(events, 1) == visible(events, SPECTATOR) == (Chose(0),)


def test_a_table_shows_the_same_to_all_who_may_know_the_same() -> None:
    """A spectator sees what any seat sees of the others, and nothing of its own."""
    host = playing(3)
    host.play([0])

    def others(table: Table, viewer: Viewer) -> list[SeatView]:
        return [seat for n, seat in enumerate(table_view(table, viewer).seats) if n == 2]

    assert others(host.table, 0) == others(host.table, 1) == others(host.table, SPECTATOR)
