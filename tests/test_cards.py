"""The cards and how they are written (rules 1.1, 1.2, 2.4)."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import Card, Color, GameError, parse_cards, show_cards
from five211.cards import card
from five211.errors import shown

SHORT = 150  # characters of an error's sentence
CODES = {f"{letter}{value}" for letter in "YGOBV" for value in range(1, 10)}
HUGE = "G2" * 5_000_000

NO_CARDS = [
    pytest.param("", id="empty"),
    pytest.param("G", id="no value"),
    pytest.param("2", id="no colour"),
    pytest.param("2G", id="the wrong way round"),
    pytest.param("G0", id="no such value"),
    pytest.param("G10", id="two digits"),
    pytest.param("G-1", id="negative"),
    pytest.param("X2", id="no such colour"),
    pytest.param("GG2", id="two letters"),
    pytest.param("G2\N{ZERO WIDTH SPACE}", id="zero width space"),
    pytest.param("\N{FULLWIDTH LATIN CAPITAL LETTER G}\N{FULLWIDTH DIGIT TWO}", id="fullwidth"),
    pytest.param("\N{CYRILLIC CAPITAL LETTER VE}2", id="Cyrillic"),
    pytest.param("\N{GREEK CAPITAL LETTER OMICRON}2", id="Greek"),
    pytest.param("G\N{SUPERSCRIPT TWO}", id="superscript"),
    pytest.param("G\N{ARABIC-INDIC DIGIT TWO}", id="Arabic digit"),
    pytest.param("G\N{DEVANAGARI DIGIT TWO}", id="Devanagari digit"),
    pytest.param("Y\N{COMBINING RING ABOVE}1", id="combining"),
    pytest.param("\ud800", id="half a surrogate"),
    pytest.param("G2\0", id="zero byte"),
    pytest.param("{text}", id="a placeholder"),
    pytest.param(HUGE, id="10 MB"),
]
NO_TEXTS = [
    *(None, 12, 2.0, True, b"G2", ["G2"], ("G", 2), {"G": 2}, {"G2"}, object()),
    *(Card("G2"), Color.G),
]


@pytest.mark.rule("2.4")
def test_cards_are_ordered_by_colour_as_the_letters_stand_then_by_value() -> None:
    assert show_cards(sorted(parse_cards("V1 B9 O1 G6 G2 Y6 Y1"))) == "Y1 Y6 G2 G6 O1 B9 V1"
    assert [color.name for color in sorted(Color)] == ["Y", "G", "O", "B", "V"]
    assert Card("Y9") < Card("G1") < Card("G2") < Card("O1") < Card("B1") < Card("V1")


@pytest.mark.rule("1.2")
@pytest.mark.parametrize("code", sorted(CODES))
def test_only_the_cards_of_value_1_are_icons(code: str) -> None:
    assert Card(code).is_icon == (code[1] == "1")


@pytest.mark.rule("1.2")
def test_two_cards_of_one_colour_and_value_are_the_same_card() -> None:
    assert Card("G2") is Card("G2") is card(Color.G, 2)
    assert len({Card("G2"), Card("G2"), Card("G3"), Card("O2")}) == 3


def test_a_card_says_its_colour_and_value() -> None:
    green = Card("G2")
    assert (green.color, green.value, green.code) == (Color.G, 2, "G2")
    assert (str(green), repr(green), f"{green}") == ("G2", "Card('G2')", "G2")
    assert (str(Color.G), f"{Color.G}", repr(Color.G)) == ("G", "G", "Color.G")


def test_all_codes_are_different_cards() -> None:
    cards = {Card(code) for code in CODES}
    assert len(cards) == 45
    assert {str(one) for one in cards} == CODES


def test_colours_can_be_keys() -> None:
    assert {Color.V: "violet"}[Color(4)] == "violet"


def test_a_card_does_not_change() -> None:
    with pytest.raises(AttributeError, match="does not change"):
        Card("G2").value = 6
    assert Card("G2").value == 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_card_stays_itself_through_pickle_and_copy(protocol: int) -> None:
    assert pickle.loads(pickle.dumps(Card("V5"), protocol)) is Card("V5")
    assert copy.copy(Card("V5")) is copy.deepcopy(Card("V5")) is Card("V5")


@pytest.mark.rule("2.4")
@pytest.mark.parametrize(
    "text", ["Y1 G2 G2", "g2 y1 G2", "G2,Y1,g2", "  g2 ,\tg2\n y1 ", "G2,,G2 Y1"]
)
def test_cards_are_read_in_any_order_and_case(text: str) -> None:
    assert parse_cards(text) == (Card("Y1"), Card("G2"), Card("G2"))


@pytest.mark.parametrize("text", ["", " ", ",", " , \n"])
def test_no_cards_are_read_from_nothing(text: str) -> None:
    assert parse_cards(text) == ()


@given(st.lists(st.sampled_from(sorted(CODES)), max_size=100))
def test_cards_are_written_as_they_are_read(codes: list[str]) -> None:
    cards = parse_cards(" ".join(codes))
    assert parse_cards(show_cards(cards)) == cards
    assert sorted(show_cards(cards).split()) == sorted(codes)


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(GameError) as refused:
        Card(text)
    assert refused.value.code == "card_text"
    assert len(str(refused.value)) < SHORT
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("text", [one for one in NO_CARDS if one.id != "empty"])
def test_typed_lines_with_no_cards_are_refused_too(text: str) -> None:
    with pytest.raises(GameError, match="is not a card") as refused:
        parse_cards(text)
    assert len(str(refused.value)) < SHORT


@pytest.mark.parametrize("value", NO_TEXTS, ids=lambda value: type(value).__name__)
def test_what_is_no_text_is_no_card(value: Any) -> None:
    for read in (Card, parse_cards):
        with pytest.raises(GameError, match="is not a card") as refused:
            read(value)
        assert refused.value.fields == {"text": shown(value)}


def test_a_line_may_hold_a_whole_deck_but_not_go_on_for_ever() -> None:
    assert len(parse_cards("G2 " * 333)) == 333
    assert len(parse_cards("G2" + " " * 998)) == 1
    with pytest.raises(GameError, match="is not a card"):
        parse_cards("G2" + " " * 999)


def test_lower_case_is_for_people_not_for_records() -> None:
    with pytest.raises(GameError, match="“g2” is not a card"):
        Card("g2")


@given(st.text() | st.text(alphabet="YGOBVygobv0123456789", max_size=3))
def test_any_text_is_a_card_or_refused(text: str) -> None:
    error = refusal(Card, text)
    assert (error is None) == (text in CODES)
    assert len(str(error)) < SHORT


@given(st.text(alphabet="YGOBVygobvß ıſ0123456789,²٢", max_size=12))
def test_any_line_is_cards_or_refused(text: str) -> None:
    words = text.upper().replace(",", " ").split()
    error = refusal(parse_cards, text)
    assert (error is None) == (set(words) <= CODES)
    assert len(str(error)) < SHORT


def refusal(read: Callable[[str], object], text: str) -> GameError | None:
    try:
        read(text)
    except GameError as error:
        return error
    return None


@pytest.mark.parametrize("value", [0, -1, 10])
def test_there_are_no_cards_beyond_one_digit(value: int) -> None:
    with pytest.raises(GameError, match="is not a card"):
        card(Color.Y, value)


def test_nothing_of_a_card_can_be_taken_away() -> None:
    with pytest.raises(AttributeError):
        del Card("G2").value
    assert Card("G2").value == 2
