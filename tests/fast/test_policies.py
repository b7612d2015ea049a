"""Policies of one's own in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from five211 import GameError
from five211.fast import below, pair, simulate, single


@njit
def lowest(view: Any, _rng: Any) -> Any:
    """The first cards of the sorted hand, whatever they are."""
    return pair(0, 1) if view.plays == 2 else single(0)


def any_card(view: Any, rng: Any) -> Any:
    place = below(rng, view.held)
    other = below(rng, view.held - 1) if view.plays == 2 else 0
    if view.plays == 1:
        return single(place)
    return pair(place, other + (other >= place))


def test_a_policy_of_ones_own_plays() -> None:
    games = simulate(3, 50, [lowest, "random", "greedy"], seed=1, log=True)
    assert games.log is not None
    played = games.log[:, 0, 0, :2]
    assert (played[:, 0] <= played[:, 1]).all()
    np.testing.assert_array_equal(
        games.points, simulate(3, 50, [lowest, "random", "greedy"], 1).points
    )


def test_a_plain_function_is_compiled_too() -> None:
    mine = simulate(3, 200, [any_card, "greedy", "greedy"], seed=5)
    built_in = simulate(3, 200, ["random", "greedy", "greedy"], seed=5)
    np.testing.assert_array_equal(mine.points, built_in.points)


@pytest.mark.parametrize("action", [-1, 3, 4, 5, 14, 15, 10**6])
def test_an_action_that_is_none_is_refused(action: int) -> None:
    def wrong(view: Any, _rng: Any) -> Any:
        return action if view.pile == 0 and view.turn == 1 else (5 if view.plays == 2 else 0)

    with pytest.raises(GameError) as error:
        simulate(2, 5, ["random", wrong])
    assert error.value.code == "policy_action"
    assert error.value.fields["seat"] == 2


@pytest.mark.parametrize(
    ("players", "games", "policies", "code"),
    [
        (1, 5, "random", "players"),
        (2, -1, "random", "games"),
        (2, 2.5, "random", "games"),
        (2, 5, "nobody", "bot_unknown"),
        (3, 5, ["random", "greedy"], "bots_number"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    players: int, games: Any, policies: Any, code: str
) -> None:
    with pytest.raises(GameError) as error:
        simulate(players, games, policies)
    assert error.value.code == code
