"""5211 in Gymnasium: one seat, against bots of one's choice.

    import gymnasium, five211.env.gymnasium
    env = gymnasium.make("five211/Seat-v0", players=3, bots=["heuristic", "greedy"])

The bots are those of `five211.bots`, by name or level, one for all other seats or one for each in
the order in which they sit after one's own. `action_masks()` is what masked PPO asks for. Whoever
wants thousands of games at once takes `five211.env.vector`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from five211.bots import Bot, checked_bot, make
from five211.chance import stream
from five211.editions import check_language
from five211.env.game import Game
from five211.env.scene import RENDER_MODES, render
from five211.errors import GameError
from five211.fast.view import ACTIONS
from five211.texts import DEFAULT_LANGUAGE
from five211.view import check_seat

ID = "five211/Seat-v0"
Observed: TypeAlias = dict[str, Any]


class SeatEnv(gymnasium.Env[Observed, np.int64]):
    """A seat in a game of 5211; a step is a turn, in which the bots choose, too.

    The other options are those of the PettingZoo environment: variant, edition, reward, per_round,
    illegal, perfect_recall. A rendering shows what the seat may see.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        *,
        bots: str | Bot | Sequence[str | Bot] = "heuristic",
        seat: int = 0,
        render_mode: str | None = None,
        language: str = DEFAULT_LANGUAGE,
        **options: Any,
    ) -> None:
        self.game = Game(players, render_mode=render_mode, **options)
        self.seat = check_seat(self.game.rules, seat)
        self.render_mode, self.language = render_mode, check_language(language)
        self.bots = _seated(bots, players - 1)
        self._rngs = [stream(0)]
        most = self.game.highest
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal a new game: the seed's first, or the next one of the last seed."""
        game = self.game
        if seed is not None:
            super().reset(seed=seed, options=options)
        game.reset(seed if seed is not None or game.seed is not None else self._fresh())
        assert game.seed is not None
        self._rngs = [stream(game.seed, "bot", game.number, s) for s in range(game.rules.players)]
        return game.observed(self.seat), {}

    def _fresh(self) -> int:
        """A seed for somebody who gave none, from the generator that Gymnasium seeds by itself."""
        return int(self.np_random.integers(2**63))

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Play one turn, everybody at once."""
        game, own = self.game, self.seat
        if not game.views:
            raise GameError("batch_reset")
        choices = [game.choice(own, action)]
        for step, bot in enumerate(self.bots, start=1):
            seat = (own + step) % game.rules.players
            choices.append(bot.choose(game.views[seat], self._rngs[seat]))
        shift = -own % game.rules.players
        paid = game.play(choices[shift:] + choices[:shift])
        over = game.match.over
        if self.render_mode == "human":
            self.render()
        info = {"points": np.array(game.views[own].points)} if over else {}
        return game.observed(own), paid[own], over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are now, for masked PPO."""
        return self.game.observed(self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The table and one's own hand, as `render_mode` says."""
        game, names = self.game, [f"seat_{seat}" for seat in range(self.game.rules.players)]
        return render(self.render_mode, [game.views[self.seat]], names, self.language, game.edition)


def _seated(bots: str | Bot | Sequence[str | Bot], others: int) -> list[Bot]:
    """A bot for each of the others: one for all, or one each."""
    given = list(bots) if isinstance(bots, list | tuple) else [bots]
    if len(given) not in (1, others):
        raise GameError("opponents_number", n=len(given), needed=others)
    found = [
        make(bot) if isinstance(bot, str) else checked_bot(bot, type(bot).__name__) for bot in given
    ]
    return found * (others // len(found))


gymnasium.register(
    ID, "five211.env.gymnasium:SeatEnv", vector_entry_point="five211.env.vector:BatchEnv"
)
