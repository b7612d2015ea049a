"""Scoring a round (rule 4), step by step."""

from __future__ import annotations

import pickle
import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import MINI, Card, Cards, Color, GameError, Outcome, Rules, parse_cards, score_round
from five211.scoring import (
    ColorScores,
    ColorsCounted,
    IconsCounted,
    NothingLeft,
    Score,
    Step,
    StruckForLimit,
    StruckForTie,
    count_colors,
    count_icons,
    derive,
    judge,
    majority,
)
from tests.tables import table

Y, G, O, B, V = Color  # noqa: E741
TWO, THREE, FOUR, FIVE = (Rules.of(players) for players in (2, 3, 4, 5))


def seats(*lines: str) -> tuple[Cards, ...]:
    """Cards of each seat; "-" for none."""
    return tuple(parse_cards(line.replace("-", "")) for line in lines)


def counted(*counts: int) -> ColorsCounted:
    return ColorsCounted(tuple(zip(Color, counts, strict=True)))


# Rule 4.1: the exact number of icons


@pytest.mark.rule("4.1")
def test_the_exact_number_of_icons_scores_and_nothing_else_does() -> None:
    score = score_round(
        TWO,
        table("""
            Y1 G1 G5 G6
            O1 V1 G4 G3
        """),
    )
    assert score == Score(
        steps=(IconsCounted(4, 4),),
        outcome=Outcome.ICONS,
        color=None,
        cards=seats("Y1 G1", "O1 V1"),
        points=(2, 2),
    )


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        (TWO, "Y1 Y1 G1 B2 / O1 Y2 Y3 Y4"),
        (THREE, "Y1 Y1 Y1 Y1 / G1 O2 B2 V2 / Y2 Y3 G2 G3"),
        (FOUR, "Y1 Y1 Y1 Y1 / G1 O1 B2 V2 / Y2 Y3 G2 G3 / O2 O2 O3 O4"),
        (FIVE, "Y1 Y1 Y1 Y1 / G1 O1 B1 V2 / Y2 Y3 G2 G3 / O2 O2 O3 O4 / V2 V3 V3 V4"),
    ],
)
def test_exactly_players_plus_2_icons(rules: Rules, lines: str) -> None:
    def outcome(text: str) -> Outcome:
        return score_round(rules, table(text.replace("/", "\n"))).outcome

    assert outcome(lines) is Outcome.ICONS
    assert outcome(lines.replace("1 ", "5 ", 1)) is not Outcome.ICONS  # one less
    assert outcome(lines[:-2] + lines[-2] + "1") is not Outcome.ICONS  # one more


@pytest.mark.rule("4.1")
def test_with_the_exact_number_of_icons_limits_and_ties_do_not_matter() -> None:
    over_the_limit = table("""
        Y1 Y1 Y1 Y1
        Y2 Y2 Y3 Y6
    """)
    tied = table("""
        Y1 Y1 G1 G1
        Y2 Y2 G2 G2
    """)
    for lying in (over_the_limit, tied):
        score = score_round(TWO, lying)
        assert score.outcome is Outcome.ICONS
        assert score.points == (4, 0)
        assert score.steps == (IconsCounted(4, 4),)


@pytest.mark.rule("4.1")
def test_a_seat_without_icons_gets_nothing_then() -> None:
    score = score_round(
        THREE,
        table("""
            Y1 Y1 Y1 B6
            G4 G4 G5 G6
            O1 O1 B5 V6
        """),
    )
    assert score.cards == seats("Y1 Y1 Y1", "-", "O1 O1")
    assert score.points == (3, 0, 2)


@pytest.mark.rule("4.1")
def test_one_icon_more_and_the_colours_decide() -> None:
    score = score_round(
        TWO,
        table("""
            Y1 G1 G5 G6
            O1 V1 B1 G3
        """),
    )
    assert score.steps == (IconsCounted(5, 4), counted(1, 4, 1, 1, 1), ColorScores(G, 4))
    assert score.points == (12, 3)


# Rules 4.2 and 4.4: the colour with the most cards


@pytest.mark.rule("4.2")
@pytest.mark.rule("4.4")
def test_icons_count_for_their_colour_and_score_with_it() -> None:
    score = score_round(
        TWO,
        table("""
            Y1 Y1 G6 B2
            Y2 G5 O3 V4
        """),
    )
    assert score == Score(
        steps=(IconsCounted(2, 4), counted(3, 2, 1, 1, 1), ColorScores(Y, 3)),
        outcome=Outcome.COLOR,
        color=Y,
        cards=seats("Y1 Y1", "Y2"),
        points=(2, 2),
    )


