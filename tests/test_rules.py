"""The rules as data (rules 1.1, 2.1, 2.2, 4.1, 4.3) and games of other numbers."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from five211 import MINI, Card, Color, GameError, Rules, Variant, parse_cards, show_cards
from tests.tables import random_match

FOUR = Rules.of(4)
ALL = [Rules.of(players) for players in (2, 3, 4, 5)]


@pytest.mark.rule("1.1")
def test_a_deck_has_100_cards_20_in_each_of_5_colours() -> None:
    assert len(FOUR.deck) == 100
    assert Counter(card.color.name for card in FOUR.deck) == dict.fromkeys("YGOBV", 20)


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("color", Color)
def test_a_colour_has_five_1s_six_2s_five_3s_two_4s_one_5_and_one_6(color: Color) -> None:
    values = Counter(card.value for card in FOUR.deck if card.color is color)
    assert values == {1: 5, 2: 6, 3: 5, 4: 2, 5: 1, 6: 1}


@pytest.mark.rule("1.1")
@pytest.mark.rule("1.2")
def test_25_cards_are_icons() -> None:
    assert sum(card.is_icon for card in FOUR.deck) == 25
    assert {card.value for card in FOUR.deck if card.is_icon} == {1}


@pytest.mark.rule("2.4")
def test_the_deck_is_written_in_order() -> None:
    assert list(FOUR.deck) == sorted(FOUR.deck)
    assert FOUR.deck[0] is Card("Y1")
    assert FOUR.deck[-1] is Card("V6")
    assert replace(FOUR, colors=tuple(reversed(Color))).deck == FOUR.deck


@pytest.mark.rule("2.1")
@pytest.mark.parametrize(("players", "aside"), [(2, 10), (3, 13), (4, 0), (5, 15)])
def test_so_many_cards_are_put_aside(players: int, aside: int) -> None:
    assert Rules.of(players).aside == aside
    assert Rules.of(players).players == players


@pytest.mark.rule("2.2")
@pytest.mark.parametrize(
    ("players", "pile", "rounds"), [(2, 80, 11), (3, 72, 7), (4, 80, 6), (5, 60, 4)]
)
def test_so_many_cards_are_in_the_pile_for_so_many_rounds(
    players: int, pile: int, rounds: int
) -> None:
    rules = Rules.of(players)
    assert (rules.hand, rules.pile, rules.rounds) == (5, pile, rounds)
    assert pile == 4 * players * (rounds - 1)


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.3")
@pytest.mark.parametrize(
    ("players", "exact", "limit"), [(2, 4, 5), (3, 5, 6), (4, 6, 7), (5, 7, 8)]
)
def test_the_exact_number_and_the_limit(players: int, exact: int, limit: int) -> None:
    assert (Rules.of(players).exact, Rules.of(players).limit) == (exact, limit)


@pytest.mark.rule("7.5")
def test_the_second_and_third_turns_take_one_card_each() -> None:
    assert [rules.plays for rules in ALL] == [(2, 1, 1)] * 4


def test_the_longer_game_has_a_goal_and_else_the_same_numbers() -> None:
    longer = Rules.of(4, "long")
    assert longer.goal == 50
    assert FOUR.goal is None
    assert replace(longer, goal=None) == FOUR != longer
    assert (longer.variant, FOUR.variant) == (Variant.LONG, Variant.STANDARD)


def test_the_same_rules_are_made_once() -> None:
    assert Rules.of(4) is Rules.of(4, "standard") is Rules.of(4, Variant.STANDARD)
    assert Rules.of(4, "long") is Rules.of(4, Variant.LONG)


@pytest.mark.rule("2.1")
@pytest.mark.parametrize(
    "players", [1, 6, 0, -4, 10**9, True, 4.0, "4", None, [4], (4,), Card("Y4"), float("nan")]
)
def test_5211_is_for_2_to_5_players(players: Any) -> None:
    with pytest.raises(GameError, match="5211 is for 2 to 5 players") as refused:
        Rules.of(players)
    assert refused.value.code == "players"


@pytest.mark.parametrize(
    ("players", "said"), [(6, "6"), (1, "1"), (True, "bool"), ("4", "“4”"), (4.0, "float")]
)
def test_the_refusal_repeats_what_was_asked_for(players: Any, said: str) -> None:
    with pytest.raises(GameError, match=f"players, not {said}\\.$"):
        Rules.of(players)


@pytest.mark.parametrize("variant", ["", "LONG", "longer", "Standard", None, 0, True, ["long"], {}])
def test_unknown_variants_are_refused(variant: Any) -> None:
    with pytest.raises(GameError, match=r"no variant .*; there are standard and long\."):
        Rules.of(4, variant)


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param({"players": 0}, id="no players"),
        pytest.param({"players": -1}, id="fewer than no players"),
        pytest.param({"players": 6}, id="does not come out even"),
        pytest.param({"aside": 1}, id="does not come out even either"),
        pytest.param({"aside": 96}, id="not enough cards to deal"),
        pytest.param({"aside": -16}, id="fewer than none put aside"),
        pytest.param({"plays": ()}, id="nothing to play"),
        pytest.param({"plays": (2, 0, 2)}, id="a turn of nothing"),
        pytest.param({"plays": (3, -1, 2)}, id="a turn of less than nothing"),
        pytest.param({"hand": 3, "aside": 8}, id="hand smaller than a round"),
        pytest.param({"copies": ()}, id="no cards"),
        pytest.param({"colors": ()}, id="no colours"),
    ],
)
def test_numbers_that_make_no_game_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(GameError, match="These numbers do not make a game") as refused:
        replace(FOUR, **numbers)
    assert refused.value.code == "rules_numbers"


def test_values_that_the_notation_cannot_write_are_refused() -> None:
    with pytest.raises(GameError, match="“Y10” is not a card"):
        replace(FOUR, copies=(1,) * 10)


@pytest.mark.parametrize(
    ("numbers", "pile", "rounds"),
    [
        pytest.param({"aside": 80}, 0, 1, id="only the last round"),
        pytest.param({"aside": 64}, 16, 2, id="one round that draws"),
        pytest.param({"players": 1, "aside": 3}, 92, 24, id="alone"),
        pytest.param({"hand": 4, "aside": 4}, 80, 6, id="hand as large as a round"),
        pytest.param({"plays": (1, 1, 1), "aside": 8}, 72, 7, id="rounds of three cards"),
    ],
)
def test_other_games_that_come_out_even(numbers: dict[str, Any], pile: int, rounds: int) -> None:
    rules = replace(FOUR, **numbers)
    assert (rules.pile, rules.rounds) == (pile, rounds)


def test_the_small_game_is_sound_and_small() -> None:
    assert show_cards(MINI.deck) == "Y1 Y2 Y3 G1 G2 G3 O1 O2 O3"
    assert (MINI.pile, MINI.rounds, MINI.variant) == (4, 2, Variant.STANDARD)
    assert (MINI.exact, MINI.limit) == (2, 3)


@pytest.mark.parametrize("seed", range(20))
def test_the_small_game_can_be_played_to_its_end(seed: int) -> None:
    match = random_match(MINI, seed)
    assert match.result is not None
    assert len(match.state.rounds) == 2
    assert not match.state.pile


def test_rules_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        FOUR.limit = 8  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        FOUR.deck = ()  # type: ignore[misc]


def test_rules_are_values() -> None:
    assert pickle.loads(pickle.dumps(FOUR)) == FOUR
    assert pickle.loads(pickle.dumps(FOUR)).deck == FOUR.deck
    assert hash(replace(FOUR, limit=7)) == hash(FOUR)
    assert replace(FOUR, limit=8) != FOUR
    assert not re.search("deck|pile|rounds", repr(FOUR))


def test_cards_that_a_deck_holds_are_fine() -> None:
    FOUR.check_cards(FOUR.deck)
    FOUR.check_cards(iter(()))
    FOUR.check_cards(parse_cards("Y6 " + "Y2 " * 6))


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("Y6 Y6", "There are 2 Y6 here, but the deck has only 1"),
        ("G2 G2 G2 G2 G2 G2 G2", "There are 7 G2 here, but the deck has only 6"),
        ("V1 V1 V1 V1 V1 V1", "There are 6 V1 here, but the deck has only 5"),
        ("O7", "There is no O7 in this game"),
    ],
)
def test_more_copies_than_the_deck_holds_are_refused(cards: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        FOUR.check_cards(parse_cards(cards))


def test_colours_that_the_small_game_lacks_are_refused() -> None:
    with pytest.raises(GameError, match="in this game"):
        MINI.check_cards(parse_cards("V1"))


@pytest.mark.parametrize("value", ["G2", 12, None, ["G2"], Color.G, True])
def test_what_is_no_card_is_refused(value: Any) -> None:
    with pytest.raises(GameError, match="is not a card"):
        FOUR.check_cards([Card("Y1"), value])
