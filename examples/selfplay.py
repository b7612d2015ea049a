"""Self-play in one short file, with NumPy alone: one policy plays every seat and learns from all.

    python examples/selfplay.py --updates 60          # a minute; prints its share against random

Every seat of every game is a row of `BatchEnv` (`opponents=None`), the rows of a game one after the
other. A choice is worth a sum of weights times what can be counted of its cards; after whole games
the weights move towards choices that led (REINFORCE). What was to be expected need not be taken
off: `margin` comes to 0 over the seats of a game, so its mean over all rows is 0 already.
"""

from __future__ import annotations

import argparse
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from five211.env import BatchEnv
from five211.env.encode import PLACES, layout
from five211.rules import Rules

Floats: TypeAlias = NDArray[np.float64]
COUNTED = 6
"""What is counted of a card, in each of a round's turns."""


class Policy:
    """A weight for each thing that is counted, in each turn of a round."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.slots = rules, {slot.name: slot for slot in layout(rules)}
        self.weights = np.zeros(len(rules.plays) * COUNTED)
        self.cards = np.zeros((len(PLACES), rules.hand))  # which places each action plays
        for action, places in enumerate(PLACES):
            self.cards[action, list(places)] = 1

    def features(self, seen: dict[str, NDArray[np.uint8]]) -> Floats:
        """What is counted of each action, rows x actions x features."""
        rules, told = self.rules, seen["observation"].astype(float)
        field = {n: told[:, s.slice].reshape(-1, *s.shape) for n, s in self.slots.items()}
        kinds = np.maximum(field["places"].astype(int) - 1, 0)
        colors, values = np.divmod(kinds, len(rules.copies))
        held = field["hand"].reshape(len(told), len(rules.colors), -1).sum(2)
        on_table, held, own = (
            np.take_along_axis(counts, colors, 1)
            for counts in (field["tally"], held, field["laid"][:, 0])
        )
        near = on_table >= rules.limit - 1
        each = np.stack([values / 5, values == 0, on_table / 4, near, held / 2, own / 2], 2)
        actions = np.einsum("ap,rpf->raf", self.cards, each)
        turns = np.eye(len(rules.plays))[field["turn"].astype(int)]
        by_turn: Floats = np.einsum("rt,raf->ratf", turns, actions)
        return by_turn.reshape(*actions.shape[:2], -1)

    def shares(self, features: Floats, mask: NDArray[np.int8]) -> Floats:
        """How likely each action is."""
        worth = np.where(mask == 1, features @ self.weights, -np.inf)
        likely: Floats = np.exp(worth - worth.max(1, keepdims=True))
        shares: Floats = likely / likely.sum(1, keepdims=True)
        return shares


def improve(policy: Policy, env: BatchEnv, rng: np.random.Generator, rate: float) -> None:
    """Play each game once, all seats by the same policy, and learn from how far each row led."""
    seen, _ = env.reset(seed=int(rng.integers(2**31)))
    towards, paid = np.zeros((env.num_envs, len(policy.weights))), np.zeros(env.num_envs)
    ended = np.zeros(env.num_envs, bool)
    while not ended.all():  # in the standard game all games have as many turns, and end together
        features = policy.features(seen)
        likely = policy.shares(features, seen["action_mask"])
        actions = (
            (likely.cumsum(1) < rng.random((len(likely), 1))).sum(1).clip(max=likely.shape[1] - 1)
        )
        chosen = features[np.arange(len(actions)), actions]
        towards += chosen - np.einsum("ra,raf->rf", likely, features)
        seen, rewards, ended, _, _ = env.step(actions)
        paid += rewards
    policy.weights += rate * (paid[:, None] * towards).mean(0) / (paid.std() + 1e-9)


def share(policy: Policy, players: int, opponents: str, games: int, seed: int) -> float:
    """Its share of the victories if it plays what it likes best."""
    env = BatchEnv(games, players, opponents=opponents)
    seen, _ = env.reset(seed=seed)
    ended = np.zeros(games, bool)
    while not ended.all():
        actions = policy.shares(policy.features(seen), seen["action_mask"]).argmax(1)
        seen, rewards, ended, _, _ = env.step(actions)
    return float((rewards + 1 / players).mean())


def check(games: int, updates: int, rate: float, seed: int) -> None:
    """Refuse, in a sentence, what makes no run; the environment refuses the rest."""
    for name, value, fine, asked in (
        ("games", games, games > 0, "more than 0"),
        ("updates", updates, updates >= 0, "0 or more"),
        ("rate", rate, 0 < rate < inf, "more than 0"),
        ("seed", seed, seed >= 0, "0 or more"),
    ):
        if not fine:
            raise ValueError(f"{name} must be {asked}, not {value}.")


def main(arguments: list[str] | None = None) -> Policy:
    """The command."""
    parser = argparse.ArgumentParser(description="Self-play on BatchEnv, with NumPy alone.")
    parser.add_argument("--players", type=int, default=2, help="2 to 5; default: %(default)s")
    parser.add_argument(
        "--updates", type=int, default=60, help="games of each row; default: %(default)s"
    )
    parser.add_argument(
        "--games", type=int, default=1024, help="side by side; default: %(default)s"
    )
    parser.add_argument(
        "--rate", type=float, default=0.05, help="of learning; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, help="of everything; default: %(default)s")
    asked = parser.parse_args(arguments)
    try:
        check(asked.games, asked.updates, asked.rate, asked.seed)
        env = BatchEnv(asked.games * asked.players, asked.players, opponents=None, reward="margin")
    except ValueError as error:  # which errors of the game are, too
        parser.error(str(error))
    policy, rng = Policy(env.rules), np.random.default_rng(asked.seed)
    for update in range(asked.updates + 1):
        if update % 20 == 0 or update == asked.updates:
            found = [share(policy, asked.players, one, 2000, 5) for one in ("random", "heuristic")]
            print(
                f"update {update}: {found[0]:.1%} against random, {found[1]:.1%} against heuristic"
            )
        if update < asked.updates:
            improve(policy, env, rng, asked.rate)
    return policy


if __name__ == "__main__":
    main()
