"""Deals the cards that it cannot see again and again, plays the round to its end, counts.

Every choice is tried in the same worlds. Nobody knows how the others play, so in some worlds all of
them are greedy, in some they count as `heuristic` does, in some they play anything: a choice has to
do well against all of these. More worlds make it hardly better; better company would.

What counts is to win, not to gain much: each end of the round is worth one's share of the victory
if that fell to the seats by their points; a lead decides the more, the fewer rounds are left. A
card that is played is missing later: it costs some of its points, but nothing in the last round.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from five211.cards import Cards
from five211.view import View

if TYPE_CHECKING:
    from five211.fast import Rollouts

WORLDS = {"greedy": 30, "heuristic": 30, "random": 30}
"""In how many worlds the others play like this."""
SELF = "heuristic"
"""How one plays one's own later turns of the round."""
RESERVE = 0.2
"""What a card is worth for a later round, as a share of its value."""
SPREAD = 2.0
"""How many points a round makes between players; rounds add up as chances do, by the root."""


class MonteCarloBot:
    """Imagines what the others hold, and how they will play it."""

    def choose(self, view: View, rng: Random) -> Cards:
        """The choice that wins most often; of equal ones the first."""
        from five211.fast import rollouts  # not at the top: NumPy takes a while

        seed = rng.getrandbits(64)
        worth: Any = 0
        for model, worlds in WORLDS.items():
            policies = [SELF if seat == view.seat else model for seat in range(view.rules.players)]
            worth += shares(view, rollouts(view, worlds, policies, f"{seed} {model}"))
        return view.choices[int(worth.argmax())]


def shares(view: View, tried: Rollouts) -> Any:
    """The viewer's share of the victory with each choice, summed over the worlds."""
    import numpy as np

    points = view.points + tried.gains.astype(np.float64)
    if not view.last_round:
        played = [sum(card.value for card in choice) for choice in tried.choices]
        points[:, :, view.seat] -= RESERVE * np.array(played)
    left = view.rules.rounds - 1 - view.round
    weights = np.exp(points / (1 + SPREAD * left**0.5))
    return (weights[:, :, view.seat] / weights.sum(axis=2)).sum(axis=0)
