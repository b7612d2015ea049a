"""The only way for a bot to look ahead: one of the worlds that its view allows, at random."""

from __future__ import annotations

from random import Random

from five211.chance import shuffled
from five211.state import State
from five211.view import View


def determinize(view: View, rng: Random) -> State:
    """A state that looks just like the view, the unseen cards dealt at random.

    Everything that `play` reads is there; of the dealt part of the deck, only the cards are right,
    not their order, which nobody needs any more.
    """
    rules = view.rules
    unseen = shuffled(view.unseen, rng)
    hands = []
    used = rules.aside
    for seat in range(rules.players):
        if seat == view.seat:
            hands.append(view.hand)
        else:
            hands.append(tuple(sorted(unseen[used : used + len(view.hand)])))
            used += len(view.hand)
    seen = [cards for round_ in view.rounds for turn in round_.turns for cards in turn]
    seen += [cards for turn in view.turns for cards in turn]
    dealt = tuple(card for cards in (*seen, *hands) for card in cards)
    deck = (*unseen[: rules.aside], *dealt, *unseen[used:])
    return State(rules, deck, len(deck) - view.pile, tuple(hands), view.rounds, view.turns)