@pytest.mark.rule("4.4")
@pytest.mark.parametrize("color", Color)
def test_each_colour_can_score(color: Color) -> None:
    others = [other.name for other in Color if other is not color]
    first = f"{color}6 {color}2 {others[0]}2 {others[1]}3"
    second = f"{color}3 {others[0]}4 {others[2]}2 {others[3]}5"
    score = score_round(TWO, table(f"{first}\n{second}"))
    assert score.color is color
    assert score.cards == seats(f"{color}6 {color}2", f"{color}3")
    assert score.points == (8, 3)


@pytest.mark.rule("4.4")
def test_each_seat_takes_the_values_of_its_own_cards() -> None:
    score = score_round(
        FIVE,
        table("""
            B6 B2 Y2 G2
            B5 Y2 G2 O2
            B4 B4 Y2 V2
            O2 O3 V2 V3
            B3 G3 G4 V4
        """),
    )
    assert score.color is B
    assert score.cards == seats("B2 B6", "B5", "B4 B4", "-", "B3")
    assert score.points == (8, 5, 8, 0, 3)


@pytest.mark.rule("7.5")
@pytest.mark.rule("4.2")
def test_it_is_the_number_of_cards_that_decides_not_the_sum_of_their_values() -> None:
    score = score_round(
        TWO,
        table("""
            Y1 Y1 G6 G5
            Y1 O6 B5 V6
        """),
    )
    assert score.color is Y
    assert score.points == (2, 1)


# Rule 4.3: the limit


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("rules", [TWO, THREE, FOUR, FIVE], ids=lambda rules: rules.players)
def test_players_plus_3_cards_are_too_many_and_one_less_is_not(rules: Rules) -> None:
    limit = rules.players + 3
    below = majority(rules, (limit - 1, 1, 0, 0, 0))
    at = majority(rules, (limit, 1, 0, 0, 0))
    over = majority(rules, (limit + 1, 1, 0, 0, 0))
    assert below[1:] == (ColorScores(Y, limit - 1),)
    assert at[1:] == (StruckForLimit(((Y, limit),), limit), ColorScores(G, 1))
    assert over[1:] == (StruckForLimit(((Y, limit + 1),), limit), ColorScores(G, 1))


@pytest.mark.rule("4.3")
def test_one_card_decides_about_the_limit() -> None:
    below = table("""
        G2 G2 G3 Y2
        G4 O2 Y3 V2
    """)
    at = table("""
        G2 G2 G3 Y2
        G4 G5 Y3 V2
    """)
    assert score_round(TWO, below).steps[1:] == (counted(2, 4, 1, 0, 1), ColorScores(G, 4))
    assert score_round(TWO, at).steps[1:] == (
        counted(2, 5, 0, 0, 1),
        StruckForLimit(((G, 5),), 5),
        ColorScores(Y, 2),
    )


@pytest.mark.rule("4.3")
def test_several_colours_can_be_over_the_limit() -> None:
    score = score_round(
        FIVE,
        table("""
            G2 G2 G2 G2
            G3 G3 G3 G3
            B2 B2 B2 B2
            B3 B3 B3 B3
            B4 O2 V2 V5
        """),
    )
    assert score.steps[1:] == (
        counted(0, 8, 1, 9, 2),
        StruckForLimit(((G, 8), (B, 9)), 8),
        ColorScores(V, 2),
    )
    assert score.points == (0, 0, 0, 0, 7)


# Rule 4.5: ties


@pytest.mark.rule("4.5")
def test_tied_colours_are_struck_out_and_the_next_largest_scores() -> None:
    score = score_round(
        TWO,
        table("""
            Y2 Y3 G2 B4
            Y4 G3 G4 B6
        """),
    )
    assert score.steps[1:] == (
        counted(3, 3, 0, 2, 0),
        StruckForTie((Y, G), 3),
        ColorScores(B, 2),
    )
    assert score.points == (4, 6)


@pytest.mark.rule("4.5")
@pytest.mark.rule("7.1")
@pytest.mark.parametrize(
    ("counts", "ties", "last"),
    [
        ((4, 4, 3, 3, 2), [((Y, G), 4), ((O, B), 3)], ColorScores(V, 2)),
        ((2, 3, 4, 3, 4), [((O, V), 4), ((G, B), 3)], ColorScores(Y, 2)),
        ((3, 3, 3, 3, 4), [], ColorScores(V, 4)),
        ((4, 3, 3, 3, 3), [], ColorScores(Y, 4)),
        ((5, 5, 5, 1, 0), [((Y, G, O), 5)], ColorScores(B, 1)),
        ((4, 4, 4, 4, 0), [((Y, G, O, B), 4)], NothingLeft()),
        ((6, 6, 2, 2, 0), [((Y, G), 6), ((O, B), 2)], NothingLeft()),
        ((6, 6, 2, 1, 1), [((Y, G), 6)], ColorScores(O, 2)),
        ((5, 5, 4, 1, 1), [((Y, G), 5)], ColorScores(O, 4)),
    ],
)
def test_ties_go_on_downwards(counts: tuple[int, ...], ties: list[Any], last: Step) -> None:
    struck = [StruckForTie(colors, count) for colors, count in ties]
    assert majority(FOUR, counts) == (counted(*counts), *struck, last)


