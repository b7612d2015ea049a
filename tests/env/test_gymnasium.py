"""One seat in Gymnasium: the framework's checker, and the core's games."""

from __future__ import annotations

from traceback import format_exception
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from five211 import GameError, Rules, View, stream, view
from five211.bots import make
from five211.env import SeatEnv
from five211.env.gymnasium import BATCH_ID, ID
from five211.simulate import play_match
from tests.env.games import CASES, GAMES, PAYS, Core, any_number, priced, seeded_decks


@pytest.mark.parametrize(("players", "variant"), CASES)
def test_the_frameworks_checker(players: int, variant: str) -> None:
    seat = players - 1
    made = gymnasium.make(
        ID, players=players, variant=variant, opponents="greedy", seat=seat, illegal="remap"
    )
    check_env(made.unwrapped)
    made.close()


class Listed:
    """A bot that plays a choice by its number."""

    def __init__(self) -> None:
        self.number = 0

    def choose(self, view: View, _rng: Any) -> Any:
        return view.choices[self.number]


@pytest.mark.parametrize(("players", "variant"), CASES)
def test_it_plays_and_pays_what_the_core_does(players: int, variant: str) -> None:
    rules, rng = Rules.of(players, variant), stream(players, variant)
    for game in range(GAMES):
        reward, per_round = PAYS[game % len(PAYS)]
        seat, bots = game % players, [Listed() for _ in range(players - 1)]
        env = SeatEnv(
            players, variant=variant, opponents=bots, seat=seat, reward=reward, per_round=per_round
        )
        seen, info = env.reset(seed=game)
        core, over = Core(rules, seeded_decks(rules, game, 0)), False
        while not over:
            numbers = [any_number(rng, core.choices(s)) for s in range(players)]
            for step, bot in enumerate(bots, start=1):
                bot.number = numbers[(seat + step) % players]
            np.testing.assert_array_equal(seen["action_mask"], env.action_masks())
            seen, paid, over, cut, info = env.step(
                np.flatnonzero(env.action_masks())[numbers[seat]]
            )
            gained = core.play(numbers)
            assert paid == pytest.approx(priced(core, gained, reward, per_round)[seat])
            assert (over, cut) == (core.match.over, False)
            assert bool(info) == over
        assert env.game.match == core.match
        points = [core.match.points[(seat + step) % players] for step in range(players)]
        assert info["points"].tolist() == points


@pytest.mark.parametrize("seat", [0, 2])
def test_the_bots_play_as_in_the_simulation(seat: int) -> None:
    names = ["random", "greedy", "random"]
    others = names[seat + 1 :] + names[:seat]
    env = SeatEnv(3, opponents=others, seat=seat)
    for game in range(2):
        env.reset(seed=4 if game == 0 else None)
        rng, own = stream(4, "bot", game, seat), make(names[seat])
        over = False
        while not over:
            mine = view(env.game.match, seat)
            choice = own.choose(mine, rng)
            legal = np.flatnonzero(env.action_masks())
            _, _, over, _, _ = env.step(legal[mine.choices.index(choice)])
        bots = [make(name) for name in names]
        assert env.game.match == play_match(Rules.of(3), bots, seed=4, game=game)


def test_a_seat_sees_and_shows_its_own_hand_alone() -> None:
    env = SeatEnv(3, seat=1, render_mode="ansi")
    env.reset(seed=1)
    said = env.render()
    assert said.count("holds") == 1
    assert "Seat_1 holds" in said


def test_people_are_shown_every_turn(capsys: pytest.CaptureFixture[str]) -> None:
    env = SeatEnv(2, opponents="random", render_mode="human")
    env.reset(seed=1)
    first = capsys.readouterr().out
    assert "turn 1 of 3" in first
    assert first.count("holds") == 1
    env.step(int(env.action_masks().argmax()))
    assert "turn 2 of 3" in capsys.readouterr().out


def test_gymnasium_makes_several_of_them() -> None:
    many = gymnasium.make_vec(ID, 2, players=3, opponents=["random", "greedy"], perfect_recall=True)
    seen, _ = many.reset(seed=1)
    assert seen["observation"].shape == (2, 200)
    many.close()


@pytest.mark.filterwarnings("ignore:.*ERROR:")  # the framework tells of it in warnings first
def test_an_error_comes_back_from_another_process_as_it_was() -> None:
    """Gymnasium raises it anew, by its type, with the error itself in place of a code."""
    many = gymnasium.make_vec(ID, 2, vectorization_mode="async", opponents="random")
    try:
        many.reset(seed=1)
        with pytest.raises(GameError, match="Action 3 is not one of seat_0 now") as error:
            many.step(np.array([3, 3]))
        assert error.value.code == "action"
        assert error.value.fields["who"] == "seat_0"
    finally:
        many.close(terminate=True)


