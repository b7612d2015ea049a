"""Masked PPO in one file: an agent learns 5211 on `BatchEnv` until it beats `heuristic`.

    python examples/ppo.py --out build/ppo          # --help names all that can be set

A network judges each choice by what it leaves behind: the table and the hand as they will be. It is
told counts alone, straight from the observation. Every colour goes through the same layer and what
comes out is added up, so that whatever is learnt of one colour is known of all.

It learns from points, which every round pays (`reward="margin"`), and is measured by victories,
which only a whole game does. One thread: with networks so small, two were many times slower.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from five211.env import BatchEnv
from five211.env.encode import PLACES, layout
from five211.env.extras import extra
from five211.errors import GameError
from five211.fast.digest import A_VICTORY
from five211.rules import Rules
from five211.stats.book import Figure
from five211.stats.estimate import Estimate, share
from five211.stats.plots import curve
from five211.stats.style import STYLE

with extra("train"):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import one_hot

Look: TypeAlias = dict[str, Any]
"""A line of the curve."""
AT_ONCE = 2000
"""Games that are played side by side to see how strong an agent is."""
UNITS = (48, 64, 32)
"""Of a network's layers."""
NEVER = -1e9
"""The worth of an action that the mask has not."""


def _option(default: Any, told: str) -> Any:
    """An option and what `--help` says of it."""
    return field(default=default, metadata={"help": told})


@dataclass(frozen=True, slots=True)
class Options:
    """All that a run depends on; its length is in updates, not minutes, so that a seed is a run."""

    players: int = _option(2, "2 to 5")
    opponents: str = _option("heuristic", "who plays the other seats: a compiled bot")
    seed: int = _option(1, "of everything")
    updates: int = _option(75, "rounds of playing and learning")
    games: int = _option(1024, "games side by side, one an update each")
    epochs: int = _option(2, "passes over what an update has played")
    batch: int = _option(4096, "turns that are learnt from at once")
    rate: float = _option(1.5e-3, "of learning, at first")
    last_rate: float = _option(3e-5, "of learning, at last")
    clip: float = _option(0.2, "how far the policy may move in an update")
    entropy: float = _option(0.01, "what it is worth to try things, at first")
    last_entropy: float = _option(0.003, "what it is worth to try things, at last")
    trace: float = _option(
        0.95, "lambda of GAE: how far a choice is judged by what came of it, not by the network"
    )
    point: float = _option(0.05, "the reward of a point of lead")
    evaluate: int = _option(3, "updates from one look at how strong it is to the next")
    looked: int = _option(2000, "games of such a look, the same decks each time")
    tested: int = _option(20_000, "games of the test at the end, with decks that were never seen")

    def __post_init__(self) -> None:
        """Refuse, in a sentence, what makes no run; the environment refuses the rest."""
        for name, value in asdict(self).items():
            if isinstance(value, str):
                continue
            fine, asked = 0 < value < inf, "more than 0"
            if name in ("seed", "entropy", "last_entropy"):
                fine, asked = 0 <= value < inf, "0 or more"
            if not fine:
                raise ValueError(f"{name} must be {asked}, not {value}.")


class Judge(nn.Module):  # type: ignore[misc]  # whose types are not read
    """Each colour through one layer, added up, and two layers more: one number."""

    def __init__(self, of_color: int, of_rest: int) -> None:
        super().__init__()
        one, two, three = UNITS
        self.color = nn.Linear(of_color, one)
        self.second, self.third = nn.Linear(one + of_rest, two), nn.Linear(two, three)
        self.last = nn.Linear(three, 1)
        with torch.no_grad():  # at first every choice is worth about the same
            self.last.weight *= 0.1

    def forward(self, colors: Tensor, rest: Tensor) -> Tensor:
        """What it makes of each row."""
        pooled = torch.relu(self.color(colors)).sum(1)
        hidden = torch.relu(self.second(torch.cat([pooled, rest], 1)))
        return self.last(torch.relu(self.third(hidden)))[:, 0]


