"""The editions: what colours and icons are called, and how they look."""

from __future__ import annotations

import re
from typing import Any

import pytest

import five211
from five211 import Card, Color, GameError, language_names, texts
from five211.cards import ALL_CARDS
from five211.editions import check_language, edition_names, paint, words
from five211.record import DEFAULT_EDITION, check_edition

HUGE = "x" * 10_000_000
BOTH = [(language, edition) for language in language_names() for edition in edition_names()]


def test_there_are_two_editions_and_two_languages() -> None:
    assert edition_names() == ("azul", "classic")
    assert language_names() == ("en", "fr")
    assert words() == words("en", "classic")
    assert words(edition=DEFAULT_EDITION) == words()


def test_the_package_offers_the_same_names() -> None:
    assert five211.edition_names is edition_names
    assert five211.words is words


@pytest.mark.parametrize(
    ("language", "edition", "names", "letters"),
    [
        ("en", "classic", "yellow green orange blue violet", "Y G O B V"),
        ("en", "azul", "yellow green orange dark_blue turquoise", "Y G O B T"),
        ("fr", "classic", "jaune vert orange bleu violet", "J Ve O B Vi"),
        ("fr", "azul", "jaune vert orange bleu_foncé turquoise", "J Ve O B T"),
    ],
)
def test_colours_and_letters(language: str, edition: str, names: str, letters: str) -> None:
    w = words(language, edition)
    assert (w.language, w.edition) == (language, edition)
    assert [w.color(color).replace(" ", "_") for color in Color] == names.split()
    assert [w.letter(color) for color in Color] == letters.split()


@pytest.mark.parametrize(
    ("language", "edition", "one", "several"),
    [
        ("en", "classic", "Kododo", "Kododos"),
        ("en", "azul", "Rooster", "Roosters"),
        ("fr", "classic", "Kododo", "Kododos"),
        ("fr", "azul", "Coq", "Coqs"),
    ],
)
def test_icons(language: str, edition: str, one: str, several: str) -> None:
    w = words(language, edition)
    assert (w.icon(1), w.icon(2), w.icon(7)) == (one, several, several)
    assert w.icon(0) == {"en": several, "fr": one}[language]


def test_a_colour_as_the_subject_of_a_sentence() -> None:
    assert [words("fr").the_color(color) for color in Color] == [
        "le jaune",
        "le vert",
        "l’orange",
        "le bleu",
        "le violet",
    ]
    assert words("en", "azul").the_color(Color.V) == "turquoise"


@pytest.mark.rule("1.2")
@pytest.mark.parametrize(
    ("language", "edition", "seen", "icon", "other"),
    [
        ("en", "classic", "V1 V2", "violet Kododo", "violet 2"),
        ("en", "azul", "T1 T2", "turquoise Rooster", "turquoise 2"),
        ("fr", "classic", "Vi1 Vi2", "Kododo violet", "2 violet"),
        ("fr", "azul", "T1 T2", "Coq turquoise", "2 turquoise"),
    ],
)
def test_cards_as_they_are_seen_and_as_they_are_read_aloud(
    language: str, edition: str, seen: str, icon: str, other: str
) -> None:
    w = words(language, edition)
    assert w.cards((Card("V1"), Card("V2"))) == seen
    assert (w.card_name(Card("V1")), w.card_name(Card("V2"))) == (icon, other)


def test_no_cards_are_called_something_too() -> None:
    assert words("en").cards(()) == "nothing"
    assert words("fr").cards(()) == "rien"


@pytest.mark.parametrize(("language", "edition"), BOTH)
def test_letters_and_names_are_unique_within_an_edition_and_language(
    language: str, edition: str
) -> None:
    w = words(language, edition)
    assert len({w.letter(color).casefold() for color in Color}) == 5
    assert len({w.color(color).casefold() for color in Color}) == 5
    assert len({w.card(Card(f"{c}{value}")) for c in Color for value in range(1, 7)}) == 30


