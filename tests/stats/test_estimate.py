"""Intervals and distances: what they promise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from five211 import Outcome, Rules
from five211.fast import simulate
from five211.stats.estimate import SURE, UNKNOWN, Estimate, distance, mean, ratio, share, student
from five211.stats.exact import exact
from five211.stats.words import around


def sums(a: np.ndarray, b: np.ndarray) -> list[int]:
    return [int(one.sum()) for one in (a, b, a * a, a * b, b * b)]


def test_with_equal_games_it_is_the_mean_of_the_games_and_its_standard_error() -> None:
    a = simulate(4, 3000, seed=1).outcomes[:, 0].astype(np.int64)
    seen = mean(sums(a, np.full(3000, 6)), 3000, 2)
    rates = 2 * a / 6
    assert seen.value == pytest.approx(rates.mean())
    assert seen.error == pytest.approx(rates.std(ddof=1) / 3000**0.5)
    off = student(2999) * seen.error
    assert (seen.low, seen.high) == (seen.value - off, seen.value + off)
    assert seen.among == 18_000


def test_with_unequal_games_it_is_what_leaving_each_out_says() -> None:
    """The jackknife: another way to the error of a ratio."""
    games = simulate(3, 400, seed=2, variant="long")
    a, b = games.outcomes[:, 0].astype(np.int64), games.outcomes.sum(axis=1).astype(np.int64)
    value, error = ratio(sums(a, b), 400, 1)
    left_out = (a.sum() - a) / (b.sum() - b)
    assert value == a.sum() / b.sum()
    assert error == pytest.approx(left_out.std() * 399**0.5, rel=0.02)


@pytest.mark.parametrize("players", [2, 5])
def test_intervals_hold_the_true_value_as_often_as_they_say(players: int) -> None:
    """Rounds of a game are not independent: an interval that took them so would miss more often."""
    rules, batches, size = Rules.of(players), 600, 200
    games = simulate(players, batches * size, seed=3)
    rounds = np.full(size, rules.rounds)
    points = games.points.sum(axis=1, dtype=np.int64).reshape(batches, size)
    icons = games.outcomes[:, 0].astype(np.int64).reshape(batches, size)
    truth = (
        float(exact(players).points * rules.players),
        float(exact(players).outcomes[Outcome.ICONS]),
    )
    held = [0, 0]
    for batch in range(batches):
        for at, seen in enumerate(
            (mean(sums(points[batch], rounds), size), share(sums(icons[batch], rounds), size))
        ):
            held[at] += seen.low <= truth[at] <= seen.high
    for n in held:
        assert 0.92 < n / batches < 0.98


TABLE = [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (8, 2.306)]
TABLE += [(10, 2.228), (15, 2.131), (20, 2.086), (30, 2.042), (60, 2.0), (120, 1.98), (10**9, SURE)]


@pytest.mark.parametrize(("freedom", "quantile"), TABLE)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.0015)


@pytest.mark.parametrize("size", [2, 3, 5, 20])
def test_intervals_of_a_few_games_hold_as_much(size: int) -> None:
    drawn = np.random.default_rng(1).normal(0, 1000, (4000, size)).round().astype(np.int64)
    ones = np.ones(size, np.int64)
    found = [mean(sums(row, ones), size) for row in drawn]
    assert sum(one.low <= 0 <= one.high for one in found) / 4000 == pytest.approx(0.95, abs=0.012)


def test_the_half_that_is_told_is_the_longer_one() -> None:
    seen = share((1, 20, 1, 1, 20), 20)
    assert seen.half == seen.high - seen.value > seen.value - seen.low
    always = share((600, 600, 3600, 3600, 3600), 100)
    assert always.half == 1 - always.low
    assert around("en", always) == f"100.0% ±{100 * always.half:.1f}"


def test_a_share_stays_within_its_bounds_and_is_never_quite_sure() -> None:
    never = share((0, 600, 0, 0, 3600), 100)
    assert (never.value, never.low) == (0, 0)
    assert 0.03 < never.high < 0.04
    always = share((600, 600, 3600, 3600, 3600), 100)
    assert (always.value, always.high) == (1, 1)
    assert always.low == pytest.approx(1 - never.high)


def test_of_what_never_came_up_nothing_is_known() -> None:
    assert share((0, 0, 0, 0, 0), 100) == mean((0, 0, 0, 0, 0), 100) == UNKNOWN


def test_three_cases_of_three_are_three_trials_in_however_many_games() -> None:
    always = share((3, 3, 3, 3, 3), 100)
    assert (always.value, always.high) == (1, 1)
    assert 0.4 < always.low < 0.5


def test_a_distance_is_counted_in_standard_errors() -> None:
    points = Estimate(2.5, 0.25, 2, 3, 1000)
    assert distance(points, Fraction(2), of_share=False) == 2
    assert distance(Estimate(2, 0, 2, 2, 9), Fraction(2), of_share=False) is None
    half = Estimate(0.5, 0.01, 0.48, 0.52, 2500)
    assert distance(half, Fraction(1, 2), of_share=True) == 0
    assert distance(half, Fraction(1, 5), of_share=True) == pytest.approx(0.3 / 0.008)


def test_what_is_rare_has_no_distance_but_what_never_comes_has() -> None:
    never = share((0, 1000, 0, 0, 1000), 1000)
    assert distance(never, Fraction(99, 1000), of_share=True) is None
    assert distance(never, Fraction(901, 1000), of_share=True) is None
    away = distance(never, Fraction(1, 10), of_share=True)
    assert away == pytest.approx(-0.1 / (0.09 / 1000) ** 0.5)
