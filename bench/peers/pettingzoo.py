"""PettingZoo: whole games of its classic card games, by the loop of its documentation.

Older versions had gin_rummy, too; this one has not.
"""

from __future__ import annotations

from importlib import import_module

from bench.peers.clock import WHOLE, Trial, tell

GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5")


def prepare(name: str) -> Trial:
    """One game at a time; what an agent does after its end is no decision."""
    env = import_module(f"pettingzoo.classic.{name}").env()

    def play() -> int:
        decisions = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                action = None
            else:
                action = env.action_space(agent).sample(observation["action_mask"])
                decisions += 1
            env.step(action)
        return decisions

    return Trial(play, lambda decisions: decisions)


if __name__ == "__main__":
    tell("pettingzoo", WHOLE, GAMES, prepare)
