"""5211 in PettingZoo: everybody chooses at once, so the game is a `ParallelEnv`.

    env = parallel_env(players=4)
    seen, infos = env.reset(seed=7)
    while env.agents:
        actions = {a: env.action_space(a).sample(seen[a]["action_mask"]) for a in env.agents}
        seen, rewards, terminations, truncations, infos = env.step(actions)

`env()` is the same as an `AECEnv`, by PettingZoo's own conversion: what the first agents of a turn
chose stays face down until the last has chosen. The framework's testers ignore masks; for those,
`illegal="remap"` plays another card instead of refusing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.conversions import parallel_to_aec

from five211.editions import check_language
from five211.env.encode import Numbers, highest, observation
from five211.env.game import Game
from five211.env.scene import RENDER_MODES, render
from five211.errors import GameError
from five211.fast.view import ACTIONS
from five211.texts import DEFAULT_LANGUAGE

NAME = "five211_v0"
Observed: TypeAlias = dict[str, NDArray[Any]]


class ParallelEnv(pettingzoo.ParallelEnv[str, Observed, int]):
    """A game of 5211 whose seats are the agents `seat_0`, `seat_1` ...

    `players` and `variant` ("standard", "long") say which game, `edition` how it is drawn; `reward`
    and `per_round` what is paid (`five211.env.rewards`). With `perfect_recall` agents see
    information states, not observations (`five211.env.encode`). `illegal` says what becomes of
    an action that cannot be played: "raise" an error, or "remap" it to one that can. `render_mode`
    is one of human, ansi, rgb_array and svg; it shows every hand.
    """

    metadata = {  # noqa: RUF012 - the framework's own way
        "name": NAME,
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 4,
        *,
        render_mode: str | None = None,
        language: str = DEFAULT_LANGUAGE,
        **options: Any,
    ) -> None:
        self.game = Game(players, render_mode=render_mode, **options)
        self.render_mode, self.language = render_mode, check_language(language)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        rules, most = self.game.rules, self.game.highest
        self._seen = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        each = np.tile(highest(rules), players)
        self.state_space = spaces.Box(np.zeros_like(each), each, dtype=np.uint8)

    def observation_space(self, agent: str) -> spaces.Dict:
        """An observation's numbers and the action mask."""
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The fifteen actions."""
        return self._actions[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - the framework's signature
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Deal a new game: the seed's first, or the next one of the last seed."""
        self.game.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observed],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """One turn: everybody's action at once."""
        agents, game = self.agents, self.game
        if not agents:
            raise GameError("batch_reset")
        if actions.keys() != {*agents}:
            raise GameError("env_agents", agents=tuple(agents))
        paid = game.play([game.choice(seat, actions[a]) for seat, a in enumerate(agents)])
        over = game.match.over
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observed(),
            dict(zip(agents, paid, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _observed(self) -> dict[str, Observed]:
        return {a: self.game.observed(seat) for seat, a in enumerate(self.possible_agents)}

    def state(self) -> Numbers:
        """Every seat's observation, one after the other: for training that may know all hands."""
        return np.concatenate([observation(view) for view in self.game.views])

    def render(self) -> Any:
        """The table and every hand, as `render_mode` says."""
        game = self.game
        return render(
            self.render_mode, game.views, self.possible_agents, self.language, game.edition
        )

    def close(self) -> None:
        """Nothing is open."""


def parallel_env(players: int = 4, **options: Any) -> ParallelEnv:
    """5211 as a `ParallelEnv`; the options are those of the class."""
    return ParallelEnv(players, **options)


def raw_env(players: int = 4, **options: Any) -> Any:
    """5211 as an `AECEnv`, by the framework's own conversion."""
    return parallel_to_aec(ParallelEnv(players, **options))


def env(players: int = 4, **options: Any) -> Any:
    """The same: the conversion has the framework's checks of order around it already."""
    return raw_env(players, **options)
