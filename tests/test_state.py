"""One deal: rules 2, 3 and 5.1."""

from __future__ import annotations

from typing import Any

import pytest

from five211 import Card, GameError, Rules, State, cards, deal, parse_cards, play, scoring
from five211 import state as states
from five211.rules import MINI
from five211.scoring import derive
from five211.state import check_choice, choices, lay
from tests.tables import all_cards, deck_for, random_match

COUNTS = (2, 3, 4, 5)


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("players", COUNTS)
def test_a_deck_becomes_a_deal_from_its_top(players: int) -> None:
    rules = Rules.of(players)
    deck = deck_for(rules)
    state = deal(rules, deck)
    first = rules.aside
    assert state.aside == deck[:first]
    for hand in state.hands:
        assert hand == tuple(sorted(deck[first : first + 5]))
        first += 5
    assert state.pile == deck[first:]
    assert state.drawn == first
    assert (state.round, state.turn, state.rounds, state.turns, state.left) == (0, 0, (), (), ())


def test_the_order_within_a_hand_means_nothing() -> None:
    rules = Rules.of(2)
    deck = deck_for(rules)
    swapped = (*deck[:10], *reversed(deck[10:15]), *deck[15:])
    assert swapped != deck
    assert deal(rules, swapped) == deal(rules, deck)


@pytest.mark.rule("2.2")
@pytest.mark.parametrize(("players", "pile"), [(2, 80), (3, 72), (4, 80), (5, 60)])
def test_the_pile_after_the_deal(players: int, pile: int) -> None:
    rules = Rules.of(players)
    assert len(deal(rules, deck_for(rules)).pile) == pile == rules.pile


def test_a_deck_must_be_the_deck() -> None:
    rules = Rules.of(4)
    deck = deck_for(rules)
    for wrong, code in (
        (deck[1:], "deck"),
        ((*deck, deck[0]), "copies"),
        ((), "deck"),
        (tuple(Card("G1") for _ in range(100)), "copies"),
        (("G2",) * 100, "card_text"),
        (tuple(int(card) for card in deck), "card_text"),
    ):
        with pytest.raises(GameError) as caught:
            deal(rules, wrong)  # type: ignore[arg-type]
        assert caught.value.code == code, wrong[:2]


@pytest.mark.rule("3.1")
@pytest.mark.rule("7.5")
def test_two_cards_then_one_then_one() -> None:
    state = deal(Rules.of(2), deck_for(Rules.of(2)))
    for wanted in (2, 1, 1, 2):
        for wrong in {1, 2, 0, 3} - {wanted}:
            with pytest.raises(GameError) as caught:
                play(state, [hand[:wrong] for hand in state.hands])
            assert caught.value.code == "choice_size"
            assert caught.value.fields == {
                "turn": state.turn + 1,
                "n": wanted,
                "given": wrong,
            }
        state = play(state, [hand[:wanted] for hand in state.hands])
    assert (state.round, state.turn) == (1, 1)


@pytest.mark.rule("3.1")
def test_revealed_cards_stay_in_front_of_their_owner() -> None:
    state = deal(Rules.of(2), deck_for(Rules.of(2)))
    assert state.table == ((), ())
    first = [hand[1:3] for hand in state.hands]
    state = play(state, first)
    assert state.table == tuple(first)
    second = [hand[:1] for hand in state.hands]
    state = play(state, second)
    assert state.table == tuple(a + b for a, b in zip(first, second, strict=True))
    third = [hand[-1:] for hand in state.hands]
    state = play(state, third)
    assert state.table == ((), ())
    assert state.rounds[0].turns == (tuple(first), tuple(second), tuple(third))
    assert state.rounds[0].score == derive(state.rules, lay(state.rules, state.rounds[0].turns))


@pytest.mark.rule("3.2")
@pytest.mark.parametrize("players", COUNTS)
def test_every_seat_draws_all_its_cards_before_the_next(players: int) -> None:
    rules = Rules.of(players)
    state = deal(rules, deck_for(rules))
    pile = state.pile
    for count in (2, 1, 1):
        before, top = state.hands, state.pile
        state = play(state, [hand[:count] for hand in before])
        for seat, hand in enumerate(state.hands):
            drawn = top[seat * count : (seat + 1) * count]
            assert hand == tuple(sorted(before[seat][count:] + drawn))
    assert state.pile == pile[4 * players :]


@pytest.mark.rule("2.4")
def test_a_choice_is_read_in_any_order_and_kept_in_order() -> None:
    rules = Rules.of(2)
    state = deal(rules, deck_for(rules))
    mine, other = state.hands[0], state.hands[1][:2]
    assert play(state, [(mine[4], mine[0]), other]) == play(state, [[mine[0], mine[4]], other])
    assert play(state, [(mine[4], mine[0]), other]).turns[0][0] == (mine[0], mine[4])


def hand_of(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        (hand_of("G2 G2"), "not_in_hand"),
        (hand_of("B1 V6"), "not_in_hand"),
        (hand_of("G2 Y3"), None),
        (("G2", "Y3"), "card_text"),
        ((12, 3), "card_text"),
        ((None, None), "card_text"),
        ("G2", "list_type"),
        (None, "list_type"),
        ({Card("G2"), Card("Y3")}, "list_type"),
        (iter(()), "list_type"),
        ((), "choice_size"),
    ],
)
def test_a_choice_that_the_hand_does_not_allow(choice: Any, code: str | None) -> None:
    hand = hand_of("Y3 G2 O1 O1 V1")
    if code is None:
        assert check_choice(Rules.of(2), hand, 0, choice) == hand_of("Y3 G2")
        return
    with pytest.raises(GameError) as caught:
        check_choice(Rules.of(2), hand, 0, choice)
    assert caught.value.code == code


