"""5211 as a vector environment of Gymnasium: thousands of games at once, on the compiled engine.

    env = BatchEnv(4096, players=2, opponents="heuristic")
    seen, infos = env.reset(seed=7)
    seen, rewards, terminations, truncations, infos = env.step(actions)

A row is a seat of a game. With `opponents`, compiled policies play the other seats, exactly as
`five211.fast.simulate` of the same seed has them play; without, every seat is a row of its own, the
rows of a game one after the other. A game that ends is dealt anew within the step (`SAME_STEP`):
what is seen belongs to the new game, rewards and `terminations` to the old. Nothing is ever
truncated, so no value has to be known of a last observation, and none is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from five211.env.encode import highest, layout
from five211.env.game import check_illegal
from five211.env.rewards import check_reward
from five211.errors import GameError
from five211.fast.batch import FIELDS, Answers, Batch
from five211.fast.policies import Policy
from five211.fast.view import ACTIONS, SINGLES
from five211.rules import Rules, Variant
from five211.view import check_seat

Observed: TypeAlias = dict[str, NDArray[Any]]
Floats: TypeAlias = NDArray[np.float64]


class BatchEnv(VectorEnv[Observed, NDArray[Any], NDArray[Any]]):
    """Many games of 5211, a turn of each a step.

    `opponents` is a compiled policy ("random", "greedy", "heuristic", "neural", or a function of
    your own, see docs/fast.md) for all other seats, or a list with one for each, in the order in
    which they sit after `seat`. With None, `num_envs` is a multiple of the players. With
    `copy=False` the observations that a step returns are overwritten by the next.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        opponents: Policy | Sequence[Policy] | None = "heuristic",
        seat: int = 0,
        variant: str = Variant.STANDARD,
        reward: str = "win",
        per_round: bool = False,
        illegal: str = "raise",
        copy: bool = True,
    ) -> None:
        rules = Rules.of(players, variant)
        check_reward(reward, per_round)
        self.illegal = check_illegal(illegal)
        seats = range(players) if opponents is None else range(check_seat(rules, seat), seat + 1)
        if type(num_envs) is not int or num_envs < 1 or num_envs % len(seats):
            raise GameError("num_envs", n=len(seats))
        games = num_envs // len(seats)
        self.num_envs, self.rules, self.copy = num_envs, rules, copy
        self._seats = seats
        self._batch = Batch(players, games, 0, variant)
        self._answers = (
            None if opponents is None else Answers(self._batch, _around(opponents, seat, players))
        )
        self._actions = np.zeros((games, players), np.uint8)
        self._order = np.array(
            [[(own + step) % players for step in range(players)] for own in seats]
        )
        self._reward, self._per_round = reward, per_round
        self._shares = _shares(players)
        self._totals = np.zeros((games, players), np.int64)
        self._resets = 0
        slots = {slot.name: slot for slot in layout(rules)}
        self._places = np.array([slots[name].start for name in FIELDS], np.uint64)
        self._hand, self._plays = slots["places"].slice, slots["plays"].start
        most = highest(rules)
        self._numbers = np.zeros((num_envs, len(most)), np.uint8)
        self._masks = np.zeros((num_envs, ACTIONS), np.int8)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal all games anew: the seed's first ones, or others that follow from the last seed."""
        if seed is not None:
            super().reset(seed=seed, options=options)
            self._batch.seed, self._resets = seed, 0
        elif not self._resets:
            self._batch.seed = int(self.np_random.integers(2**63))
        else:
            self._batch.seed = f"{self._batch.seed}+"
        self._resets += 1
        self._batch.reset()
        self._totals[:] = 0
        if self._answers is not None:
            self._answers.reset()
        return self._look(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observed, Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One turn of every game; nothing is played anywhere if one action cannot be."""
        given, batch = np.asarray(actions), self._batch
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise GameError("env_actions", n=self.num_envs)
        if self.illegal == "remap" and self._resets:
            given = self._remapped(given)
        own = self._actions[:, self._seats.start : self._seats.stop]
        own[:] = np.clip(given, -1, ACTIONS).reshape(own.shape)  # -1 is 255, and as illegal
        batch.step(self._actions)
        self._totals += batch.points
        done = batch.done.astype(np.bool_)
        rewards = self._rewards()[:, self._seats.start : self._seats.stop].reshape(-1)
        ended = np.repeat(done, len(self._seats))
        infos: dict[str, Any] = {}
        if done.any():
            points = self._totals[:, self._order].reshape(self.num_envs, self.rules.players)
            infos = {"points": points, "_points": ended.copy()}
            self._totals[done] = 0
        return self._look(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions each row has now, for masked PPO."""
        return self._masks.astype(np.bool_)

    def _look(self) -> Observed:
        """What every row sees; the opponents have chosen by then, and nobody sees what."""
        if self._answers is not None:
            self._answers.choose(self._actions)
        masks = self._masks.view(np.uint8)
        self._batch.write(self._seats, self._places, self._numbers, masks)
        seen = {"observation": self._numbers, "action_mask": self._masks}
        return {name: array.copy() for name, array in seen.items()} if self.copy else seen

    def _rewards(self) -> Floats:
        """What each seat of each game is paid (`five211.env.rewards`)."""
        batch, ended = self._batch, self._batch.done[:, None]
        if self._reward == "win":
            return self._shares[batch.winners] * ended
        points = batch.points if self._per_round else self._totals * ended
        if self._reward == "points":
            return points.astype(np.float64)
        total = points.sum(axis=1, keepdims=True)
        margin: Floats = points - (total - points) / (self.rules.players - 1)
        return margin

    def _remapped(self, given: NDArray[Any]) -> NDArray[Any]:
        """The actions, and for those that cannot be played others that can."""
        held = np.count_nonzero(self._numbers[:, self._hand], axis=1)
        single = self._numbers[:, self._plays] == 1
        last = np.where(single, held, ACTIONS)
        fine = (given >= np.where(single, 0, SINGLES)) & (given < last)
        which = np.remainder(given, self._masks.sum(axis=1))[:, None] + 1
        other = np.argmax(self._masks.cumsum(axis=1) == which, axis=1)
        return np.where(fine, given, other)


def _around(opponents: Policy | Sequence[Policy], seat: int, players: int) -> list[Policy | None]:
    """Who plays each seat: one policy for all others, or one each."""
    given: list[Policy] = [*opponents] if isinstance(opponents, list | tuple) else [opponents]  # type: ignore[list-item]
    if len(given) not in (1, players - 1):
        raise GameError("opponents_number", n=len(given), needed=players - 1)
    around: list[Policy | None] = [None, *given * ((players - 1) // len(given))]
    return [around[(place - seat) % players] for place in range(players)]


def _shares(players: int) -> Floats:
    """For each set of winners, a bit a seat, what the seats are paid for the victory."""
    table = np.zeros((1 << players, players))
    for winners in range(1, 1 << players):
        for seat in range(players):
            table[winners, seat] = (winners >> seat & 1) / winners.bit_count() - 1 / players
    return table
