"""Proximal policy optimisation: play, see which choices did better than expected, play them more.

One thread: two were seen to run seven times slower. Colours need no shuffling, since the network
cannot tell them apart.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from five211.chance import stream
from five211.fast.choosing import MOST, tell
from five211.rules import Rules
from train.games import Floats, Played, Player, play, share
from train.model import Pair

SCRIPTED = ("heuristic", "greedy", "random")


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a run depends on."""

    players: tuple[int, ...] = (2,)
    iterations: int = 1500
    """How long it learns: the rates fall to their ends on the way."""
    stop: int = 0
    """To end before that, as if interrupted; 0 is not to."""
    average: float = 0.0
    """How much of the mean of all weights so far stays in each iteration: whoever learns from
    themselves goes round in circles, and the mean is in their middle."""
    decisions: int = 36_000
    """Learner's decisions of an iteration, about."""
    epochs: int = 2
    batch: int = 4096
    rate: float = 1.5e-3
    last_rate: float = 5e-5
    clip: float = 0.2
    entropy: float = 0.012
    last_entropy: float = 0.003
    trace: float = 0.9
    """How much of a choice's worth is judged by the end of the game, not by the network."""
    lead: float = 0.5
    last_lead: float = 0.1
    """What a lead of twenty points is worth beside a victory."""
    against: float = 0.45
    """The share of games against others than itself."""
    keep: int = 40
    """Iterations from one snapshot of itself to the next."""
    evaluate: int = 100
    """Iterations from one look at how strong it is to the next."""
    tested: int = 2000
    """Games of such a look."""
    seed: str = "five211"
    weights: str = ""
    """Where to begin, if not anew."""
    frozen: str = ""
    """If given, the one opponent: the best response to it is learnt."""


def learn(plan: Plan, out: Path) -> None:
    """Train; weights and what was seen go into a folder."""
    torch.set_num_threads(1)
    torch.manual_seed(stream(plan.seed, "torch").getrandbits(60))
    chance = np.random.default_rng(stream(plan.seed, "numpy").getrandbits(60))
    pair = Pair()
    if plan.weights:
        pair.load(np.load(plan.weights))
    optimiser = torch.optim.Adam(pair.parameters(), lr=plan.rate, eps=1e-5)
    frozen = np.load(plan.frozen) if plan.frozen else None
    past: list[Floats] = []
    mean = pair.flat()
    out.mkdir(parents=True, exist_ok=True)
    (out / "plan.json").write_text(json.dumps(asdict(plan), indent=1))
    began, iteration, games = time.monotonic(), 0, 0
    with (out / "log.jsonl").open("w") as log:
        while True:
            done = min(iteration / plan.iterations, 1.0)
            for group in optimiser.param_groups:
                group["lr"] = plan.rate + (plan.last_rate - plan.rate) * done
            entropy = plan.entropy + (plan.last_entropy - plan.entropy) * done
            lead = plan.lead + (plan.last_lead - plan.lead) * done
            n = plan.players[iteration % len(plan.players)]
            rules, row = Rules.of(n), pair.flat()
            mean = plan.average * mean + (1 - plan.average) * row if iteration else row
            ends = done >= 1 or (plan.stop and iteration >= plan.stop)
            if iteration % plan.keep == 0:
                past.append(row)
            if iteration % plan.evaluate < len(plan.players) or ends:
                told = {
                    f"{n} {other}": share(
                        mean, rules, other, plan.tested, f"{plan.seed} test {iteration}"
                    )
                    for other in ("heuristic", "greedy")
                }
                if frozen is not None:
                    told["frozen"] = share(
                        mean, rules, frozen, 2 * plan.tested, f"{plan.seed} t {iteration}"
                    )
                minutes = (time.monotonic() - began) / 60
                line = {"iteration": iteration, "games": games, "minutes": round(minutes, 2)}
                print(json.dumps({**line, **told}), file=log, flush=True)
                np.save(out / "weights.npy", mean)
            if ends and n == plan.players[-1]:
                return
            number = max(8, round(plan.decisions / (3 * rules.rounds * n)))
            others: list[Player] = [frozen] if frozen is not None else population(past, chance)
            seats = seating(plan, rules, number, len(others), chance, frozen is not None)
            seed = f"{plan.seed} {iteration}"
            seen = improve(
                pair, optimiser, play(row, rules, seats, others, seed), plan, lead, entropy, chance
            )
            games += number
            print(json.dumps({"iteration": iteration, "players": n, **seen}), file=log, flush=True)
            iteration += 1


