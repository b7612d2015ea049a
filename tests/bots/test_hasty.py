"""Hasty: takes what would score if the round ended now, by its view alone, and likes no colour."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from five211 import Cards, Rules, View, parse_cards, view
from five211.arena.work import GAMES, Arena
from five211.bots import entry, make
from five211.bots.hasty import HastyBot, ahead
from five211.chance import stream
from five211.fast import simulate
from tests.bots.positions import LAST_CARDS, last_card, position
from tests.oracle import judge
from tests.tables import other_worlds, replayed
from tests.test_simulate import view_with

PLAYERS = (2, 3, 4, 5)
TWO = Rules.of(2)


def chosen(seen: View, seed: int | str = 1) -> Cards:
    return HastyBot().choose(seen, stream(seed, "bot"))


def test_it_is_found_by_name_and_is_the_easy_level() -> None:
    assert isinstance(make("hasty"), HastyBot)
    assert entry("easy") == entry("hasty")


def test_it_is_quick_and_so_plays_as_many_games_in_the_arena_as_others() -> None:
    arena = Arena.of(["hasty", "random"], [2])
    assert arena.searching == (False, False)
    assert arena.asked == GAMES == 2000


# What it plays


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("Y2 Y3 G6 B5 V4", "Y2 Y3"),  # two colours of one card each would tie
        ("Y2 Y3 G4 G6 V5", "G4 G6"),
        ("Y1 Y6 G3 G3 B5", "Y1 Y6"),
        ("O2 O4 O6 B5 V5", "O4 O6"),
    ],
)
def test_it_opens_with_the_two_cards_of_one_colour_that_are_worth_most(
    hand: str, best: str, players: int, seed: int
) -> None:
    assert chosen(view_with(hand, players), seed) == parse_cards(best)


THEN = pytest.mark.parametrize(
    ("mine", "theirs", "hand", "best"),
    [
        ("G5 B2 Y2", "G2 G3 V2", "G4 V6", "G4"),  # green leads, and has room for one more
        ("G2 B2 Y2", "G2 G3 V2", "G4 G6 V6", "G6"),  # the highest of those that join
        ("Y2 B2 V3", "Y4 Y5 Y6", "Y3 O6", "Y3"),  # a fifth yellow strikes out theirs
        ("G2 G3 B4", "Y4 Y5 Y6", "G4 O6", "G4"),  # three and three are out: one blue scores
        ("G1 G2 G3", "B1 Y1 V2", "G6 O1 Y2", "G6"),  # four icons would score for both
    ],
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rounds", [0, 3, TWO.rounds - 1])
@THEN
def test_it_joins_what_leads_or_makes_it_bust_or_tie(
    mine: str, theirs: str, hand: str, best: str, rounds: int, seed: int
) -> None:
    """Whatever is kept for later: it does the same in every round."""
    assert chosen(last_card(mine, theirs, hand, rounds), seed) == parse_cards(best)


@pytest.mark.parametrize("seed", range(3))
@LAST_CARDS
def test_the_last_card_of_the_game(mine: str, theirs: str, hand: str, best: str, seed: int) -> None:
    assert chosen(last_card(mine, theirs, hand, TWO.rounds - 1), seed) == parse_cards(best)


@pytest.mark.parametrize("players", PLAYERS)
def test_no_choice_would_bring_more_if_the_round_ended_now(players: int) -> None:
    rules = Rules.of(players)

    def brings(seen: View, cards: Cards) -> int:
        table = [[*map(str, laid)] for laid in seen.table]
        table[seen.seat] += map(str, cards)
        points = judge(table, rules.exact, rules.limit).points
        return sum(points[seen.seat] - other for other in points)

    for turns in range(3 * rules.rounds):
        seen = view(position(rules, turns, turns), turns % players)
        found = {cards: brings(seen, cards) for cards in seen.choices}
        assert found == {cards: ahead(seen, cards) for cards in seen.choices}
        assert found[chosen(seen, turns)] == max(found.values())


# Chance


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("turns", [0, 1, 2, 7])
def test_the_same_view_and_stream_give_the_same_choice(players: int, turns: int) -> None:
    match = position(Rules.of(players), 1, turns)
    other = replayed(match, other_worlds(match, 1, Random(turns)))[-1]
    assert other.state.hands != match.state.hands
    for seed in range(5):
        assert chosen(view(match, 1), seed) == chosen(view(other, 1), seed)


@pytest.mark.parametrize(
    ("hand", "equal"),
    [
        ("Y1 G2 O3 B4 V5", [*combinations(parse_cards("Y1 G2 O3 B4 V5"), 2)]),  # nothing scores
        ("Y3 Y3 G3 G3 V6", [parse_cards("Y3 Y3"), parse_cards("G3 G3")]),
        ("O2 O5 V3 V4 B6", [parse_cards("O2 O5"), parse_cards("V3 V4")]),
    ],
)
def test_of_equal_choices_none_is_liked_more(hand: str, equal: list[Cards]) -> None:
    seen, rng = view_with(hand), stream(4, "test")
    drawn = Counter(HastyBot().choose(seen, rng) for _ in range(4000))
    assert set(drawn) == set(equal)
    shares = [drawn[cards] / 4000 for cards in equal]
    assert shares == pytest.approx([1 / len(equal)] * len(equal), abs=0.03)


# How strong it is: docs/strength.md has it exactly


@pytest.mark.parametrize("players", PLAYERS)
def test_it_stands_between_the_beginner_and_the_medium_level(players: int) -> None:
    def share(one: str, other: str) -> float:
        games = simulate(players, 2000, [one, *[other] * (players - 1)], seed="levels")
        return float(games.shares()[:, 0].mean())

    assert share("hasty", "random") > 1.5 / players
    assert share("heuristic", "hasty") > 1.15 / players
