"""The compiled engine plays the readable engine's game."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import Match, Outcome, Rules
from five211.fast import simulate
from five211.fast.packed import CARDS
from five211.fast.simulate import Games
from tests.conftest import SOAK
from tests.fast.reference import policy_match, random_match

PLAYERS = (2, 3, 4, 5)
GAMES = 13_000 if SOAK else 40
ASKED = 40 if SOAK else 6
VARIANTS = ("standard", "long")


def same(games: Games, index: int, match: Match) -> None:
    """The compiled game's everything is the readable game's."""
    result = match.result
    assert result is not None
    assert tuple(games.points[index]) == result.points
    seats = range(games.rules.players)
    assert tuple(seat for seat in seats if games.won(seat)[index]) == result.winners
    rounds = [round_ for deal in match.deals for round_ in deal.rounds]
    outcomes = [round_.score.outcome for round_ in rounds]
    assert tuple(games.outcomes[index]) == tuple(outcomes.count(kind) for kind in Outcome)
    assert games.log is not None
    for logged, round_ in zip(games.log[index], rounds, strict=False):
        for seat in seats:
            cards = tuple(CARDS[number] for number in logged[seat])
            played = [turn[seat] for turn in round_.turns]
            assert [tuple(sorted(cards[:2])), cards[2:3], cards[3:]] == played


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_are_the_readable_engines(players: int, variant: str) -> None:
    games = simulate(players, GAMES, seed=7, variant=variant, first=1000, log=True)
    for index in range(len(games)):
        same(games, index, random_match(Rules.of(players, variant), 7, 1000 + index))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_policies_are_the_readable_engines(players: int, variant: str) -> None:
    names = ("heuristic", "hasty", "greedy", "hasty", "random")[:players]
    games = simulate(players, ASKED, names, seed="x", variant=variant, first=7, log=True)
    for index in range(len(games)):
        same(games, index, policy_match(Rules.of(players, variant), names, "x", 7 + index))


@given(
    seats=st.lists(st.sampled_from(["random", "greedy", "hasty"]), min_size=2, max_size=5),
    variant=st.sampled_from(VARIANTS),
    seed=st.integers() | st.text(),
    first=st.integers(0, 2**63 - 1),
)
def test_any_game_of_any_seed(seats: list[str], variant: str, seed: int | str, first: int) -> None:
    rules = Rules.of(len(seats), variant)
    games = simulate(len(seats), 1, seats, seed, variant=variant, first=first, log=True)
    match = random_match if set(seats) == {"random"} else partial(policy_match, names=seats)
    same(games, 0, match(rules, seed=seed, game=first))


def test_shares_of_victory() -> None:
    games = simulate(3, 2000, seed=2)
    shares = games.shares()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for seat in range(3):
        np.testing.assert_array_equal(shares[:, seat] > 0, games.won(seat))
    assert {0.5, 1.0} < set(shares.ravel())


@pytest.mark.parametrize("policies", ["random", "greedy", "hasty"])
def test_the_same_games_however_the_work_is_divided(policies: str) -> None:
    whole = simulate(3, 40_000, policies, seed="s", threads=2)
    alone = simulate(3, 10, policies, seed="s", threads=1, first=39_990)
    np.testing.assert_array_equal(whole.points[-10:], alone.points)
    np.testing.assert_array_equal(whole.winners[-10:], alone.winners)
