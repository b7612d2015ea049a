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
from numpy.typing import NDArray

from five211.env.encode import highest, layout, no_action, seat_name
from five211.env.extras import extra
from five211.env.game import check_illegal, check_place, check_seed, rules_of
from five211.env.given import check_flag, check_known, given, whole
from five211.env.opponents import one_each
from five211.env.rewards import check_reward
from five211.errors import GameError, shown
from five211.fast.batch import FIELDS, Answers, Batch
from five211.fast.policies import Policy
from five211.fast.view import ACTIONS, SINGLES
from five211.rules import Variant

with extra("gymnasium"):
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from five211.env.spaces import action_space, seen_space

Observed: TypeAlias = dict[str, NDArray[Any]]
Floats: TypeAlias = NDArray[np.float64]
KEPT = {"_batch": ("seed", "_dealt", "_memory", "buffers"), "_answers": ("_begun", "_streams")}
"""What a copy takes over of the compiled engine; the rest is made anew."""


OPTIONS = (
    "num_envs", "players", "opponents", "seat", "variant", "reward", "per_round", "illegal", "copy",
)  # fmt: skip
"""What can be asked of it, for whoever asks for something else."""


class BatchEnv(VectorEnv[Observed, NDArray[Any], NDArray[Any]]):
    """Many games of 5211, a turn of each a step.

    `opponents` is a compiled policy ("random", "greedy", "hasty", "heuristic", "neural", a level
    such as "easy", or a function of your own, see docs/fast.md) for all other seats, or a list with
    one for each, in the order in which they sit after `seat`. With None, `num_envs` is a
    multiple of the players. With `copy=False` the observations that a step returns are
    overwritten by the next.
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
        **unknown: Any,
    ) -> None:
        check_known(unknown, OPTIONS)
        rules = rules_of(players, variant)
        players = rules.players
        check_reward(reward, per_round)
        self.illegal = check_illegal(illegal)
        seat = check_place(rules, seat)
        if opponents is None and seat:
            raise GameError("env_seat_of_all", seat=seat)
        own = range(seat, seat + 1)
        self._seats = seats = range(players) if opponents is None else own
        self.num_envs = _rows(num_envs, len(seats))
        self.rules, self.copy = rules, check_flag("copy", copy)
        games = self.num_envs // len(seats)
        self._policies = None if opponents is None else _around(opponents, seat, players)
        self._compile()
        self._actions = np.zeros((games, players), np.uint8)
        self._order = np.array(
            [[(own + step) % players for step in range(players)] for own in seats]
        )
        self._reward, self._per_round = reward, per_round
        self._shares = _shares(players)
        self._totals = np.zeros((games, players), np.int64)
        self._seed, self._resets = 0, -1
        self._begun = False
        slots = {slot.name: slot for slot in layout(rules)}
        self._places = np.array([slots[name].start for name in FIELDS], np.uint64)
        self._hand, self._plays = slots["places"].slice, slots["plays"].start
        most = highest(rules)
        self._numbers = np.zeros((self.num_envs, len(most)), np.uint8)
        self._masks = np.zeros((self.num_envs, ACTIONS), np.int8)
        self.single_observation_space = seen_space(most)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _compile(self) -> None:
        """Find the machine code of these games and of those who play them."""
        rules, rows = self.rules, self.num_envs
        self._batch = Batch(rules.players, rows // len(self._seats), 0, rules.variant)
        who = self._policies
        self._answers = None if who is None else Answers(self._batch, who)

    def __getstate__(self) -> dict[str, Any]:
        """All but machine code, which has no place but in this process: for copies and pickles."""
        kept = vars(self).copy()
        for part, names in KEPT.items():
            held = kept[part]
            kept[part] = {} if held is None else {name: getattr(held, name) for name in names}
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        parts = {part: kept.pop(part) for part in KEPT}
        vars(self).update(kept)
        self._compile()
        for part, values in parts.items():
            for name, value in values.items():
                setattr(getattr(self, part), name, value)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal all games anew: the seed's first ones, or others that follow from the last seed."""
        seed = check_seed(seed)
        if seed is not None:
            super().reset(seed=seed, options=options)
        elif self._resets < 0:
            seed = int(self.np_random.integers(2**63))
        if seed is None:
            self._resets += 1
        else:
            self._seed, self._resets = seed, 0
        self._batch.seed = f"{self._seed}+{self._resets}" if self._resets else self._seed
        self._batch.reset()
        self._totals[:] = 0
        if self._answers is not None:
            self._answers.reset()
        return self._look(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observed, Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One turn of every game; nothing is played anywhere if one action cannot be."""
        self._check()
        batch, chosen = self._batch, self._checked(actions)
        if self.illegal == "remap":
            chosen = self._remapped(chosen)
        own = self._actions[:, self._seats.start : self._seats.stop]
        own[:] = np.clip(chosen, -1, ACTIONS).reshape(own.shape)  # -1 is 255, and as illegal
        try:
            batch.step(self._actions)
        except GameError as error:  # it counts games and seats, whoever steps counts rows
            row = error.fields["game"] * len(self._seats)
            row += error.fields["seat"] - 1 - self._seats.start
            legal = self._masks[row].nonzero()[0].tolist()
            raise no_action(f"row {row}", chosen[row], legal) from None
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
        """Which actions each row has now, as booleans; `sample` wants the mask itself."""
        self._check()
        return self._masks.astype(np.bool_)

    def _check(self) -> None:
        """Refuse to go on with games that have not begun, or cannot go on."""
        if not self._begun:
            raise GameError("env_reset")

    def _checked(self, actions: Any) -> NDArray[Any]:
        """The actions as an array, or an error if they are none."""
        try:
            found = np.asarray(actions)
        except ValueError:  # rows of several lengths
            found = np.zeros(0)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise GameError("env_actions", n=self.num_envs, given=given(actions))
        return found

    def _look(self) -> Observed:
        """What every row sees; the opponents have chosen by then, and nobody sees what.

        If one of them fails, the games cannot go on.
        """
        self._begun = False
        if self._answers is not None:
            try:
                self._answers.choose(self._actions)
            except GameError as error:
                raise self._failed(error.fields["seat"] - 1) from None
        masks = self._masks.view(np.uint8)
        self._batch.write(self._seats, self._places, self._numbers, masks)
        self._begun = True
        seen = {"observation": self._numbers, "action_mask": self._masks}
        return {name: array.copy() for name, array in seen.items()} if self.copy else seen

    def _failed(self, seat: int) -> GameError:
        """What to say of an opponent that did what it cannot."""
        assert self._policies is not None
        policy = self._policies[seat]
        name = policy if isinstance(policy, str) else getattr(policy, "__name__", given(policy))
        return GameError("env_policy", name=shown(name), who=seat_name(seat))

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

    def _remapped(self, chosen: NDArray[Any]) -> NDArray[Any]:
        """The actions, and for those that cannot be played others that can."""
        held = np.count_nonzero(self._numbers[:, self._hand], axis=1)
        single = self._numbers[:, self._plays] == 1
        last = np.where(single, held, ACTIONS)
        fine = (chosen >= np.where(single, 0, SINGLES)) & (chosen < last)
        which = np.remainder(chosen, self._masks.sum(axis=1))[:, None] + 1
        other = np.argmax(self._masks.cumsum(axis=1) == which, axis=1)
        return np.where(fine, chosen, other)


def _rows(num_envs: Any, seats: int) -> int:
    """The number of rows, or an error if the games do not fill it."""
    if not whole(num_envs) or num_envs < 1 or num_envs % seats:
        raise GameError("num_envs", n=seats, given=given(num_envs))
    return int(num_envs)


def _around(opponents: Policy | Sequence[Policy], seat: int, players: int) -> list[Policy | None]:
    """Who plays each seat: one policy for all others, or one each."""
    listed: list[Policy] = one_each(opponents, players - 1)
    for one in listed:
        if not (isinstance(one, str) or callable(one)):
            raise GameError("env_opponent", given=given(one))
    around: list[Policy | None] = [None, *listed]
    return [around[(place - seat) % players] for place in range(players)]


def _shares(players: int) -> Floats:
    """For each set of winners, a bit a seat, what the seats are paid for the victory."""
    table = np.zeros((1 << players, players))
    for winners in range(1, 1 << players):
        for seat in range(players):
            table[winners, seat] = (winners >> seat & 1) / winners.bit_count() - 1 / players
    return table
