"""A game whose cards are dealt when they are drawn, one by one, each by its kind.

No deck is shuffled: all that counts is how many cards of each kind are left. When everybody has
chosen, the cards to be drawn are dealt first, and then the turn is played with them. The cards
come in the order of rules 2.3 and 3.2, so a game is one of the core's: `deals` tells which.

Each card is a step here. So hands are lists of kinds, and change without what the core would check
and copy; what is scored, and when it ends, is the core's, and `state` is the deal as the core has
it, made when somebody asks. Tests play every game in the core, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import eq, itemgetter
from typing import Any, Final

from five211 import state as states
from five211.cards import Card, Cards
from five211.env.encode import LISTS, PLACES, each_kind, no_action
from five211.env.given import given, whole
from five211.env.rewards import paid, rewards
from five211.errors import GameError
from five211.fast.view import ACTIONS
from five211.match import Match
from five211.rules import Rules
from five211.scoring import derive
from five211.state import Round, State

CHANCE: Final = -1
EVERYBODY: Final = -2
NOBODY: Final = -4
"""Whose move it is, by OpenSpiel's numbers."""


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
    width: int = field(init=False)
    """A code is kind x width + how many of it are left: one number for both."""
    outcomes: tuple[tuple[tuple[int, float], ...], ...] = field(init=False)
    """By how many cards are left, and by code: the kind, and how likely it is. Made once, since
    listing them is most of what a card costs."""
    cut_off: Rules = field(init=False)
    """The rules of a game that had all its deals: there is no goal any more."""

    def __post_init__(self) -> None:
        rules, kinds = self.rules, each_kind(self.rules)
        width = max(rules.copies) + 1
        codes = [divmod(code, width) for code in range(len(kinds) * width)]
        shares = [
            [count / max(left, 1) for count in range(width)] for left in range(len(rules.deck) + 1)
        ]
        outcomes = tuple(
            tuple([(kind, likely[count]) for kind, count in codes]) for likely in shares
        )
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "number", {one: kind for kind, one in enumerate(kinds)})
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "outcomes", outcomes)
        object.__setattr__(self, "cut_off", replace(rules, goal=None))

    def __reduce__(self) -> tuple[Any, ...]:
        return setup_of, (self.rules, self.reward, self.max_deals)

    def cards(self, kinds: Sequence[int]) -> Cards:
        """The cards of these kinds."""
        return tuple([self.kinds[kind] for kind in kinds])


@cache
def setup_of(rules: Rules, reward: str, max_deals: int) -> Setup:
    """The one set-up of these."""
    return Setup(rules, reward, max_deals)


def check_player(rules: Rules, player: Any) -> int:
    """The player, or an error if there is none of this number."""
    if not whole(player) or not 0 <= player < rules.players:
        raise no_player(rules, player)
    return int(player)


def no_player(rules: Rules, player: object) -> GameError:
    """What to say of a player that there is not."""
    return GameError("env_player", player=given(player), last=rules.players - 1)


def turns_of(deal: State) -> list[tuple[Cards, ...]]:
    """Every turn that was played in a deal."""
    return [*(turn for round_ in deal.rounds for turn in round_.turns), *deal.turns]


