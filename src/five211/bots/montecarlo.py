"""Deals the cards that it cannot see again and again, plays the round to its end, counts.

Every choice is tried in the same worlds. Nobody knows how the others play, so in some worlds all of
them are greedy, in some they count as `heuristic` does, in some they play anything: a choice has to
do well in all of them. More worlds make it hardly better; better company would.

What counts is to win, so the end of a round is worth one's lead over the best of the others, or how
far one is behind. A card that is played is missing later: it costs a share of its value, but
nothing in the last round.
"""

from __future__ import annotations

from random import Random

from five211.bots.heuristic import RESERVE
from five211.cards import Cards
from five211.view import View

WORLDS = {"greedy": 24, "heuristic": 24, "random": 24}
"""In how many worlds the others play like this."""
SELF = "heuristic"
"""How one plays one's own later turns of the round."""


class MonteCarloBot:
    """Imagines what the others hold, and how they will play it."""

    searches = True

    def choose(self, view: View, rng: Random) -> Cards:
        """The choice that leads by most in the mean; of equal ones the first."""
        import numpy as np  # not at the top: it takes a while, and not everybody asks this bot

        from five211.fast import rollouts

        seat, seed = view.seat, rng.getrandbits(64)
        gains = []
        for model, worlds in WORLDS.items():
            policies = [model] * view.rules.players
            policies[seat] = SELF
            gains.append(rollouts(view, worlds, policies, f"{seed} {model}").gains)
        points = np.concatenate(gains) + np.array(view.points)
        leads = points[:, :, seat] - np.delete(points, seat, axis=2).max(axis=2)
        share = 0.0 if view.last_round else RESERVE
        spent = [share * sum(card.value for card in choice) for choice in view.choices]
        return view.choices[int((leads.mean(axis=0) - spent).argmax())]
