"""5211 in Gymnasium: one seat, against bots of one's choice.

    import gymnasium, five211.env.gymnasium
    env = gymnasium.make("five211/Seat-v0", players=3, opponents=["heuristic", "greedy"])

Opponents are the bots of `five211.bots`, by name or level, or bots of one's own; one for all other
seats, or one for each in the order in which they sit after one's own. `action_masks()` is what
masked PPO asks for. Whoever wants thousands of games at once takes `five211.env.vector`, which is
`five211/Batch-v0` here:

    env = gymnasium.make_vec("five211/Batch-v0", 4096, players=2, opponents="heuristic")
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from five211.chance import stream
from five211.env.extras import extra
from five211.env.game import Game, Options, check_place, check_seed
from five211.env.opponents import Opponent, each
from five211.env.scene import RENDER_MODES
from five211.errors import GameError, shown

with extra("gymnasium"):
    import gymnasium

    from five211.env.spaces import action_space, seen_space

ID, BATCH_ID = "five211/Seat-v0", "five211/Batch-v0"
Observed: TypeAlias = dict[str, Any]


class SeatEnv(gymnasium.Env[Observed, np.int64]):
    """A seat in a game of 5211; a step is a turn, in which the opponents choose, too.

    The other options are those of the PettingZoo environment: variant, reward, per_round,
    perfect_recall, illegal, render_mode, language and edition (`five211.env.game.OPTIONS`). A
    rendering shows what the seat may see.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        *,
        opponents: Opponent | Sequence[Opponent] = "heuristic",
        seat: int = 0,
        **options: Unpack[Options],
    ) -> None:
        self.game = Game(players, options, ("players", "opponents", "seat"))
        self.render_mode = self.game.render_mode
        self.seat = check_place(self.game.rules, seat)
        self.opponents = each(opponents, self.game.rules.players - 1)
        self._rngs: list[Random] = []
        self.observation_space = seen_space(self.game.highest)
        self.action_space = action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal a new game: the seed's first, or the next one of the last seed."""
        game, seed = self.game, check_seed(seed)
        if seed is not None:
            super().reset(seed=seed, options=options)
        game.reset(seed if seed is not None or game.seed is not None else self._fresh())
        assert game.seed is not None
        self._rngs = [stream(game.seed, "bot", game.number, s) for s in range(game.rules.players)]
        if self.render_mode == "human":
            self.render()
        return game.observed(self.seat), {}

    def _fresh(self) -> int:
        """A seed for somebody who gave none, from the generator that Gymnasium seeds by itself."""
        return int(self.np_random.integers(2**63))

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Play one turn, everybody at once."""
        game, own = self.game, self.seat
        choices = [game.choice(own, action)]
        for step, bot in enumerate(self.opponents, start=1):
            seat = (own + step) % game.rules.players
            choices.append(bot.choose(game.views[seat], self._rngs[seat]))
        shift = -own % game.rules.players
        paid = game.play(choices[shift:] + choices[:shift])
        over = game.match.over
        if self.render_mode == "human":
            self.render()
        info = {"points": np.roll(game.views[own].points, -own)} if over else {}
        return game.observed(own), paid[own], over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are now, as booleans, for masked PPO; spaces want the mask itself."""
        return self.game.observed(self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The table and one's own hand, as `render_mode` says."""
        return self.game.render([self.seat])


def not_one(**_options: Any) -> Any:
    """What `gymnasium.make` would make of the environment of many games."""
    raise GameError("env_make", id=shown(BATCH_ID), other=ID)


gymnasium.register(ID, "five211.env.gymnasium:SeatEnv")
gymnasium.register(
    BATCH_ID, "five211.env.gymnasium:not_one", vector_entry_point="five211.env.vector:BatchEnv"
)
