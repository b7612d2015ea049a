"""What an environment pays for, and when.

`win` is a seat's share of the victory less 1/players, at the end: over all seats it comes to 0.
`points` are the points themselves; `margin` is how far they are above the mean of the other seats'
(0 over all seats again). Both are paid at the end of the game or, with `per_round`, as each round
brings them.
"""

from __future__ import annotations

from collections.abc import Sequence

from five211.env.given import check_flag, given
from five211.errors import GameError
from five211.match import Match

REWARDS = ("win", "points", "margin")


def check_reward(reward: str, per_round: bool) -> None:
    """Refuse a reward that there is not; a victory is known at the end alone."""
    if reward not in REWARDS:
        raise GameError("reward", reward=given(reward), known=REWARDS)
    if check_flag("per_round", per_round) and reward == "win":
        raise GameError("reward_win")


def rewards(match: Match, reward: str = "win", per_round: bool = False) -> tuple[float, ...]:
    """What each seat gets for the turn that was just played."""
    players, result = match.rules.players, match.result
    if per_round:
        ended = bool(match.state.rounds) and not match.state.turns
        gained: Sequence[int] = match.state.rounds[-1].score.points if ended else (0,) * players
    elif result is None:
        return (0.0,) * players
    elif reward == "win":
        share = 1 / len(result.winners)
        return tuple(share * (seat in result.winners) - 1 / players for seat in range(players))
    else:
        gained = result.points
    return paid(gained, reward)


def paid(points: Sequence[int], reward: str) -> tuple[float, ...]:
    """Points as they are, or above the mean of the others'."""
    if reward == "points":
        return tuple(float(own) for own in points)
    total, others = sum(points), len(points) - 1
    return tuple(own - (total - own) / others for own in points)