def population(past: Sequence[Floats], chance: np.random.Generator) -> list[Player]:
    """Who may be met: the scripted ones, and some of what the learner was."""
    some = chance.choice(len(past), size=min(3, len(past)), replace=False)
    return [*SCRIPTED, *(past[index] for index in some)]


def seating(
    plan: Plan, rules: Rules, games: int, others: int, chance: np.random.Generator, alone: bool
) -> NDArray[np.int64]:
    """Who sits where: in most games the learner everywhere, in others it is one among others.

    Of those some are against a field of one kind, some against all sorts.
    """
    n = rules.players
    seats = np.full((games, n), -1)
    met = games if alone else round(games * plan.against)
    weights = np.array([1.0] if alone else [2.0, 1.0, 0.5] + [1.5] * (others - 3))
    weights /= weights.sum()
    kinds = chance.choice(others, size=(met, n), p=weights)
    same = chance.random(met) < 0.6
    kinds[same] = kinds[same][:, :1]
    kinds[np.arange(met), np.arange(met) % n] = -1
    seats[:met] = kinds
    return seats


def improve(
    pair: Pair,
    optimiser: torch.optim.Optimizer,
    played: Played,
    plan: Plan,
    lead: float,
    entropy: float,
    chance: np.random.Generator,
) -> dict[str, float]:
    """One iteration: advantages, then a few passes over everything that was played."""
    weigh = np.array([1.0, lead], np.float32)
    turns = len(played.views)
    advantages = np.zeros(played.actions.shape, np.float32)
    targets = np.zeros(played.values.shape, np.float32)
    ahead = np.zeros_like(played.results)
    next_values = played.results
    for turn in range(turns - 1, -1, -1):
        here = played.values[turn]
        ahead = next_values - here + plan.trace * ahead
        targets[turn] = here + ahead
        advantages[turn] = ahead @ weigh
        next_values = here
    learns = np.broadcast_to(played.learns, played.actions.shape)
    views, actions = played.views[learns], played.actions[learns]
    likely, gains = played.likely[learns], advantages[learns]
    wanted = targets[learns]
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    seen: list[tuple[float | int, ...]] = []
    for _epoch in range(plan.epochs):
        order = chance.permutation(len(views))
        size = min(plan.batch, len(order))
        for at in range(0, len(order) - size // 2, size):
            some = order[at : at + size]
            told = tell(views[some])
            ends = np.cumsum(told.number, dtype=np.int64)
            whose = np.repeat(np.arange(len(some)), told.number)
            place = np.arange(len(whose)) - (ends - told.number)[whose]
            worth = torch.full((len(some), MOST), -1e9)
            worth = worth.index_put(
                (torch.from_numpy(whose), torch.from_numpy(place)),
                pair.policy(torch.from_numpy(told.rows))[:, 0],
            )
            chosen = np.zeros(len(some), np.int64)
            hit = told.actions == actions[some][whose]
            chosen[whose[hit]] = place[hit]
            logs = torch.log_softmax(worth, 1)
            now = logs.gather(1, torch.from_numpy(chosen)[:, None])[:, 0]
            ratio = torch.exp(now - torch.log(torch.from_numpy(likely[some])))
            gain = torch.from_numpy(gains[some])
            bounded = torch.clamp(ratio, 1 - plan.clip, 1 + plan.clip)
            policy = -torch.min(ratio * gain, bounded * gain).mean()
            spread = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
            valued = pair.value(torch.from_numpy(told.before))
            error = (valued - torch.from_numpy(wanted[some])).square().mean()
            loss = policy + error - entropy * spread
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(pair.parameters(), 0.5)
            optimiser.step()
            seen.append((policy.item(), error.item(), spread.item()))
    means = np.mean(seen, axis=0)
    names = ("policy", "error", "entropy")
    return {name: round(float(value), 4) for name, value in zip(names, means, strict=True)}
