"""Who sits where before and during a game: people, their names, bots, and the host."""

from __future__ import annotations

from typing import Any, cast

import pytest

from five211 import Rules, Table
from five211.commands import (
    Away,
    Back,
    CallSubstitute,
    Choose,
    Command,
    Leave,
    Rematch,
    Remove,
    SeatBot,
    Sit,
    Start,
    TakeBack,
)
from five211.happenings import HostChanged, SeatLeft, SeatReturned, SeatTaken
from tests.hosts import Host, gathered, playing

# Sitting down


def test_the_first_free_seat_is_taken_and_the_first_person_is_the_host() -> None:
    host = Host(3)
    assert host.do(Sit("ana", "Ana")) == (SeatTaken(0, "Ana", None), HostChanged(0))
    assert host.do(Sit("bob", "Bob")) == (SeatTaken(1, "Bob", None),)
    assert host.table.host == "ana"
    assert [seat.free for seat in host.table.seats] == [False, False, True]


def test_a_seat_may_be_named() -> None:
    host = Host(3)
    host.do(Sit("ana", "Ana", 2), Sit("bob", "Bob"))
    assert host.names == ["Bob", "", "Ana"]
    assert (host.table.seat_of("ana"), host.table.seat_of("bob")) == (2, 0)


@pytest.mark.parametrize("seat", [-1, 3, True, "0", 1.0])
def test_there_is_no_such_seat(seat: Any) -> None:
    host = gathered(3, people=1)
    host.refuses(Sit("bob", "Bob", seat), "seat")
    host.refuses(Remove("ana", seat), "seat")
    host.refuses(SeatBot("ana", "random", seat), "seat")


def test_nobody_gets_two_seats_and_no_seat_two_people() -> None:
    host = gathered(3, people=2)
    host.refuses(Sit("ana", "Anna"), "already_seated")
    host.refuses(Sit("ana", "Anna", 2), "already_seated")
    assert host.refuses(Sit("cleo", "Cleo", 1), "seat_taken").fields == {"seat": 2}
    host.do(Sit("cleo", "Cleo"))
    host.refuses(Sit("dan", "Dan"), "table_full")
    host.refuses(SeatBot("ana", "random"), "table_full")


def test_somebody_who_got_up_before_the_start_may_sit_down_again() -> None:
    host = gathered(3, people=2)
    assert host.do(Leave("bob")) == (SeatLeft(1, "Bob"),)
    assert host.table.seats[1] == Table.new(Rules.of(3)).seats[1]
    host.do(Sit("bob", "Bobby"))
    assert host.names == ["Ana", "Bobby", ""]


def test_before_the_start_everybody_may_change_seats() -> None:
    host = gathered(3, people=2)
    host.do(Leave("bob"), Sit("bob", "Bob", 2))
    assert host.names == ["Ana", "", "Bob"]


def test_somebody_whose_seat_was_taken_before_the_start_gets_another() -> None:
    host = gathered(3, people=2)
    host.do(Leave("bob"), Sit("cleo", "Cleo"), Sit("bob", "Bob"))
    assert host.names == ["Ana", "Cleo", "Bob"]


def test_who_has_no_seat_can_do_nothing() -> None:
    host = playing(3)
    moment, cards = host.moment, host.low(0)
    commands: list[Command] = [
        Leave("zoe"),
        SeatBot("zoe", "random"),
        Remove("zoe", 0),
        Start("zoe"),
        Choose("zoe", moment, cards),
        TakeBack("zoe", moment),
        Away("zoe"),
        Back("zoe"),
        CallSubstitute("zoe", 0),
        Rematch("zoe"),
    ]
    for command in commands:
        host.refuses(command, "not_seated")


def test_nobody_in_particular_holds_no_seat() -> None:
    host = playing(2, people=1)
    nobody = cast(str, None)
    host.refuses(Choose(nobody, host.moment, host.low(1)), "not_seated")
    host.refuses(Leave(nobody), "not_seated")


@pytest.mark.parametrize("person", ["", None, float("nan"), [], 5])
def test_a_person_is_named_by_a_text(person: Any) -> None:
    gathered(3, people=1).refuses(Sit(person, "Zoe"), "person")


# Names


