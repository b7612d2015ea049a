"""The game as OpenSpiel knows it: its parameters, its type, its bounds.

`players` 2 to 5; `variant` "standard" or "long"; `reward` "win" (the share of the victory less
1/players, at the end), "points" or "margin" (each round's, as it ends); `max_deals` of the longer
game, after which the leader wins, because OpenSpiel's games have to end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pyspiel

from five211.env.encode import MOST
from five211.env.game import rules_of
from five211.env.given import check_known, given, plain
from five211.env.openspiel.course import Setup, setup_of
from five211.env.openspiel.observer import Five211Observer
from five211.env.openspiel.state import Five211State
from five211.env.rewards import check_reward
from five211.errors import GameError
from five211.fast.view import ACTIONS
from five211.rules import ASIDE, TINY, Rules, Variant

NAME: Final = "python_five211"
MINI_NAME: Final = "python_five211_mini"
PARAMETERS: Final[Mapping[str, Any]] = {
    "players": 2,
    "variant": str(Variant.STANDARD),
    "reward": "win",
    "max_deals": 12,
}
MINI_PARAMETERS: Final[Mapping[str, Any]] = {"reward": "win"}


def filled_in(defaults: Mapping[str, Any], params: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters, those that are not given as they usually are."""
    check_known(params or {}, defaults)
    return {**defaults, **{name: plain(value) for name, value in (params or {}).items()}}


def game_type(name: str, told: str, reward: str, parameters: Mapping[str, Any]) -> pyspiel.GameType:
    """What kind of game it is with this reward."""
    kind = pyspiel.GameType
    mini = name == MINI_NAME
    return kind(
        short_name=name,
        long_name=told,
        dynamics=kind.Dynamics.SIMULTANEOUS,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if reward == "points" else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL if reward == "win" else kind.RewardModel.REWARDS,
        max_num_players=TINY.players if mini else max(ASIDE),
        min_num_players=TINY.players if mini else min(ASIDE),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(parameters),
    )


def most_points(rules: Rules) -> int:
    """More points than this no seat can have at the end: its best cards of a whole deal.

    In the longer game, which ends with the round that reaches its goal (rule 6.1), it has fewer.
    """
    values = sorted([one.value for one in rules.deck], reverse=True)
    return sum(values[: sum(rules.plays) * rules.rounds])


def game_info(setup: Setup) -> pyspiel.GameInfo:
    """How long it can be, and what it can bring."""
    rules, most = setup.rules, float(most_points(setup.rules))
    low, high = {
        "win": (-1 / rules.players, 1 - 1 / rules.players),
        "points": (0.0, most),
        "margin": (-most, most),
    }[setup.reward]
    return pyspiel.GameInfo(
        num_distinct_actions=ACTIONS if max(rules.plays) > 1 else rules.hand,
        max_chance_outcomes=len(setup.kinds),
        num_players=rules.players,
        min_utility=low,
        max_utility=high,
        utility_sum=None if setup.reward == "points" else 0.0,
        max_game_length=setup.max_deals * rules.rounds * len(rules.plays),
    )


class Five211Game(pyspiel.Game):
    """5211, from which states and observers are made."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        asked = filled_in(PARAMETERS, params)
        rules = rules_of(asked["players"], asked["variant"])
        deals = asked["max_deals"]
        if type(deals) is not int or not 1 <= deals <= MOST:
            raise GameError("max_deals", most=MOST, given=given(deals))
        if rules.goal is None and deals != PARAMETERS["max_deals"]:
            raise GameError("env_deals_standard", given=deals)
        told = f"5211 ({rules.variant})"
        self._begin(NAME, told, rules, asked, deals if rules.goal else 1, PARAMETERS)

    def _begin(
        self,
        name: str,
        told: str,
        rules: Rules,
        asked: Mapping[str, Any],
        deals: int,
        parameters: Mapping[str, Any],
    ) -> None:
        reward = asked["reward"]
        check_reward(reward, per_round=reward != "win")
        self.setup = setup_of(rules, reward, deals)
        kind = game_type(name, told, reward, parameters)
        super().__init__(kind, game_info(self.setup), dict(asked))

    def new_initial_state(self) -> Five211State:
        """A game in which nothing is dealt yet."""
        return Five211State(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every card that is dealt in the longest game."""
        rules = self.setup.rules
        return self.setup.max_deals * (len(rules.deck) - rules.aside)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Five211Observer:
        """What sees of a state as much as is asked for."""
        return Five211Observer(self.setup, iig_obs_type, params)


class MiniGame(Five211Game):
    """The same code with the rules of `TINY`, small enough to solve."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        asked = filled_in(MINI_PARAMETERS, params)
        self._begin(MINI_NAME, "Mini-5211", TINY, asked, 1, MINI_PARAMETERS)


pyspiel.register_game(game_type(NAME, "5211", PARAMETERS["reward"], PARAMETERS), Five211Game)
pyspiel.register_game(
    game_type(MINI_NAME, "Mini-5211", MINI_PARAMETERS["reward"], MINI_PARAMETERS), MiniGame
)
