"""What it came to: figures against brute force, and what they must say of bots that are known."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest

from five211 import GameError
from five211.arena import Arena, compare
from five211.arena.report import as_json, play, report
from five211.arena.sums import Sums
from five211.bots import Entry, make
from five211.rules import Rules
from five211.simulate import play_match
from five211.stats.estimate import SURE, student
from tests.arena.bots import Follower, Low

LOW, FOLLOWER = Entry("low", Low), Entry("follower", Follower)


@pytest.mark.parametrize("players", [2, 3])
def test_intervals_are_those_of_the_deals(players: int) -> None:
    """Worked out again from each game, the slow way."""
    found = compare(["greedy", "random"], players, 36, seed="slow")
    won, lead = [], []
    for deal in range(36 // players):
        shares, leads = [], []
        for seat in range(players):
            bots = [make("random")] * players
            bots[seat] = make("greedy")
            result = play_match(Rules.of(players), bots, "slow", deal).result
            assert result is not None
            shares.append((seat in result.winners) / len(result.winners))
            others = [points for at, points in enumerate(result.points) if at != seat]
            leads.append(result.points[seat] - np.mean(others))
        won.append(np.mean(shares))
        lead.append(np.mean(leads))
    contest = found.contest("greedy", "random")
    error = np.std(won, ddof=1) / sqrt(len(won))
    assert contest.win.value == pytest.approx(np.mean(won))
    assert contest.win.error == pytest.approx(error)
    assert (contest.win.high - contest.win.low) / 2 == pytest.approx(SURE * error, rel=0.12)
    error = np.std(lead, ddof=1) / sqrt(len(lead))
    assert contest.lead.value == pytest.approx(np.mean(lead))
    assert contest.lead.low == pytest.approx(np.mean(lead) - student(len(lead) - 1) * error)
    assert contest.lead.high == pytest.approx(np.mean(lead) + student(len(lead) - 1) * error)
    assert contest.games == 36


def test_the_strong_beat_the_weak() -> None:
    found = compare([FOLLOWER, "random"], [2, 4], 80, seed=1)
    for players in (2, 4):
        one, other = (
            found.contest(*pair, players)
            for pair in (("follower", "random"), ("random", "follower"))
        )
        assert one.beyond == 1
        assert one.win.low > 1 / players
        assert one.lead.low > 0
        assert other.win.value < 1 / players
        assert other.lead.high < 0
    assert found.contest("random", "follower", 2).beyond == -1
    assert list(found.ratings) == ["follower", "random"]
    assert found.ratings["follower"].low > 0 > found.ratings["random"].high
    assert set(found.times) == {"follower", "random"}


def test_clones_are_at_par() -> None:
    """The same bot by two names; with chance of its own in each seat, or with none."""
    found = compare([Entry("a", make("random").__class__), "random", LOW, Entry("b", Low)], 3, 24)
    for pair in (("a", "random"), ("random", "a"), ("low", "b"), ("b", "low")):
        contest = found.contest(*pair)
        assert contest.beyond == 0
        assert contest.win.low < 1 / 3 < contest.win.high
        assert contest.lead.low <= 0 <= contest.lead.high


def test_of_two_players_the_other_side_is_the_mirror() -> None:
    found = compare(["greedy", "random"], games=20)
    one, other = found.contest("greedy", "random"), found.contest("random", "greedy")
    assert other == one.mirrored()
    assert other.mirrored().win.value == pytest.approx(one.win.value)
    assert one.win.value + other.win.value == 1
    assert (one.win.low, one.lead.low) == pytest.approx((1 - other.win.high, -other.lead.high))
    assert one.beyond == -other.beyond


def test_what_has_not_been_played_cannot_be_asked_for() -> None:
    found = compare(["greedy", "random"], games=4)
    for args in (("greedy", "greedy"), ("greedy", "low"), ("greedy", "random", 3)):
        with pytest.raises(GameError) as error:
            found.contest(*args)
        assert error.value.code == "arena_contest"


def test_a_bot_may_be_a_class_or_made() -> None:
    found = compare([Low(), Follower, "random"], range(2, 4), games=4)
    assert found.arena.names == ("Low", "Follower", "random")
    assert found.contest("Low", "Follower", 3).games == 6


@pytest.mark.parametrize("players", ["2", 2.5, None, 6])
def test_what_is_no_number_of_players(players: Any) -> None:
    with pytest.raises(GameError) as error:
        compare(["greedy", "random"], players)
    assert error.value.code == "players"


def test_stopped_early_what_is_there_is_shown() -> None:
    arena = Arena.of(["greedy", "random", LOW], [2, 3], 8, 4)
    parts = list(arena.parts())
    most = sum((arena.play(*part) for part in parts[:-1]), Sums())
    found = report(arena, most)
    assert found.interrupted
    assert found.games == arena.asked - 9
    assert found.matrices[2].ratings
    assert not found.matrices[3].ratings
    assert not found.ratings
    assert len(found.matrices[3].contests) == 5
    assert not report(arena, play(arena)).interrupted


def test_one_deal_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("five211.arena.work.PART", 1)
    arena = Arena.of(["greedy", "random"], [2], 4)
    assert not report(arena, arena.play(0, 0)).matrices[2].contests


SCHEMA: dict[str, Any] = {
    "bots": [str],
    "variant": str,
    "seed": str,
    "confidence": float,
    "asked": int,
    "games": int,
    "cells": [
        {
            "players": int,
            "one": str,
            "field": str,
            "games": int,
            "par": float,
            "win": {"value": float, "low": float, "high": float},
            "lead": {"value": float, "low": float, "high": float},
            "beyond": int,
        }
    ],
    "ratings": [
        {"players": (int, type(None)), "bot": str, "value": float, "low": float, "high": float}
    ],
    "times": [{"bot": str, "choices": int, "mean": float, "p95": float, "worst": float}],
}


def check(value: object, shape: Any) -> None:
    """Hold a value against a shape: no key more, no key less."""
    if isinstance(shape, dict):
        assert isinstance(value, dict)
        assert value.keys() == shape.keys()
        for key, one in shape.items():
            check(value[key], one)
    elif isinstance(shape, list):
        assert isinstance(value, list)
        assert value
        for one in value:
            check(one, shape[0])
    else:
        assert isinstance(value, shape)


def test_json_has_all_of_it() -> None:
    found = compare(["greedy", "random", LOW], (2, 3), 6, seed="j")
    told = json.loads(json.dumps(as_json(found)))
    check(told, SCHEMA)
    assert (told["variant"], told["games"]) == ("standard", told["asked"])
    assert len(told["cells"]) == 2 * 6
    assert [one["players"] for one in told["ratings"]] == [2] * 3 + [3] * 3 + [None] * 3
    for one in told["cells"]:
        assert one["win"]["low"] <= one["win"]["value"] <= one["win"]["high"]
    for one in told["times"]:
        assert 0 < one["p95"] <= one["worst"]
        assert 0 < one["mean"] <= one["worst"]
