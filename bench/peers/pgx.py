"""Pgx: thousands of games stepped at once by XLA, with random legal actions and auto-reset.

As in its README (`jit`, `vmap`, `act_randomly`), with the loop over steps compiled, too, and the
number of games that was best for each of its games on one core. Its bridge_bidding is left out: it
wants a file of solved deals that is not on PyPI.
"""

from __future__ import annotations

from typing import Any

import jax
import pgx
from pgx.experimental import act_randomly, auto_reset

from bench.peers.clock import STEPS, Trial, tell

GAMES = {"kuhn_poker": 4096, "leduc_holdem": 256, "sparrow_mahjong": 64}
TURNS = 100


def prepare(name: str) -> Trial:
    """A hundred steps of every game at a time; each is a decision, as games begin anew at once."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    games = GAMES[name]

    def turn(carried: Any, _: None) -> Any:
        state, key = carried
        key, choosing, stepping = jax.random.split(key, 3)
        actions = act_randomly(choosing, state.legal_action_mask)
        return (step(state, actions, jax.random.split(stepping, games)), key), None

    turns = jax.jit(lambda carried: jax.lax.scan(turn, carried, None, length=TURNS)[0])
    begin, key = jax.random.split(jax.random.PRNGKey(1))
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(begin, games)), key

    def play() -> None:
        nonlocal carried
        carried = jax.block_until_ready(turns(carried))

    return Trial(play, lambda _: games * TURNS)


if __name__ == "__main__":
    tell("pgx", STEPS, tuple(GAMES), prepare)
