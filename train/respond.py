"""The best response to `expert` that we could find: how much could somebody gain who studied it?

    python -m train.respond --weights build/train/response/weights.npy --games 10000

Begins with a network (best of all one that has learnt to answer the network itself), plays against
`expert` as it is, learns, and at last plays on without learning to see what it gains. Whatever it
finds is a lower bound: somebody cleverer may find more.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from five211.arena import processes
from five211.bots import make
from five211.bots.network import LEAD
from five211.cards import Cards
from five211.chance import stream
from five211.fast.choosing import choose
from five211.fast.search import cards_of
from five211.fast.seen import seen
from five211.fast.view import VIEW
from five211.rules import Rules
from five211.simulate import play_match
from five211.stats.estimate import share
from five211.view import View
from train.games import Floats, Played
from train.learn import Plan, improve
from train.model import Pair

RULES = Rules.of(2)
TURNS = 3 * RULES.rounds


class Learner:
    """The network as a bot that remembers what it saw, for one game."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self.views = np.zeros(TURNS, VIEW)
        self.actions = np.zeros(TURNS, np.uint8)
        self.likely = np.ones(TURNS, np.float32)
        self.values = np.zeros((TURNS, 2), np.float32)

    def choose(self, view: View, rng: Random) -> Cards:
        """What the network draws."""
        turn = 3 * len(view.rounds) + view.turn
        self.views[turn] = seen(view)
        found = choose(self.weights, self.views[turn : turn + 1], rng.getrandbits(60))
        self.actions[turn], self.likely[turn] = found.actions[0], found.likely[0]
        self.values[turn] = found.values[0]
        return cards_of(view.hand, int(found.actions[0]))


Game = tuple[int, NDArray[np.void], NDArray[np.uint8], Floats, Floats, tuple[float, float]]


def play(weights: Floats, bot: str, seed: str, first: int, games: int) -> list[Game]:
    """Some games, the learner in each seat in turn; every deck twice."""
    found = []
    for game in range(first, first + games):
        learner, seat = Learner(weights), game % 2
        bots = [learner, make(bot)] if seat == 0 else [make(bot), learner]
        result = play_match(RULES, bots, seed, game // 2).result
        assert result is not None
        lead = (result.points[seat] - result.points[1 - seat]) / LEAD
        ended = (seat in result.winners) / len(result.winners), lead
        found.append((seat, learner.views, learner.actions, learner.likely, learner.values, ended))
    return found


def gathered(games: list[Game]) -> Played:
    """Games as the learning takes them."""
    number = len(games)
    shape = (TURNS, number, 2)
    views, actions = np.zeros(shape, VIEW), np.zeros(shape, np.uint8)
    likely, values = np.ones(shape, np.float32), np.zeros((*shape, 2), np.float32)
    learns, results = np.zeros((number, 2), np.bool_), np.zeros((number, 2, 2), np.float32)
    for index, (seat, seen_, chosen, how, valued, ended) in enumerate(games):
        views[:, index, seat], actions[:, index, seat] = seen_, chosen
        likely[:, index, seat], values[:, index, seat] = how, valued
        learns[index, seat], results[index, seat] = True, ended
    return Played(views, actions, likely, values, learns, results)


def main() -> None:
    """Learn, then see."""
    parser = argparse.ArgumentParser(prog="python -m train.respond", description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--bot", default="expert")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--test", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seed", default="five211 respond")
    parser.add_argument("--out", type=Path, default=Path("build/train/respond"))
    given = parser.parse_args()
    if given.test % 2:
        parser.error("--test is an even number: every deck is played from both seats")
    torch.set_num_threads(1)
    chance = np.random.default_rng(stream(given.seed, "numpy").getrandbits(60))
    pair, plan = Pair(), Plan()
    pair.load(np.load(given.weights))
    optimiser = torch.optim.Adam(pair.parameters(), lr=given.rate, eps=1e-5)
    given.out.mkdir(parents=True, exist_ok=True)
    workers = os.cpu_count() or 1

    def games(first: int, number: int, seed: str) -> list[Game]:
        row, part = pair.flat(), -(-number // (4 * workers))
        tasks = [
            executor.submit(play, row, given.bot, seed, at, min(part, first + number - at))
            for at in range(first, first + number, part)
        ]
        return [game for task in tasks for game in task.result()]

    with processes(workers) as executor, (given.out / "log.jsonl").open("w") as log:
        for done in range(0, given.games, given.batch):
            found = gathered(games(done, given.batch, f"{given.seed} learn"))
            seen_ = improve(pair, optimiser, found, plan, 0.2, plan.last_entropy, chance)
            mean = float(found.results[found.learns][:, 0].mean())
            line = {"games": done + given.batch, "share": round(mean, 4), **seen_}
            print(json.dumps(line), file=log, flush=True)
            np.save(given.out / "weights.npy", pair.flat())
        won = [round(2 * game[-1][0]) for game in games(0, given.test, f"{given.seed} test")]
        deals = [one + other for one, other in zip(won[::2], won[1::2], strict=True)]
        squares = sum(deal * deal for deal in deals)  # the two games of a deal share their cards
        sums = sum(won), len(won), squares, 2 * sum(won), 4 * len(deals)
        spread = share(sums, len(deals), 0.5)
        told = {"test": len(won), "share": spread.value, "low": spread.low, "high": spread.high}
        print(json.dumps(told), file=log, flush=True)
        print(json.dumps(told))


if __name__ == "__main__":
    main()
