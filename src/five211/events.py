"""What happens in a game, as values; each event names its audience.

`audience` is a seat, or None for everyone. Only `view.visible` decides by it who is sent what.
What happens around the game, at its table, stands in `happenings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from five211.cards import Cards
from five211.scoring import Score


class Event(Protocol):
    """Anything that happens, in the game or at its table."""

    @property
    def audience(self) -> int | None:
        """The seat that may know of it; None for everyone."""
        ...


class Public:
    """An event for everyone."""

    __slots__ = ()
    audience: int | None = None


class Private:
    """An event for the seat that it names."""

    __slots__ = ()
    seat: int

    @property
    def audience(self) -> int | None:
        """The one seat."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended (rules 5.2, 6.4): points, cards that break a tie, and the winners' seats."""

    points: tuple[int, ...]
    cards: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def decided_by(self) -> str:
        """What told the winners from the rest: "points", "cards", or "shared" if nothing did."""
        if len(self.winners) > 1:
            return "shared"
        return "cards" if self.points.count(max(self.points)) > 1 else "points"


@dataclass(frozen=True, slots=True)
class DealStarted(Public):
    """Cards were put aside and dealt; this many are in the draw pile (rule 2)."""

    deal: int
    pile: int


@dataclass(frozen=True, slots=True)
class HandDealt(Private):
    """A seat's first hand of a deal."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class Revealed(Public):
    """Everyone's cards of one turn, turned over at once (rule 3.1)."""

    deal: int
    round: int
    turn: int
    choices: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class Drew(Private):
    """What a seat drew after a turn (rule 3.2)."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class RoundScored(Public):
    """A round's score (rule 4)."""

    deal: int
    round: int
    score: Score


@dataclass(frozen=True, slots=True)
class LastRound(Public):
    """The draw pile is empty: one more round from the hands (rule 5.1)."""

    deal: int
    round: int


@dataclass(frozen=True, slots=True)
class DealEnded(Public):
    """A deal of the longer game is over and another follows (rule 6.2)."""

    deal: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Public):
    """The game is over (rule 5)."""

    result: Result


GameEvent: TypeAlias = (
    DealStarted | HandDealt | Revealed | Drew | RoundScored | LastRound | DealEnded | GameEnded
)
