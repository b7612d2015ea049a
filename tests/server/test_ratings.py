"""Ratings."""

from __future__ import annotations

import pytest

from five211.server.ratings import MU, SIGMA, rate, shown

NEW = (MU, SIGMA)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whoever_came_first_rises_and_whoever_came_last_falls(players: int) -> None:
    rated = rate([NEW] * players, range(players))
    means = [mu for mu, _ in rated]
    assert means == sorted(means, reverse=True)
    assert means[0] > MU > means[-1]
    assert all(sigma < SIGMA for _, sigma in rated)


def test_equals_who_share_the_victory_stay_equal() -> None:
    first, second = rate([NEW, NEW], [0, 0])
    assert first == pytest.approx(second)


def test_to_beat_somebody_better_is_worth_more() -> None:
    better = rate([NEW, (35.0, SIGMA)], [0, 1])[0][0]
    weaker = rate([NEW, (15.0, SIGMA)], [0, 1])[0][0]
    assert better > weaker > MU


@pytest.mark.parametrize("ratings", [[], [NEW]])
def test_alone_nobody_is_rated(ratings: list[tuple[float, float]]) -> None:
    assert rate(ratings, [0] * len(ratings)) == ratings


def test_a_rating_is_shown_as_a_number_that_is_not_below_zero() -> None:
    assert shown(*NEW) == 1000
    assert shown(30.0, 1.0) == 2080
    assert shown(-100.0, 8.0) == 0