@pytest.mark.rule("4.3")
@pytest.mark.rule("4.5")
@pytest.mark.rule("7.4")
def test_tied_colours_over_the_limit_are_struck_once_for_the_limit() -> None:
    assert majority(FOUR, (7, 7, 1, 1, 0)) == (
        counted(7, 7, 1, 1, 0),
        StruckForLimit(((Y, 7), (G, 7)), 7),
        StruckForTie((O, B), 1),
        NothingLeft(),
    )


# Rule 4.6: nobody scores


@pytest.mark.rule("4.6")
def test_when_no_colour_is_left_nobody_scores() -> None:
    score = score_round(
        TWO,
        table("""
            Y2 Y2 Y3 Y4
            G2 G2 G3 G4
        """),
    )
    assert score == Score(
        steps=(
            IconsCounted(0, 4),
            counted(4, 4, 0, 0, 0),
            StruckForTie((Y, G), 4),
            NothingLeft(),
        ),
        outcome=Outcome.NONE,
        color=None,
        cards=((), ()),
        points=(0, 0),
    )


@pytest.mark.rule("4.6")
def test_a_colour_without_cards_never_scores() -> None:
    assert majority(TWO, (8, 0, 0, 0, 0))[1:] == (StruckForLimit(((Y, 8),), 5), NothingLeft())
    assert majority(TWO, (4, 4, 0, 0, 0))[1:] == (StruckForTie((Y, G), 4), NothingLeft())
    assert majority(TWO, (2, 2, 2, 2, 0))[-1] == NothingLeft()
    assert majority(TWO, (0, 0, 0, 0, 0)) == (counted(0, 0, 0, 0, 0), NothingLeft())


@pytest.mark.rule("4.6")
def test_a_single_card_can_score() -> None:
    score = score_round(
        TWO,
        table("""
            Y2 Y2 Y3 Y4
            Y5 Y6 Y2 G3
        """),
    )
    assert score.color is G
    assert score.points == (0, 3)


# The parts, and what may not lie on a table


def test_icons_and_colours_are_counted() -> None:
    lying = table("""
        Y1 Y2 V1 G3
        V1 V2 B1 Y1
    """)
    assert count_icons(lying) == 5
    assert count_colors(lying) == (3, 1, 0, 1, 3)
    assert count_colors([(), ()]) == (0, 0, 0, 0, 0)


def test_judging_stops_at_the_exact_number_of_icons() -> None:
    assert judge(TWO, 4, (8, 0, 0, 0, 0)) == (IconsCounted(4, 4),)
    assert IconsCounted(4, 4).exact
    for icons in (3, 5):
        steps = judge(TWO, icons, (3, 2, 1, 1, 1))
        assert steps == (IconsCounted(icons, 4), *majority(TWO, (3, 2, 1, 1, 1)))
        assert not IconsCounted(icons, 4).exact


def test_a_game_of_fewer_colours_counts_only_those() -> None:
    score = score_round(MINI, table("Y1 Y2\nG2 O3"))
    assert score.steps == (
        IconsCounted(1, 2),
        ColorsCounted(((Y, 2), (G, 1), (O, 1))),
        ColorScores(Y, 2),
    )


def test_outcomes_are_written_in_the_words_of_the_record() -> None:
    assert [outcome.value for outcome in Outcome] == ["kododo", "color", "none"]
    assert repr(Outcome.ICONS) == "Outcome.ICONS"


@pytest.mark.rule("2.4")
def test_the_order_of_the_cards_in_front_of_a_seat_means_nothing() -> None:
    lying = table("Y2 Y3 G2 B4\nY4 G3 G4 Y5")
    score = score_round(TWO, lying)
    assert score == score_round(TWO, [seat[::-1] for seat in lying])
    assert score == score_round(TWO, [list(seat[::-1]) for seat in lying])
    assert score == derive(TWO, lying)
    assert score.cards == seats("Y2 Y3", "Y4 Y5")


