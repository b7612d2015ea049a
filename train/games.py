"""Games to learn from: the learner against itself and against a population, a whole game a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from five211.bots.network import LEAD
from five211.fast import Batch
from five211.fast.choosing import ask, choose
from five211.rules import Rules

Floats = NDArray[np.float32]
Player = str | Floats
"""A policy by name, or a network's weights."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the learner did and what became of it: turns x games x players."""

    views: NDArray[np.void]
    actions: NDArray[np.uint8]
    likely: Floats
    values: Floats
    learns: NDArray[np.bool_]
    """Which seats the learner had: games x players."""
    results: Floats
    """Share of the victory, and lead over the mean of the others by `LEAD`: games x players x 2."""


def play(
    learner: Floats,
    rules: Rules,
    seats: NDArray[np.int64],
    others: list[Player],
    seed: str,
) -> Played:
    """A game in each row; a seat of -1 is the learner's, others are places in the list."""
    games, players = seats.shape
    turns = 3 * rules.rounds
    batch = Batch(players, games, seed, views=True)
    batch.reset()
    assert batch.views is not None
    learns = seats < 0
    shape = (turns, games, players)
    views = np.empty(shape, batch.views.dtype)
    actions, likely = np.zeros(shape, np.uint8), np.ones(shape, np.float32)
    values = np.zeros((*shape, 2), np.float32)
    points = np.zeros((games, players), np.int64)
    who = [(place, seats == place) for place in range(len(others)) if (seats == place).any()]
    for turn in range(turns):
        now = views[turn] = batch.views
        found = choose(learner, now[learns], f"{seed} {turn}")
        actions[turn][learns], likely[turn][learns] = found.actions, found.likely
        values[turn][learns] = found.values
        for place, mask in who:
            actions[turn][mask] = act(others[place], now[mask], f"{seed} {turn} {place}")
        batch.step(actions[turn])
        points += batch.points
    assert batch.done.all()
    won = (batch.winners[:, None] >> np.arange(players)) & 1
    shares = won / won.sum(1, keepdims=True)
    leads = (points - (points.sum(1, keepdims=True) - points) / (players - 1)) / LEAD
    results = np.stack([shares, leads], 2).astype(np.float32)
    return Played(views, actions, likely, values, learns, results)


def act(player: Player, views: NDArray[np.void], seed: str) -> NDArray[np.uint8]:
    """What one of the others chooses."""
    if isinstance(player, str):
        return ask(player, views, seed)
    return choose(player, views, seed).actions


def field(rules: Rules, games: int, other: int = 0) -> NDArray[np.int64]:
    """The learner once in each seat in turn, and the same other everywhere else."""
    seats = np.full((games, rules.players), other)
    seats[np.arange(games), np.arange(games) % rules.players] = -1
    return seats


def share(
    learner: Floats, rules: Rules, other: Player, games: int, seed: str
) -> tuple[float, float]:
    """The learner's share of the victories against a field of another, and its lead in points."""
    played = play(learner, rules, field(rules, games), [other], seed)
    mean = played.results[played.learns].mean(0)
    return float(mean[0]), float(mean[1] * LEAD)
