"""The whole game: one deal, or as many as the longer game takes (rules 5 and 6).

A `Match` is immutable. It waits for a shuffled deck from outside, or for everyone's choices, or it
is over. `happened` tells one match from the next as events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from five211 import state as states
from five211.cards import Card
from five211.errors import GameError
from five211.events import (
    DealEnded,
    DealStarted,
    Drew,
    GameEnded,
    GameEvent,
    HandDealt,
    LastRound,
    Result,
    Revealed,
    RoundScored,
)
from five211.rules import Rules
from five211.state import State


@dataclass(frozen=True, slots=True)
class Match:
    """A game: its deals so far, the last of them the one on the table.

    >>> from five211 import shuffled, stream
    >>> match = Match(Rules.of(2)).deal(shuffled(Rules.of(2).deck, stream(7, "deck")))
    >>> match.over, match.state.round, len(match.state.pile)
    (False, 0, 80)
    """

    rules: Rules
    deals: tuple[State, ...] = ()

    @property
    def state(self) -> State:
        """The deal on the table."""
        if not self.deals:
            raise GameError("not_dealt")
        return self.deals[-1]

    @property
    def awaits_deck(self) -> bool:
        """Whether the next thing is a deal (rules 2 and 6.2)."""
        return not self.deals or (self.deals[-1].deal_over and not self.over)

    @property
    def awaits_choices(self) -> bool:
        """Whether the next thing is a turn (rule 3)."""
        return bool(self.deals) and not self.deals[-1].deal_over and not self.over

    @property
    def over(self) -> bool:
        """Whether the game has ended (rules 5.1, 6.1 and 6.3)."""
        if not self.deals:
            return False
        state, goal = self.deals[-1], self.rules.goal
        if goal is None:
            return state.deal_over
        may_end = state.deal_over or (len(self.deals) > 1 and not state.turns)
        return may_end and max(self.points) >= goal

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points in the whole game."""
        totals = [0] * self.rules.players
        for state in self.deals:
            for seat, points in enumerate(state.deal_points):
                totals[seat] += points
        return tuple(totals)

    @property
    def result(self) -> Result | None:
        """How the game ended (rules 5.2 and 6.4); none while it goes on."""
        if not self.over:
            return None
        points = self.points
        cards = tuple(len(pile) for pile in self.state.score_piles)
        ranks = list(zip(points, cards, strict=True))
        best = max(ranks)
        return Result(points, cards, tuple(s for s, rank in enumerate(ranks) if rank == best))

    def deal(self, deck: Sequence[Card]) -> Match:
        """Deal a shuffled deck."""
        if not self.awaits_deck:
            raise GameError("game_over" if self.over else "deal_not_over")
        return Match(self.rules, (*self.deals, states.deal(self.rules, deck)))

    def play(self, choices: Sequence[Sequence[Card]]) -> Match:
        """Play one turn: everyone's choice, in the order of the seats."""
        if self.over:
            raise GameError("game_over")
        if self.awaits_deck:
            raise GameError("not_dealt")
        return Match(self.rules, (*self.deals[:-1], states.play(self.deals[-1], choices)))


def happened(before: Match, after: Match) -> tuple[GameEvent, ...]:
    """What `deal` or `play` did between two matches."""
    if len(before.deals) == len(after.deals):
        return tuple(_played(before, after))
    return tuple(_dealt(after))


def _dealt(after: Match) -> Iterator[GameEvent]:
    state = after.state
    yield DealStarted(len(after.deals) - 1, len(state.pile))
    for seat, hand in enumerate(state.hands):
        yield HandDealt(seat, hand)


def _played(before: Match, after: Match) -> Iterator[GameEvent]:
    old, new, deal = before.state, after.state, len(after.deals) - 1
    ended = len(new.rounds) > len(old.rounds)
    turns = new.rounds[-1].turns if ended else new.turns
    yield Revealed(deal, old.round, old.turn, turns[-1])
    each = (new.drawn - old.drawn) // new.rules.players
    for seat in range(new.rules.players if each else 0):
        first = old.drawn + seat * each
        yield Drew(seat, tuple(sorted(new.deck[first : first + each])))
    if ended:
        yield RoundScored(deal, old.round, new.rounds[-1].score)
        result = after.result
        if result is not None:
            yield GameEnded(result)
        elif new.deal_over:
            yield DealEnded(deal, after.points)
        elif not new.pile:
            yield LastRound(deal, new.round)
