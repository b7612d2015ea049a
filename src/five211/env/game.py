"""One game after the other, as an environment needs it: decks by a seed, everyone's view, rewards.

With a seed, games 0, 1, 2 ... have the decks of `five211.simulate.play_match(rules, bots, seed,
game)`. Without one, the operating system's chance gives one; nothing global is touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from five211.cards import Card, Cards
from five211.chance import shuffled, stream
from five211.editions import check_language
from five211.env.encode import PICK, highest, mask_of, number_of, numbers_of, seat_name
from five211.env.given import check_flag, check_known, given, named, plain, whole
from five211.env.rewards import check_reward, rewards
from five211.env.scene import check_mode, render
from five211.errors import GameError
from five211.match import Match
from five211.record import DEFAULT_EDITION, check_edition
from five211.rules import Rules, Variant
from five211.texts import DEFAULT_LANGUAGE
from five211.view import SPECTATOR, View, view

ILLEGAL = ("raise", "remap")
OPTIONS: Mapping[str, Any] = {
    "variant": str(Variant.STANDARD),
    "reward": "win",
    "per_round": False,
    "perfect_recall": False,
    "illegal": "raise",
    "render_mode": None,
    "language": DEFAULT_LANGUAGE,
    "edition": DEFAULT_EDITION,
}
"""What can be asked of a game beside its players, and what it is if nothing is asked."""


def check_illegal(illegal: str) -> str:
    """What becomes of illegal actions, or an error if it is neither of the two ways."""
    if illegal not in ILLEGAL:
        raise GameError("illegal", text=given(illegal), known=ILLEGAL)
    return illegal


def check_seed(seed: object) -> int | None:
    """The seed as Python's own number, or an error if it is no whole number; none is fine."""
    if seed is None:
        return None
    if not whole(seed):
        raise GameError("env_seed", text=given(seed))
    return int(seed)  # type: ignore[call-overload, no-any-return]


def rules_of(players: int, variant: str) -> Rules:
    """The rules of so many players, or an error that names what was handed in."""
    with named(players, variant):
        return Rules.of(plain(players), variant)


def check_place(rules: Rules, seat: Any) -> int:
    """The seat, from 0, or an error if there is none of this number."""
    if not whole(seat) or not 0 <= seat < rules.players:
        raise GameError("env_seat", seat=given(seat), last=rules.players - 1)
    return int(seat)


class Options(TypedDict, total=False):
    """The same by their types, so that editors know them and nobody has to write them twice."""

    variant: str
    reward: str
    per_round: bool
    perfect_recall: bool
    illegal: str
    render_mode: str | None
    language: str
    edition: str


class Game:
    """What the environments of all frameworks do alike; the options are `OPTIONS`.

    `own` names those that an environment has beside them, for whoever asks for one that is not.
    """

    def __init__(
        self, players: int, options: Mapping[str, Any], own: Sequence[str] = ("players",)
    ) -> None:
        check_known(options, (*own, *OPTIONS))
        asked = {**OPTIONS, **options}
        self.rules = rules_of(players, asked["variant"])
        with named(asked["edition"], asked["language"]):
            self.edition = check_edition(asked["edition"])
            self.language = check_language(asked["language"])
        self.reward, self.per_round = asked["reward"], asked["per_round"]
        check_reward(self.reward, self.per_round)
        self.render_mode = check_mode(asked["render_mode"])
        self.illegal = check_illegal(asked["illegal"])
        self._remaps = self.illegal == "remap"
        self.recall = int(check_flag("perfect_recall", asked["perfect_recall"]))
        self.agents = [seat_name(seat) for seat in range(self.rules.players)]
        self.match = Match(self.rules)
        self._table = view(self.match, SPECTATOR)
        self._hands: tuple[Cards, ...] = ()
        self._views: list[View] = []
        self.seed: int | None = None
        self.number = 0
        self.highest = highest(self.rules, self.recall)

    def reset(self, seed: int | None = None) -> None:
        """Begin the seed's first game; without a new seed, the next one of the last."""
        seed = check_seed(seed)
        if seed is not None:
            self.seed, self.number = seed, 0
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
        self._table, self._hands = view(match, SPECTATOR), match.state.hands
        self._views = []

    def check(self) -> None:
        """Refuse to go on with a game that has not begun, or is over."""
        if not self._table.dealt:
            raise GameError("env_over" if self._hands else "env_reset")

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Everybody's, once there is a game."""
        if not self._hands:
            raise GameError("env_reset")
        return self._hands

    @property
    def views(self) -> list[View]:
        """Everybody's; not made before somebody asks."""
        if not self._views:
            self._views = [view(self.match, seat) for seat in range(len(self.hands))]
        return self._views

    def action(self, seat: int, action: Any) -> int:
        """An action that a seat has; an illegal one counts as another, if that is agreed."""
        self.check()
        hand = self._hands[seat]
        return number_of(self._table, seat, hand, action, self._remaps)

    def choice(self, seat: int, action: Any) -> Cards:
        """The cards that an action plays."""
        return PICK[self.action(seat, action)](self._hands[seat])

    def observed(self, seat: int) -> dict[str, NDArray[Any]]:
        """What a seat sees, and what it may do: from what everybody sees, and its own hand."""
        table, hand = self._table, self.hands[seat]
        return {
            "observation": numbers_of(table, seat, hand, self.recall),
            "action_mask": mask_of(table, hand),
        }

    def render(self, seats: Sequence[int]) -> Any:
        """The table and the hands of these seats, as `render_mode` says."""
        views = [self.views[seat] for seat in seats]
        return render(self.render_mode, views, self.agents, self.language, self.edition)
