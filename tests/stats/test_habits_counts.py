"""Habits are counted right: beside the scoring itself, and beside an oracle, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from five211 import Match, Outcome, Rules, parse_cards, score_round
from five211.bots import make
from five211.cards import Card
from five211.fast import simulate
from five211.fast.packed import ICONS, NOTHING, NUMBERS
from five211.scoring import ColorScores, IconsCounted
from five211.scoring import judge as judged
from five211.simulate import play_match
from five211.stats.estimate import distance, share
from five211.stats.exact import exact
from five211.stats.habits.chapters import SPECS, Sums, count, nothing
from five211.stats.habits.gather import log_of
from five211.stats.habits.judge import judge, tied
from five211.stats.habits.rounds import Rounds
from tests.stats.habit_oracle import Key, counted

PLAYERS = (2, 3, 4, 5)


def some_tables(rules: Rules, number: int) -> list[list[list[Card]]]:
    """Tables at a round's end, from shuffled decks."""
    rng, tables = Random(rules.players), []
    for _ in range(number):
        cards = rng.sample(rules.deck, 4 * rules.players)
        tables.append([cards[at : at + 4] for at in range(0, len(cards), 4)])
    return tables


def rounds_of(rules: Rules, tables: Sequence[Sequence[Sequence[Card]]]) -> Rounds:
    """Games of one round, which nobody wins."""
    log = [[[[NUMBERS[card] for card in seat] for seat in table]] for table in tables]
    return Rounds(rules, np.array(log, np.uint8), np.zeros(len(tables), np.uint8))


@pytest.mark.rule("4.4")
@pytest.mark.parametrize("players", PLAYERS)
def test_rounds_score_as_the_rules_say(players: int) -> None:
    rules = Rules.of(players)
    tables = some_tables(rules, 400)
    rounds = rounds_of(rules, tables)
    seen = set()
    for place, table in enumerate(tables):
        score = score_round(rules, table)
        number = {Outcome.ICONS: ICONS, Outcome.NONE: NOTHING}.get(score.outcome, score.color)
        assert rounds.scoring[place, 0] == number
        assert rounds.points[place, 0].tolist() == list(score.points)
        seen.add(score.outcome)
    assert seen == set(Outcome)


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("players", PLAYERS)
def test_any_counts_are_judged_as_the_rules_judge_them(players: int) -> None:
    """Also such as only lie there when a card is taken away."""
    rules, rng = Rules.of(players), Random(players)
    colors = [tuple(rng.randrange(rules.limit + 2) for _ in range(5)) for _ in range(500)]
    icons = [rng.randrange(rules.exact + 2) for _ in colors]
    found = judge(rules, np.array(icons), np.array(colors))
    ties = tied(rules, np.array(colors))
    for place, counts in enumerate(colors):
        last = judged(rules, icons[place], counts)[-1]
        number = last.color if isinstance(last, ColorScores) else NOTHING
        assert found[place] == (ICONS if isinstance(last, IconsCounted) else number)
        left = sorted(n for n in counts if 0 < n < rules.limit)
        assert ties[place] == (left[-1:] == left[-2:-1] != [])


def matches(players: int) -> list[Match]:
    """Games of different bots at a table."""
    rules = Rules.of(players)
    bots = [make(("hasty", "heuristic", "random")[seat % 3]) for seat in range(players)]
    return [play_match(rules, bots, "habits", game) for game in range(12)]


@pytest.mark.parametrize("players", PLAYERS)
def test_every_count_is_the_oracles(players: int) -> None:
    rules, games = Rules.of(players), matches(players)
    sums = count(rules, *log_of(games))
    told = [counted(match) for match in games]
    keys: list[Key] = [
        (spec.key, line, row)
        for spec in SPECS
        for line in spec.lines
        for row in spec.rows_of(rules)
    ]
    assert set().union(*told) <= set(keys)
    assert sums.games == len(games)
    assert sums.sums.shape == (5, len(keys))
    for key, column in zip(keys, sums.sums.T.tolist(), strict=True):
        both = [one.get(key, (0, 0)) for one in told]
        wanted = [
            sum(a for a, _b in both),
            sum(b for _a, b in both),
            sum(a * a for a, _b in both),
            sum(a * b for a, b in both),
            sum(b * b for _a, b in both),
        ]
        assert column == wanted, key


