"""From the start to the last choice: what may be chosen and taken back, by whom, and when."""

from __future__ import annotations

from itertools import permutations
from typing import Any, cast

import pytest

from five211 import Card, Cards, GameError, Moment, Rules, parse_cards
from five211.commands import (
    BotChooses,
    CallSubstitute,
    Choose,
    Command,
    Deal,
    Rematch,
    Remove,
    SeatBot,
    Start,
    TakeBack,
)
from five211.events import DealStarted, Revealed
from five211.happenings import ChoiceKept, Chose, GameStarted, SeatTaken, TookBack
from tests.hosts import Host, gathered, playing
from tests.tables import deck_for

# The start


def test_a_full_table_starts_and_awaits_a_deck() -> None:
    host = gathered(3)
    assert host.do(Start("ana")) == (GameStarted(1),)
    assert host.table.awaits_deck
    assert (host.table.moment, host.table.awaited) == (None, ())
    assert host.deal()[0] == DealStarted(0, 72)
    assert (host.table.awaits_deck, host.table.awaited) == (False, (0, 1, 2))
    assert host.moment == Moment(1, 0, 0, 0)


def test_free_seats_are_filled_with_bots_if_one_is_named() -> None:
    host = gathered(4, people=2)
    host.refuses(Start("ana"), "seats_free")
    events = host.do(Start("ana", fill="random"))
    assert events[:2] == (SeatTaken(2, "Kiwi", "random"), SeatTaken(3, "Kiwi 2", "random"))
    host.deal()
    assert (host.table.bots_awaited, host.table.late) == ((2, 3), (0, 1))


MOMENT = Moment(1, 0, 0, 0)
DECK = Deal(deck_for(Rules.of(2)))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (DECK, "not_started"),
        (Choose("ana", MOMENT, parse_cards("Y1 Y1")), "nothing_to_choose"),
        (TakeBack("ana", MOMENT), "nothing_to_choose"),
        (BotChooses(0, MOMENT, parse_cards("Y1 Y1")), "nothing_to_choose"),
        (CallSubstitute("ana", 1), "not_awaited"),
        (Rematch("ana"), "game_not_over"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_done_before_the_start(command: Command, code: str) -> None:
    gathered(2).refuses(command, code)


def test_what_cannot_be_done_while_a_deck_is_awaited() -> None:
    host = gathered(2)
    host.do(Start("ana"))
    host.refuses(Choose("ana", MOMENT, parse_cards("Y1 Y1")), "nothing_to_choose")
    host.refuses(CallSubstitute("ana", 1), "not_awaited")
    host.refuses(Deal(DECK.deck[1:]), "deck")
    host.refuses(Deal((DECK.deck[0], *DECK.deck[:-1])), "copies")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SeatBot("ana", "random"), "already_started"),
        (Remove("ana", 1), "already_started"),
        (Start("ana"), "already_started"),
        (DECK, "deal_not_over"),
        (Rematch("ana"), "game_not_over"),
        (TakeBack("ana", MOMENT), "nothing_to_take_back"),
        (BotChooses(0, MOMENT, ()), "choice_size"),
        (BotChooses(2, MOMENT, ()), "seat"),
        (CallSubstitute("ana", 2), "seat"),
    ],
)
def test_what_cannot_be_done_in_mid_game(command: Command, code: str) -> None:
    playing(2).refuses(command, code)


def test_what_cannot_be_done_after_the_end() -> None:
    host = playing(2)
    last = host.moment
    while not host.match.over:
        last = host.moment
        host.play()
    host.refuses(Choose("ana", last, parse_cards("Y1")), "nothing_to_choose")
    host.refuses(TakeBack("ana", last), "nothing_to_choose")
    host.refuses(BotChooses(0, last, parse_cards("Y1")), "nothing_to_choose")
    host.refuses(DECK, "game_over")
    host.refuses(Start("ana"), "already_started")
    host.refuses(CallSubstitute("ana", 1), "not_awaited")
    assert (host.table.awaited, host.table.awaits_deck) == ((), False)


# Choosing


@pytest.mark.rule("3.1")
def test_the_turn_is_played_when_the_last_choice_is_in() -> None:
    host = playing(3)
    hands = host.match.state.hands
    assert not any(isinstance(event, Revealed) for event in host.play([2, 0]))
    assert list(host.table.awaited) == [1]
    events = host.do(host.choose("bob"))
    assert Revealed(0, 0, 0, tuple(hand[:2] for hand in hands)) in events
    assert host.moment == Moment(1, 0, 0, 1)
    assert list(host.table.awaited) == [0, 1, 2]
    assert all(seat.choice is None for seat in host.table.seats)


@pytest.mark.rule("3.3")
def test_a_choice_may_be_changed_until_the_last_one_is_in() -> None:
    host = playing(3)
    host.do(host.choose("ana"), host.choose("bob"))
    changed = host.high(0)
    assert host.do(host.choose("ana", changed)) == (ChoiceKept(0, changed),)
    assert host.table.awaited == (2,)
    stale = host.choose("ana")
    host.do(host.choose("cleo"))
    assert host.match.state.turns[0][0] == changed
    host.refuses(stale, "turn_over")


