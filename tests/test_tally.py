"""The tally: what lies face up so far, as players count it."""

from __future__ import annotations

import pytest

from five211 import MINI, Color, Rules, tally
from five211.tally import ColorTally, IconStanding, Standing, Tally
from tests.tables import table

TWO, FOUR = Rules.of(2), Rules.of(4)


def standings(text: str) -> dict[str, str]:
    """Where each colour stands at a table of two."""
    return {one.color.name: one.standing.value for one in tally(TWO, table(text)).colors}


def test_an_empty_table() -> None:
    assert tally(TWO, [(), ()]) == Tally(
        colors=tuple(ColorTally(color, 0, 5, Standing.ABSENT) for color in Color),
        icons=0,
        exact=4,
        icon_standing=IconStanding.FEW,
    )


@pytest.mark.rule("4.2")
def test_cards_are_counted_with_what_is_left_to_the_limit() -> None:
    found = tally(FOUR, table("G1 G2\nG3 Y1\nG1 V6\nO2 O2"))
    assert [(one.color.name, one.count, one.to_limit) for one in found.colors] == [
        ("Y", 1, 6),
        ("G", 4, 3),
        ("O", 2, 5),
        ("B", 0, 7),
        ("V", 1, 6),
    ]
    assert (found.icons, found.exact) == (3, 6)


@pytest.mark.rule("4.4")
def test_the_colour_with_the_most_cards_leads() -> None:
    assert standings("Y2 Y3\nY4 G6") == {
        "Y": "leads",
        "G": "behind",
        "O": "absent",
        "B": "absent",
        "V": "absent",
    }


@pytest.mark.rule("4.5")
def test_below_a_tie_the_next_colour_leads_and_others_are_behind() -> None:
    assert standings("Y2 Y3 Y4 G3\nG4 G5 O2 O3") == {
        "Y": "tied",
        "G": "tied",
        "O": "leads",
        "B": "absent",
        "V": "absent",
    }


@pytest.mark.rule("4.5")
def test_ties_below_ties_are_ties() -> None:
    assert standings("Y2 Y3 G3 G4\nO2 B2") == {
        "Y": "tied",
        "G": "tied",
        "O": "tied",
        "B": "tied",
        "V": "absent",
    }


@pytest.mark.rule("4.5")
def test_a_tie_below_the_leader_is_behind() -> None:
    assert standings("Y2 Y3\nG3 O4") == {
        "Y": "leads",
        "G": "behind",
        "O": "behind",
        "B": "absent",
        "V": "absent",
    }


@pytest.mark.rule("4.3")
def test_a_colour_at_the_limit_is_bust_and_has_no_way_left_to_it() -> None:
    five = tally(TWO, table("Y2 Y2 Y3\nY4 Y5 G2")).colors
    six = tally(TWO, table("Y2 Y2 Y3 Y6\nY4 Y5 G2")).colors
    assert five[Color.Y] == ColorTally(Color.Y, 5, 0, Standing.BUST)
    assert six[Color.Y] == ColorTally(Color.Y, 6, 0, Standing.BUST)
    assert five[Color.G] == six[Color.G] == ColorTally(Color.G, 1, 4, Standing.LEADS)


@pytest.mark.rule("4.3")
def test_one_below_the_limit_still_leads() -> None:
    four = tally(TWO, table("Y2 Y2 Y3\nY4 G2")).colors
    assert four[Color.Y] == ColorTally(Color.Y, 4, 1, Standing.LEADS)


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(
    ("cards", "standing"),
    [
        ("Y2 G2\nG2 G2", "few"),
        ("Y1 G1\nG2 G2", "few"),
        ("Y1 G1\nG1 G2", "one_more"),
        ("Y1 G1\nG1 G1", "exact"),
        ("Y1 G1 G1\nG1 G1", "too_many"),
        ("Y1 Y1 G1 G1\nG1 G1", "too_many"),
    ],
)
def test_where_the_icons_stand_on_their_way_to_the_exact_number(cards: str, standing: str) -> None:
    assert tally(TWO, table(cards)).icon_standing == standing


def test_colours_stand_as_they_do_whatever_the_icons_do() -> None:
    found = tally(TWO, table("Y1 Y1 G1\nG2 Y1"))
    assert found.icon_standing is IconStanding.EXACT
    assert found.colors[Color.Y].standing is Standing.LEADS


def test_a_game_of_fewer_colours_has_only_those() -> None:
    found = tally(MINI, table("Y1\nG2"))
    assert [one.color.name for one in found.colors] == ["Y", "G", "O"]
    assert found.icon_standing is IconStanding.ONE_MORE


def test_standings_are_shown_by_their_names() -> None:
    assert repr(Standing.BUST) == "Standing.BUST"
    assert repr(IconStanding.ONE_MORE) == "IconStanding.ONE_MORE"
