"""The PettingZoo environment: the framework's own tests, and the core's games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.env import AECEnv

from five211 import GameError, Rules, stream
from five211.env import env, parallel_env, raw_env
from five211.env.encode import information_state, observation
from five211.simulate import play_match
from tests.env.games import CASES, GAMES, PAYS, Core, any_number, priced, seeded_decks

# The framework has observations with a mask itself, and then warns of them.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


@pytest.mark.parametrize(("players", "variant"), CASES)
def test_the_frameworks_own_tests(players: int, variant: str) -> None:
    def parallel() -> Any:
        return parallel_env(players=players, variant=variant, illegal="remap")

    def turns() -> Any:
        return env(players=players, variant=variant, illegal="remap")

    parallel_api_test(parallel_env(players=players, variant=variant), 200)
    parallel_seed_test(parallel, 60)
    api_test(env(players=players, variant=variant), 60)
    seed_test(turns, 60)
    state_test(turns(), parallel())


@pytest.mark.parametrize("edition", ["classic", "azul"])
def test_the_frameworks_rendering_test(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda render_mode: env(3, edition=edition, render_mode=render_mode),
        {"svg": lambda drawn: drawn.startswith("<svg"), "ansi": lambda said: "seat_2" in said},
    )
    assert "Round 1 of 7, turn 1 of 3. Draw pile: 72. Limit: 6." in capsys.readouterr().out


@pytest.mark.parametrize(("players", "variant"), CASES)
def test_it_plays_and_pays_what_the_core_does(players: int, variant: str) -> None:
    rules, rng = Rules.of(players, variant), stream(players, variant)
    reward, per_round = "win", False
    for game in range(GAMES):
        reward, per_round = PAYS[game % len(PAYS)]
        zoo = parallel_env(players, variant=variant, reward=reward, per_round=per_round)
        seen, _ = zoo.reset(seed=game)
        core = Core(rules, seeded_decks(rules, game, 0))
        while zoo.agents:
            numbers = [any_number(rng, core.choices(seat)) for seat in range(players)]
            actions = {}
            for agent, number in zip(zoo.agents, numbers, strict=True):
                actions[agent] = np.flatnonzero(seen[agent]["action_mask"])[number]
            agents = zoo.agents
            seen, paid, ended, cut, _ = zoo.step(actions)
            gained = core.play(numbers)
            assert [paid[agent] for agent in agents] == pytest.approx(
                priced(core, gained, reward, per_round)
            )
            assert set(ended.values()) == {core.match.over}
            assert not any(cut.values())
            if reward != "points":
                assert sum(paid.values()) == pytest.approx(0)
        assert zoo.game.match == core.match


def test_the_games_of_a_seed_are_those_of_the_simulation() -> None:
    class First:
        def choose(self, view: Any, _rng: Any) -> Any:
            return view.choices[0]

    zoo, rules = parallel_env(3), Rules.of(3)
    for game in range(3):
        seen, _ = zoo.reset(seed=5 if game == 0 else None)
        while zoo.agents:
            actions = {a: int(seen[a]["action_mask"].argmax()) for a in zoo.agents}
            seen, *_ = zoo.step(actions)
        assert zoo.game.match == play_match(rules, [First()] * 3, seed=5, game=game)


def test_without_a_seed_games_differ() -> None:
    hands = set()
    for _ in range(3):
        zoo = parallel_env(2)
        zoo.reset()
        hands.add(zoo.game.views[0].hand)
        zoo.reset()
        hands.add(zoo.game.views[0].hand)
    assert len(hands) > 3


def test_what_was_chosen_first_stays_face_down_till_the_last() -> None:
    one, other = env(3), env(3)
    for aec, place in ((one, 0), (other, -1)):
        aec.reset(seed=2)
        mask = aec.observe("seat_0")["action_mask"]
        aec.step(int(np.flatnonzero(mask)[place]))
        assert aec.agent_selection == "seat_1"
    for agent in ("seat_1", "seat_2"):
        mine, theirs = one.observe(agent), other.observe(agent)
        np.testing.assert_array_equal(mine["observation"], theirs["observation"])


def test_agents_may_remember_everything() -> None:
    zoo = parallel_env(2, perfect_recall=True)
    seen, _ = zoo.reset(seed=1)
    for _ in range(4):
        seen, *_ = zoo.step({a: int(seen[a]["action_mask"].argmax()) for a in zoo.agents})
    for seat, agent in enumerate(zoo.agents):
        own = seen[agent]["observation"]
        np.testing.assert_array_equal(own, information_state(zoo.game.views[seat]))
        assert zoo.observation_space(agent).contains(seen[agent])


def test_the_state_has_every_hand() -> None:
    zoo = parallel_env(3)
    zoo.reset(seed=1)
    each = [observation(view) for view in zoo.game.views]
    np.testing.assert_array_equal(zoo.state(), np.concatenate(each))


def test_names() -> None:
    assert isinstance(raw_env(), AECEnv)
    assert parallel_env().metadata["name"] == "five211_v0"
    assert parallel_env().max_num_agents == 4
    assert env().metadata["is_parallelizable"]
    parallel_env().close()


def test_a_wrong_action_changes_nothing() -> None:
    zoo = parallel_env(2)
    zoo.reset(seed=1)
    before = zoo.game.match
    with pytest.raises(GameError, match="Action 3 is not one of seat 2 now"):
        zoo.step({"seat_0": 5, "seat_1": 3})
    assert zoo.game.match is before


def test_a_wrong_action_is_another_if_that_is_agreed() -> None:
    zoo = parallel_env(2, illegal="remap")
    zoo.reset(seed=1)
    zoo.step({"seat_0": 0, "seat_1": 16})
    assert [len(cards) for cards in zoo.game.match.state.turns[0]] == [2, 2]
    with pytest.raises(GameError, match="not one of seat 1"):
        zoo.step({"seat_0": "none", "seat_1": 0})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 6}, "2 to 5 players"),
        ({"variant": "short"}, "no variant"),
        ({"edition": "moon"}, "no edition"),
        ({"reward": "money"}, "no reward “money”; there are win, points and margin"),
        ({"reward": "win", "per_round": True}, "at the end alone"),
        ({"illegal": "ignore"}, "raise and remap"),
        ({"render_mode": "3d"}, "no way “3d” to render"),
        ({"language": "xx"}, "no language"),
    ],
)
def test_options_that_do_not_fit_are_told_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        parallel_env(**options)


def test_what_cannot_be_done_is_told_in_a_sentence() -> None:
    zoo = parallel_env(2)
    with pytest.raises(GameError, match=r"reset\(\)"):
        zoo.step({})
    for seed in (True, 1.5, "x"):
        with pytest.raises(GameError, match="seed"):
            zoo.reset(seed=seed)
    zoo.reset(seed=np.int64(3))
    for actions in ({}, {"seat_0": 5}, {"seat_0": 5, "seat_1": 5, "seat_2": 5}):
        with pytest.raises(GameError, match="seat_0 and seat_1"):
            zoo.step(actions)
