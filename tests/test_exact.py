"""The exact figures of random play."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from five211 import Outcome, Rules
from five211.fast import simulate
from five211.stats.exact import exact, orders, partitions, weights

PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_table_is_counted_once(players: int) -> None:
    tables = sum(
        orders(counts) * sum(weights(counts).values()) for counts in partitions(4 * players, 5, 20)
    )
    assert tables == comb(100, 4 * players)
    assert sum(exact(players).outcomes.values()) == 1
    assert sum(exact(players).biggest.values()) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_icons_and_what_a_card_brings(players: int) -> None:
    found, laid = exact(players), 4 * players
    for icons, rate in found.icons.items():  # 25 of the 100 cards are icons
        ways = comb(25, icons) * comb(75, laid - icons)
        assert rate == Fraction(ways, comb(100, laid))
    assert sum(found.icons.values()) == 1
    assert found.icons[players + 2] == found.outcomes[Outcome.ICONS]
    assert found.as_icon < found.icon
    values = {2: 6, 3: 5, 4: 2, 5: 1, 6: 1}  # of a colour's 15 other cards
    brought = found.icon * 5 + sum(found.plain * value * n for value, n in values.items())
    assert brought / 20 * 4 == found.points  # a card's mean, four times a round


@pytest.mark.parametrize("players", PLAYERS)
def test_games_by_chance_agree(players: int) -> None:
    games = simulate(players, 50_000, seed=11)
    rounds, found = Rules.of(players).rounds, exact(players)
    rates = games.outcomes / rounds
    for column, kind in enumerate(Outcome):
        assert abs(z(rates[:, column], found.outcomes[kind])) < 4, kind
    assert abs(z(games.points.mean(axis=1), found.points * rounds)) < 4


def z(seen: np.ndarray, expected: Fraction) -> float:
    return float((seen.mean() - float(expected)) / (seen.std() / len(seen) ** 0.5))
