"""The benches of the environments still work: steps are counted right, and tables are told."""

from __future__ import annotations

from random import Random

import pyspiel
import pytest

from bench import env_openspiel, env_pettingzoo, env_vector
from bench.env_rounds import beside, in_turns
from bench.peers import clock
from bench.peers.clock import Trial
from five211.env.openspiel import NAME


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests go on, on all cores."""
    for bench in (env_openspiel, env_vector):
        monkeypatch.setattr(bench, "one_core", lambda: None)


def test_contestants_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr(clock, "clock", lambda: lambda: float(next(ticks)))
    said: list[str] = []

    def trial(name: str, made: int) -> Trial:
        return Trial(lambda: said.append(name), lambda _: made)

    rates = in_turns({"one": trial("one", 6), "other": trial("other", 2)}, 1.0, 3)
    assert rates == {"one": [6.0] * 3, "other": [2.0] * 3}
    assert said == ["one", "other"] * 4
    assert beside(rates, "one", "other") == 3


def test_a_step_is_an_action_of_one_agent() -> None:
    assert env_pettingzoo.our_trial(3).play() == 7 * 3 * 3


def test_the_table_has_both_ratios() -> None:
    rates = {"leduc_holdem": [10.0, 20.0], "hanabi": [5.0, 5.0], "5211": [60.0, 120.0]}
    *_, ours, goal = env_pettingzoo.lines(rates)
    assert ours.split() == ["5211", "90", "6.0", "18.0"]
    assert goal == "Goal: 5 times both."


def test_steps_and_actions_of_openspiel() -> None:
    end, steps = env_openspiel.random_game(pyspiel.load_game(NAME), Random(1))
    assert (steps, len(end.history())) == (90 + 33, 90 + 66)
    assert env_openspiel.dealt([(3, 0.5), (4, 0.4999)], Random(1)) in (3, 4)


@pytest.mark.parametrize("bench", [env_openspiel, env_vector])
def test_tables(
    bench: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.peers.ours.ROWS", 2)
    bench.main(0.0, 1)  # type: ignore[attr-defined]
    told = capsys.readouterr().out
    assert [f"{n} players" in told for n in (2, 3, 4, 5)] == [True] * 4
    assert "Goal" in told