@pytest.mark.parametrize("players", PLAYERS)
def test_points_from_a_log_are_those_that_the_games_ended_with(players: int) -> None:
    games = simulate(players, 50, "hasty", seed=1, log=True)
    assert games.log is not None
    rounds = Rounds(games.rules, games.log, games.winners)
    np.testing.assert_array_equal(rounds.points.sum(axis=1), games.points)
    np.testing.assert_array_equal(rounds.won[:, 0, 0], games.won(0))


@pytest.mark.parametrize("players", PLAYERS)
def test_random_play_agrees_with_what_is_exact(players: int) -> None:
    games, known = 4000, exact(players)
    played = simulate(players, games, seed="exact", log=True)
    assert played.log is not None
    sums = count(played.rules, played.log, played.winners)
    columns = iter(sums.sums.T.tolist())
    found = {
        (spec.key, line, row): next(columns)
        for spec in SPECS
        for line in spec.lines
        for row in spec.rows_of(played.rules)
    }
    for key, value in {
        ("decided", "all", "color"): known.outcomes[Outcome.COLOR],
        ("decided", "all", "none"): known.outcomes[Outcome.NONE],
        ("biggest", "all", "alone"): known.biggest_scores,
        ("biggest", "all", "by_icons"): known.outcomes[Outcome.ICONS],
        ("high_scores", "high", "first"): known.plain,
        ("high_scores", "high", "third"): known.plain,
    }.items():
        away = distance(share(found[key], games), value, of_share=True)
        assert away is not None
        assert abs(away) < 4, key


def test_sums_are_added() -> None:
    games = simulate(3, 40, "hasty", seed=1, log=True)
    assert games.log is not None
    whole = count(games.rules, games.log, games.winners)
    parts = [
        count(games.rules, games.log[at], games.winners[at]) for at in (slice(9), slice(9, 40))
    ]
    added: Sums = sum(parts, nothing(games.rules))
    assert added.games == whole.games == 40
    np.testing.assert_array_equal(added.sums, whole.sums)


# The last card, at tables that one can see


def last_of(*seats: str) -> Rounds:
    """A table, each seat's cards in the order in which they were played."""
    table = [[parse_cards(code)[0] for code in cards.split()] for cards in seats]
    return rounds_of(Rules.of(len(seats)), [table])


def seats(found: np.ndarray) -> list[bool]:
    return [bool(one) for one in found[0, 0]]


def test_a_colour_goes_bust_by_the_last_cards() -> None:
    rounds = last_of("G2 G3 B2 G2", "G4 O2 V2 G2")  # three green, then five; the limit is five
    assert seats(rounds.last_busts) == [True, True]
    rounds = last_of("G2 G3 G2 G2", "G4 G2 V2 Y2")  # green was bust before
    assert seats(rounds.last_busts) == [False, False]
    rounds = last_of("G1 G1 B1 G1", "G4 O2 V2 G2")  # four icons decide: no colour matters
    assert seats(rounds.last_busts) == [False, False]


def test_whoever_helps_to_bust_may_have_had_nothing_of_it() -> None:
    rounds = last_of("G2 G3 B2 G2", "G4 O2 V2 Y2", "O3 O2 V3 G2")
    assert rounds.rules.limit == 6
    mine, most = rounds.held
    assert mine[0, 0].tolist() == [5, 0, 0]
    assert most[0, 0].tolist() == [5, 0, 5]


def test_a_last_card_makes_a_tie_or_breaks_one() -> None:
    ties, unties = last_of("G2 G3 O2 O3", "G4 O4 V2 B2").last_ties  # three green, three orange
    assert (seats(ties), seats(unties)) == ([True, False], [False, False])
    ties, unties = last_of("G2 G3 B2 Y2", "B4 O2 V2 B2").last_ties  # two green, three blue
    assert (seats(ties), seats(unties)) == ([False, False], [False, True])
    ties, unties = last_of("G1 G3 O1 O1", "G4 O1 V2 B2").last_ties  # four icons: no tie matters
    assert (seats(ties), seats(unties)) == ([False, False], [False, False])


def test_a_last_card_decides_if_something_else_would_score_without_it() -> None:
    rounds = last_of("G2 G3 B2 Y2", "B4 O2 V2 B2")  # blue scores; without the last blue, nothing
    assert seats(rounds.last_decides) == [False, True]
    assert seats(rounds.last_joins) == [False, True]
    rounds = last_of("G1 G1 B2 B1", "O1 O2 V2 Y2")  # four icons
    assert seats(rounds.last_decides) == [True, False]
    assert seats(rounds.last_scores) == [True, False]
    assert seats(rounds.last_joins) == [False, False]
