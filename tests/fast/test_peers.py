"""The bench beside other libraries still works: ours is counted right, and failures are told."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from bench.peers import clock, compare, ours
from bench.peers.clock import STEPS, WHOLE, Trial
from bench.peers.compare import OURSELVES, PEERS, Failed, Peer
from bench.peers.report import Figure, table_lines, verdict
from five211.fast import Batch

FIGURES = [
    Figure("five211", "1", "2 players", WHOLE, 1, 6000.0),
    Figure("five211", "1", "4 players", WHOLE, 1, 9000.0),
    Figure("Slow", "2", "whist", WHOLE, 1, 100.0),
    Figure("Slow", "2", "skat", WHOLE, 1, 4000.0),
    Figure("Slow", "2", "poker", WHOLE, 2, 5.0),
    Figure("Slow", "2", "poker", STEPS, 1, 5.0),
    Figure("Broken", failed="no such package"),
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ours.GAMES, "random", 10)
    monkeypatch.setattr(ours, "ROWS", 6)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_turn_of_a_seat_is_a_decision(players: int) -> None:
    whole = ours.whole(f"{players} players")
    played = whole.play()
    rounds = int(played.outcomes.sum())
    assert rounds > len(played) == 10
    assert whole.count(played) == rounds * 3 * players


def test_a_step_is_a_decision_of_every_seat() -> None:
    for trial in (ours.steps("3 players"), ours.steps_alone("3 players")):
        for _ in range(40):  # past the end of games, with legal actions all the time
            assert trial.count(trial.play()) == 6 * 3


def test_actions_are_legal_and_all_are_chosen() -> None:
    batch, rng = Batch(4, 200, seed=1), np.random.default_rng(1)
    batch.reset()
    for _ in range(12):
        seen = np.zeros_like(batch.legal)
        for _ in range(200):
            actions = ours.any_legal(batch.legal, rng)
            seen |= np.uint16(1) << actions
        np.testing.assert_array_equal(seen, batch.legal)
        batch.step(actions)


def test_the_clock_plays_before_it_counts() -> None:
    played: list[int] = []

    def play() -> int:
        played.append(sum(range(1000)))
        return 7

    assert clock.best(Trial(play, lambda decisions: decisions), 0) > 0
    assert len(played) == 2


def test_a_table_has_our_slowest_beside_each() -> None:
    lines = table_lines(FIGURES)
    assert "| Slow | 2 | whist | whole games | 1 | 100 | 60.0 |" in lines
    assert "| Slow | 2 | skat | whole games | 1 | 4,000 | 1.5 |" in lines
    assert "| Slow | 2 | poker | whole games | 2 | 5 |  |" in lines
    assert "| Slow | 2 | poker | batched steps | 1 | 5 |  |" in lines
    assert lines[-1] == "Broken: did not run: no such package"
    assert any("different games" in line for line in lines)


def test_the_goal_is_judged_by_the_fastest_of_the_others() -> None:
    told = verdict(FIGURES)
    assert "Slow's skat" in told
    assert "1.5 (2 players), 2.2 (4 players)" in told
    assert "NOT reached" in told
    assert "NOT" not in verdict(FIGURES[:3])
    assert verdict(FIGURES[:2]).startswith("Nothing")


def test_ours_runs_as_a_peer_does(tmp_path: Path) -> None:
    found = list(compare.measure(OURSELVES, tmp_path, 0))
    assert [one.failed for one in found] == [""] * 11
    assert all(one.decisions > 0 and one.version for one in found)
    assert {STEPS, WHOLE} < {one.kind for one in found}


def test_a_peer_that_cannot_run_is_told_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [lost] = compare.measure(Peer("Lost", "nowhere"), tmp_path, 0)
    assert lost == Figure("Lost", failed=f"{sys.executable}: No module named bench.peers.nowhere")

    def refuse(*_: object) -> str:
        raise Failed("not on PyPI")

    monkeypatch.setattr(compare, "environment", refuse)
    [lost] = compare.measure(PEERS[0], tmp_path, 0)
    assert lost == Figure("OpenSpiel", failed="not on PyPI")


def test_a_game_that_fails_is_told_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prepare(game: str) -> Trial:
        raise KeyError(game)

    monkeypatch.setattr(sys, "argv", ["peer", "0"])
    clock.tell("numpy", WHOLE, ["whist"], prepare)
    assert "KeyError: 'whist'" in capsys.readouterr().out


def test_every_peer_has_a_file_and_a_version() -> None:
    folder = Path(compare.__file__).parent
    for peer in PEERS:
        assert (folder / f"{peer.module}.py").exists()
        assert all("==" in package for package in peer.packages)