def test_a_score_does_not_change() -> None:
    score = score_round(TWO, table("Y2 Y2 Y3 Y4\nG2 G2 G3 G4"))
    limit, most = StruckForLimit(((Y, 8),), 5), ColorScores(Y, 3)
    for value, name in (
        *((step, field) for step in score.steps for field in step.__dataclass_fields__),
        (limit, "limit"),
        (most, "color"),
        (score, "points"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


def test_a_score_is_a_value() -> None:
    score = score_round(TWO, table("Y2 Y3 G2 B4\nY4 G3 G4 Y5"))
    assert pickle.loads(pickle.dumps(score)) == score
    assert len({score, score_round(TWO, table("Y2 Y3 G2 B4\nY4 G3 G4 Y5"))}) == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("Y1 Y2 G1 G2", "This game has 2 seats, but there are cards for 1."),
        ("Y1 Y2 G1 G2 / Y1 Y2 G1 G2 / Y1 Y2 G1 G2", "2 seats, but there are cards for 3."),
        ("Y1 Y2 G1 / Y1 Y2 G1 G2", "Seat 1 has 3 cards; at the end of a round it has 4."),
        ("Y1 Y2 G1 G2 / Y1 Y2 G1 G2 G2", "Seat 2 has 5 cards; at the end of a round it has 4."),
        ("Y6 Y2 G1 G2 / Y6 Y2 G1 G2", "There are 2 Y6 here, but the deck has only 1."),
        ("Y7 Y2 G1 G2 / Y6 Y2 G1 G2", "There is no Y7 in this game."),
    ],
)
def test_a_table_that_cannot_lie_there_is_refused(lines: str, said: str) -> None:
    with pytest.raises(GameError, match=re.escape(said)):
        score_round(TWO, table(lines.replace("/", "\n")))


@pytest.mark.parametrize("value", ["Y2", 2, None, [Card("Y2")], True])
def test_what_is_no_card_is_refused(value: Any) -> None:
    with pytest.raises(GameError, match="is not a card"):
        score_round(TWO, [(*parse_cards("Y1 Y2 G2"), value), parse_cards("Y1 Y2 G1 G2")])


@pytest.mark.parametrize(
    "value", [None, 5, "Y1 Y2 G1 G2", {}, iter(())], ids=lambda value: type(value).__name__
)
def test_what_is_no_list_of_cards_is_refused(value: Any) -> None:
    for lying in (value, [parse_cards("Y1 Y2 G1 G2"), value]):
        with pytest.raises(GameError, match="list is expected"):
            score_round(TWO, lying)


# What holds for every table


@st.composite
def games(draw: st.DrawFn) -> tuple[Rules, list[Cards]]:
    """A game and a table of it."""
    rules = Rules.of(draw(st.integers(2, 5)))
    deck = draw(st.randoms(use_true_random=False)).sample(rules.deck, 4 * rules.players)
    return rules, [tuple(sorted(deck[i : i + 4])) for i in range(0, len(deck), 4)]


@given(games(), st.randoms(use_true_random=False))
def test_seats_in_another_order_score_the_same(game: tuple[Rules, list[Cards]], rng: Any) -> None:
    rules, lying = game
    order = rng.sample(range(rules.players), rules.players)
    score, other = score_round(rules, lying), score_round(rules, [lying[i] for i in order])
    assert other.steps == score.steps
    assert other.points == tuple(score.points[i] for i in order)
    assert other.cards == tuple(score.cards[i] for i in order)


@given(games(), st.permutations(list(Color)))
def test_colours_by_other_names_score_the_same(
    game: tuple[Rules, list[Cards]], names: list[Color]
) -> None:
    rules, lying = game
    painted = [[Card(f"{names[card.color]}{card.value}") for card in seat] for seat in lying]
    score, other = score_round(rules, lying), score_round(rules, painted)
    assert other.outcome is score.outcome
    assert other.points == score.points
    assert other.color == (None if score.color is None else names[score.color])


@pytest.mark.rule("7.5")
@given(games(), st.randoms(use_true_random=False))
def test_other_values_of_cards_that_are_no_icons_change_no_step(
    game: tuple[Rules, list[Cards]], rng: Any
) -> None:
    rules, lying = game
    revalued = tuple(
        tuple(card if card.is_icon else Card(f"{card.color}{rng.randint(2, 6)}") for card in seat)
        for seat in lying
    )
    assert derive(rules, revalued).steps == score_round(rules, lying).steps


@given(games())
def test_only_cards_on_the_table_score_and_points_are_their_values(
    game: tuple[Rules, list[Cards]],
) -> None:
    rules, lying = game
    score = score_round(rules, lying)
    for seat, cards, points in zip(lying, score.cards, score.points, strict=True):
        keep = [
            card
            for card in seat
            if (card.is_icon if score.outcome is Outcome.ICONS else card.color is score.color)
        ]
        assert list(cards) == keep
        assert points == sum(card.value for card in keep)


def test_what_scores_is_remembered_within_bounds() -> None:
    """A server must not grow with every round that was ever scored."""
    assert judge.cache_info().maxsize == 5000
