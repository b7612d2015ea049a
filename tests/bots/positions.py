"""Help for the tests of bots: a game at the moment at which somebody is to choose."""

from __future__ import annotations

from collections import Counter

import pytest

from five211 import Match, Rules, View, parse_cards
from five211.chance import shuffled, stream
from five211.scoring import derive
from five211.state import Round, lay
from tests.tables import deck_for, random_match

TWO = Rules.of(2)
LAST_CARDS = pytest.mark.parametrize(
    ("mine", "theirs", "hand", "best"),
    [
        ("G5 G6 Y2", "O2 B2 V2", "Y3 G4", "G4"),  # three greens score, whatever comes
        ("Y5 Y6 G2", "Y2 Y2 B2", "Y3 O2", "O2"),  # a fifth yellow would strike them all out
        ("G1 B1 O1", "Y5 V5 G2", "V1 Y2", "V1"),  # the fourth icon
    ],
)
"""Last cards of a game of two that anybody should find."""


def position(rules: Rules, seed: int, turns: int) -> Match:
    """A game of random choices after that many turns, the cards dealt."""
    match = random_match(rules, seed, turns)
    return match.deal(deck_for(rules, seed, len(match.deals))) if match.awaits_deck else match


def last_card(mine: str, theirs: str, hand: str, rounds: int) -> View:
    """The first of two seats, after so many rounds, about to play the last card of the next one."""
    table = [parse_cards(mine), parse_cards(theirs)]
    turns = tuple(tuple(cards[a:b] for cards in table) for a, b in ((0, 2), (2, 3)))
    held = parse_cards(hand)
    known = Counter((*table[0], *table[1], *held))
    rest = list(shuffled((Counter(TWO.deck) - known).elements(), stream("rest")))
    played = []
    for _ in range(rounds):
        laid = tuple(
            tuple(tuple(sorted(rest.pop() for _ in range(n))) for _ in range(2)) for n in TWO.plays
        )
        played.append(Round(laid, derive(TWO, lay(TWO, laid))))
    pile = max(TWO.pile - 8 * rounds - 6, 0)
    return View(TWO, 0, held, pile, turns, tuple(played), (), dealt=True, result=None)
