"""The vector environment: Gymnasium's interface, the core's games, the simulation's opponents."""

from __future__ import annotations

import copy
import pickle
from inspect import Parameter, signature
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.utils.passive_env_checker import data_shares_objects
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from five211 import GameError, Rules, stream, view
from five211.env import BatchEnv, observation
from five211.env.encode import action_mask, fields
from five211.env.gymnasium import BATCH_ID
from five211.env.vector import OPTIONS
from five211.fast import simulate
from tests.env.games import CASES, GAMES, PAYS, Core, any_number, priced
from tests.fast.reference import decks
from tests.tables import other_worlds, replayed


@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize(("players", "variant"), CASES)
def test_it_is_a_vector_environment(players: int, variant: str, opponents: str | None) -> None:
    rows = 3 * players
    made = [
        gymnasium.make_vec(
            BATCH_ID, rows, players=players, variant=variant, opponents=opponents, illegal="remap"
        )
        for _ in range(2)
    ]
    for one in made:
        assert isinstance(one, VectorEnv)
        assert one.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert one.num_envs == rows
        one.action_space.seed(1)
    assert data_equivalence(made[0].reset(seed=5), made[1].reset(seed=5))
    ended = 0
    for _ in range(40):
        actions = made[0].action_space.sample()
        results = [one.step(actions) for one in made]
        assert data_equivalence(results[0], results[1], exact=True)
        seen, rewards, ends, cuts, infos = results[0]
        assert made[0].observation_space.contains(seen)
        assert (rewards.shape, ends.shape, cuts.shape) == ((rows,),) * 3
        assert (rewards.dtype, ends.dtype) == (np.float64, np.bool_)
        assert not cuts.any()
        assert ("points" in infos) == ends.any()
        ended += ends.sum()
    assert ended or variant == "long"
    assert data_equivalence(made[0].reset(), made[1].reset())
    kept = [made[0].step(made[0].action_space.sample()) for _ in range(2)]
    assert not data_shares_objects(*kept)
    made[0].close()


def test_gymnasiums_wrappers_go_around_it() -> None:
    env = RecordEpisodeStatistics(BatchEnv(4, reward="points"))
    seen, _ = env.reset(seed=1)
    while True:
        seen, _, ends, _, infos = env.step(seen["action_mask"].argmax(axis=1))
        if ends.all():
            break
    np.testing.assert_array_equal(infos["episode"]["r"], infos["points"][:, 0])
    assert infos["episode"]["l"].tolist() == [33] * 4


def compare(rules: Rules, games: int, total: int, pay: tuple[str, bool]) -> None:
    """So many games beside the readable engine: what is seen, what may be done, what is paid."""
    players, (reward, per_round) = rules.players, pay
    env = BatchEnv(
        games * players, players, opponents=None, variant=rules.variant, reward=reward,
        per_round=per_round, copy=False,
    )  # fmt: skip
    seen, _ = env.reset(seed=3)
    rng = Random(players)
    numbers = list(range(games))
    cores = [Core(rules, decks(rules, 3, game)) for game in numbers]
    ended = 0
    while ended < total:
        picks = [[any_number(rng, core.choices(s)) for s in range(players)] for core in cores]
        actions = []
        for game, core in enumerate(cores):
            for seat in range(players):
                row, own = game * players + seat, view(core.match, seat)
                np.testing.assert_array_equal(seen["observation"][row], observation(own))
                np.testing.assert_array_equal(seen["action_mask"][row], action_mask(own))
                actions.append(np.flatnonzero(action_mask(own))[picks[game][seat]])
        seen, rewards, ends, _, infos = env.step(np.array(actions))
        for game, core in enumerate(cores):
            gained = core.play(picks[game])
            lines = slice(game * players, (game + 1) * players)
            wanted = priced(core, gained, reward, per_round)
            assert rewards[lines].tolist() == pytest.approx(wanted)
            assert ends[lines].tolist() == [core.match.over] * players
            if core.match.over:
                for seat in range(players):
                    around = [core.match.points[(seat + k) % players] for k in range(players)]
                    assert infos["points"][lines][seat].tolist() == around
                assert infos["_points"][lines].all()
                numbers[game] += games
                cores[game] = Core(rules, decks(rules, 3, numbers[game]))
                ended += 1


