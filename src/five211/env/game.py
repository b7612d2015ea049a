"""One game after the other, as an environment needs it: decks by a seed, everyone's view, rewards.

With a seed, games 0, 1, 2 ... have the decks of `five211.simulate.play_match(rules, bots, seed,
game)`. Without one, the operating system's chance gives one; nothing global is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from five211.cards import Card, Cards
from five211.chance import shuffled, stream
from five211.env.encode import (
    Numbers,
    action_mask,
    choice_of,
    highest,
    information_state,
    legal_actions,
    observation,
)
from five211.env.rewards import check_reward, rewards
from five211.env.scene import check_mode
from five211.errors import GameError, shown
from five211.match import Match
from five211.record import DEFAULT_EDITION, check_edition
from five211.rules import Rules, Variant
from five211.view import View, view

ILLEGAL = ("raise", "remap")


def check_illegal(illegal: str) -> str:
    """What becomes of illegal actions, or an error if it is neither of the two ways."""
    if illegal not in ILLEGAL:
        raise GameError("illegal", text=shown(illegal), known=ILLEGAL)
    return illegal


class Game:
    """What the environments of all frameworks do alike."""

    def __init__(
        self,
        players: int,
        variant: str = Variant.STANDARD,
        edition: str = DEFAULT_EDITION,
        reward: str = "win",
        per_round: bool = False,
        illegal: str = "raise",
        perfect_recall: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules.of(players, variant)
        self.edition = check_edition(edition)
        check_reward(reward, per_round)
        check_mode(render_mode)
        self.reward, self.per_round, self.illegal = reward, per_round, check_illegal(illegal)
        self.recall = 1 if perfect_recall else 0
        self.match = Match(self.rules)
        self.views: list[View] = []
        self.seed: int | None = None
        self.number = 0
        self.highest = highest(self.rules, self.recall)

    def reset(self, seed: int | None = None) -> None:
        """Begin the seed's first game; without a new seed, the next one of the last."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
                raise GameError("seed", text=shown(seed))
            self.seed, self.number = int(seed), 0
        elif self.seed is None:
            self.seed, self.number = np.random.SeedSequence().generate_state(1, np.uint64).item(), 0
        else:
            self.number += 1
        self.match = Match(self.rules)
        self._look()

    def play(self, choices: Sequence[Sequence[Card]]) -> tuple[float, ...]:
        """Play a turn; what each seat is paid for it."""
        self.match = self.match.play(choices)
        paid = rewards(self.match, self.reward, self.per_round)
        self._look()
        return paid

    def _look(self) -> None:
        match = self.match
        if match.awaits_deck:
            assert self.seed is not None
            rng = stream(self.seed, "deck", self.number, len(match.deals))
            match = self.match = match.deal(shuffled(self.rules.deck, rng))
        self.views = [view(match, seat) for seat in range(self.rules.players)]

    def choice(self, seat: int, action: Any) -> Cards:
        """The cards that an action plays; an illegal one counts as another, if that is agreed."""
        own = self.views[seat]
        legal = () if self.illegal == "raise" else legal_actions(own)
        try:
            return choice_of(own, action)
        except GameError:
            if not legal or not isinstance(action, int | np.integer):
                raise
        return choice_of(own, legal[int(action) % len(legal)])

    def observed(self, seat: int) -> dict[str, NDArray[Any]]:
        """What a seat sees, and what it may do."""
        own = self.views[seat]
        numbers: Numbers = information_state(own) if self.recall else observation(own)
        return {"observation": numbers, "action_mask": action_mask(own)}
