"""Ratings for games of two to five players (openskill's Plackett-Luce)."""

from __future__ import annotations

from collections.abc import Sequence

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
MU, SIGMA = _MODEL.mu, _MODEL.sigma
"""Where everybody begins."""


def rate(ratings: Sequence[tuple[float, float]], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """The ratings (mu, sigma) after a game in which the players came in these ranks, 0 the best."""
    if len(ratings) < 2:
        return list(ratings)
    teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in ratings]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(team[0].mu, team[0].sigma) for team in rated]


def shown(mu: float, sigma: float) -> int:
    """A rating as people like to read one: surely not better than they are, and never below 0."""
    return max(0, round(40 * (mu - 3 * sigma) + 1000))