@pytest.mark.rule("3.3")
def test_a_choice_may_be_taken_back_until_the_last_one_is_in() -> None:
    host = playing(3)
    host.do(host.choose("ana"), host.choose("bob"))
    assert host.do(host.take_back("ana")) == (ChoiceKept(0, ()), TookBack(0))
    assert host.table.awaited == (0, 2)
    host.refuses(host.take_back("ana"), "nothing_to_take_back")
    host.do(host.choose("cleo"))
    assert host.moment.turn == 0  # Ana is awaited again
    late = host.take_back("ana")
    host.do(host.choose("ana"))
    assert host.moment.turn == 1
    host.refuses(late, "turn_over")


@pytest.mark.rule("3.3")
def test_what_lies_face_down_is_not_in_the_game() -> None:
    host = playing(3)
    before = host.match
    host.do(host.choose("ana"), host.choose("bob"), host.choose("ana", host.high(0)))
    assert host.match is before
    assert host.table.record.match is before


def test_sending_a_choice_again_is_harmless() -> None:
    host = playing(2)
    command = host.choose("ana")
    host.do(command)
    once = host.table
    again = host.do(command)
    assert host.table == once
    assert [event.audience for event in again] == [0]
    host.do(host.choose("bob"))
    host.refuses(command, "turn_over")


def test_a_choice_is_kept_in_order_however_it_was_sent() -> None:
    host = playing(2)
    cards = host.low(0)
    assert cards[0] != cards[1]
    backwards = cast(Cards, list(reversed(cards)))
    assert host.do(Choose("ana", host.moment, backwards))[0] == ChoiceKept(0, cards)
    assert host.table.seats[0].choice == cards


@pytest.mark.parametrize(
    "moment",
    [
        Moment(0, 0, 0, 0),
        Moment(2, 0, 0, 0),
        Moment(1, 1, 0, 0),
        Moment(1, 0, 1, 0),
        Moment(1, 0, 0, 1),
        None,
    ],
)
def test_a_choice_for_another_moment_is_answered_and_not_taken(moment: Any) -> None:
    host = playing(2, people=1)
    host.refuses(Choose("ana", moment, host.low(0)), "turn_over")
    host.refuses(BotChooses(1, moment, host.low(1)), "turn_over")
    host.do(host.choose("ana"))
    host.refuses(TakeBack("ana", moment), "turn_over")


def test_what_may_not_be_chosen() -> None:
    host = playing(2)
    hand = host.match.state.hands[0]
    missing = next(card for card in Rules.of(2).deck if card not in hand)
    single = next(card for card in hand if hand.count(card) == 1)
    wrong: list[tuple[Any, str]] = [
        ((), "choice_size"),
        (hand[:1], "choice_size"),
        (hand[:3], "choice_size"),
        ((hand[0], missing), "not_in_hand"),
        ((single, single), "not_in_hand"),
        (("Y1", "Y1"), "card_text"),
        ((0, 1), "card_text"),
        ("Y1", "list_type"),
        (None, "list_type"),
        ({hand[0], hand[1]}, "list_type"),
    ]
    for cards, code in wrong:
        host.refuses(Choose("ana", host.moment, cards), code)
    host.do(host.choose("ana"))
    for cards, code in wrong:
        host.refuses(Choose("ana", host.moment, cards), code)
    assert host.table.seats[0].choice == hand[:2]


def test_nobody_learns_from_a_refusal_what_another_holds() -> None:
    host = playing(2)
    mine, theirs = host.match.state.hands
    card = next(card for card in theirs if card not in mine)
    nowhere = next(card for card in Rules.of(2).deck if card not in (*mine, *theirs))

    def answer(other: Card) -> GameError:
        return host.refuses(Choose("ana", host.moment, (mine[0], other)), "not_in_hand")

    assert answer(card).fields == {"card": card}
    assert answer(nowhere).fields == {"card": nowhere}


@pytest.mark.rule("3.3")
def test_the_order_in_which_seats_choose_does_not_matter() -> None:
    start = playing(4, people=2).table
    ends, told = set(), set()
    for order in permutations(range(4)):
        host = Host(4)
        host.table = start
        events = host.play(order)
        ends.add(repr(host.table))
        told.add(tuple(event for event in events if not isinstance(event, Chose | ChoiceKept)))
        assert [event.seat for event in events if isinstance(event, Chose)] == list(order)
    assert (len(ends), len(told)) == (1, 1)


def test_a_bot_chooses_once_and_only_for_its_own_seat() -> None:
    host = playing(3, people=2)
    assert host.refuses(host.bot(0), "bot_not_awaited").fields == {"seat": 1}
    assert host.do(host.bot(2)) == (ChoiceKept(2, host.low(2)), Chose(2))
    host.refuses(host.bot(2), "bot_not_awaited")
    host.refuses(host.bot(2, host.high(2)), "bot_not_awaited")
    host.refuses(BotChooses(2, host.moment, host.low(2)[:1]), "choice_size")
    assert host.table.seats[2].chosen_by == "random"


def test_who_is_awaited_is_whoever_has_not_chosen() -> None:
    host = playing(4, people=2)
    steps: list[tuple[Command, tuple[int, ...]]] = [
        (host.choose("bob"), (0, 2, 3)),
        (host.bot(2), (0, 3)),
        (host.choose("ana"), (3,)),
    ]
    for command, awaited in steps:
        host.do(command)
        assert host.table.awaited == awaited
        assert host.table.bots_awaited == tuple(n for n in awaited if n > 1)
        assert host.table.late == tuple(n for n in awaited if n < 2)