@pytest.mark.parametrize("edition", edition_names())
def test_an_edition_is_complete(edition: str) -> None:
    data = texts.load("editions", edition)
    assert set(data) == {"paint", *language_names()}
    for language in language_names():
        block = data[language]
        assert set(block) == {"name", "icon", "animal", "colors"}
        assert set(block["icon"]) == {*texts.load("languages", language)["plural"], "other"}
        assert list(block["colors"]) == [color.name for color in Color]
        for color in block["colors"].values():
            assert set(color) == {"letter", "name", "the"}
            assert all(color.values())
            assert color["name"] in color["the"]


@pytest.mark.parametrize("edition", edition_names())
def test_every_colour_has_a_paint_of_its_own(edition: str) -> None:
    painted = paint(edition)
    assert list(painted) == ["Y", "G", "O", "B", "V"]
    assert all(re.fullmatch("#[0-9A-F]{6}", value) for value in painted.values())
    assert len(set(painted.values())) == 5


@pytest.mark.parametrize("name", ["", "Classic", "gold", "../languages/en", HUGE, None, 1, ["en"]])
def test_unknown_editions_and_languages_are_refused(name: Any) -> None:
    for check in (check_edition, paint):
        with pytest.raises(GameError, match=r"no edition .*; there are azul and classic\.$") as no:
            check(name)
        assert len(str(no.value)) < 100
    with pytest.raises(GameError, match=r"no language .*; there are en and fr\.$") as no:
        check_language(name)
    assert len(str(no.value)) < 100


def test_words_of_unknown_editions_and_languages_are_refused() -> None:
    with pytest.raises(GameError, match="no edition “gold”"):
        words("en", "gold")
    with pytest.raises(GameError, match="no language “xx”"):
        words("xx", "classic")


def test_known_names_pass() -> None:
    assert check_edition("azul") == "azul"
    assert check_language("fr") == "fr"


# Cards that people type


@pytest.mark.parametrize(("language", "edition"), BOTH)
def test_what_is_printed_and_typed_again_is_the_same_card(language: str, edition: str) -> None:
    w = words(language, edition)
    for card in ALL_CARDS:
        for typed in (w.card(card), w.card(card).lower(), w.card(card).upper()):
            assert w.read_cards(typed) == (card,)
    assert w.read_cards(w.cards(ALL_CARDS)) == ALL_CARDS


@pytest.mark.parametrize(("language", "edition"), BOTH)
def test_a_code_is_its_own_card_or_refused_but_never_another(language: str, edition: str) -> None:
    w = words(language, edition)
    for card in ALL_CARDS:
        if language == "fr" and card.color is Color.V:
            with pytest.raises(GameError, match=f"not clear: .*{w.card(card)} pour"):
                w.read_cards(card.code)
        else:
            assert w.read_cards(card.code) == (card,)


@pytest.mark.parametrize(
    ("edition", "said"),
    [
        ("classic", "“v3” n’est pas clair : écrivez Ve3 pour le vert, Vi3 pour le violet."),
        ("azul", "“v3” n’est pas clair : écrivez Ve3 pour le vert, T3 pour le turquoise."),
    ],
)
def test_a_letter_of_two_colours_is_refused_with_both_ways_to_write_it(
    edition: str, said: str
) -> None:
    with pytest.raises(GameError) as no:
        words("fr", edition).read_cards("J1 v3")
    assert no.value.say("fr") == said


@pytest.mark.parametrize("typed", ["", "G", "2", "V", "Vio3", "X3", "V0", "Vi", "-1", "ıı"])
def test_what_is_no_card_is_refused_with_the_letters_of_the_cards(typed: str) -> None:
    if not typed:
        assert words("fr").read_cards(typed) == ()
        return
    with pytest.raises(GameError, match=r"letter, J Ve O B Vi, and the value, as in Ve2\.$"):
        words("fr").read_cards(typed)


def test_an_error_names_its_cards_as_they_are_seen() -> None:
    error = GameError("copies", card=Card("V2"), n=9, held=7)
    assert words("fr").told(error) == GameError("copies", card="Vi2", n=9, held=7)
    assert words("fr", "azul").legend() == (
        "Lettres des couleurs : J jaune, Ve vert, O orange, B bleu foncé et T turquoise."
    )