@pytest.mark.parametrize(
    "name",
    [
        *("", " \t\n", "x" * 25, "Ana\0", "\x1b[31mAna", "\u202eanA", "A\ud800"),
        *("x" * 10_000_000, None, 7, b"Ana", ["Ana"]),
    ],
    ids=lambda name: repr(name)[:12],
)
def test_what_is_no_name(name: Any) -> None:
    error = Host(2).refuses(Sit("ana", name), "name")
    assert error.fields == {"n": 24}  # and never the name itself
    assert len(str(error)) < 200


@pytest.mark.parametrize("name", ["<b>Ana</b>", "[red]Ana[/red]", "{0} %s", "Zoë & Łukasz", "安娜"])
def test_a_name_is_text_and_never_markup(name: str) -> None:
    host = Host(2)
    assert host.do(Sit("ana", name))[0] == SeatTaken(0, name, None)
    assert host.table.seats[0].name == name


def test_a_name_is_one_line_without_spare_spaces() -> None:
    host = Host(2)
    host.do(Sit("ana", "  Ana\n\tMaria  "), Sit("bob", " " * 100 + "x" * 24))
    assert host.names == ["Ana Maria", "x" * 24]


@pytest.mark.parametrize(("one", "same"), [("Ana", "aNA"), ("Straße", "STRASSE"), ("A b", "a  B")])
def test_two_people_cannot_have_one_name(one: str, same: str) -> None:
    host = Host(3)
    host.do(Sit("ana", one))
    host.refuses(Sit("bob", same), "name_taken")
    host.refuses(Sit("bob", same, 2), "name_taken")
    host.do(Leave("ana"), Sit("bob", same))  # free again


def test_two_names_that_look_the_same_are_the_same() -> None:
    host = Host(3)
    host.do(Sit("ana", "Zo\u00eb"))
    host.refuses(Sit("bob", "Zoe\u0308"), "name_taken")


def test_a_newcomer_cannot_take_the_name_of_somebody_who_may_come_back() -> None:
    host = playing(3)
    host.do(Leave("bob"), Leave("cleo"))
    host.refuses(Sit("zoe", "Bob", 2), "name_taken")


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "Ana\u3164"])
def test_a_name_can_be_seen(name: str) -> None:
    gathered(2, people=1).refuses(Sit("zoe", name), "name")


# Bots


def test_bots_are_occupants_with_names_of_their_own() -> None:
    host = gathered(4, people=1)
    assert host.do(SeatBot("ana", "hasty", 2)) == (SeatTaken(2, "Maxi", "hasty"),)
    assert host.do(SeatBot("ana", "hasty")) == (SeatTaken(1, "Maxi 2", "hasty"),)
    host.do(SeatBot("ana", "random"))
    assert host.names == ["Ana", "Maxi 2", "Maxi", "Kiwi"]
    assert [seat.bot for seat in host.table.seats] == [None, "hasty", "hasty", "random"]
    host.refuses(Sit("bob", "maxi", 1), "name_taken")


@pytest.mark.parametrize("name", ["Maxi", "maxi", "ＭＡＸＩ"])
def test_a_bot_does_not_get_a_persons_name(name: str) -> None:
    host = Host(2)
    host.do(Sit("ana", name), SeatBot("ana", "hasty"))
    assert host.names[1] == "Maxi 2"


def test_a_bot_that_is_no_character_goes_by_its_own_name_cut_to_fit() -> None:
    host = gathered(4, people=1)
    host.do(SeatBot("ana", "mine"), SeatBot("ana", "mine"), SeatBot("ana", "a" * 21 + " bc"))
    assert host.names == ["Ana", "Mine", "Mine 2", "A" + "a" * 20]
    assert host.table.seats[3].bot == "a" * 21 + " bc"


def test_a_bot_is_put_in_a_free_seat_only() -> None:
    host = gathered(3, people=2)
    assert host.refuses(SeatBot("ana", "random", 1), "seat_taken").fields == {"seat": 2}
    host.do(SeatBot("ana", "random"))
    host.refuses(SeatBot("ana", "random", 2), "seat_taken")
    host.refuses(SeatBot("ana", "", None), "table_full")


