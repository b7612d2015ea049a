"""The ground truth: on a game so small that every state of it is visited."""

from __future__ import annotations

import pyspiel
import pytest

from five211.env import truth
from tests.env.spiel import SMALLEST_NAME


@pytest.fixture(scope="module")
def tree() -> truth.Tree:
    found = truth.Tree()
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(SMALLEST_NAME))
    found.grow(game.new_initial_state())
    return found


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


def test_it_is_solved(tree: truth.Tree) -> None:
    told: list[tuple[int, float]] = []
    game = tree.game
    policy = truth.solve(game, 100, lambda n, conv: told.append((n, conv)))
    assert [n for n, _ in told] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert told[-1][1] < 0.001
    assert pyspiel.nash_conv(game, policy) == told[-1][1]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    truth.main(["--game", SMALLEST_NAME, "--iterations", "3", "--reward", "margin"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{SMALLEST_NAME}(reward=margin): ")
    names = [line.split(" NashConv ")[0].rstrip() for line in lines[1:]]
    assert names == ["uniform", *truth.BOTS, "CFR+ 1", "CFR+ 2", "CFR+ 3"]
