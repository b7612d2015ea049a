"""The sentence of each chapter, and numbers as a language writes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from five211 import Rules
from five211.cli.stats import QUICK
from five211.stats.book import Book, make_book
from five211.stats.estimate import UNKNOWN, Estimate
from five211.stats.exact import exact
from five211.stats.leads import lead, lead_checks
from five211.stats.words import (
    around,
    brief,
    briefly,
    figure,
    label,
    level,
    named,
    number,
    percent,
    spoken,
    title,
)
from tests.stats.books import book, games

LANGUAGES = ("en", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", ["standard", "long"])
def test_every_chapter_begins_with_one_sentence(language: str, variant: str) -> None:
    told = book((2, 3), ("random", "hasty"), variant)
    for chapter in told.chapters:
        if chapter.shown or chapter.key == "means":
            sentence = lead(told, chapter, language)
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "{" not in sentence
            assert title(language, chapter.key)[0].isupper()


def sentence(key: str, players: tuple[int, ...] = (4,), bot: str = "random") -> str:
    told = book(players, (bot,))
    return lead(told, told[key], "en")


def test_sentences_say_what_the_figures_are() -> None:
    known = {one.row: float(one.exact) for one in book((4,), ("random",)).checks}
    assert round(100 * known["color"]) == 84
    assert sentence("outcome").startswith("Among beginner bots, a colour scores in 84% of rounds")
    assert sentence("struck").startswith(
        "Among beginner bots, the colour with the most cards scores in 56% of rounds; in 7."
    )
    assert "reaches the limit in 8." in sentence("biggest")  # also where the icons decide
    assert "in some of these rounds the icons decide" in sentence("biggest")
    assert "Rounds that the icons decide count for none of these" in sentence("struck")
    assert "Entre robots de niveau moyen, " in lead(book(), book()["outcome"], "fr")
    assert "below it in 23%" in sentence("biggest")
    near = float(exact(4).icons[5] + exact(4).icons[7])
    assert f"turns up in 11% of rounds, and one too many or too few in {near:.0%}" in sentence(
        "icons"
    )
    assert "0.39 points on average, a 6 brings 1.4" in sentence("worth")
    assert "39% of all icon cards played score; 17% of all do so as icons" in sentence("icon_card")
    assert "brings 0.64 points on average, one of the last turn 0.64" in sentence("turns")
    assert "ends with 15 points on average" in sentence("means")


def test_half_and_one_in_twenty() -> None:
    points = book((4,), ("random",))["scores"].figures[0].lines["random"]
    shares = [one.value for one in points]
    words = sentence("scores").split()
    low, high = int(words[words.index("with") + 1]), int(words[words.index("has") + 1])
    assert sum(shares[: low + 1]) >= 0.5 > sum(shares[:low])
    assert sum(shares[high:]) >= 0.05 > sum(shares[high + 1 :])


def test_close_games() -> None:
    margins = book((4,), ("random",))["lead"].figures[0].lines["random"]
    close = sum(one.value for one in margins[:3])
    assert f"in {close:.0%} of games" in sentence("lead")


def test_several_numbers_of_players_are_a_range() -> None:
    assert "scores in 66 to 87% of rounds" in sentence("outcome", (2, 3, 4, 5))


def test_seats_are_equal_or_not() -> None:
    told = book()
    assert lead(told, told["seats"], "en").startswith("No: ")
    seats = [one for one in told.checks if one.chapter == "seats"]
    for bad, words in (
        (seats[:1], "1 seat is 5.2 standard errors"),
        (seats[:2], "2 seats are as much as 5.2 standard"),
    ):
        unfair = replace(told, checks=tuple(replace(one, z=-5.2) for one in bad))
        assert words in lead(unfair, unfair["seats"], "en")


def checked(*zs: float) -> Book:
    told = book((4,), ("random",))
    return replace(told, checks=tuple(replace(told.checks[0], z=z) for z in zs))


def test_the_last_chapter_says_whether_the_numbers_can_be_trusted() -> None:
    assert lead_checks(checked(1, -3.94), "en").startswith("Yes: 2 values")
    assert "3.9 standard errors" in lead_checks(checked(1, -3.94), "en")
    assert "of 2 values that are known exactly, 1 is more" in lead_checks(checked(1, -4), "en")
    assert "2 are more than 4" in lead_checks(checked(4, -7), "en")
    assert "(up to 7.0)" in lead_checks(checked(4, -7), "en")
    assert lead_checks(checked(), "en").startswith("Only the random play")
    assert lead_checks(book((3,), ("random", "hasty"), "long"), "fr").startswith("Seul le jeu")
    swapped = make_book({Rules.of(4): {"random": games(4, "hasty")}}, "standard", "x")
    assert lead_checks(swapped, "en").startswith("No: ")


@pytest.mark.parametrize(
    ("language", "value", "digits", "shown"),
    [
        ("en", 1234567.891, 2, "1,234,567.89"),
        ("fr", 1234567.891, 2, "1\u202f234\u202f567,89"),
        ("en", -2.5, 1, "−2.5"),
        ("en", 0, 0, "0"),
        ("en", -0.004, 2, "0.00"),
        ("fr", 999, 0, "999"),
    ],
)
def test_numbers(language: str, value: float, digits: int, shown: str) -> None:
    assert number(language, value, digits) == shown


def test_shares_as_somebody_would_say_them() -> None:
    assert percent("fr", 0.0831, 1) == "8,3\u00a0%"
    assert spoken("en", [0.5]) == "50%"
    assert spoken("en", [0.0994, 0.0996]) == "9.9 to 10%"
    assert spoken("en", [0.0004, 0.05, 0.0]) == "0 to 5.0%"
    assert spoken("en", [0.00994]) == "0.99%"
    assert spoken("fr", [1.25, 12.5], in_points=True) == "1,2 à 12"


def test_as_many_digits_as_the_interval_allows() -> None:
    wide, narrow = Estimate(0.5, 0.02, 0.46, 0.54, 9), Estimate(0.5, 0.00005, 0.4999, 0.5001, 9)
    assert figure("en", wide) == ("50.0%", "46.0% to 54.0%")
    assert figure("en", narrow) == ("50.00%", "49.99% to 50.01%")
    assert around("en", narrow) == "50.00% ±0.01"
    assert around("fr", wide, in_points=True) == "0,50 ±0,04"
    assert around("en", Estimate(11, 0, 11, 11, 9), in_points=True) == "11.0 ±0.0"


def test_too_few_digits_make_an_interval_wider_not_narrower() -> None:
    narrow = Estimate(0.51234, 0.0001, 0.51214, 0.51254, 9)
    assert around("en", narrow) == "51.23% ±0.02"
    assert around("en", narrow, most=1) == "51.2% ±0.1"
    assert around("en", Estimate(0.5, 0, 0.5, 0.5, 9), most=1) == "50.0% ±0.0"


def test_of_what_nothing_is_known_there_is_a_dash() -> None:
    assert around("en", UNKNOWN) == briefly("fr", UNKNOWN) == "–"
    assert figure("en", UNKNOWN, in_points=True) == ("–", "")
    assert briefly("en", Estimate(0.5, 0, 0.4, 0.6, 9)) == brief("en", 0.5)


def test_what_is_rare_is_not_nothing() -> None:
    assert [brief("en", value) for value in (0, 0.0004, 0.0006)] == ["0.0%", "<0.1%", "0.1%"]
    assert brief("fr", 0.00004, 2) == "<\u202f0,01\u00a0%"
    assert [brief("en", value, in_points=True) for value in (0.04, 0.06)] == ["<0.1", "0.1"]


def test_bots_are_called_by_their_levels() -> None:
    assert [level("fr", bot) for bot in QUICK] == [
        "débutant",
        "facile",
        "moyen",
        "difficile",
    ]
    assert named("en", "heuristic") == "Medium bots (heuristic)"


def test_rows_have_names() -> None:
    assert label("en", "seats", 3) == "seat 3"
    assert label("fr", "icons", 3) == "3"
    assert label("en", "outcome", "none") == "nobody scores"
    assert label("en", "worth_by_turn", "6@2") == "a 6 in turn 2"
