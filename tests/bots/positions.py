"""Help for the tests of bots: a game at the moment at which somebody is to choose."""

from __future__ import annotations

from five211 import Match, Rules
from tests.tables import deck_for, random_match


def position(rules: Rules, seed: int, turns: int) -> Match:
    """A game of random choices after that many turns, the cards dealt."""
    match = random_match(rules, seed, turns)
    return match.deal(deck_for(rules, seed, len(match.deals))) if match.awaits_deck else match