def test_without_a_seed_games_differ() -> None:
    hands = set()
    for _ in range(3):
        env = SeatEnv(2)
        for _ in range(2):
            env.reset()
            hands.add(env.game.views[0].hand)
    assert len(hands) > 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 1}, "2 to 5 players"),
        ({"opponents": "nobody"}, "no bot “nobody”"),
        ({"players": 4, "opponents": ["greedy", "greedy"]}, "one bot for all opponents or 3"),
        ({"opponents": ["greedy", "greedy"]}, "Name 1 bot for 1 opponent, not 2"),
        ({"opponents": [7]}, r"^7 is no bot: it has no choose"),
        ({"opponents": np.array([["greedy"]])}, r"^\['greedy'\] is no bot"),
        ({"opponents": Listed}, r"Listed is a class, not a bot: write Listed\(\)"),
        (
            {"bots": "greedy"},
            "no option “bots”; there are players, opponents, seat, variant, reward",
        ),
        ({"perfect_recall": "no"}, "perfect_recall is True or False, not “no”"),
        ({"players": 2.5}, "2 to 5 players, not 2.5"),
        ({"seat": None}, "no seat None"),
        ({"seat": 2}, "no seat 2: they are 0 to 1 here"),
        ({"reward": "gold"}, "no reward"),
    ],
)
def test_options_that_do_not_fit_are_told_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        SeatEnv(**options)


def test_numbers_and_lists_may_be_numpys() -> None:
    env = SeatEnv(np.int64(3), seat=np.int64(1), opponents=np.array(["greedy", "random"]))
    seen, _ = env.reset(seed=1)
    assert [one.name for one in env.opponents] == ["greedy", "random"]
    assert seen["observation"].shape == (116,)
    assert len(SeatEnv(3, opponents=np.array("greedy")).opponents) == 2


def test_a_bot_that_answers_wrongly_does_not_show_its_hand() -> None:
    """Whoever steps is told of it, and may not know what the others hold."""

    class Greedy:
        def choose(self, view: View, _rng: Any) -> Any:
            return view.hand

    env = SeatEnv(2, opponents=Greedy())
    env.reset(seed=1)
    with pytest.raises(GameError) as error:
        env.step(int(env.action_masks().argmax()))
    hand = env.game.views[1].hand
    assert not any(str(card) in "".join(format_exception(error.value)) for card in hand)


def test_what_cannot_be_done_is_told_in_a_sentence() -> None:
    env = SeatEnv(2, opponents="random", render_mode="svg")
    for early in (lambda: env.step(5), env.render, env.action_masks):
        with pytest.raises(GameError, match=r"no game to go on with: call reset\(\)"):
            early()
    for seed in (True, 1.5, "x"):
        with pytest.raises(GameError, match="no seed: it is a whole number here"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(1))
    with pytest.raises(GameError, match="not one of seat_0 now"):
        env.step(0)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(env.action_masks().argmax()))
    assert ">round 11</text>" in env.render()
    with pytest.raises(GameError, match=r"over: call reset\(\) for the next one"):
        env.step(0)


class Odd:
    """A bot that answers with whatever it is told to."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, _view: View, _rng: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (3, r"The bot “Odd” \(seat_0\) answered with what is none of view.choices \(int\)"),
        (None, r"view.choices \(NoneType\)"),
        (("Y1",), r"view.choices \(tuple\)"),
        (KeyError("hand"), r"The bot “Odd” \(seat_0\) failed: KeyError: 'hand'"),
    ],
)
def test_a_bot_that_answers_wrongly_is_named(answer: object, sentence: str) -> None:
    env = SeatEnv(2, opponents=Odd(answer), seat=1)
    env.reset(seed=1)
    before = env.game.match
    with pytest.raises(GameError, match=sentence):
        env.step(int(env.action_masks().argmax()))
    assert env.game.match is before


def test_many_games_are_made_by_make_vec() -> None:
    with pytest.raises(GameError, match=r"make_vec\(“five211/Batch-v0”, num_envs\).*Seat-v0"):
        gymnasium.make(BATCH_ID, players=2)


def test_an_id_may_name_the_module_that_registers_it() -> None:
    made = gymnasium.make(f"five211.env.gymnasium:{ID}", players=3)
    assert made.unwrapped.game.rules.players == 3  # type: ignore[attr-defined]
    made.close()
