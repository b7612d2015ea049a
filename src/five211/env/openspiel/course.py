"""A game whose cards are dealt when they are drawn, one by one, each by its kind.

No deck is shuffled: all that counts is how many cards of each kind are left. When everybody has
chosen, the cards to be drawn are dealt first, and then the core plays the turn with them. The cards
come in the order of rules 2.3 and 3.2, so a game is one of the core's: `deck` tells which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import eq
from typing import Any, Final

from five211 import state as states
from five211.cards import Card, Cards, card
from five211.env.rewards import paid, rewards
from five211.fast.seen import action_of
from five211.fast.view import ACTIONS, FIRST, SECOND, SINGLES
from five211.match import Match
from five211.rules import Rules
from five211.state import Round, State

CHANCE: Final = -1
EVERYBODY: Final = -2
NOBODY: Final = -4
"""Whose move it is, by OpenSpiel's numbers."""
PLACES = {
    action: (int(FIRST[action]), int(SECOND[action]))[: 1 if action < SINGLES else 2]
    for action in range(ACTIONS)
}
"""The places in the sorted hand that each action plays."""


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What never changes in a game, counted once."""

    rules: Rules
    reward: str
    max_deals: int
    """So many deals, and the leader wins; the longer game might take any number."""
    kinds: Cards = field(init=False)
    """Each card that there is, as chance numbers them."""
    number: dict[Card, int] = field(init=False)
    legal: dict[tuple[int, ...], list[int]] = field(init=False)
    """By how many cards are played, and by which neighbours in a hand are alike: the actions."""

    def __post_init__(self) -> None:
        rules = self.rules
        values = range(1, len(rules.copies) + 1)
        kinds = tuple(card(color, value) for color in sorted(rules.colors) for value in values)
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "number", {one: kind for kind, one in enumerate(kinds)})
        object.__setattr__(self, "legal", {})

    def __reduce__(self) -> tuple[Any, ...]:
        return setup_of, (self.rules, self.reward, self.max_deals)

    def actions(self, hand: Cards, turn: int) -> list[int]:
        """The actions of a hand, for all hands in which the same neighbours are alike."""
        choices = states.choices(self.rules, hand, turn)
        return sorted(action_of(hand, choice) for choice in choices)


@cache
def setup_of(rules: Rules, reward: str, max_deals: int) -> Setup:
    """The one set-up of these."""
    return Setup(rules, reward, max_deals)


def turns_of(deal: State) -> list[tuple[Cards, ...]]:
    """Every turn that was played in a deal."""
    return [*(turn for round_ in deal.rounds for turn in round_.turns), *deal.turns]


class Course:
    """A game so far. Copying one copies references, since all but two small arrays are values."""

    __slots__ = (
        "choices",
        "counts",
        "dealt",
        "due",
        "earlier",
        "ended",
        "left",
        "player",
        "setup",
        "state",
    )
    setup: Setup
    earlier: tuple[State, ...]
    """The deals that are over."""
    state: State | None
    """The deal on the table; of its deck only what was dealt is right."""
    choices: list[Cards] | None
    """What everybody plays as soon as the cards to be drawn are known."""
    dealt: list[Card]
    """The cards that chance has dealt since then."""
    due: int
    """How many it has to deal."""
    counts: bytearray
    """How many cards of each kind are left."""
    left: int
    """All of these."""
    player: int
    """Whose move it is."""
    ended: Round | None
    """The round that has ended since anybody chose."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.earlier = ()
        self.choices = self.ended = None
        self._gather()

    def __deepcopy__(self, memo: object) -> Course:
        new = object.__new__(Course)
        new.setup, new.earlier, new.state = self.setup, self.earlier, self.state
        new.choices, new.due, new.left = self.choices, self.due, self.left
        new.player, new.ended = self.player, self.ended
        new.dealt, new.counts = self.dealt[:], self.counts[:]
        return new

    def _gather(self) -> None:
        """All cards come together for a deal (rules 2 and 6.2)."""
        rules = self.setup.rules
        self.state = None
        self.counts = bytearray(rules.copies * len(rules.colors))
        self.left = len(rules.deck)
        self._await(rules.players * rules.hand)

    def _await(self, cards: int) -> None:
        self.player, self.due, self.dealt = CHANCE, cards, []

    # Chance

    def outcomes(self) -> list[tuple[int, float]]:
        """Each kind of card that may be dealt next, and how likely it is."""
        left = self.left
        return [(kind, count / left) for kind, count in enumerate(self.counts) if count]

    def draw(self, kind: int) -> None:
        """The next card is of this kind."""
        self.counts[kind] -= 1
        self.left -= 1
        dealt = self.dealt
        dealt.append(self.setup.kinds[kind])
        if len(dealt) == self.due:
            if self.choices is None:
                self.state = states.deal(self.setup.rules, self._deck(dealt))
                self.player = EVERYBODY
            else:
                self._play(self.choices)

    def _deck(self, dealt: Iterable[Card]) -> Cards:
        """A whole deck in which these are the cards that were dealt, in order (rule 2.3)."""
        kinds, aside = self.setup.kinds, self.setup.rules.aside
        rest = [one for one, n in zip(kinds, self.counts, strict=True) for _ in range(n)]
        return (*rest[:aside], *dealt, *rest[aside:])

    # Choices

    def legal(self, seat: int) -> list[int]:
        """The actions that a seat has."""
        state = self.state
        assert state is not None
        hand, turn = state.hands[seat], len(state.turns)
        setup = self.setup
        alike = (setup.rules.plays[turn], *map(eq, hand, hand[1:]))
        try:
            return setup.legal[alike][:]
        except KeyError:
            return setup.legal.setdefault(alike, setup.actions(hand, turn))[:]

    def cards_of(self, seat: int, action: int) -> Cards:
        """The cards that an action plays."""
        assert self.state is not None
        hand = self.state.hands[seat]
        return tuple([hand[place] for place in PLACES[action]])

    def choose(self, actions: Sequence[int]) -> None:
        """Everybody has chosen."""
        state = self.state
        assert state is not None
        choices = [
            tuple([hand[place] for place in PLACES[action]])
            for hand, action in zip(state.hands, actions, strict=True)
        ]
        self.ended = None
        if state.drawn == len(state.deck):
            self.dealt = []
            self._play(choices)
        else:
            self.choices = choices
            self._await(sum([len(cards) for cards in choices]))

    def _play(self, choices: list[Cards]) -> None:
        """The core plays the turn, with the cards that were dealt for it."""
        old, dealt = self.state, self.dealt
        assert old is not None
        rules, drawn = old.rules, old.drawn
        if dealt:
            deck = old.deck[:drawn] + tuple(dealt) + old.deck[drawn + len(dealt) :]
            old = State(rules, deck, drawn, old.hands, old.rounds, old.turns)
        self.choices = None
        self.state = state = states.play(old, choices)
        self.player = EVERYBODY
        if not state.turns:
            self._end_round(state)

    def _end_round(self, state: State) -> None:
        self.ended = state.rounds[-1]
        if self._match().over:
            self.player = NOBODY
        elif state.deal_over:
            if len(self.earlier) + 1 == self.setup.max_deals:
                self.player = NOBODY
            else:
                self.earlier = (*self.earlier, state)
                self._gather()

    # What it comes to

    @property
    def deals(self) -> tuple[State, ...]:
        """Every deal, the last of them the one on the table, if there is one."""
        return self.earlier if self.state is None else (*self.earlier, self.state)

    def _match(self) -> Match:
        return Match(self.setup.rules, self.deals)

    @property
    def match(self) -> Match:
        """The game as the core has it. After the last deal that is allowed it is over, too."""
        match = self._match()
        if self.player == NOBODY and not match.over:
            return Match(replace(match.rules, goal=None), match.deals)
        return match

    @property
    def decks(self) -> list[Cards]:
        """A deck for each deal with which the core plays the same game."""
        found = []
        for state in self.deals:
            dealt = state.deck[state.rules.aside : state.drawn]
            counts = list(state.rules.deck)
            for one in dealt:
                counts.remove(one)
            aside = state.rules.aside
            found.append((*counts[:aside], *dealt, *counts[aside:]))
        return found

    def rewards(self) -> Sequence[float]:
        """What each seat got since anybody chose."""
        setup = self.setup
        if setup.reward == "win":
            return self.returns()
        points = (0,) * setup.rules.players if self.ended is None else self.ended.score.points
        return paid(points, setup.reward)

    def returns(self) -> Sequence[float]:
        """What each seat got in the whole game so far."""
        setup = self.setup
        if setup.reward != "win":
            return paid(self._match().points, setup.reward)
        if self.player == NOBODY:
            return rewards(self.match)
        return (0.0,) * setup.rules.players
