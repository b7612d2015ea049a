"""OpenSpiel: our Python game beside OpenSpiel's own Python dominoes, in one run, by one loop.

A step is a card dealt, or a turn of everybody's (in dominoes, of one player). Two figures: random
games as they are played, `apply_action` after `apply_action`; and as a search goes, `child` after
`child`, which copies the state for every step. Each is the best of many short runs.

    make bench-env
"""

from __future__ import annotations

import platform
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from typing import Any

with warnings.catch_warnings():  # OpenSpiel's own files
    warnings.simplefilter("ignore")
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401  registers itself

from bench.peers.clock import Trial, best
from five211.env.openspiel import NAME

DOMINOES = "python_block_dominoes"
GOAL, GAMES_GOAL = 4, 500


def dealt(outcomes: list[tuple[int, float]], rng: Random) -> int:
    """One of chance's outcomes, as likely as it is."""
    at = rng.random()
    for outcome, share in outcomes:
        at -= share
        if at < 0:
            return outcome
    return outcomes[-1][0]  # shares that sum up to a little less than one


def random_game(game: Any, rng: Random) -> int:
    """A game by chance, as it is played: its steps."""
    state, seats, steps = game.new_initial_state(), range(game.num_players()), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dealt(state.chance_outcomes(), rng))
        elif state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in seats])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        steps += 1
    state.returns()
    return steps


def descent(game: Any, rng: Random) -> int:
    """A game by chance, as a search goes down: each step is a state of its own."""
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state = state.child(dealt(state.chance_outcomes(), rng))
        else:
            state = state.child(rng.choice(state.legal_actions()))
        steps += 1
    return steps


def measured(play: Callable[[Any, Random], int], game: Any, seconds: float) -> float:
    """Steps a second."""
    rng = Random(1)
    return best(Trial(lambda: play(game, rng), lambda steps: steps), seconds)


def main(seconds: float = 3.0) -> None:
    """Print the table."""
    print(f"Python {platform.python_version()}, open_spiel {version('open_spiel')}, one core")
    dominoes = pyspiel.load_game(DOMINOES)
    plain = measured(random_game, dominoes, seconds)
    search = measured(descent, dominoes, seconds)
    print(f"{'':<12}{'steps/s':>12}{'beside':>8}{'games/s':>10}{'children/s':>12}{'beside':>8}")
    print(f"{'dominoes':<12}{plain:>12,.0f}{'':>8}{'':>10}{search:>12,.0f}")
    for players in (2, 3, 4, 5):
        game = pyspiel.load_game(NAME, {"players": players})
        steps = measured(random_game, game, seconds)
        games = steps / random_game(game, Random(1))
        children = measured(descent, pyspiel.convert_to_turn_based(game), seconds)
        print(
            f"{f'{players} players':<12}{steps:>12,.0f}{steps / plain:>7.1f}x{games:>10,.0f}"
            f"{children:>12,.0f}{children / search:>7.1f}x"
        )
    print(f"Goals: {GOAL}x, and {GAMES_GOAL} games/s of two players.")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
