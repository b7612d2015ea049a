"""five211 by the same clock, on one thread: `simulate`, `Batch.step`, and the environments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.peers.clock import STEPS, WHOLE, Trial, tell
from five211 import Rules
from five211.env import BatchEnv, parallel_env
from five211.fast import Batch, simulate
from five211.fast.view import ACTIONS

GAMES = {"random": 1 << 16, "heuristic": 1 << 10}
"""Games at a time, some hundredths of a second of them."""
ROWS = 4096
PLAYERS = 4
HEURISTIC = "whole games, heuristic"
ALONE = "batched steps, choosing untimed"
ZOO = "PettingZoo's parallel loop"
VECTOR = "vector environment with observations, choosing untimed"

MASKS = np.arange(1 << ACTIONS)[:, None] >> np.arange(ACTIONS) & 1
COUNT = MASKS.sum(axis=1).astype(np.uint32)
"""By which actions are legal: how many."""
LEGAL = np.argsort(1 - MASKS, axis=1, kind="stable").astype(np.uint8)
"""By which actions are legal: the legal ones, then the others."""


def any_legal(legal: NDArray[np.uint16], rng: np.random.Generator) -> NDArray[np.uint8]:
    """For each seat of each game one of its legal actions, by chance."""
    chance = rng.integers(0, 1 << 16, legal.shape, np.uint32)
    return np.asarray(LEGAL[legal, chance * COUNT[legal] >> 16])


def whole(game: str, policy: str = "random") -> Trial:
    """Many games at a time, of `4 players`; a turn of one seat is a decision."""
    players = int(game.split()[0])
    decisions = Rules.of(players).rounds * 3 * players
    return Trial(
        lambda: simulate(players, GAMES[policy], policy, seed=1, threads=1),
        lambda games: len(games) * decisions,
    )


def steps(game: str) -> Trial:
    """One step of every game at a time; NumPy chooses the actions."""
    batch, rng = Batch(int(game.split()[0]), ROWS, seed=1), np.random.default_rng(1)
    batch.reset()
    return Trial(
        lambda: batch.step(any_legal(batch.legal, rng)),
        lambda _: batch.legal.size,
    )


def steps_alone(game: str) -> Trial:
    """The same, with the actions chosen between the times that are taken."""
    batch, rng = Batch(int(game.split()[0]), ROWS, seed=1), np.random.default_rng(1)
    batch.reset()
    actions = any_legal(batch.legal, rng)

    def count(_: None) -> int:
        actions[:] = any_legal(batch.legal, rng)
        return actions.size

    return Trial(lambda: batch.step(actions), count)


def zoo(game: str) -> Trial:
    """A whole game at a time, as `bench.peers.pettingzoo` plays those of the framework."""
    env = parallel_env(int(game.split()[0]))
    env.reset(seed=1)

    def play() -> int:
        decisions = 0
        seen, _ = env.reset()
        while env.agents:
            decisions += len(env.agents)
            actions = {a: env.action_space(a).sample(seen[a]["action_mask"]) for a in env.agents}
            seen, *_ = env.step(actions)
        return decisions

    return Trial(play, lambda decisions: decisions)


def vector(game: str) -> Trial:
    """One step of every game at a time, every seat a row that is shown an observation."""
    players = int(game.split()[0])
    env = BatchEnv(ROWS * players, players, opponents=None, copy=False)
    seen, _ = env.reset(seed=1)
    rng, bits = np.random.default_rng(1), 1 << np.arange(ACTIONS, dtype=np.uint16)
    actions = any_legal(seen["action_mask"] @ bits, rng).astype(np.int64)

    def count(_: object) -> int:
        actions[:] = any_legal(seen["action_mask"] @ bits, rng)
        return actions.size

    return Trial(lambda: env.step(actions), count)


if __name__ == "__main__":
    tell("five211", WHOLE, [f"{players} players" for players in (2, 3, 4, 5)], whole)
    usual = [f"{PLAYERS} players"]
    tell("five211", HEURISTIC, usual, lambda game: whole(game, "heuristic"))
    tell("five211", STEPS, usual, steps)
    tell("five211", ALONE, usual, steps_alone)
    tell("five211", ZOO, ["2 players", *usual], zoo)
    tell("five211", VECTOR, ["2 players", *usual], vector)
