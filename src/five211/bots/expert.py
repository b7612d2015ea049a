"""Opens as the network does; then looks one turn ahead, in worlds that what was played tells of.

What it takes into account, and `five211.fast.search` does:

- How the others play. Some are like the network, some weigh as `heuristic` does, some are greedy,
  some are none of these: the rounds that are over tell which, and nothing is taken for certain.
- What the others hold. Out of hands dealt by chance, those stay that make their owner's cards of
  this round likely.
- What comes of a choice. The network values what one would see once everyone has revealed (with
  three players or more: at the end of the round, which is played out): the share of the victory to
  come, and a little the lead. What ends the game is worth what it is.

It leans to what the network would play by itself, but not much, and chooses by chance between what
is about equal: whoever is sure of its next card is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from five211.bots.neural import drawn
from five211.cards import Cards
from five211.rules import Variant
from five211.view import View


@dataclass(frozen=True, slots=True)
class Plan:
    """How hard it thinks: enough for a strong choice well within 50 ms."""

    worlds: int
    tries: int
    """Hands of which one is picked, at most, for each of the others."""
    joints: int
    """How often the others' choices are drawn in a world; with two players all are looked at."""
    ends: int
    """The same in a second turn, where each time the round is played to its end."""
    sharp: float
    """By how much of a victory one choice must be better to be some three times as likely."""


PLANS = {
    2: Plan(80, 24, 1, 1, 0.008),
    3: Plan(60, 24, 16, 2, 0.004),
    4: Plan(60, 24, 16, 2, 0.004),
    5: Plan(40, 20, 16, 2, 0.004),
}
"""By the number of players."""
PRIORS = (0.55, 0.2, 0.1, 0.15)
"""How likely somebody plays as the network, as `heuristic`, greedily or loosely, at first sight."""
READING = 5
"""Hands in which each of somebody's earlier choices is looked at."""
UNLIKELY = 0.03
"""What is less likely than this is not thought of, until the others' cards speak for it."""
LEANING = 0.2
"""How much of the network's own opinion stays."""
LEADS = {Variant.STANDARD: 0.1, Variant.LONG: 1.0}
"""What a lead of twenty points weighs beside a victory; in the longer game no deal is the last."""


class ExpertBot:
    """Watches everybody, and forgets nothing."""

    searches = True

    def prepare(self) -> None:
        """Compile what it needs."""
        from five211.fast.search import compile_search

        compile_search()

    def choose(self, view: View, rng: Random) -> Cards:
        """One of the choices, by chance, the better ones far more likely."""
        import numpy as np  # not at the top: it takes a while, and not everybody asks this bot

        from five211.bots import network
        from five211.fast.search import manners, search

        seed = str(rng.getrandbits(64))
        if view.turn == 0:  # nothing lies there yet to look ahead from: it was seen to gain nothing
            return drawn(view.choices, network.shares(view).tolist(), rng)
        weights, plan = network.weights(view.rules.players), PLANS[view.rules.players]
        read = manners(view, weights, np.array(PRIORS, np.float32), seed, READING)
        read[read < UNLIKELY] = 0  # saves the time that it takes to think of it
        found = search(view, weights, read, plan.worlds, seed, plan.tries, plan.joints, plan.ends)
        worth = found.shares + LEADS[view.rules.variant] * found.leads
        likely = LEANING * np.log(found.likely + 1e-6) + worth / plan.sharp
        powers = np.exp(likely - likely.max())
        return drawn(found.choices, (powers / powers.sum()).tolist(), rng)