class Agent(nn.Module):  # type: ignore[misc]  # whose types are not read
    """What learns; one of your own needs the same two methods."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.rules, self.slots = rules, {slot.name: slot for slot in layout(rules)}
        self.first = torch.tensor([places[0] for places in PLACES])
        self.second = torch.tensor([places[-1] for places in PLACES])
        self.pair = torch.tensor([[float(len(places) == 2)] for places in PLACES])
        last = layout(rules)[-1].slice.stop
        sizes = [told.shape[-1] for told in self.tell(torch.zeros(1, last))]
        self.policy, self.value = Judge(*sizes), Judge(*sizes)

    def logits(self, seen: Tensor, mask: Tensor) -> Tensor:
        """The worth of every action, rows x actions; what the mask has not is never played."""
        whose, actions = mask.nonzero(as_tuple=True)
        worth = self.policy(*self.tell(seen[whose], self.played(seen[whose], actions)))
        return torch.full(mask.shape, NEVER).index_put((whose, actions), worth)

    def values(self, seen: Tensor) -> Tensor:
        """The reward that is still to come, a number a row."""
        return self.value(*self.tell(seen))

    def part(self, seen: Tensor, name: str) -> Tensor:
        """A field of the observation, rows x its axes (docs/research.md has the table)."""
        slot = self.slots[name]
        return seen[:, slot.slice].reshape(-1, *slot.shape)

    def played(self, seen: Tensor, actions: Tensor) -> Tensor:
        """The cards that an action plays, how many of each kind, as `hand` has them."""
        kinds = self.part(seen, "places").long()
        found = torch.zeros(len(seen), 1 + self.slots["hand"].slice.stop)
        first, second = self.first[actions, None], self.second[actions, None]
        found.scatter_add_(1, kinds.gather(1, first), torch.ones(len(seen), 1))
        found.scatter_add_(1, kinds.gather(1, second), self.pair[actions])
        return found[:, 1:]

    def tell(self, seen: Tensor, played: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """What a network is told, once these cards are laid: of each colour, and of the rest."""
        rules, rows = self.rules, len(seen)
        by_color = (rows, len(rules.colors), len(rules.copies))
        hand, unseen = self.part(seen, "hand"), self.part(seen, "unseen").reshape(by_color)
        laid = self.part(seen, "laid").transpose(1, 2)  # rows x colours x seats, one's own first
        worth = self.part(seen, "worth").transpose(1, 2)
        icons, points = self.part(seen, "icons"), self.part(seen, "points")
        if played is not None:
            hand, cards = hand - played, played.reshape(by_color)
            own = one_hot(torch.tensor(0), rules.players)
            values = torch.arange(1.0, len(rules.copies) + 1)
            laid = laid + cards.sum(2, keepdim=True) * own
            worth = worth + (cards @ values)[:, :, None] * own
            icons = icons + cards[:, :, :1].sum(1) * own
        hand = hand.reshape(by_color)
        turn = one_hot(self.part(seen, "turn").long(), len(rules.plays))
        moment = torch.cat([turn, self.part(seen, "last_round")[:, None]], 1)
        # Counts decide by being equal, or one too many: each is a switch of its own.
        count = one_hot(laid.sum(2).clamp(max=rules.limit).long(), rules.limit + 1)
        of_icons = one_hot(icons.sum(1).clamp(max=rules.exact + 1).long(), rules.exact + 2)
        now = moment[:, None].expand(-1, len(rules.colors), -1)
        colors = torch.cat([count, hand / 2, unseen / 3, laid / 4, worth / 10, now], 2)
        left = 1 - self.part(seen, "round")[:, None] / rules.rounds
        lead = (points[:, :1] - points[:, 1:]) / 20
        held = hand[:, :, 0].sum(1, keepdim=True) / 3
        likely = unseen[:, :, 0].sum(1) / unseen.sum((1, 2)).clamp(min=1)
        rest = [of_icons, icons / 3, held, 4 * likely[:, None] - 1, moment, left, lead]
        return colors, torch.cat(rest, 1)


def looked(seen: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """What the environment shows, as tensors: observations and masks."""
    return torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"]).bool()


def strength(agent: nn.Module, options: Options, games: int, seed: int) -> Estimate:
    """The share of the victories if the agent plays what it likes best, with its interval."""
    players = options.players
    env = BatchEnv(min(games, AT_ONCE), players, opponents=options.opponents, reward="win")
    seen, _ = env.reset(seed=seed)
    won: list[float] = []
    while len(won) < games:
        numbers, mask = looked(seen)
        with torch.no_grad():
            actions = agent.logits(numbers.float(), mask).argmax(1)
        seen, rewards, ended, _, _ = env.step(actions.numpy())
        won += (rewards[ended] + 1 / players).tolist()
    parts = np.rint(np.array(won[:games]) * A_VICTORY).astype(int)
    a, aa = int(parts.sum()), int((parts**2).sum())
    return share((a, games, aa, a, games), games, 1 / A_VICTORY)


class Games:
    """The games that the agent learns from: an update plays each of them to its end."""

    def __init__(self, options: Options, seed: int) -> None:
        self.env = BatchEnv(
            options.games, options.players, opponents=options.opponents,
            reward="margin", per_round=True,
        )  # fmt: skip
        self.turns = len(self.env.rules.plays) * self.env.rules.rounds
        self.seen = looked(self.env.reset(seed=seed)[0])

    def play(self, agent: nn.Module, options: Options) -> tuple[Tensor, ...]:
        """Observations, masks, actions, their logarithms, advantages and returns, a row a turn."""
        told: list[tuple[Tensor, ...]] = []
        paid: list[tuple[Tensor, Tensor]] = []
        with torch.no_grad():
            for _turn in range(self.turns):
                numbers, mask = self.seen
                likely = torch.log_softmax(agent.logits(numbers.float(), mask), 1)
                actions = torch.multinomial(likely.exp(), 1)
                seen, rewards, ended, _, _ = self.env.step(actions[:, 0].numpy())
                values = agent.values(numbers.float())
                told.append((numbers, mask, actions, likely.gather(1, actions), values))
                reward = torch.from_numpy(rewards * options.point).float()
                paid.append((reward, torch.from_numpy(~ended).float()))
                self.seen = looked(seen)
            ahead = agent.values(self.seen[0].float())
        numbers, mask, actions, likely, values = map(torch.stack, zip(*told, strict=True))
        gains, gain = torch.zeros_like(values), torch.zeros_like(ahead)
        for turn in reversed(range(self.turns)):  # GAE; where a game ended nothing lies ahead
            reward, goes_on = paid[turn]
            gain = reward + goes_on * (ahead + options.trace * gain) - values[turn]
            gains[turn], ahead = gain, values[turn]
        kept = (numbers, mask, actions[..., 0], likely[..., 0], gains, gains + values)
        return tuple(one.flatten(0, 1) for one in kept)


def improve(
    agent: nn.Module, optimiser: torch.optim.Optimizer, played: Sequence[Tensor], options: Options,
    entropy: float,
) -> dict[str, float]:  # fmt: skip
    """A few passes over what was played: choices that did better than expected become likelier."""
    losses = []
    for _epoch in range(options.epochs):
        for some in torch.randperm(len(played[0])).split(options.batch):
            numbers, mask, actions, before, gains, returns = (one[some] for one in played)
            likely = torch.log_softmax(agent.logits(numbers.float(), mask), 1)
            ratio = torch.exp(likely.gather(1, actions[:, None])[:, 0] - before)
            gains = (gains - gains.mean()) / (gains.std(correction=0) + 1e-8)
            bounded = ratio.clamp(1 - options.clip, 1 + options.clip)
            policy = -torch.min(ratio * gains, bounded * gains).mean()
            spread = -(likely.exp() * likely.clamp(min=-50)).sum(1).mean()
            error = (agent.values(numbers.float()) - returns).square().mean()
            optimiser.zero_grad()
            (policy + error - entropy * spread).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()
            losses.append((policy.item(), error.item(), spread.item()))
    means = np.mean(losses, axis=0).tolist()
    return dict(zip(("policy", "error", "entropy"), means, strict=True))


def learn(options: Options, out: Path, agent: nn.Module | None = None) -> Estimate:
    """One run; the curve, its plot and the weights go into a folder, what is seen is printed."""
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    lessons, looks, test = map(int, np.random.SeedSequence(options.seed).generate_state(3))
    games = Games(options, lessons)
    agent = agent or Agent(games.env.rules)
    optimiser = torch.optim.Adam(agent.parameters(), lr=options.rate, eps=1e-5)
    out.mkdir(parents=True, exist_ok=True)
    began, worked = time.monotonic(), time.process_time()
    seen: dict[str, float] = {}
    log: list[Look] = []

    def told(update: int, found: Estimate) -> Look:
        return {
            "update": update,
            "games": update * options.games,
            "steps": update * options.games * games.turns,
            "minutes": round((time.monotonic() - began) / 60, 3),
            "cpu_minutes": round((time.process_time() - worked) / 60, 3),
            **{name: round(getattr(found, name), 4) for name in ("value", "low", "high")},
            **{name: round(value, 4) for name, value in seen.items()},
        }

    for update in range(options.updates + 1):
        done = update / options.updates
        if update % options.evaluate == 0 or done == 1:
            found = strength(agent, options, options.looked, looks)
            log.append(told(update, found))
            print(json.dumps(log[-1]), flush=True)
        if done < 1:
            for group in optimiser.param_groups:
                group["lr"] = options.rate + (options.last_rate - options.rate) * done
            entropy = options.entropy + (options.last_entropy - options.entropy) * done
            seen = improve(agent, optimiser, games.play(agent, options), options, entropy)
    torch.save(agent.state_dict(), out / "weights.pt")
    (out / "curve.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in log))
    (out / "curve.svg").write_text(drawn(options, log))
    final = strength(agent, options, options.tested, test)
    result = {"options": asdict(options), "test": told(options.updates, final)}
    (out / "result.json").write_text(json.dumps(result, indent=1))
    return final


def drawn(options: Options, log: Sequence[Look]) -> str:
    """The shares by minutes, as the book of figures draws its curves, and par beside them."""
    par, apart = 1 / options.players, 4 if len(log) > 9 else 1  # so that no label is on another
    lines = {
        "winners": tuple(
            Estimate(look["value"], 0.0, look["low"], look["high"], options.looked) for look in log
        ),
        "others": (Estimate(par, 0.0, par, par, 1),) * len(log),
    }
    picture = curve(
        Figure(Rules.of(options.players), tuple(range(len(log))), lines, {}),
        lambda value: f"{100 * value:.0f} %",
        "Share of the victories by minutes of training",
        f"From {log[0]['value']:.1%} to {log[-1]['value']:.1%} in {log[-1]['minutes']} minutes.",
        label=lambda row: "" if int(row) % apart else f"{log[int(row)]['minutes']:.1f}",
        axes=("minutes", f"share of the victories against {options.opponents}; dotted: par"),
    )
    alone = '<svg xmlns="http://www.w3.org/2000/svg" width="720" '
    style = f"<style>{STYLE}svg{{background:var(--panel);font-family:sans-serif}}</style>"
    return picture.replace("<svg ", alone, 1).replace("<title>", f"{style}<title>", 1) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Masked PPO on the vector environment of 5211.")
    parser.add_argument(
        "--out", type=Path, default=Path("build/ppo"),
        help="the folder for the curve, its plot and the weights; default: %(default)s",
    )  # fmt: skip
    for one in fields(Options):
        parser.add_argument(
            f"--{one.name}", type=type(one.default), default=one.default,
            help=f"{one.metadata['help']}; default: %(default)s",
        )  # fmt: skip
    given = vars(parser.parse_args(arguments))
    out = given.pop("out")
    try:
        options = Options(**given)
        found = learn(options, out)
    except (GameError, ValueError) as error:
        parser.error(str(error))
    print(
        f"{found.value:.2%} of {options.tested:,} games against {options.opponents} "
        f"({found.low:.2%} to {found.high:.2%}; par is {1 / options.players:.0%}). "
        f"Curve, plot and weights are in {out}."
    )


if __name__ == "__main__":
    main()