@pytest.mark.parametrize("pay", PAYS)
@pytest.mark.parametrize(("players", "variant"), CASES)
def test_it_plays_and_pays_what_the_core_does(
    players: int, variant: str, pay: tuple[str, bool]
) -> None:
    compare(Rules.of(players, variant), 2, max(2, GAMES // len(PAYS)), pay)


def first(view: Any, _rng: Any) -> Any:
    """The first action that a mask has."""
    return 5 if view.plays == 2 else 0


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("variant", ["standard", "long"])
def test_the_opponents_play_as_in_the_simulation(seat: int, variant: str) -> None:
    names: list[Any] = ["heuristic", "random", "greedy"]
    others = names[seat + 1 :] + names[:seat]
    names[seat] = first
    simulated = simulate(3, 12, names, seed=9, variant=variant)
    env = BatchEnv(6, 3, opponents=others, seat=seat, variant=variant, reward="points")
    found: dict[int, list[int]] = {}
    games = list(range(6))
    seen, _ = env.reset(seed=9)
    while not set(range(12)) <= set(found):
        seen, _, ends, _, infos = env.step(seen["action_mask"].argmax(axis=1))
        for row in np.flatnonzero(ends):
            found[games[row]] = np.roll(infos["points"][row], seat).tolist()
            games[row] += 6
    for game in range(12):
        assert found[game] == simulated.points[game].tolist()


def test_policies_of_ones_own_that_fail_are_named() -> None:
    """The turn was played by then: there is no way on but `reset()`."""

    def wrong(view: Any, _rng: Any) -> Any:
        return 5 if view.plays == 2 else 99

    env = BatchEnv(4, opponents=wrong)
    seen, _ = env.reset(seed=1)
    for said in ("opponent “wrong” at seat_1 failed", r"no game to go on with: call reset\(\)"):
        with pytest.raises(GameError, match=said):
            env.step(np.full(4, 5))
    assert data_equivalence(env.reset(seed=1)[0], seen)


@pytest.mark.parametrize(("players", "seat"), [(2, 1), (3, 0), (5, 3)])
def test_a_seat_against_opponents_sees_what_it_sees_among_all(players: int, seat: int) -> None:
    """Whose rows `compare` holds beside the core."""
    every = BatchEnv(3 * players, players, opponents=None, variant="long")
    one = BatchEnv(3, players, opponents="random", seat=seat, variant="long")
    (whole, _), (seen, _) = every.reset(seed=3), one.reset(seed=3)
    ended = 0
    while ended < 2:
        for name, rows in seen.items():
            np.testing.assert_array_equal(whole[name][seat::players], rows)
        actions, own = one._actions.astype(np.int64), seen["action_mask"].argmax(axis=1)
        actions[:, seat] = own
        whole, paid, ends, *_ = every.step(actions.reshape(-1))
        seen, *told, _, _ = one.step(own)
        for wanted, found in zip((paid, ends), told, strict=True):
            np.testing.assert_array_equal(wanted[seat::players], found)
        ended += int(told[1].sum())


@pytest.mark.parametrize("opponents", [None, "random"])
def test_a_copy_goes_on_alike(opponents: str | None) -> None:
    env = BatchEnv(4, opponents=opponents)
    fresh = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    assert data_equivalence(fresh[0].reset(seed=1), fresh[1].reset(seed=1))
    seen, _ = env.reset(seed=1)
    seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
    others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    actions = []
    for _ in range(40):
        actions.append(seen["action_mask"].argmax(axis=1))
        seen, *told = env.step(actions[-1])
    for other in others:  # one after the other: no memory is shared
        for action in actions:
            found = other.step(action)
        assert data_equivalence(found, (seen, *told))
        assert data_equivalence(other.reset(), copy.deepcopy(env).reset())


def test_no_row_tells_what_is_hidden() -> None:
    """Rows equal the observations of views, which the leak test is about; here, once more."""
    rules = Rules.of(3)
    match = Core(rules, decks(rules, 3, 0)).match
    rng = stream(1, "worlds")
    env = BatchEnv(3, 3, opponents=None)
    seen, _ = env.reset(seed=3)
    for seat in range(3):
        world = replayed(match, other_worlds(match, seat, rng))[-1]
        assert world != match
        np.testing.assert_array_equal(seen["observation"][seat], observation(view(world, seat)))


def test_arrays_are_new_unless_they_need_not_be() -> None:
    for new in (True, False):
        env = BatchEnv(4, copy=new)
        first, _ = env.reset(seed=1)
        second, *_ = env.step(first["action_mask"].argmax(axis=1))
        assert (first["observation"] is second["observation"]) is not new
        np.testing.assert_array_equal(env.action_masks(), second["action_mask"] == 1)


def test_games_follow_from_the_seed_for_ever() -> None:
    env, other = BatchEnv(1), BatchEnv(1)
    hands = [env.reset(seed=7 if n == 0 else None)[0]["observation"].tobytes() for n in range(30)]
    assert len(set(hands)) == 30
    assert env._batch.seed == "7+29"
    again = [other.reset(seed=7 if n == 0 else None)[0]["observation"].tobytes() for n in range(30)]
    assert hands == again


def test_a_seed_that_is_none_changes_nothing() -> None:
    env, other = BatchEnv(2), BatchEnv(2)
    for one in (env, other):
        one.reset(seed=7)
    for seed in (True, "x", 1.5):
        with pytest.raises(GameError, match="no seed: it is a whole number here"):
            env.reset(seed=seed)
    with pytest.raises(gymnasium.error.Error):  # the framework's own
        env.reset(seed=-1)
    actions = np.full(2, 5)
    assert data_equivalence(env.step(actions), other.step(actions))
    assert data_equivalence(env.reset(), other.reset())
    assert data_equivalence(env.reset(seed=np.int64(7)), other.reset(seed=7))


def test_numbers_of_rows_may_be_numpys() -> None:
    assert BatchEnv(np.int64(4)).num_envs == 4
    env = BatchEnv(6, np.int64(3), opponents=np.array(["random", "greedy"]), seat=np.int8(1))
    seen, _ = env.reset(seed=1)
    again, _ = BatchEnv(6, 3, opponents=["random", "greedy"], seat=1).reset(seed=1)
    assert data_equivalence(seen, again)


def test_without_a_seed_games_differ() -> None:
    hands = set()
    for _ in range(3):
        env = BatchEnv(1)
        for _ in range(2):
            seen, _ = env.reset()
            hands.add(seen["observation"].tobytes())
    assert len(hands) > 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 9}, "2 to 5 players"),
        ({"num_envs": 0}, "a whole number, 1 or more, not 0"),
        ({"num_envs": 4.0}, "whole number.*, not 4.0"),
        ({"num_envs": True}, "whole number"),
        ({"seat": 99, "opponents": None}, "no seat 99"),
        ({"seat": 1, "opponents": None}, "no seat=1 to choose"),
        ({"copy": 1}, "copy is True or False, not 1"),
        ({"variant": None}, "no variant None"),
        ({"opponents": {"greedy"}}, "name of a compiled bot or a function, not {'greedy'}"),
        ({"opponents": [None]}, "name of a compiled bot or a function, not None"),
        ({"num_envs": 3, "opponents": None}, "multiple of 2"),
        ({"opponents": "montecarlo"}, "no bot “montecarlo”"),
        ({"players": 4, "opponents": ["random", "random"]}, "one bot for all opponents or 3"),
        ({"bots": "greedy"}, "no option “bots”; there are num_envs, players, opponents, seat"),
        ({"render_mode": "ansi"}, "no option “render_mode”; there are"),
        ({"seat": 7}, "no seat 7: they are 0 to 1 here"),
        ({"reward": "gold"}, "no reward"),
        ({"illegal": "no"}, "raise and remap"),
    ],
)
def test_options_that_do_not_fit_are_told_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        BatchEnv(**{"num_envs": 4, **options})


