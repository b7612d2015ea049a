"""The example of self-play, in small: a seed is a run, masks are kept to, and it learns."""

from __future__ import annotations

import numpy as np
import pytest

from examples import selfplay
from five211 import Rules
from five211.env import BatchEnv


@pytest.mark.parametrize("players", [2, 3])
def test_a_seed_is_a_run(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    given = [f"--players={players}", "--updates=2", "--games=8"]
    first, again = (selfplay.main(given) for _ in range(2))
    np.testing.assert_array_equal(first.weights, again.weights)
    assert first.weights.any()
    assert not np.array_equal(first.weights, selfplay.main([*given, "--seed=2"]).weights)
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 6
    assert said[:2] == said[2:4]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("--players=7", "2 to 5 players, not 7"),
        ("--games=0", "games must be more than 0, not 0."),
        ("--updates=-1", "updates must be 0 or more, not -1."),
        ("--rate=nan", "rate must be more than 0, not nan."),
        ("--rate=inf", "rate must be more than 0, not inf."),
        ("--seed=-1", "seed must be 0 or more, not -1."),
    ],
)
def test_what_makes_no_run_is_told_in_a_sentence(
    given: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        selfplay.main([given])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_only_what_the_mask_has_is_played() -> None:
    policy, env = selfplay.Policy(Rules.of(4)), BatchEnv(8, 4, opponents=None)
    policy.weights += np.linspace(-1, 1, len(policy.weights))
    seen, _ = env.reset(seed=1)
    for _ in range(4):
        likely = policy.shares(policy.features(seen), seen["action_mask"])
        assert ((likely > 0) == (seen["action_mask"] == 1)).all()
        np.testing.assert_allclose(likely.sum(1), 1)
        seen, *_ = env.step(likely.argmax(1))


def test_a_few_updates_make_it_stronger() -> None:
    env = BatchEnv(512, 2, opponents=None, reward="margin")
    policy, rng = selfplay.Policy(env.rules), np.random.default_rng(1)
    before = selfplay.share(policy, 2, "heuristic", 400, 5)
    for _ in range(10):
        selfplay.improve(policy, env, rng, 0.05)
    assert selfplay.share(policy, 2, "heuristic", 400, 5) > before + 0.1
