"""The worked examples of the five rulebooks, laid out on the table.

The books show them as pictures, so the other cards on these tables are ours. All five books have
the same examples; the special edition names its own colours and icon.
"""

from __future__ import annotations

import re

import pytest

from five211 import Color, Outcome, Rules, Score, explain, score_round
from tests.tables import table

FOUR = Rules.of(4)

SIX_ICONS = table("""
    Y1 G1 B5 B6
    G1 O1 G5 G6
    V1 V1 G4 G4
    O5 O6 G3 G3
""")
EIGHT_GREEN = table("""
    G2 G3 G1 Y4
    G2 G6 Y2 O2
    G4 G2 Y3 B5
    G5 Y1 O3 V6
""")
YELLOW_AND_GREEN_TIE = table("""
    Y2 Y3 G2 G5
    Y4 G3 O2 O4
    Y6 G1 O3 B6
    Y1 G4 B2 V5
""")
ALL_TIE = table("""
    Y2 Y3 G2 G3
    Y4 G4 O2 B2
    Y6 G1 O6 V6
    Y1 G6 B5 V2
""")
CASCADE = table("""
    Y2 Y2 Y3 Y6
    G2 G3 G4 G6
    O2 O3 O4 V6
    B2 B3 B4 V2
""")

# What the icon and the colours Y G O B V are called where a sentence is read.
READ = {
    ("en", "classic"): ("Kododo", "yellow", "green", "orange", "blue", "violet"),
    ("en", "azul"): ("Rooster", "yellow", "green", "orange", "dark blue", "turquoise"),
    ("fr", "classic"): ("Kododo", "jaune", "vert", "orange", "bleu", "violet"),
    ("fr", "azul"): ("Coq", "jaune", "vert", "orange", "bleu foncé", "turquoise"),
}
everywhere = pytest.mark.parametrize(("language", "edition"), READ)


def facts(score: Score, language: str, edition: str) -> list[tuple[str, list[int]]]:
    """Of each sentence: what it names (I for the icon, colours by letter), and its numbers."""
    names = dict(zip("IYGOBV", READ[language, edition], strict=True))
    return [
        (
            "".join(i for i, name in names.items() if re.search(rf"(?i)\b{name}s?\b", sentence)),
            [int(number) for number in re.findall(r"\d+", sentence)],
        )
        for sentence in explain(score, language, edition)
    ]


@pytest.mark.rule("4.1")
def test_exactly_6_icons_in_a_game_of_4_and_only_they_score() -> None:
    score = score_round(FOUR, SIX_ICONS)
    assert score.outcome is Outcome.ICONS
    assert score.cards == tuple(table("Y1 G1 \n G1 O1 \n V1 V1 \n ,"))
    assert score.points == (2, 2, 2, 0)


@pytest.mark.rule("4.1")
@everywhere
def test_exactly_6_icons_in_words(language: str, edition: str) -> None:
    assert facts(score_round(FOUR, SIX_ICONS), language, edition) == [("I", [6])]


@pytest.mark.rule("4.3")
def test_8_green_exceed_the_limit_of_7_and_yellow_with_4_is_next() -> None:
    score = score_round(FOUR, EIGHT_GREEN)
    assert score.color is Color.Y
    assert score.cards == tuple(table("Y4 \n Y2 \n Y3 \n Y1"))
    assert score.points == (4, 2, 3, 1)


@pytest.mark.rule("4.3")
@everywhere
def test_8_green_in_words(language: str, edition: str) -> None:
    assert facts(score_round(FOUR, EIGHT_GREEN), language, edition) == [
        ("I", [2, 6]),
        ("YGOBV", [8, 4, 2, 1, 1]),
        ("G", [8, 7]),
        ("Y", [4]),
    ]


@pytest.mark.rule("4.5")
def test_yellow_and_green_tie_at_5_and_orange_with_3_scores() -> None:
    score = score_round(FOUR, YELLOW_AND_GREEN_TIE)
    assert score.color is Color.O
    assert score.cards == tuple(table(", \n O2 O4 \n O3 \n ,"))
    assert score.points == (0, 6, 3, 0)


@pytest.mark.rule("4.5")
@everywhere
def test_yellow_and_green_tie_in_words(language: str, edition: str) -> None:
    assert facts(score_round(FOUR, YELLOW_AND_GREEN_TIE), language, edition) == [
        ("I", [2, 6]),
        ("YGOBV", [5, 5, 3, 2, 1]),
        ("YG", [5]),
        ("O", [3]),
    ]


@pytest.mark.rule("4.6")
def test_yellow_and_green_tie_and_so_do_all_others_and_nobody_scores() -> None:
    score = score_round(FOUR, ALL_TIE)
    assert (score.outcome, score.color) == (Outcome.NONE, None)
    assert score.cards == ((), (), (), ())
    assert score.points == (0, 0, 0, 0)


@pytest.mark.rule("4.6")
@everywhere
def test_all_tie_in_words(language: str, edition: str) -> None:
    assert facts(score_round(FOUR, ALL_TIE), language, edition) == [
        ("I", [2, 6]),
        ("YGOBV", [5, 5, 2, 2, 2]),
        ("YG", [5]),
        ("OBV", [2]),
        ("", []),
    ]


@pytest.mark.rule("4.5")
@pytest.mark.rule("7.1")
def test_with_4_4_3_3_2_the_lone_2_scores() -> None:
    score = score_round(FOUR, CASCADE)
    assert score.color is Color.V
    assert score.cards == tuple(table(", \n , \n V6 \n V2"))
    assert score.points == (0, 0, 6, 2)


@pytest.mark.rule("4.5")
@everywhere
def test_4_4_3_3_2_in_words(language: str, edition: str) -> None:
    assert facts(score_round(FOUR, CASCADE), language, edition) == [
        ("I", [0, 6]),
        ("YGOBV", [4, 4, 3, 3, 2]),
        ("YG", [4]),
        ("OB", [3]),
        ("V", [2]),
    ]


@pytest.mark.rule("4.2")
def test_icons_count_for_their_colour_as_the_special_edition_says_outright() -> None:
    score = score_round(
        FOUR,
        table("""
            Y1 Y1 G6 O2
            Y1 Y1 G5 B2
            Y2 G4 O3 V2
            G4 O4 B3 V3
        """),
    )
    assert score.color is Color.Y
    assert score.points == (2, 2, 2, 0)