def test_the_options_that_are_told_are_the_signatures() -> None:
    kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    parameters = signature(BatchEnv).parameters
    assert tuple(name for name, one in parameters.items() if one.kind in kinds) == OPTIONS
    with pytest.raises(GameError, match="no option “render_mode”"):
        gymnasium.make_vec(BATCH_ID, 4, render_mode="ansi")


def test_a_wrong_action_changes_nothing() -> None:
    env, other = BatchEnv(4, opponents="random"), BatchEnv(4, opponents="random")
    for one in (env, other):
        with pytest.raises(GameError, match=r"reset\(\)"):
            one.step(np.full(4, 5))
        one.reset(seed=1)
    for wrong in (0, -1, 15, 256 + 5, 2**40):
        with pytest.raises(GameError, match=rf"Action {wrong} is not one of row 2 now: its mask"):
            env.step(np.array([5, 5, wrong, 5]))
    for wrong_kind in (np.full(3, 5), np.full(4, 5.0), "5555", None, [[1], [2, 3], 5, 5]):
        with pytest.raises(GameError, match="4 whole numbers"):
            env.step(wrong_kind)
    assert data_equivalence(env.step(np.full(4, 5)), other.step([5] * 4))


def test_wrong_actions_are_others_if_that_is_agreed() -> None:
    """As in the readable environments: what can be played stays, all else goes by its number."""
    env, plain = BatchEnv(6, opponents=None, illegal="remap"), BatchEnv(6, opponents=None)
    for early in (lambda: env.step(np.zeros(6, np.int64)), env.action_masks):
        with pytest.raises(GameError, match=r"no game to go on with: call reset\(\)"):
            early()
    seen, _ = env.reset(seed=1)
    plain.reset(seed=1)
    rng = Random(1)
    for turn in range(66):
        wanted, given = [], [rng.randrange(-40, 60) for _ in range(6)]
        for number, mask, row in zip(given, seen["action_mask"], seen["observation"], strict=True):
            legal = np.flatnonzero(mask).tolist()
            held = np.count_nonzero(fields(env.rules, row)["places"])
            playable = range(5, 15) if turn % 3 == 0 else range(held)
            wanted.append(number if number in playable else legal[number % len(legal)])
        seen, *told = env.step(np.array(given))
        assert data_equivalence(plain.step(np.array(wanted)), (seen, *told))
