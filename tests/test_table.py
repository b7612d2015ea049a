"""The life of a table: gathering, choosing, the end, the next game, and the record."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import permutations
from typing import Any, cast

import pytest

from five211 import (
    SPECTATOR,
    Card,
    Cards,
    Clock,
    GameError,
    Moment,
    Options,
    Player,
    Rules,
    Table,
    apply,
    parse,
    parse_cards,
    visible,
    write,
)
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
    Start,
    TakeBack,
    Tick,
)
from five211.events import DealStarted, GameEnded, Revealed
from five211.happenings import (
    ChoiceKept,
    Chose,
    GameStarted,
    HostChanged,
    RematchCalled,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    TookBack,
)
from tests.hosts import Host, gathered, playing
from tests.tables import deck_for

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


def test_what_is_no_command_is_refused() -> None:
    host = gathered(2)
    assert host.refuses(cast(Command, "Start"), "command").fields == {"command": "“Start”"}
    host.refuses(cast(Command, None), "command")


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


# Bots


def test_bots_are_occupants_with_names_of_their_own() -> None:
    host = gathered(4, people=1)
    assert host.do(SeatBot("ana", "greedy", 2)) == (SeatTaken(2, "Greedy C", "greedy"),)
    assert host.do(SeatBot("ana", "greedy")) == (SeatTaken(1, "Greedy B", "greedy"),)
    host.do(SeatBot("ana", "random"))
    assert host.names == ["Ana", "Greedy B", "Greedy C", "Random D"]
    assert [seat.bot for seat in host.table.seats] == [None, "greedy", "greedy", "random"]
    host.refuses(Sit("bob", "greedy c", 1), "name_taken")


@pytest.mark.parametrize("name", ["Greedy B", "greedy b"])
def test_a_bot_does_not_get_a_persons_name(name: str) -> None:
    host = Host(2)
    host.do(Sit("ana", name), SeatBot("ana", "greedy"))
    assert host.names[1].casefold() != "greedy b"
    assert host.names[1].startswith("Greedy ")


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
    host.do(host.bot(1), Sit("zoe", "Random B", 1))
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
    assert host.do(Remove("ana", 2)) == (SeatLeft(2, "Random C"),)
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
    assert events[:2] == (SeatTaken(2, "Random C", "random"), SeatTaken(3, "Random D", "random"))
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


# The end, and again


@pytest.mark.parametrize("variant", ["standard", "long"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_whole_game_and_its_record(players: int, variant: str) -> None:
    host = playing(players, Options(edition="azul"), people=2, variant=variant)
    host.finish()
    record = host.table.record
    assert record.finished
    assert record.edition == "azul"
    assert record.match == host.match
    bots = [Player(f"Random {letter}", "random") for letter in "CDE"]
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
    assert host.table.record.players == (Player("Ana"), Player("Random B", "random"))
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
    assert host.names == ["Ana", "Bob", "Random C"]
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
    assert host.names == ["Zoe", "Bob", "Random C"]
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


# Commands in, events out


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


@pytest.mark.parametrize("person", ["", None, float("nan"), [], 5])
def test_a_person_is_named_by_a_text(person: Any) -> None:
    gathered(3, people=1).refuses(Sit(person, "Zoe"), "person")


def test_a_bots_name_is_kept_as_it_is_shown() -> None:
    host = gathered(2, people=1)
    host.do(SeatBot("ana", "  random "))
    assert host.table.seats[1].bot == "random"


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


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "Ana\u3164"])
def test_a_name_can_be_seen(name: str) -> None:
    gathered(2, people=1).refuses(Sit("zoe", name), "name")
