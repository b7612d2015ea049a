"""One seat in Gymnasium: the framework's checker, and the core's games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from five211 import GameError, Rules, View, stream, view
from five211.bots import make
from five211.env import SeatEnv
from five211.env.gymnasium import ID
from five211.simulate import play_match
from tests.env.games import CASES, GAMES, PAYS, Core, any_number, priced, seeded_decks


@pytest.mark.parametrize(("players", "variant"), CASES)
def test_the_frameworks_checker(players: int, variant: str) -> None:
    seat = players - 1
    made = gymnasium.make(
        ID, players=players, variant=variant, bots="greedy", seat=seat, illegal="remap"
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
            players, variant=variant, bots=bots, seat=seat, reward=reward, per_round=per_round
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
        assert info["points"].tolist() == list(core.match.points)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_bots_play_as_in_the_simulation(seat: int) -> None:
    names = ["random", "greedy", "random"]
    others = names[seat + 1 :] + names[:seat]
    env = SeatEnv(3, bots=others, seat=seat)
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
    env = SeatEnv(2, bots="random", render_mode="human")
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    assert "turn 2 of 3" in capsys.readouterr().out


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
        ({"bots": "nobody"}, "no bot “nobody”"),
        ({"players": 4, "bots": ["greedy", "greedy"]}, "one bot for all opponents or 3"),
        ({"bots": [object()]}, "choose"),
        ({"seat": 2}, "no seat 3"),
        ({"reward": "gold"}, "no reward"),
    ],
)
def test_options_that_do_not_fit_are_told_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        SeatEnv(**options)


def test_what_cannot_be_done_is_told_in_a_sentence() -> None:
    env = SeatEnv(2, bots="random")
    with pytest.raises(GameError, match=r"reset\(\)"):
        env.step(5)
    env.reset(seed=1)
    with pytest.raises(GameError, match="not one of seat 1"):
        env.step(0)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(env.action_masks().argmax()))
    with pytest.raises(GameError, match="nothing to choose"):
        env.step(0)
