"""5211 in PettingZoo: everybody chooses at once, so the game is a `ParallelEnv`.

    env = parallel_env(players=4)
    seen, infos = env.reset(seed=7)
    while env.agents:
        actions = {a: env.action_space(a).sample(seen[a]["action_mask"]) for a in env.agents}
        seen, rewards, terminations, truncations, infos = env.step(actions)

`env()` is the same as an `AECEnv`, by PettingZoo's own conversion: what the first agents of a turn
chose stays face down until the last has chosen, but is looked at when it is chosen. The framework's
testers ignore masks; for those, `illegal="remap"` plays another card instead of refusing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from five211.env.encode import Numbers, highest, observation
from five211.env.extras import extra
from five211.env.game import Game, Options
from five211.env.given import given
from five211.env.scene import RENDER_MODES
from five211.errors import GameError

with extra("pettingzoo"):
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo.utils.conversions import parallel_to_aec_wrapper
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from five211.env.spaces import action_space, numbers_space, seen_space

NAME = "five211_v0"
Observed: TypeAlias = dict[str, NDArray[Any]]


class ParallelEnv(pettingzoo.ParallelEnv[str, Observed, int]):
    """A game of 5211 whose seats are the agents `seat_0`, `seat_1` ...

    `players` and `variant` ("standard", "long") say which game, `edition` and `language` how it is
    drawn; `reward` and `per_round` what is paid (`five211.env.rewards`). With `perfect_recall`
    agents see information states, not observations (`five211.env.encode`). `illegal` says what
    becomes of an action that cannot be played: "raise" an error, or "remap" it to one that can.
    `render_mode` is one of human, ansi, rgb_array and svg; it shows every hand.
    """

    metadata = {  # noqa: RUF012 - the framework's own way
        "name": NAME,
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(self, players: int = 4, **options: Unpack[Options]) -> None:
        self.game = Game(players, options)
        self.render_mode = self.game.render_mode
        self.possible_agents = self.game.agents[:]
        self.agents: list[str] = []
        self._seen = {agent: seen_space(self.game.highest) for agent in self.possible_agents}
        self._names = {*self.possible_agents}
        self._actions = {agent: action_space() for agent in self.possible_agents}
        self.state_space = numbers_space(np.tile(highest(self.game.rules), self.game.rules.players))

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
        if self.render_mode == "human":
            self.render()
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
            game.check()
        if not isinstance(actions, Mapping) or actions.keys() != self._names:
            raise GameError("env_agents", agents=tuple(agents), given=given(actions))
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
        return self.game.render(range(len(self.possible_agents)))

    def close(self) -> None:
        """Nothing is open."""


def parallel_env(players: int = 4, **options: Unpack[Options]) -> ParallelEnv:
    """5211 as a `ParallelEnv`.

    The options are variant, reward, per_round, perfect_recall, illegal, render_mode, language and
    edition, which `ParallelEnv` tells of.
    """
    return ParallelEnv(players, **options)


class TurnByTurn(parallel_to_aec_wrapper[str, Observed, int]):
    """The framework's own conversion, which would look at actions when the last has chosen."""

    def step(self, action: Any) -> None:
        """The agent's action, refused at once if it is none: then nothing has changed."""
        agent = self.agent_selection
        if not self.terminations[agent]:
            action = self.env.game.action(self.possible_agents.index(agent), action)
        elif action is not None:
            raise GameError("env_dead", agent=agent)
        super().step(action)


def raw_env(players: int = 4, **options: Unpack[Options]) -> TurnByTurn:
    """5211 as an `AECEnv` with nothing around it; the options are those of `parallel_env`."""
    return TurnByTurn(ParallelEnv(players, **options))


def env(players: int = 4, **options: Unpack[Options]) -> Any:
    """The same with the framework's checks of order around it."""
    return OrderEnforcingWrapper(raw_env(players, **options))
