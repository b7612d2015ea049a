"""Help for tests: literals that look like the table, whole games, other worlds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from five211 import Cards, Match, Rules, State, Viewer, parse_cards, shuffled, stream


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


def all_cards(state: State) -> Cards:
    """Every card of a deal, wherever it lies now."""
    played = [turn for round_ in state.rounds for turn in round_.turns] + list(state.turns)
    laid = [cards for turn in played for cards in turn]
    lying = (state.aside, state.pile, *state.hands, *state.left, *laid)
    return tuple(sorted(card for cards in lying for card in cards))


def choices_of(state: State) -> list[tuple[Cards, ...]]:
    """Every turn that was played in a deal."""
    return [turn for round_ in state.rounds for turn in round_.turns] + list(state.turns)


def replayed(match: Match, decks: Sequence[Cards] | None = None) -> list[Match]:
    """A game once more from its beginning, with its own decks or others: every match on the way."""
    now = Match(match.rules)
    matches = [now]
    for state, deck in zip(match.deals, decks or [s.deck for s in match.deals], strict=True):
        now = now.deal(deck)
        matches.append(now)
        for choices in choices_of(state):
            now = now.play(choices)
            matches.append(now)
    return matches


def other_worlds(match: Match, viewer: Viewer, rng: Random) -> list[Cards]:
    """Decks that would have looked the same to a viewer: what is hidden from it, permuted."""
    decks = []
    for state in match.deals:
        places = sorted(_hidden_places(state, viewer))
        cards = shuffled([state.deck[place] for place in places], rng)
        deck = list(state.deck)
        for place, card in zip(places, cards, strict=True):
            deck[place] = card
        decks.append(tuple(deck))
    return decks


def _hidden_places(state: State, viewer: Viewer) -> set[int]:
    """Where in the deck the cards lie that a viewer has never seen."""
    rules = state.rules
    ends = range(rules.aside, rules.aside + rules.players * rules.hand, rules.hand)
    held = [list(range(first, first + rules.hand)) for first in ends]
    drawn = rules.aside + rules.players * rules.hand
    for choices in choices_of(state):
        for seat, cards in enumerate(choices):
            for card in cards:
                held[seat].remove(next(p for p in held[seat] if state.deck[p] == card))
        if drawn < len(state.deck):
            for seat, cards in enumerate(choices):
                held[seat] += range(drawn, drawn + len(cards))
                drawn += len(cards)
    others = {p for seat, places in enumerate(held) if seat != viewer for p in places}
    return {*range(rules.aside), *range(drawn, len(state.deck)), *others}
