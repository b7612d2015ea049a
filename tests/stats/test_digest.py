"""The compiled digest of games counts what the readable engine says of them, game by game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from five211 import Card, Outcome, Rules, score_round
from five211.fast import Games, simulate
from five211.fast.digest import (
    A_VICTORY,
    AS_ICON,
    BIGGEST,
    BROUGHT,
    BUST,
    CASCADE,
    CHANCE,
    FOUND,
    LENGTH,
    MOST_POINTS,
    OUTCOME,
    POINTS,
    ROWS,
    SCORES,
    SHARE,
    TIE,
    TOTAL,
    VICTORY,
    Digest,
    digest,
    nothing,
    prepare,
)
from five211.fast.packed import CARDS, VALUES
from five211.scoring import (
    ColorScores,
    Score,
    StruckForLimit,
    StruckForTie,
    count_colors,
    count_icons,
)

PLAYERS = (2, 3, 4, 5)
TURNS = (1, 1, 2, 3)


def rounds_of(games: Games, index: int) -> list[list[list[Card]]]:
    """The cards of each seat in each round, in the order in which they were played."""
    assert games.log is not None
    return [
        [[CARDS[number] for number in seat] for seat in table]
        for table in games.log[index]
        if table[0][0] < len(CARDS)
    ]


def told(rules: Rules, games: Games, index: int) -> tuple[Counter[int], Counter[int]]:
    """A game's counts by the readable engine's steps: a and b of each row."""
    a, b = Counter[int](), Counter[int]()
    rounds = rounds_of(games, index)
    piles: list[int] = []
    for number, table in enumerate(rounds):
        if number % rules.rounds == 0:
            piles = [0] * rules.players
        score = score_round(rules, table)
        piles = [pile + len(cards) for pile, cards in zip(piles, score.cards, strict=True)]
        tell_round(a, table, score)
        tell_cards(a, b, table, score)
    for row in range(POINTS.stop):
        b[row] = len(rounds)
    for turn in range(4):
        b[AS_ICON.start + turn] = b[CHANCE.start + turn * VALUES]
    for row in range(SHARE.start, ROWS):
        b[row] = 1
    points = [int(one) for one in games.points[index]]
    ranks = list(zip(points, piles, strict=True))
    winners = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    for seat in winners:
        a[SHARE.start + seat] = A_VICTORY // len(winners)
    kind = 2 if len(winners) > 1 else points.count(max(points)) > 1
    a[VICTORY.start + kind] = 1
    a[TOTAL.start], a[LENGTH.start] = sum(points), len(rounds)
    return a, b


def tell_round(a: Counter[int], table: list[list[Card]], score: Score) -> None:
    cards = [tuple(seat) for seat in table]
    biggest = max(count_colors(cards))
    a[OUTCOME.start + list(Outcome).index(score.outcome)] += 1
    a[BIGGEST.start + biggest] += 1
    a[FOUND.start + count_icons(cards)] += 1
    a[POINTS.start] += sum(score.points)
    last = score.steps[-1]
    a[SCORES.start] += isinstance(last, ColorScores) and last.count == biggest
    a[BUST.start] += any(isinstance(step, StruckForLimit) for step in score.steps)
    ties = sum(isinstance(step, StruckForTie) for step in score.steps)
    a[TIE.start] += ties > 0
    if ties:
        a[CASCADE.start + ties - 1] += 1


def tell_cards(a: Counter[int], b: Counter[int], table: list[list[Card]], score: Score) -> None:
    for cards, scored in zip(table, score.cards, strict=True):
        for turn, card in zip(TURNS, cards, strict=True):
            for of in (0, turn):
                row = CHANCE.start + of * VALUES + card.value - 1
                b[row] += 1
                b[BROUGHT.start + of] += 1
                if card in scored:
                    a[row] += 1
                    a[BROUGHT.start + of] += card.value
                    a[AS_ICON.start + of] += score.outcome is Outcome.ICONS


def one(games: Games, index: int) -> Games:
    """The game of that row alone."""
    assert games.log is not None
    row = slice(index, index + 1)
    return Games(
        games.rules, games.points[row], games.winners[row], games.outcomes[row], games.log[row]
    )


def column(counts: Counter[int]) -> list[int]:
    return [counts[row] for row in range(ROWS)]


@pytest.mark.parametrize("variant", ["standard", "long"])
@pytest.mark.parametrize("policy", ["random", "hasty", "heuristic"])
@pytest.mark.parametrize("players", PLAYERS)
def test_every_game_is_counted_as_the_readable_engine_tells_it(
    players: int, policy: str, variant: str
) -> None:
    rules = Rules.of(players, variant)
    prepare(rules)
    games = simulate(players, 25, policy, seed=3, variant=variant, log=True)
    whole = nothing()
    for index in range(len(games)):
        found = digest(one(games, index))
        a, b = map(column, told(rules, games, index))
        products = [[x * y for x, y in zip(c, d, strict=True)] for c, d in ((a, a), (a, b), (b, b))]
        assert found.sums.tolist() == [a, b, *products]
        assert found.shapes.tolist() == shapes([int(one) for one in games.points[index]])
        whole += found
    same(whole, digest(games))


def shapes(points: list[int]) -> list[list[int]]:
    best, second = sorted(points, reverse=True)[:2]
    scores = Counter(points)
    return [
        [scores[n] for n in range(MOST_POINTS)],
        [scores[n] * (scores[n] - 1) // 2 for n in range(MOST_POINTS)],
        [int(n == best) for n in range(MOST_POINTS)],
        [int(n == best - second) for n in range(MOST_POINTS)],
    ]


def same(one: Digest, other: Digest) -> None:
    assert one.games == other.games
    np.testing.assert_array_equal(one.sums, other.sums)
    np.testing.assert_array_equal(one.shapes, other.shapes)


def test_a_log_that_does_not_come_to_the_points_is_noticed() -> None:
    games = simulate(2, 1, seed=3, log=True)
    games.points[0, 0] += 1
    with pytest.raises(AssertionError):
        digest(games)


def test_all_that_can_happen_has_happened() -> None:
    """Else the games above would compare nothing with nothing."""
    found = digest(simulate(3, 4000, seed=3, log=True)).sums[0]
    for rows in (OUTCOME, SCORES, BUST, TIE, CASCADE, CHANCE, AS_ICON, VICTORY):
        assert (found[rows] > 0).all()
