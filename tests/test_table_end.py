"""The end of a game, the next one, and the record."""

from __future__ import annotations

import pytest

from five211 import GameError, Moment, Options, Player, parse, write
from five211.commands import Leave, Rematch, Remove, SeatBot, Sit, Start
from five211.events import GameEnded
from five211.happenings import GameStarted, HostChanged, RematchCalled, SeatLeft
from tests.hosts import gathered, playing


@pytest.mark.parametrize("variant", ["standard", "long"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_whole_game_and_its_record(players: int, variant: str) -> None:
    host = playing(players, Options(edition="azul"), people=2, variant=variant)
    host.finish()
    record = host.table.record
    assert record.finished
    assert record.edition == "azul"
    assert record.match == host.match
    bots = [Player(name, "random") for name in ("Kiwi", "Kiwi 2", "Kiwi 3")]
    assert record.players == (Player("Ana"), Player("Bob"), *bots[: players - 2])
    assert record.played_by == ()  # a bot in its own seat is no substitute
    assert parse(write(record)) == record


def test_there_is_no_record_before_the_start() -> None:
    with pytest.raises(GameError) as caught:
        _ = gathered(2).table.record
    assert caught.value.code == "not_started"


def test_an_unfinished_record_holds_no_choice_that_lies_face_down() -> None:
    host = playing(2)
    host.play()
    unfinished = write(host.table.record)
    host.do(host.choose("ana"))
    assert write(host.table.record) == unfinished
    assert parse(unfinished) == host.table.record


def test_a_record_names_the_substitutes_turn_by_turn() -> None:
    host = playing(3, Options(substitute="greedy"), people=2)
    host.play()
    host.do(Leave("bob"))
    host.play()
    host.do(Sit("bob", "Bob"))
    host.play()
    nobody = (None, None, None)
    record = host.table.record
    assert record.played_by == (nobody, (None, "greedy", None), nobody)
    assert parse(write(record)) == record
    host.finish()
    assert host.table.record.played_by[:3] == record.played_by
    assert len(host.table.record.played_by) == 7 * 3
    assert parse(write(host.table.record)) == host.table.record


def test_what_the_bot_chose_before_a_person_took_its_seat_is_labelled() -> None:
    host = playing(2, people=1)
    host.play()
    assert host.table.record.players == (Player("Ana"), Player("Kiwi", "random"))
    host.do(Sit("bob", "Bob", 1))
    assert host.table.record.players == (Player("Ana"), Player("Bob"))
    host.play()
    record = host.table.record
    assert record.played_by == ((None, "random"), (None, None))
    assert parse(write(record)) == record


def test_a_finished_game_stays_what_it_was() -> None:
    host = playing(3, people=2)
    host.finish()
    record = host.table.record
    host.do(Leave("bob"))
    host.refuses(Sit("zoe", "Zoe"), "sit_later")
    host.refuses(Sit("yan", "Yan", 2), "sit_later")
    assert host.table.record == record
    host.do(Rematch("ana"), Sit("zoe", "Zoe"))
    assert host.names[:2] == ["Ana", "Zoe"]


def test_the_last_choice_ends_the_game_and_says_so() -> None:
    host = playing(5)
    events: tuple[object, ...] = ()
    while not host.match.over:
        events = host.play()
    result = host.match.result
    assert result is not None
    assert events[-1] == GameEnded(result)
    assert host.table.moment is None


def test_the_longer_game_awaits_a_deck_between_two_deals() -> None:
    host = playing(5, variant="long")
    while not host.table.awaits_deck:
        host.play()
    assert (host.table.moment, host.table.awaited) == (None, ())
    assert not host.match.over
    host.deal()
    assert host.moment == Moment(1, 1, 0, 0)


def test_a_rematch_gathers_the_same_people_for_the_next_game() -> None:
    host = playing(3, people=2)
    stale = host.choose("ana")
    host.finish()
    assert host.do(Rematch("bob")) == (RematchCalled(1),)
    assert host.names == ["Ana", "Bob", "Kiwi"]
    assert (host.table.host, host.table.match, host.table.played_by) == ("ana", None, ())
    host.refuses(Rematch("bob"), "game_not_over")
    assert host.do(Start("ana")) == (GameStarted(2),)
    host.deal()
    assert host.moment == Moment(2, 0, 0, 0)
    host.refuses(stale, "turn_over")
    host.finish()
    assert parse(write(host.table.record)) == host.table.record


def test_before_a_rematch_starts_people_come_and_go() -> None:
    host = playing(3)
    host.do(Leave("ana"))  # in mid-game: her seat keeps her name, and a substitute
    host.finish()
    host.do(Rematch("bob"))
    assert host.names == ["", "Bob", "Cleo"]
    assert host.table.seats[0].free
    assert host.table.seats[0].substitute is None
    host.do(Leave("cleo"), Sit("zoe", "Zoe"), SeatBot("bob", "random", 2), Start("bob"))
    host.deal()
    assert host.names == ["Zoe", "Bob", "Kiwi"]
    host.refuses(Sit("ana", "Ana", 1), "seat_taken")


def test_who_left_the_last_game_may_take_another_seat_in_the_next() -> None:
    host = playing(3)
    host.do(Leave("ana"))
    host.finish()
    host.do(Rematch("bob"), Sit("zoe", "Zoe"), Remove("bob", 2), Sit("ana", "Ana"))
    assert host.names == ["Zoe", "Bob", "Ana"]


def test_who_leaves_after_the_end_needs_no_substitute() -> None:
    host = playing(2)
    host.finish()
    assert host.do(Leave("ana")) == (SeatLeft(0, "Ana"), HostChanged(1))
    assert host.table.seats[0].substitute is None
    assert host.table.record.players == (Player("Ana"), Player("Bob"))
    host.refuses(Sit("ana", "Ana"), "sit_later")


def test_a_table_that_everybody_left_after_the_end_is_as_good_as_new() -> None:
    host = playing(2)
    host.finish()
    host.do(Leave("ana"), Leave("bob"))
    host.do(Sit("zoe", "Zoe", 1))
    assert host.names == ["", "Zoe"]
    assert (host.table.match, host.table.host) == (None, "zoe")
    host.do(Start("zoe", fill="random"))
    host.deal()
    assert host.moment == Moment(2, 0, 0, 0)