def test_a_pair_may_be_played_as_a_pair() -> None:
    assert check_choice(Rules.of(2), hand_of("O1 O1 O2 B1 V1"), 0, hand_of("O1 O1"))


def test_the_number_of_choices_is_the_number_of_seats() -> None:
    state = deal(Rules.of(3), deck_for(Rules.of(3)))
    for seats in (0, 1, 2, 4):
        with pytest.raises(GameError) as caught:
            play(state, [state.hands[seat % 3][:2] for seat in range(seats)])
        assert caught.value.code == "choices_number"
        assert caught.value.fields == {"n": seats, "needed": 3}


def test_every_different_choice_once_and_in_order() -> None:
    hand = hand_of("Y3 G2 O1 O1 V1")
    pairs = [
        "Y3 G2", "Y3 O1", "Y3 V1", "G2 O1", "G2 V1", "O1 O1", "O1 V1",
    ]  # fmt: skip
    assert choices(Rules.of(2), hand, 0) == tuple(hand_of(pair) for pair in pairs)
    assert choices(Rules.of(2), hand, 1) == tuple(hand_of(one) for one in ("Y3", "G2", "O1", "V1"))
    assert choices(Rules.of(2), hand, 2) == choices(Rules.of(2), hand, 1)


def final_round(players: int) -> tuple[State, State]:
    rules = Rules.of(players)
    turns = 3 * (rules.rounds - 1)
    state = random_match(rules, "last", turns).state
    end = state
    for count in rules.plays:
        end = play(end, [hand[:count] for hand in end.hands])
    return state, end


@pytest.mark.rule("5.1")
@pytest.mark.parametrize("players", COUNTS)
def test_the_last_round_is_played_from_the_hands(players: int) -> None:
    state, end = final_round(players)
    assert not state.pile
    assert not state.deal_over
    assert all(len(hand) == 5 for hand in state.hands)
    sizes = []
    for count in (2, 1, 1):
        state = play(state, [hand[:count] for hand in state.hands])
        sizes.append({len(hand) for hand in state.hands})
    assert sizes == [{3}, {2}, {0}]
    assert state == end
    assert end.deal_over


@pytest.mark.rule("5.1")
@pytest.mark.parametrize("players", COUNTS)
def test_the_card_left_over_never_scores(players: int) -> None:
    state, end = final_round(players)
    assert end.left == tuple(hand[4:] for hand in state.hands)
    assert end.hands == ((),) * players
    assert derive(end.rules, lay(end.rules, end.rounds[-1].turns)) == end.rounds[-1].score
    assert all(len(cards) == 4 for cards in lay(end.rules, end.rounds[-1].turns))
    assert all_cards(end) == end.rules.deck


def test_nothing_is_played_after_the_end() -> None:
    _, end = final_round(4)
    with pytest.raises(GameError) as caught:
        play(end, [(), (), (), ()])
    assert caught.value.code == "deal_over"


@pytest.mark.rule("2.2")
@pytest.mark.parametrize(("players", "rounds"), [(2, 11), (3, 7), (4, 6), (5, 4)])
def test_the_number_of_rounds(players: int, rounds: int) -> None:
    assert len(random_match(Rules.of(players), 1).state.rounds) == rounds


@pytest.mark.rule("4.7")
def test_scored_cards_go_to_their_owners_pile_and_all_others_are_seen() -> None:
    state = random_match(Rules.of(4), 3).state
    for seat in range(4):
        pile = [card for round_ in state.rounds for card in round_.score.cards[seat]]
        assert state.score_piles[seat] == tuple(pile)
        assert state.deal_points[seat] == sum(card.value for card in pile)
    assert sum(state.deal_points) > 0


def test_the_mini_game_is_played_by_the_same_code() -> None:
    games = [random_match(MINI, seed).state for seed in range(50)]
    assert all(len(state.rounds) == 2 for state in games)
    assert all(all_cards(state) == MINI.deck for state in games)
    outcomes = {round_.score.outcome for state in games for round_ in state.rounds}
    assert len(outcomes) == 3


def test_a_state_is_a_value() -> None:
    """`repr` rebuilds it."""
    state = random_match(Rules.of(3), 1, 4).state
    assert eval(repr(state), {**vars(cards), **vars(scoring), **vars(states)}) == state
    assert hash(state) == hash(random_match(Rules.of(3), 1, 4).state)


@pytest.mark.parametrize("wrong", [None, 5, iter(()), "G2", {Card("G2")}])
def test_what_is_no_list_is_refused_at_every_door(wrong: Any) -> None:
    rules = Rules.of(2)
    state = deal(rules, deck_for(rules))
    for ask in (deal, scoring.score_round):
        with pytest.raises(GameError) as caught:
            ask(rules, wrong)
        assert caught.value.code == "list_type"
    with pytest.raises(GameError) as caught:
        play(state, wrong)
    assert caught.value.code == "list_type"
    with pytest.raises(GameError) as caught:
        scoring.score_round(rules, [wrong, wrong])
    assert caught.value.code == "list_type"
