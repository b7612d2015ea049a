"""Help for tests: literals that look like the table, whole games, other worlds."""

from __future__ import annotations

from random import Random

from five211 import Cards, Match, Rules, parse_cards, shuffled, stream


def table(text: str) -> list[Cards]:
    """Cards face up, a seat a line: what lies in front of it."""
    return [parse_cards(line) for line in text.strip().splitlines()]


def deck_for(rules: Rules, seed: int | str = 0, deal: int = 0) -> Cards:
    """A shuffled deck."""
    return shuffled(rules.deck, stream(seed, "deck", deal))


def random_choices(match: Match, rng: Random) -> list[Cards]:
    """A legal choice for every seat."""
    plays = match.rules.plays[match.state.turn]
    return [tuple(sorted(rng.sample(hand, plays))) for hand in match.state.hands]


def random_match(rules: Rules, seed: int | str, turns: int | None = None) -> Match:
    """A game of random choices, to its end or for that many turns."""
    rng = stream(seed, "choices")
    match = Match(rules)
    played = 0
    while not match.over and played != turns:
        if match.awaits_deck:
            match = match.deal(deck_for(rules, seed, len(match.deals)))
        match = match.play(random_choices(match, rng))
        played += 1
    return match
