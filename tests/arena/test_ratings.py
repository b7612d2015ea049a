"""Ratings: known strengths are found again, and their intervals hold them."""

from __future__ import annotations

from itertools import permutations
from math import log

import numpy as np
import pytest

from five211.arena.ratings import ELO, Meeting, ratings
from five211.arena.sums import Tally

STRENGTHS = (4.0, 2.0, 1.0, 0.5)


def tally(won: list[int]) -> Tally:
    """Deals with so many victories each."""
    return Tally(len(won), 60 * sum(won), 3600 * sum(one**2 for one in won))


def synthetic(rng: np.random.Generator, deals: int, *, same: bool = False) -> list[Meeting]:
    """Games of bots with known strengths; if `same`, all games of a deal end the same way."""
    found = []
    for players in (2, 4):
        for one, other in permutations(range(4), 2):
            if players > 2 or one < other:
                chance = STRENGTHS[one] / (STRENGTHS[one] + (players - 1) * STRENGTHS[other])
                size = (deals, 1 if same else players)
                won = (rng.random(size) < chance).sum(axis=1) * (players if same else 1)
                found.append(Meeting(one, other, players, tally(won.tolist())))
    return found


def truth() -> list[float]:
    logs = [ELO * log(one) for one in STRENGTHS]
    return [one - sum(logs) / 4 for one in logs]


def test_known_strengths_are_found() -> None:
    found = ratings(4, synthetic(np.random.default_rng(1), 20_000))
    assert sum(one.value for one in found) == pytest.approx(0, abs=1e-6)
    for one, true in zip(found, truth(), strict=True):
        assert one.value == pytest.approx(true, abs=6)
        assert one.low < one.value < one.high
    assert found[0].among == 20_000 * (3 * 2 + 6 * 4)


@pytest.mark.parametrize("same", [False, True])
def test_the_intervals_hold_what_is_true(same: bool) -> None:
    """Also if the games of a deal tell only as much as one game."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(60):
        found = ratings(4, synthetic(rng, 150, same=same))
        held += sum(one.low < true < one.high for one, true in zip(found, truth(), strict=True))
    assert 0.9 < held / 240 < 0.99


def test_clones_have_one_strength_whatever_the_number_of_players() -> None:
    """At par everywhere: all are equal."""
    meetings = [Meeting(0, 1, n, tally([1] * 60)) for n in (2, 3, 5)]
    assert [one.value for one in ratings(2, meetings)] == pytest.approx([0, 0], abs=1e-6)


def test_a_single_pair_has_its_odds() -> None:
    """Three of four games of two: odds of 3, but for the one game more at par."""
    found = ratings(2, [Meeting(0, 1, 2, tally([2, 1] * 500))])
    assert found[0].value - found[1].value == pytest.approx(400 * np.log10(1500.5 / 500.5))


def test_whoever_never_wins_has_a_rating() -> None:
    found = ratings(3, [Meeting(0, 1, 2, tally([2] * 500)), Meeting(1, 2, 2, tally([2] * 500))])
    values = [one.value for one in found]
    assert np.isfinite(values).all()
    assert values[0] - values[1] == pytest.approx(400 * np.log10(1000.5 / 0.5))
    assert values[0] - values[1] == pytest.approx(values[1] - values[2])
    assert found[0].high - found[0].low > 600  # nobody knows how much better it is
