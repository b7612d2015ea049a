"""Policies of one's own in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from five211 import GameError
from five211.bots import make
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
        (2, -1, "random", "count"),
        (2, 2.5, "random", "count"),
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


def scribbling(view: Any, _rng: Any) -> Any:
    """Writes all over its view, where the next seat might see it."""
    for color in range(5):
        view.count[color] = 99
        view.laid[4, color] += 1
    return pair(0, 1) if view.plays == 2 else single(0)


def reading(view: Any, _rng: Any) -> Any:
    """Plays other cards if it sees what somebody scribbled."""
    place = 1 if view.count[0] == 99 or view.laid[4, 0] else 0
    return pair(place, place + 1) if view.plays == 2 else single(place)


def test_what_a_policy_writes_into_its_view_reaches_nobody() -> None:
    written = simulate(2, 20, [scribbling, reading], seed=1)
    np.testing.assert_array_equal(written.points, simulate(2, 20, lowest, seed=1).points)


def test_a_policy_that_fails_has_no_action() -> None:
    def fails(view: Any, _rng: Any) -> Any:
        if view.turn == 1:
            raise ValueError
        return pair(0, 1) if view.plays == 2 else single(0)

    with pytest.raises(GameError) as error:
        simulate(2, 3, ["random", fails])
    assert (error.value.code, error.value.fields["seat"]) == ("policy_action", 2)


def test_a_seed_is_the_same_however_it_is_written() -> None:
    games = simulate(2, 50, seed=7)
    np.testing.assert_array_equal(games.points, simulate(2, 50, seed=np.int64(7)).points)  # type: ignore[arg-type]
    for wrong in (7.0, None, True):
        with pytest.raises(GameError) as error:
            simulate(2, 50, seed=wrong)  # type: ignore[arg-type]
        assert error.value.code == "seed"


def forgets(view: Any, _rng: Any) -> Any:
    return pair(0, 1) if view.plays == 2 else None


def test_a_policy_that_answers_nothing_is_refused() -> None:
    with pytest.raises(GameError) as error:
        simulate(2, 3, [forgets, "random"])
    assert (error.value.code, error.value.fields["seat"]) == ("policy_action", 1)


@pytest.mark.parametrize(("one", "other"), [(1, 1), (0, 5), (-1, 2), (7, 9)])
def test_places_that_are_none_make_no_action(one: int, other: int) -> None:
    assert pair(one, other) == single(max(one, other) + 5) == single(-1) == -1
    assert pair(3, 4) == pair(4, 3) == 14


def misspelt(view: Any, _rng: Any) -> Any:
    return single(view.hadn[0])


def answers_in_words(_view: Any, _rng: Any) -> Any:
    return "the first card"


def takes_nothing() -> int:
    return 0


@pytest.mark.parametrize("policy", [misspelt, answers_in_words, takes_nothing, 7, make("greedy")])
def test_what_cannot_be_compiled_is_said_in_a_sentence(policy: Any) -> None:
    with pytest.raises(GameError) as error:
        simulate(2, 3, policy)
    assert error.value.code == "policy_compile"
    assert "single" in str(error.value)
    assert ".." not in str(error.value).replace("(...)", "")


def test_a_level_stands_for_its_bot() -> None:
    easy, hasty = simulate(2, 50, "easy", seed=1), simulate(2, 50, "hasty", seed=1)
    np.testing.assert_array_equal(easy.points, hasty.points)


def test_threads_are_a_number() -> None:
    for wrong in (-1, 1.5):
        with pytest.raises(GameError, match="must be a whole number"):
            simulate(2, 3, threads=wrong)  # type: ignore[arg-type]
