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
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from five211 import GameError, Rules, stream
from five211.env import env, parallel_env, raw_env
from five211.env.encode import action_mask, choice_of, information_state, observation
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


@pytest.mark.parametrize(("reward", "per_round"), PAYS)
def test_turn_by_turn_it_pays_what_the_core_does(reward: str, per_round: bool) -> None:
    rules, rng, seed = Rules.of(3, "long"), stream(reward, per_round), 3
    zoo = env(3, variant="long", reward=reward, per_round=per_round)
    zoo.reset(seed=seed)
    core, numbers, wanted = Core(rules, seeded_decks(rules, seed, 0)), [], [0.0] * 3
    for agent in zoo.agent_iter():
        seat = zoo.possible_agents.index(agent)
        seen, paid, over, cut, _ = zoo.last()
        assert paid == pytest.approx(wanted[seat])
        assert (over, cut) == (core.match.over, False)
        if over:
            zoo.step(None)
            continue
        numbers.append(any_number(rng, core.choices(seat)))
        zoo.step(seen["action_mask"].nonzero()[0][numbers[-1]])
        if len(numbers) == 3:
            wanted, numbers = priced(core, core.play(numbers), reward, per_round), []
    assert zoo.unwrapped.game.match == core.match


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


@pytest.mark.parametrize(("players", "variant"), CASES)
@pytest.mark.parametrize("recall", [False, True])
def test_what_is_seen_is_made_from_ones_own_view(players: int, variant: str, recall: bool) -> None:
    """An environment takes what all seats see from one view; the seats' own say the same."""
    zoo, rng = parallel_env(players, variant=variant, perfect_recall=recall), stream(1, variant)
    seen, _ = zoo.reset(seed=players)
    while zoo.agents:
        actions = {a: rng.choice(seen[a]["action_mask"].nonzero()[0]) for a in zoo.agents}
        seen, *_ = zoo.step(actions)
        for agent, own in zip(seen, zoo.game.views, strict=True):
            told = information_state(own) if recall else observation(own)
            np.testing.assert_array_equal(seen[agent]["observation"], told)
            np.testing.assert_array_equal(seen[agent]["action_mask"], action_mask(own))


def test_numbers_of_players_may_be_numpys() -> None:
    for players in (np.int64(2), np.uint8(2)):
        assert parallel_env(players=players).possible_agents == ["seat_0", "seat_1"]
        assert env(players).possible_agents == ["seat_0", "seat_1"]


def test_the_state_has_every_hand() -> None:
    zoo = parallel_env(3)
    zoo.reset(seed=1)
    each = [observation(view) for view in zoo.game.views]
    np.testing.assert_array_equal(zoo.state(), np.concatenate(each))


def test_names() -> None:
    assert isinstance(raw_env(), AECEnv)
    assert not isinstance(raw_env(), OrderEnforcingWrapper)
    assert isinstance(env(), OrderEnforcingWrapper)
    assert parallel_env().metadata["name"] == "five211_v0"
    assert parallel_env().max_num_agents == 4
    assert env().metadata["is_parallelizable"]
    parallel_env().close()


def test_a_wrong_action_changes_nothing() -> None:
    zoo = parallel_env(2)
    zoo.reset(seed=1)
    before = zoo.game.match
    with pytest.raises(GameError, match="Action 3 is not one of seat_1 now"):
        zoo.step({"seat_0": 5, "seat_1": 3})
    assert zoo.game.match is before


@pytest.mark.parametrize("wrong", [0, 15, -1, None, "5", 5.0, True])
def test_turn_by_turn_a_wrong_action_is_refused_to_who_gave_it(wrong: Any) -> None:
    zoo, same = env(3), parallel_env(3)
    zoo.reset(seed=1)
    same.reset(seed=1)
    actions = {}
    for agent in zoo.possible_agents:
        with pytest.raises(GameError, match=f"not one of {agent} now"):
            zoo.step(wrong)
        assert zoo.agent_selection == agent
        actions[agent] = int(zoo.last()[0]["action_mask"].nonzero()[0][-1])
        zoo.step(actions[agent])
    same.step(actions)
    assert zoo.unwrapped.game.match == same.game.match
    assert zoo.agent_selection == "seat_0"


