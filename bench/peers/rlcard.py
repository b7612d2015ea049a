"""RLCard: whole games by its `env.run` with its `RandomAgent`."""

from __future__ import annotations

import rlcard
from rlcard.agents import RandomAgent

from bench.peers.clock import WHOLE, Trial, tell

GAMES = ("uno", "leduc-holdem", "limit-holdem", "gin-rummy", "bridge", "doudizhu")


def prepare(name: str) -> Trial:
    """One game at a time; the environment counts the actions itself."""
    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return Trial(play, lambda decisions: decisions)


if __name__ == "__main__":
    tell("rlcard", WHOLE, GAMES, prepare)
