"""OpenSpiel: our Python game beside OpenSpiel's own Python dominoes, in one run, by one loop.

A step is a card dealt, or a turn: of everybody's together, in dominoes of one player. An action is
a card dealt, or what one player does: a turn of two is two actions, as a state's history has them.
Two ways: random games as they are played, `apply_action` after `apply_action`; and as a search
goes, `child` after `child`, which copies the state for every step.

    make bench-env
"""

from __future__ import annotations

import platform
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from statistics import median
from typing import Any

with warnings.catch_warnings():  # OpenSpiel's own files
    warnings.simplefilter("ignore")
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401  registers itself

from bench.env_rounds import beside, in_turns
from bench.peers.clock import Trial
from bench.peers.compare import one_core
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


def random_game(game: Any, rng: Random) -> tuple[Any, int]:
    """A game by chance, as it is played: its end, and its steps."""
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
    return state, steps


def descent(game: Any, rng: Random) -> tuple[Any, int]:
    """A game by chance, as a search goes down: each step is a state of its own."""
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state = state.child(dealt(state.chance_outcomes(), rng))
        else:
            state = state.child(rng.choice(state.legal_actions()))
        steps += 1
    return state, steps


def trial(play: Callable[[Any, Random], tuple[Any, int]], game: Any) -> Trial:
    """Game after game."""
    rng = Random(1)
    return Trial(lambda: play(game, rng), lambda played: played[1])


def main(seconds: float = 0.25, rounds: int = 15) -> None:
    """Print the table."""
    one_core()
    print(f"Python {platform.python_version()}, open_spiel {version('open_spiel')}, one core")
    dominoes = pyspiel.load_game(DOMINOES)
    games = {n: pyspiel.load_game(NAME, {"players": n}) for n in (2, 3, 4, 5)}
    plain = {n: trial(random_game, game) for n, game in games.items()}
    search = {n: trial(descent, pyspiel.convert_to_turn_based(g)) for n, g in games.items()}
    played = in_turns(_named(plain, trial(random_game, dominoes)), seconds, rounds)
    searched = in_turns(_named(search, trial(descent, dominoes)), seconds, rounds)
    heads = "steps/s", "beside", "actions/s", "beside", "games/s", "children/s", "beside"
    print(f"{'':<10}", *(f"{head:>10}" for head in heads))
    each, child = median(played["dominoes"]), median(searched["dominoes"])
    print(f"{'dominoes':<10} {each:>10,.0f} {'':>10} {each:>10,.0f} {'':>21} {child:>10,.0f}")
    for players, game in games.items():
        name = f"{players} players"
        end, steps = random_game(game, Random(1))
        actions = len(end.history()) / steps  # the same in every game of the standard variant
        each, times = median(played[name]), beside(played, name, "dominoes")
        children = median(searched[name])
        print(
            f"{name:<10} {each:>10,.0f} {times:>9.1f}x {each * actions:>10,.0f}"
            f" {times * actions:>9.1f}x {each / steps:>10,.0f} {children:>10,.0f}"
            f" {beside(searched, name, 'dominoes'):>9.1f}x"
        )
    print(f"Goals: {GOAL}x, and {GAMES_GOAL} games/s of two players.")


def _named(ours: dict[int, Trial], dominoes: Trial) -> dict[str, Trial]:
    return {"dominoes": dominoes, **{f"{n} players": one for n, one in ours.items()}}


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 0.25)