class Course:
    """A game so far. Copying one copies references, since all but three short lists are values."""

    __slots__ = (
        "_state",
        "choices",
        "codes",
        "drawn",
        "due",
        "earlier",
        "ended",
        "hands",
        "kinds",
        "known",
        "left",
        "player",
        "rests",
        "rounds",
        "setup",
        "turns",
    )
    setup: Setup
    earlier: tuple[State, ...]
    """The deals that are over."""
    rounds: tuple[Round, ...]
    """The rounds of this deal that are over."""
    turns: tuple[tuple[Cards, ...], ...]
    """The turns of this round."""
    hands: list[list[int]]
    """The kinds that each seat holds, in order; nothing is in the list before all are dealt."""
    choices: tuple[Cards, ...] | None
    """What everybody plays as soon as the cards to be drawn are known."""
    rests: list[list[int]]
    """What that leaves in each hand; at the end, what is left (rule 5.1)."""
    drawn: list[int]
    """The kinds that chance has dealt in this deal."""
    known: int
    """How many of them were dealt before the last choice."""
    due: int
    """How many there will be when chance has dealt."""
    kinds: list[int]
    """The kinds of which there are cards left."""
    codes: list[int]
    """Each with how many cards of it are left, as `Setup` codes them."""
    left: int
    """All of these."""
    player: int
    """Whose move it is."""
    ended: Round | None
    """The round that has ended since anybody chose."""
    _state: State | None

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.earlier = ()
        self.choices = self.ended = None
        self._gather()

    def __deepcopy__(self, memo: object) -> Course:
        new = object.__new__(Course)
        new.setup, new.earlier, new._state = self.setup, self.earlier, self._state
        new.rounds, new.turns, new.hands = self.rounds, self.turns, self.hands
        new.choices, new.rests, new.ended = self.choices, self.rests, self.ended
        new.known, new.due, new.left, new.player = self.known, self.due, self.left, self.player
        new.drawn, new.kinds, new.codes = self.drawn[:], self.kinds[:], self.codes[:]
        return new

    def _gather(self) -> None:
        """All cards come together for a deal (rules 2 and 6.2)."""
        rules = self.setup.rules
        self.rounds = self.turns = ()
        self.hands, self.rests, self.drawn = [], [], []
        self.kinds, self.left = [*range(len(self.setup.kinds))], len(rules.deck)
        copies = rules.copies * len(rules.colors)
        self.codes = [kind * self.setup.width + count for kind, count in enumerate(copies)]
        self.player, self.known, self.due = CHANCE, 0, rules.players * rules.hand
        self._state = None

    # Chance

    def outcomes(self) -> list[tuple[int, float]]:
        """Each kind of card that may be dealt next, and how likely it is."""
        if self.player != CHANCE:
            raise GameError("env_chance")
        codes, known = self.codes, self.setup.outcomes[self.left]
        return [*itemgetter(*codes)(known)] if len(codes) > 1 else [known[codes[0]]]

    def draw(self, kind: int) -> None:
        """The next card is of this kind."""
        setup, codes, drawn = self.setup, self.codes, self.drawn
        if self.player != CHANCE:
            raise GameError("env_together" if self.player == EVERYBODY else "env_ended")
        try:
            place = self.kinds.index(kind)
        except ValueError:
            raise GameError("env_card", kind=given(kind)) from None
        codes[place] -= 1
        if codes[place] == kind * setup.width:
            del self.kinds[place], codes[place]
        self.left -= 1
        drawn.append(kind)
        if len(drawn) == self.due:
            if self.choices is None:
                each = setup.rules.hand
                self.hands = [sorted(drawn[at : at + each]) for at in range(0, self.due, each)]
                self.player, self.known = EVERYBODY, self.due
            else:
                self._play(self.choices)

    # Choices

    def legal(self, seat: int) -> list[int]:
        """The actions that a seat has."""
        try:
            hand = self.hands[seat]
        except IndexError:
            raise no_player(self.setup.rules, seat) from None
        return LISTS[self.setup.rules.plays[len(self.turns)], *map(eq, hand, hand[1:])][:]

    def cards_of(self, seat: int, action: int) -> Cards:
        """The cards that an action plays."""
        hand = self.hands[seat]
        return self.setup.cards([hand[place] for place in PLACES[action]])

    def choose(self, actions: Sequence[int]) -> None:
        """Everybody has chosen."""
        rules, kinds = self.setup.rules, self.setup.kinds
        plays = rules.plays[len(self.turns)]
        choices: list[Cards] = []
        rests: list[list[int]] = []
        if self.player != EVERYBODY:
            raise GameError("env_deal" if self.player == CHANCE else "env_ended")
        if len(actions) != rules.players:
            raise GameError("env_number", n=len(actions), needed=rules.players)
        for hand, action in zip(self.hands, actions):  # noqa: B905 - checked above, and quicker
            places, rest = PLACES[action] if 0 <= action < ACTIONS else (), hand[:]
            if len(places) != plays or places[-1] >= len(hand):
                seat = len(rests)
                raise no_action(f"player {seat}", action, self.legal(seat))
            if plays == 1:
                choices.append((kinds[rest.pop(action)],))
            else:
                second = kinds[rest.pop(places[1])]
                choices.append((kinds[rest.pop(places[0])], second))
            rests.append(rest)
        self.ended, self.rests = None, rests
        if len(self.rounds) + 1 == rules.rounds:  # nobody draws (rule 5.1)
            self._play(tuple(choices))
        else:
            self.choices = tuple(choices)
            self.player = CHANCE
            self.due += plays * len(rests)

    def _play(self, choices: tuple[Cards, ...]) -> None:
        """The turn is revealed, and the cards that were dealt for it are taken up (rule 3)."""
        rules, hands, at = self.setup.rules, self.rests, self.known
        if at < self.due:
            drawn, plays, hands = self.drawn, len(choices[0]), []
            for rest in self.rests:
                hand = rest + drawn[at : at + plays]  # rule 3.2
                hand.sort()
                hands.append(hand)
                at += plays
            self.known = at
        self.hands, self.choices, self._state = hands, None, None
        self.player = EVERYBODY
        self.turns = (*self.turns, choices)
        if len(self.turns) == len(rules.plays):
            self.ended = Round(self.turns, derive(rules, states.lay(rules, self.turns)))
            self.rounds, self.turns = (*self.rounds, self.ended), ()
            self._end_round()

    def _end_round(self) -> None:
        rules = self.setup.rules
        deal_over = len(self.rounds) == rules.rounds
        if deal_over:  # rule 5.1
            self.rests, self.hands = self.hands, [[] for _ in self.hands]
        if (deal_over or rules.goal is not None) and self._match().over:
            self.player = NOBODY
        elif deal_over:
            if len(self.earlier) + 1 == self.setup.max_deals:
                self.player = NOBODY
            else:
                self.earlier = self.deals
                self._gather()

    # What it comes to

    @property
    def dealt(self) -> Cards:
        """The cards that chance has dealt since anybody chose."""
        return self.setup.cards(self.drawn[self.known :])

    @property
    def state(self) -> State | None:
        """The deal on the table, as the core has it; nobody knows yet what is in its pile."""
        if self._state is None and self.hands:
            cards, rules = self.setup.cards, self.setup.rules
            each = [tuple(map(cards, who)) for who in (self.hands, self.rests)]
            over = len(self.rounds) == rules.rounds
            self._state = State(
                rules,
                self._deck(),
                rules.aside + self.known,
                each[0],
                self.rounds,
                self.turns,
                each[1] if over else (),
            )
        return self._state

    def _deck(self) -> Cards:
        """A whole deck in which the cards are as they were drawn, first hands sorted (rule 2.3)."""
        rules, drawn = self.setup.rules, self.drawn
        firsts = range(0, rules.players * rules.hand, rules.hand)
        known = [kind for at in firsts for kind in sorted(drawn[at : at + rules.hand])]
        known += drawn[len(known) : self.known]
        left = [divmod(code, self.setup.width) for code in self.codes]
        rest = [kind for kind, count in left for _ in range(count)]
        rest = sorted(rest + drawn[self.known :])
        return self.setup.cards(rest[: rules.aside] + known + rest[rules.aside :])

    @property
    def deals(self) -> tuple[State, ...]:
        """Every deal, the last of them the one on the table, if there is one."""
        state = self.state
        return self.earlier if state is None else (*self.earlier, state)

    def _match(self) -> Match:
        return Match(self.setup.rules, self.deals)

    @property
    def match(self) -> Match:
        """The game as the core has it. After the last deal that is allowed it is over, too."""
        match = self._match()
        if self.player == NOBODY and not match.over:
            return Match(self.setup.cut_off, match.deals)
        return match

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