@pytest.mark.parametrize("number", [0, 3, 6, 14, 15, 99, -1, -40])
def test_a_wrong_action_is_another_if_that_is_agreed(number: int) -> None:
    zoo, turns = parallel_env(3, illegal="remap"), env(3, illegal="remap")
    zoo.reset(seed=3)
    turns.reset(seed=3)
    for _ in range(3):
        views = zoo.game.views
        wanted = []
        for own in views:
            legal = np.flatnonzero(action_mask(own)).tolist()
            playable = range(5) if own.plays == 1 else range(5, 15)
            played = number if number in playable else legal[number % len(legal)]
            wanted.append(choice_of(own, played))
        zoo.step(dict.fromkeys(zoo.agents, number))
        for _ in range(3):
            turns.step(number)
        state = zoo.game.match.state
        assert [*(state.turns or state.rounds[-1].turns)[-1]] == wanted
        assert turns.unwrapped.game.match == zoo.game.match
    for wrong in ("none", None, True, np.True_):
        with pytest.raises(GameError, match="not one of seat_0"):
            zoo.step({**dict.fromkeys(zoo.agents, 0), "seat_0": wrong})
        with pytest.raises(GameError, match="not one of seat_0"):
            turns.step(wrong)


def test_who_is_done_has_one_step_left() -> None:
    zoo = env(2)
    zoo.reset(seed=1)
    while not any(zoo.terminations.values()):
        zoo.step(int(zoo.last()[0]["action_mask"].argmax()))
    with pytest.raises(GameError, match=r"over for seat_0: .* step\(None\)"):
        zoo.step(5)
    zoo.step(None)
    zoo.step(None)
    assert not zoo.agents


def test_people_are_shown_the_first_hands(capsys: pytest.CaptureFixture[str]) -> None:
    parallel_env(2, render_mode="human").reset(seed=1)
    said = capsys.readouterr().out
    assert "turn 1 of 3" in said
    assert said.count("holds") == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 6}, "2 to 5 players"),
        ({"variant": "short"}, "no variant"),
        ({"variant": None}, "no variant None"),
        ({"edition": "moon"}, "no edition"),
        ({"edition": 1.5}, "no edition 1.5"),
        ({"reward": None}, "no reward None"),
        ({"per_round": "no", "reward": "points"}, "per_round is True or False, not “no”"),
        ({"colour": 1}, "no option “colour”; there are players, variant"),
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
    zoo: Any = parallel_env(2, render_mode="ansi")
    for early in (lambda: zoo.step({}), zoo.render, zoo.state):
        with pytest.raises(GameError, match=r"no game to go on with: call reset\(\)"):
            early()
    for seed in (True, 1.5, "x"):
        with pytest.raises(GameError, match="no seed: it is a whole number here"):
            zoo.reset(seed=seed)
    zoo.reset(seed=np.int64(-3))
    first = zoo.game.match
    zoo.reset(seed=-3)
    assert zoo.game.match == first
    three = {"seat_0": 5, "seat_1": 5, "seat_2": 5}
    for actions in ({}, {"seat_0": 5}, three, None, [5, 5], "55"):
        with pytest.raises(GameError, match="seat_0 and seat_1"):
            zoo.step(actions)
    while zoo.agents:
        views = zoo.game.views
        zoo.step({a: action_mask(own).argmax() for a, own in zip(zoo.agents, views, strict=True)})
    with pytest.raises(GameError, match=r"over: call reset\(\) for the next one"):
        zoo.step({"seat_0": 0, "seat_1": 0})
