"""Ratings for games of two to five players (openskill's Plackett-Luce)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from five211.server.store import Game

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


@dataclass(frozen=True, slots=True)
class Moved:
    """A player's rating after a game, and what else it adds to the profile."""

    player: str
    mu: float
    sigma: float
    won: float
    """The share of a victory: winners share one."""


def after(game: Game, known: Mapping[str, tuple[float, float]]) -> list[Moved]:
    """How a game moves the ratings (mu, sigma) of those who played for one and are known."""
    found = [(one.player, one.rank) for one in game.standings if one.player]
    found = [(player, rank) for player, rank in found if player in known]
    if not game.rated or len(found) < 2:
        return []  # a game against bots is nobody's rating
    ratings = rate([known[player] for player, _ in found], [rank for _, rank in found])
    winners = sum(one.rank == 0 for one in game.standings)
    return [
        Moved(player, mu, sigma, 1 / winners if rank == 0 else 0.0)
        for (player, rank), (mu, sigma) in zip(found, ratings, strict=True)
    ]


def shown(mu: float, sigma: float) -> int:
    """A rating as people like to read one: surely not better than they are, and never below 0."""
    return max(0, round(40 * (mu - 3 * sigma) + 1000))