@pytest.mark.parametrize("bot", ["", "\0", "x" * 25, None, 3])
def test_a_bots_name_is_a_name(bot: Any) -> None:
    host = gathered(2, people=1)
    host.refuses(SeatBot("ana", bot), "name")
    if bot is not None:
        host.refuses(Start("ana", fill=bot), "name")


def test_a_person_may_take_a_bots_seat_by_naming_it() -> None:
    host = gathered(2, people=1)
    host.do(SeatBot("ana", "random"))
    host.refuses(Sit("bob", "Bob"), "table_full")
    host.do(Sit("bob", "Bob", 1))
    assert (host.names, host.table.seats[1].bot) == (["Ana", "Bob"], None)


def test_a_person_may_take_a_bots_seat_in_mid_game_and_finds_its_choice_there() -> None:
    host = playing(3, people=1)
    host.do(host.bot(1), Sit("zoe", "Kiwi", 1))
    assert host.table.seats[1].choice == host.low(1)
    host.do(host.choose("zoe", host.high(1)), host.bot(2))
    zoes = host.high(1)
    host.do(host.choose("ana"))
    assert host.match.state.turns[0][1] == zoes
    assert host.table.awaited == (0, 1, 2)
    assert host.table.bots_awaited == (2,)


def test_whoever_takes_a_bots_seat_too_late_for_the_turn_gets_it_when_the_bot_has_chosen() -> None:
    host = playing(2, people=1)
    early = host.do(Sit("zoe", "Zoe", 1))
    assert early == (SeatTaken(1, "Zoe", None), SeatReturned(1))
    host = playing(2, people=1)
    assert host.at(120, Sit("zoe", "Zoe", 1)) == (SeatTaken(1, "Zoe", None),)
    assert host.table.bots_awaited == (1,)
    assert host.do(host.bot(1))[-1] == SeatReturned(1)


def test_a_bots_name_is_kept_as_it_is_shown() -> None:
    host = gathered(2, people=1)
    host.do(SeatBot("ana", "  random "))
    assert host.table.seats[1].bot == "random"


# The host


HOSTS_OWN: list[tuple[str, Command]] = [
    ("seat_bot", SeatBot("bob", "random")),
    ("remove", Remove("bob", 0)),
    ("start", Start("bob", fill="random")),
]


@pytest.mark.parametrize("command", [c for _, c in HOSTS_OWN], ids=[n for n, _ in HOSTS_OWN])
def test_the_host_decides_and_while_the_host_is_away_anybody_who_sits_here(
    command: Command,
) -> None:
    host = gathered(3, people=2)
    assert host.refuses(command, "host_only").fields == {"name": "Ana"}
    host.do(Away("ana"))
    assert host.do(command)
    host.refuses(Start("zoe"), "not_seated")


def test_a_host_who_is_away_still_decides_and_stays_the_host() -> None:
    host = gathered(3, people=2)
    host.do(Away("ana"), SeatBot("ana", "random"))
    assert host.table.host == "ana"
    host.do(Back("ana"))
    host.refuses(Start("bob"), "host_only")


def test_the_host_removes_somebody_before_the_start() -> None:
    host = gathered(3, people=2)
    host.do(SeatBot("ana", "random"))
    assert host.do(Remove("ana", 1)) == (SeatLeft(1, "Bob"),)
    assert host.do(Remove("ana", 2)) == (SeatLeft(2, "Kiwi"),)
    assert host.refuses(Remove("ana", 2), "seat_free").fields == {"seat": 3}
    host.refuses(Leave("bob"), "not_seated")


def test_the_hosts_role_passes_to_the_first_person_who_is_present() -> None:
    host = gathered(4)
    host.do(Away("bob"))
    assert host.do(Leave("ana")) == (SeatLeft(0, "Ana"), HostChanged(2))
    host.do(Away("dan"), Remove("cleo", 2))
    assert host.table.host == "bob"  # nobody is present: the first person
    host.do(Leave("dan"))
    assert host.table.host == "bob"


def test_the_next_who_sits_down_at_an_empty_table_is_the_host() -> None:
    host = gathered(2)
    host.do(Leave("bob"))
    assert host.do(Leave("ana")) == (SeatLeft(0, "Ana"),)
    assert host.table.host is None
    assert host.do(Sit("zoe", "Zoe")) == (SeatTaken(0, "Zoe", None), HostChanged(0))
