"""One deal: from a shuffled deck to the last card (rules 2, 3 and 5.1).

`State` is immutable. `deal` makes the first one, and `play` is the only way from one to the next:
all seats' choices at once, since that is how the game is played. A state knows everything; what
somebody may know of it is a matter of `view`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from five211.cards import Card, Cards
from five211.errors import GameError, check_list, shown
from five211.rules import Rules
from five211.scoring import Score, derive


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was played: for each turn each seat's cards, and what they scored."""

    turns: tuple[tuple[Cards, ...], ...]
    score: Score


class FaceUp:
    """What follows from what lies face up; a state has it, and so has everybody's view of it."""

    __slots__ = ()
    rules: Rules
    rounds: tuple[Round, ...]
    turns: tuple[tuple[Cards, ...], ...]

    @property
    def round(self) -> int:
        """The round being played, from 0."""
        return len(self.rounds)

    @property
    def turn(self) -> int:
        """The turn being played, from 0."""
        return len(self.turns)

    @property
    def table(self) -> tuple[Cards, ...]:
        """Each seat's cards that lie face up in this round."""
        return lay(self.rules, self.turns)

    @property
    def deal_over(self) -> bool:
        """Whether this deal's last round was played."""
        return len(self.rounds) == self.rules.rounds

    @property
    def deal_points(self) -> tuple[int, ...]:
        """Each seat's points in this deal."""
        return tuple(
            sum(round_.score.points[seat] for round_ in self.rounds)
            for seat in range(self.rules.players)
        )

    @property
    def score_piles(self) -> tuple[Cards, ...]:
        """Each seat's score pile (rule 4.7)."""
        return tuple(
            tuple(card for round_ in self.rounds for card in round_.score.cards[seat])
            for seat in range(self.rules.players)
        )


@dataclass(frozen=True, slots=True)
class State(FaceUp):
    """One deal at one moment, every hidden card included."""

    rules: Rules
    deck: Cards
    """The cards as they were shuffled: those put aside, the first hands, the pile (rule 2.3)."""
    drawn: int
    """How many of the deck have been put aside, dealt or drawn."""
    hands: tuple[Cards, ...]
    rounds: tuple[Round, ...] = ()
    turns: tuple[tuple[Cards, ...], ...] = ()
    """The turns of the round being played."""
    left: tuple[Cards, ...] = ()
    """What was left in each hand at the end (rule 5.1)."""

    @property
    def aside(self) -> Cards:
        """The cards put aside (rule 2.1)."""
        return self.deck[: self.rules.aside]

    @property
    def pile(self) -> Cards:
        """The draw pile, the next card first."""
        return self.deck[self.drawn :]


def lay(rules: Rules, turns: tuple[tuple[Cards, ...], ...]) -> tuple[Cards, ...]:
    """Each seat's cards of these turns, in the order in which they were played."""
    if not turns:
        return ((),) * rules.players
    return tuple([sum(cards, ()) for cards in zip(*turns, strict=True)])


def deal(rules: Rules, deck: Sequence[Card]) -> State:
    """Put aside, deal, and leave the pile (rule 2.3)."""
    check_list(deck)
    if set(map(type, deck)) != {Card} or tuple(sorted(deck)) != rules.deck:
        rules.check_cards(deck)
        raise GameError("deck", n=len(deck), needed=len(rules.deck))
    firsts = range(rules.aside, rules.aside + rules.players * rules.hand, rules.hand)
    hands = tuple(tuple(sorted(deck[first : first + rules.hand])) for first in firsts)
    drawn = rules.aside + rules.players * rules.hand
    # The order in which a hand was dealt means nothing, so the deck that is kept has it sorted.
    return State(rules, (*deck[: rules.aside], *sum(hands, ()), *deck[drawn:]), drawn, hands)


def choices(rules: Rules, hand: Cards, turn: int) -> tuple[Cards, ...]:
    """Every different choice from a hand in a turn (rule 3.1), in order."""
    return tuple(sorted(set(combinations(hand, rules.plays[turn]))))


def check_choice(rules: Rules, hand: Cards, turn: int, choice: Sequence[Card]) -> Cards:
    """The choice in order (rule 2.4), or an error if the hand does not allow it."""
    return _take(rules, hand, turn, choice)[0]


def play(state: State, choices: Sequence[Sequence[Card]]) -> State:
    """One turn: reveal, draw, and after a round's last turn score it (rules 3, 4 and 5.1)."""
    rules, deck, drawn, turn = state.rules, state.deck, state.drawn, len(state.turns)
    if state.deal_over:
        raise GameError("deal_over")
    check_list(choices)
    if len(choices) != rules.players:
        raise GameError("choices_number", n=len(choices), needed=rules.players)
    count = 0 if drawn == len(deck) else rules.plays[turn]  # none in the last round (rule 5.1)
    played, hands = [], []
    for hand, choice in zip(state.hands, choices, strict=True):
        cards, rest = _take(rules, hand, turn, choice)
        played.append(cards)
        rest += deck[drawn : drawn + count]  # rule 3.2
        rest.sort()
        hands.append(tuple(rest))
        drawn += count
    turns = (*state.turns, tuple(played))
    if len(turns) < len(rules.plays):
        return State(rules, deck, drawn, tuple(hands), state.rounds, turns)
    rounds = (*state.rounds, Round(turns, derive(rules, lay(rules, turns))))
    if len(rounds) < rules.rounds:
        return State(rules, deck, drawn, tuple(hands), rounds)
    nobody = ((),) * rules.players
    return State(rules, deck, drawn, nobody, rounds, left=tuple(hands))  # rule 5.1


def _take(rules: Rules, hand: Cards, turn: int, choice: Sequence[Card]) -> tuple[Cards, list[Card]]:
    """A choice in order, and the rest of the hand."""
    check_list(choice)
    if len(choice) != rules.plays[turn]:
        raise GameError("choice_size", turn=turn + 1, n=rules.plays[turn], given=len(choice))
    rest = list(hand)
    for card in choice:
        if type(card) is not Card:
            raise GameError("card_text", text=shown(card))
        try:
            rest.remove(card)
        except ValueError:
            raise GameError("not_in_hand", card=card) from None
    return tuple(sorted(choice)), rest
