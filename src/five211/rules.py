"""The rules as data: every number of the rulebook stands here and nowhere else.

`Rules.of(players)` is 5211 for that many; any other value of `Rules` is another game that the
same code plays, such as `MINI`, which is small enough to solve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from five211.cards import Card, Cards, Color, card
from five211.errors import GameError, shown


class Variant(StrEnum):
    """The game of one deal, or the longer one (rule 6)."""

    STANDARD = "standard"
    LONG = "long"


COLORS = tuple(Color)
COPIES = (5, 6, 5, 2, 1, 1)  # rule 1.1: in each colour five 1s (icons), six 2s, five 3s, ...
HAND = 5  # rule 2.2
PLAYS = (2, 1, 1)  # rule 3.1
ASIDE = {2: 10, 3: 13, 4: 0, 5: 15}  # rule 2.1, by the number of players
EXACT = 2  # more than the number of players (rule 4.1)
LIMIT = 3  # more than the number of players (rule 4.3)
GOAL = 50  # rule 6.1


@dataclass(frozen=True, slots=True)
class Rules:
    """One game's numbers."""

    players: int
    colors: tuple[Color, ...]
    copies: tuple[int, ...]
    """How many cards of value 1, 2, 3 ... there are in each colour."""
    hand: int
    """The cards that a player holds."""
    plays: tuple[int, ...]
    """The cards that each player plays in each turn of a round."""
    aside: int
    """The cards put aside unseen before the deal."""
    exact: int
    """The exact number of icon cards on the table at which they score."""
    limit: int
    """The number of cards at which a colour is struck out."""
    goal: int | None = None
    """The points that end the longer game; none in the standard game."""

    # What follows from the numbers above, counted once:
    deck: Cards = field(init=False, repr=False, compare=False)
    """All the cards there are, in order (rule 2.4)."""
    pile: int = field(init=False, repr=False, compare=False)
    """The draw pile's size after the deal (rule 2.2)."""
    rounds: int = field(init=False, repr=False, compare=False)
    """The rounds of one deal: those that draw, and the last one (rules 2.2, 5.1)."""

    def __post_init__(self) -> None:
        """A game whose pile does not run out exactly at a round's end could not be played."""
        deck = tuple(
            card(color, value)
            for color in sorted(self.colors)
            for value, count in enumerate(self.copies, start=1)
            for _ in range(count)
        )
        pile = len(deck) - self.aside - self.players * self.hand
        a_round = self.players * sum(self.plays)
        sound = (
            self.players >= 1
            and len(set(self.colors)) == len(self.colors)
            and min(self.copies, default=0) >= 0
            and min(self.plays, default=0) >= 1
            and self.limit >= 1
            and self.aside >= 0
            and self.hand >= sum(self.plays)
            and pile >= 0
            and pile % a_round == 0
        )
        if not sound:
            raise GameError("rules_numbers")
        object.__setattr__(self, "deck", deck)
        object.__setattr__(self, "pile", pile)
        object.__setattr__(self, "rounds", pile // a_round + 1)

    @staticmethod
    def of(players: int, variant: str = Variant.STANDARD) -> Rules:
        """5211 for this many players (rules 2.1, 4.1, 4.3).

        >>> Rules.of(4).limit
        7
        """
        if type(players) is not int or players not in ASIDE:
            raise GameError("players", players=shown(players), least=min(ASIDE), most=max(ASIDE))
        if variant not in tuple(Variant):
            raise GameError("variant", variant=shown(variant), known=tuple(Variant))
        return _rules_of(players, Variant(variant))

    @property
    def variant(self) -> Variant:
        """The longer game is the one with a goal."""
        return Variant.STANDARD if self.goal is None else Variant.LONG

    def check_cards(self, cards: Iterable[Card]) -> None:
        """Refuse what is no card, and more copies of a card than the deck holds."""
        held = Counter(self.deck)
        found = list(cards)
        for one in found:
            if type(one) is not Card:
                raise GameError("card_text", text=shown(one))
            if one not in held:
                raise GameError("not_in_deck", card=one)
        for one, count in Counter(found).items():
            if count > held[one]:
                raise GameError("copies", card=one, n=count, held=held[one])


@cache
def _rules_of(players: int, variant: Variant) -> Rules:
    return Rules(
        players=players,
        colors=COLORS,
        copies=COPIES,
        hand=HAND,
        plays=PLAYS,
        aside=ASIDE[players],
        exact=players + EXACT,
        limit=players + LIMIT,
        goal=GOAL if variant is Variant.LONG else None,
    )


def check_compiled(rules: Rules) -> None:
    """Refuse a game that is not 5211: what is compiled or learnt knows no other."""
    if Rules.of(rules.players, rules.variant) != rules:
        raise GameError("rules_compiled")


MINI = Rules(
    players=2,
    colors=(Color.Y, Color.G, Color.O),
    copies=(1, 1, 1),
    hand=2,
    plays=(1, 1),
    aside=1,
    exact=2,
    limit=3,
)
"""A game of nine cards and two rounds, small enough to solve: exact count, limit and ties occur."""

TINY = Rules(
    players=2,
    colors=(Color.Y, Color.G),
    copies=(2, 1, 1),
    hand=2,
    plays=(1, 1),
    aside=0,
    exact=2,
    limit=3,
)
"""Eight cards and two rounds: so small that it is solved in minutes, with all that makes 5211."""
