"""Training, in small: the networks are those of the package, a seed is a run, and they learn."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="five211[train] is not installed")

from five211 import Rules  # noqa: E402
from five211.bots import network  # noqa: E402
from five211.fast import Batch  # noqa: E402
from five211.fast.choosing import tell  # noqa: E402
from train import __main__ as command  # noqa: E402
from train import curves, pack, respond  # noqa: E402
from train.games import field, play, share  # noqa: E402
from train.learn import Plan, improve, learn, population, seating  # noqa: E402
from train.model import Pair  # noqa: E402

SMALL = {"iterations": 2, "decisions": 300, "evaluate": 1, "keep": 1, "tested": 20}


def test_torch_and_the_package_have_the_same_networks() -> None:
    batch = Batch(3, 8, seed=1, views=True)
    batch.reset()
    assert batch.views is not None
    told = tell(batch.views.reshape(-1))
    pair = Pair()
    pair.load(network.weights(3))
    np.testing.assert_array_equal(pair.flat(), network.weights(3))
    for part, at, rows in (
        (pair.policy, network.POLICY_AT, told.rows),
        (pair.value, network.VALUE_AT, told.before),
    ):
        found = part(torch.from_numpy(rows)).detach().numpy()
        np.testing.assert_allclose(
            found, network.judged(network.weights(3), at, rows), atol=2e-4, rtol=1e-4
        )


def test_whoever_sits_where() -> None:
    rules, chance = Rules.of(4), np.random.default_rng(1)
    others = population([np.zeros(1, np.float32)] * 5, chance)
    assert len(others) == 6
    seats = seating(Plan(against=0.5), rules, 200, len(others), chance, alone=False)
    assert seats.shape == (200, 4)
    alone = (seats == -1).sum(1)
    assert set(alone[100:]) == {4}  # against itself
    assert set(alone[:100]) == {1}  # against the others
    assert (seating(Plan(), rules, 8, 1, chance, alone=True) == field(rules, 8)).all()


def test_games_are_whole_and_their_results_add_up() -> None:
    rules, weights = Rules.of(3), network.weights(3)
    played = play(weights, rules, field(rules, 6), ["greedy"], "games")
    assert played.views.shape == (3 * rules.rounds, 6, 3)
    np.testing.assert_allclose(played.results[..., 0].sum(1), 1, rtol=1e-6)
    np.testing.assert_allclose(played.results[..., 1].sum(1), 0, atol=1e-5)
    assert (played.likely[:, played.learns] <= 1).all()
    same = play(weights, rules, field(rules, 6), ["greedy"], "games")
    np.testing.assert_array_equal(played.actions, same.actions)
    assert share(weights, Rules.of(2), "random", 40, "x")[0] > 0.9


def test_one_step_makes_better_choices_likelier() -> None:
    rules, pair = Rules.of(2), Pair()
    pair.load(network.weights(2))
    played = play(pair.flat(), rules, np.full((8, 2), -1), [], "step")
    before = pair.flat()
    plan, chance = Plan(epochs=1), np.random.default_rng(1)
    optimiser = torch.optim.Adam(pair.parameters(), lr=1e-4)
    seen = improve(pair, optimiser, played, plan, 0.1, 0.0, chance)
    assert (pair.flat() != before).any()
    assert set(seen) == {"policy", "error", "entropy"}


@pytest.mark.parametrize("players", [(2,), (3, 5)])
def test_a_seed_is_a_run(players: tuple[int, ...], tmp_path: Path) -> None:
    rows = []
    for place in ("a", "b"):
        learn(Plan(players=players, **SMALL), tmp_path / place)  # type: ignore[arg-type]
        rows.append(np.load(tmp_path / place / "weights.npy"))
    np.testing.assert_array_equal(*rows)
    plan = json.loads((tmp_path / "a" / "plan.json").read_text())
    assert plan["players"] == list(players)
    other = Plan(players=players, seed="other", **SMALL)  # type: ignore[arg-type]
    learn(other, tmp_path / "c")
    assert (np.load(tmp_path / "c" / "weights.npy") != rows[0]).any()


def test_the_command_goes_on_from_weights_against_a_frozen_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = tmp_path / "frozen.npy"
    np.save(frozen, network.weights(2))
    given = [f"--{name}={value}" for name, value in SMALL.items()]
    more = ["--players=2", f"--weights={frozen}", f"--frozen={frozen}", "--stop=1"]
    monkeypatch.setattr(sys, "argv", ["train", *given, *more, f"--out={tmp_path / 'out'}"])
    command.main()
    lines = [json.loads(one) for one in (tmp_path / "out" / "log.jsonl").read_text().splitlines()]
    told = [line for line in lines if "frozen" in line]
    assert abs(told[0]["frozen"][0] - 0.5) < 0.3  # the same against the same
    assert max(line["iteration"] for line in lines) == 1
    assert np.load(tmp_path / "out" / "weights.npy").shape == (network.SIZE,)
    drawn = curves.drawn([tmp_path / "out"])
    assert drawn.count("<polyline") == 3  # heuristic, greedy and the frozen one


def test_four_networks_are_packed_into_one_file(tmp_path: Path) -> None:
    rows = [network.weights(players) for players in (2, 3, 4, 5)]
    files = [tmp_path / f"{number}.npy" for number in range(4)]
    for file, row in zip(files, rows, strict=True):
        np.save(file, row)
    pack.pack(files, tmp_path / "packed.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "packed.npy"), np.stack(rows))
    with pytest.raises(AssertionError):
        pack.pack(files[:3], tmp_path / "packed.npy")


def test_a_response_to_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "start.npy", network.weights(2))
    given = ["--bot=greedy", "--games=8", "--batch=8", "--test=8", f"--out={tmp_path}"]
    monkeypatch.setattr(sys, "argv", ["respond", f"--weights={tmp_path / 'start.npy'}", *given])
    respond.main()
    told = json.loads(capsys.readouterr().out)
    assert told["test"] == 8
    assert 0.5 < told["share"] <= 1
    games = respond.play(network.weights(2), "greedy", "x", 0, 4)
    assert [game[0] for game in games] == [0, 1, 0, 1]
    found = respond.gathered(games)
    assert found.learns.sum() == 4
