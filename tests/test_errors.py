"""Errors: a code, fields, and a short sentence in every language."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import Card, GameError, RecordError, Rules, parse, parse_cards, score_round
from five211.cli.common import FileError
from five211.editions import check_language
from five211.errors import SHOWN, shown
from five211.record import check_edition
from tests.tables import table

HUGE = "9" * 10_000_000
SHORT = 250  # characters of a sentence


def test_an_error_is_a_sentence_in_each_language() -> None:
    error = GameError("players", players=6, least=2, most=5)
    assert str(error) == error.say("en") == "5211 is for 2 to 5 players, not 6."
    assert error.say("fr") == "5211 se joue de 2 à 5 joueurs, pas à 6."


@pytest.mark.parametrize("language", ["xx", "", "EN", "../editions/classic", HUGE])
def test_in_a_language_that_there_is_not_an_error_speaks_english(language: str) -> None:
    assert GameError("not_dealt").say(language) == GameError("not_dealt").say("en")


def test_an_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="5211 is for 2 to 5 players, not 6"):
        Rules.of(6)


def test_an_error_has_a_code_and_fields() -> None:
    error = GameError("deck", n=99, needed=100)
    assert (error.code, error.fields) == ("deck", {"n": 99, "needed": 100})
    assert repr(error) == "GameError('deck', n=99, needed=100)"
    assert repr(GameError("not_dealt")) == "GameError('not_dealt')"
    assert repr(FileError("file_text", name="x")) == "FileError('file_text', name='x')"


def test_errors_are_equal_by_kind_code_and_fields() -> None:
    error = GameError("deck", n=99, needed=100)
    assert error == GameError("deck", needed=100, n=99)
    assert error != GameError("deck", n=98, needed=100)
    assert error != GameError("not_dealt", n=99, needed=100)
    assert error != FileError("deck", n=99, needed=100)
    assert (error == "deck") is False
    assert GameError.__hash__ is None


def test_a_fault_of_a_record_says_its_place_first() -> None:
    error = RecordError("record_missing", "deals[0].pile")
    assert str(error) == "deals[0].pile: This is missing."
    assert error.say("fr") == "deals[0].pile: Ceci manque."
    assert str(RecordError("record_missing")) == "This is missing."


@pytest.mark.parametrize(
    "error",
    [
        GameError("not_dealt"),
        GameError("copies", card=Card("G2"), n=7, held=6),
        GameError("edition", edition="“x”", known=("azul", "classic")),
        RecordError("record_cards", "deals[0].pile", n=80),
        FileError("file_empty", name="“x”"),
    ],
    ids=lambda error: error.code,
)
def test_errors_pass_through_pickle_and_copy(error: GameError) -> None:
    for other in (
        *(pickle.loads(pickle.dumps(error, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy(error),
        copy.deepcopy(error),
    ):
        assert other == error
        assert type(other) is type(error)
        assert (str(other), other.say("fr")) == (str(error), error.say("fr"))
        assert getattr(other, "place", None) == getattr(error, "place", None)

    again = type(error)(error)  # as Gymnasium raises an error of another process
    assert again == error
    assert again is not error
    assert str(again) == str(error)


@pytest.mark.parametrize("text", ["The worker was lost.", "", "with {braces}"])
def test_what_is_no_code_is_the_sentence_itself(text: str) -> None:
    error = pickle.loads(pickle.dumps(GameError(text)))
    assert str(error) == error.say("fr") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("G2", "“G2”"),
        ("", "“”"),
        ("x" * SHOWN, "“" + "x" * 24 + "”"),
        ("x" * (SHOWN + 1), "“" + "x" * 24 + "…”"),
        ("a\nb\0c\x1b[31m", "“a\ufffdb\ufffdc\ufffd[31m”"),
        ("\u202eevil", "“\ufffdevil”"),
        ("\ud800", "“\ufffd”"),
        ("vert foncé", "“vert foncé”"),
        (None, "NoneType"),
        (12, "12"),
        (-3, "-3"),
        (999_999_999, "999999999"),
        (10**9, "…"),
        (True, "bool"),
        (["G2"], "list"),
    ],
)
def test_input_is_shown_short_and_plain(value: object, text: str) -> None:
    assert shown(value) == text


@given(st.text())
def test_any_input_is_shown_on_one_line(text: str) -> None:
    assert shown(text).isprintable()
    assert len(shown(text)) <= SHOWN + 3
    assert shown(text).encode()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Card(HUGE),
        lambda: parse_cards(HUGE),
        lambda: parse_cards("G" * 999),
        lambda: Rules.of(4, HUGE),
        lambda: Rules.of(HUGE),  # type: ignore[arg-type]
        lambda: Rules.of(10**30),
        lambda: Rules.of(10**5000),
        lambda: Rules.of(-(10**5000)),
        lambda: check_edition(HUGE),
        lambda: check_language(HUGE),
        lambda: score_round(Rules.of(2), [(HUGE,) * 4, (HUGE,) * 4]),  # type: ignore[list-item]
        lambda: score_round(Rules.of(2), table("Y1\n" * 10_000)),
        lambda: score_round(Rules.of(2), [parse_cards("Y1")] * 2),
        lambda: score_round(Rules.of(2), [parse_cards("Y6") * 4] * 2),
        lambda: parse(HUGE),
        lambda: parse("[" * 100_000),
    ],
)
def test_the_sentence_stays_short_whatever_was_asked(ask: Any) -> None:
    with pytest.raises(GameError) as refused:
        ask()
    for language in ("en", "fr"):
        assert len(refused.value.say(language)) < SHORT
    assert len(str(refused.value)) < SHORT
    assert "{" not in str(refused.value)
