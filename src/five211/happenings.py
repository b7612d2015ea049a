"""What happens at a table around the game, as values; each names its audience like `events`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from five211.cards import Cards
from five211.events import Private, Public


@dataclass(frozen=True, slots=True)
class SeatTaken(Public):
    """Somebody sat down; `bot` is the bot's name if it is one."""

    seat: int
    name: str
    bot: str | None


@dataclass(frozen=True, slots=True)
class SeatLeft(Public):
    """Somebody left a seat for good, or was asked to."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class HostChanged(Public):
    """Another seat's person is the host now."""

    seat: int


@dataclass(frozen=True, slots=True)
class CameBack(Public):
    """Somebody who was away is at the table again."""

    seat: int


@dataclass(frozen=True, slots=True)
class WentAway(Public):
    """Somebody is not at the table, but keeps the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameStarted(Public):
    """A game begins; its first deck is awaited."""

    game: int


@dataclass(frozen=True, slots=True)
class ChoiceKept(Private):
    """To its owner alone: these cards lie face down now; none after a take-back."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class Chose:
    """A seat is not awaited any more (rule 3.3); `hidden` if the table keeps that to itself."""

    seat: int
    hidden: bool = False

    @property
    def audience(self) -> int | None:
        """Everyone, unless the table hides it."""
        return self.seat if self.hidden else None


@dataclass(frozen=True, slots=True)
class TookBack(Chose):
    """A seat took its choice back and is awaited again."""


@dataclass(frozen=True, slots=True)
class TimeShort(Private):
    """To one seat: a substitute will play when the deadline passes."""

    seat: int
    deadline: float


@dataclass(frozen=True, slots=True)
class SubstituteCame(Public):
    """A bot plays for a seat until its person comes back; `why` is "time", "called" or "left"."""

    seat: int
    bot: str
    why: str


@dataclass(frozen=True, slots=True)
class SeatReturned(Public):
    """A substitute handed the seat back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Paused(Public):
    """No person is at the table: clocks and bots stand still."""


@dataclass(frozen=True, slots=True)
class Resumed(Public):
    """Somebody is here again: clocks and bots go on."""


@dataclass(frozen=True, slots=True)
class RematchCalled(Public):
    """The same people gather for another game."""

    seat: int


TableEvent: TypeAlias = (
    SeatTaken
    | SeatLeft
    | HostChanged
    | CameBack
    | WentAway
    | GameStarted
    | ChoiceKept
    | Chose
    | TookBack
    | TimeShort
    | SubstituteCame
    | SeatReturned
    | Paused
    | Resumed
    | RematchCalled
)
