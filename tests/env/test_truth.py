"""The ground truth: on a game so small that every state of it is visited."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

from five211 import GameError
from five211.bots import make
from five211.bots.hasty import ahead
from five211.env import truth
from tests.env.spiel import SMALLEST_NAME


@pytest.fixture(scope="module")
def tree() -> truth.Tree:
    return truth.Tree.of(pyspiel.load_game(SMALLEST_NAME))


def test_the_tree_is_the_game(tree: truth.Tree) -> None:
    """What OpenSpiel finds in the game itself, in Python, it finds in the tree."""
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(SMALLEST_NAME))
    slow = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    quick = pyspiel.nash_conv(tree.game, pyspiel.UniformRandomPolicy(tree.game))
    assert slow == pytest.approx(quick)
    assert slow > 0.01
    assert all(actions == [0, 1] for _, actions in tree.views.values())
    uniform = truth.policy_of(tree, lambda _: {0: 0.5, 1: 0.5})
    assert pyspiel.nash_conv(tree.game, uniform) == pytest.approx(slow)


def test_shares_of_two_cards_are_exact(tree: truth.Tree) -> None:
    """Chance decides between two cards alone, so nobody has to be asked many times."""
    for seen, _ in tree.views.values():
        low, high = seen.hand
        assert low != high  # or there would be nothing to choose
        assert truth.shares(make("random"), seen) == {0: 0.5, 1: 0.5}
        assert truth.shares(make("greedy"), seen) == _highest(low.value, high.value)
        hopes = [ahead(seen, choice) for choice in seen.choices]
        assert truth.shares(make("hasty"), seen) == _highest(*hopes)
        surely = truth.answer(make("heuristic"), seen)
        assert truth.shares(make("heuristic"), seen) == surely


def _highest(first: int, second: int) -> dict[int, float]:
    """The action of the higher of two numbers; of equal ones, either."""
    return {0: 0.5, 1: 0.5} if first == second else {int(second > first): 1.0}


def test_it_is_solved(tree: truth.Tree) -> None:
    told: list[tuple[int, float]] = []
    game = tree.game
    policy = truth.solve(game, 100, lambda n, conv: told.append((n, conv)))
    truth.solve(game, np.int64(1))  # type: ignore[arg-type]  # tells nobody
    assert [n for n, _ in told] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert told[-1][1] < 0.001
    assert pyspiel.nash_conv(game, policy) == told[-1][1]


@pytest.mark.parametrize(
    "likely",
    [{0: 1.0, 1: 1.0}, {}, {7: 1.0}, {0: 1.5, 1: -0.5}, {0: 1.0, 7: 0.1}, None, {0: "1"},
     {0: float("nan"), 1: 1.0}, [0.5, 0.5]],
)  # fmt: skip
def test_what_is_no_policy_is_refused(tree: truth.Tree, likely: Any) -> None:
    with pytest.raises(GameError, match=r"each of the actions 0 and 1 is, in numbers .*, not "):
        truth.policy_of(tree, lambda _: likely)


def test_nothing_need_be_said_of_what_is_never_played(tree: truth.Tree) -> None:
    sure = truth.policy_of(tree, lambda _: {1: 1})
    same = truth.policy_of(tree, lambda _: {0: 0.0, 1: 1.0, 7: 0})
    assert pyspiel.nash_conv(tree.game, sure) == pyspiel.nash_conv(tree.game, same)


def test_a_game_in_which_both_can_gain_is_refused() -> None:
    game = pyspiel.load_game(f"{SMALLEST_NAME}(reward=points)")
    for what in (truth.Tree.of, lambda one: truth.solve(one, 1)):
        with pytest.raises(GameError, match=r"reward=points\) cannot be solved: .* win and margin"):
            what(game)


@pytest.mark.parametrize("iterations", [0, -1, 2.5, None, True])
def test_so_many_iterations_there_are_not(tree: truth.Tree, iterations: Any) -> None:
    with pytest.raises(GameError, match=f"1 or more, not {iterations}"):
        truth.solve(tree.game, iterations)


@pytest.mark.parametrize("name", ["python_five211", "python_five211(players=3)", "kuhn_poker"])
def test_a_game_that_is_too_large_is_refused(name: str) -> None:
    with pytest.raises(GameError, match=r"The game (python_five211|kuhn).* at most 8 cards, such"):
        truth.Tree.of(pyspiel.load_game(name))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "nothing"], "The game nothing cannot be written down as a tree"),
        (["--game", "python_five211"], "such as python_five211_mini"),
        (["--game", "kuhn_poker"], "reward"),
        (["--iterations", "0"], "1 or more, not 0"),
        (["--reward", "points"], "invalid choice"),
    ],
)
def test_what_the_command_cannot_do_is_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        truth.main(arguments)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "STEP", 1000)
    truth.main(["--game", SMALLEST_NAME, "--iterations", "3", "--reward", "margin"])
    told = capsys.readouterr()
    assert told.err.startswith("1,000 nodes (")
    lines = told.out.splitlines()
    assert lines[0].startswith(f"{SMALLEST_NAME}(reward=margin): ")
    names = [line.split(" NashConv ")[0].rstrip() for line in lines[1:]]
    assert names == ["uniform", *truth.BOTS, "CFR+ 1", "CFR+ 2", "CFR+ 3"]
