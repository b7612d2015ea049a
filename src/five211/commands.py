"""What may be asked of a table, as values. `conduct.apply(table, command, now)` is the only way in.

A person is named by an opaque id that the host program made; it is never shown to anybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from five211.cards import Cards


@dataclass(frozen=True, slots=True)
class Moment:
    """One turn of one game at a table; a choice names the one that it is meant for."""

    game: int
    deal: int
    round: int
    turn: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat: a free one, or a bot's; the first free one if none is named."""

    person: str
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """The host puts a bot in a free seat before the start; which there are, it knows."""

    person: str
    bot: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """The host frees a seat before the start."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up for good. In mid-game a substitute plays on, and the seat is free."""

    person: str


@dataclass(frozen=True, slots=True)
class Start:
    """The host starts the game; free seats are filled with the named bot, if one is named."""

    person: str
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """From the host program: the shuffled deck that the table awaits."""

    deck: Cards


@dataclass(frozen=True, slots=True)
class Choose:
    """Put cards face down, or change them; possible until the last choice of the turn is in."""

    person: str
    moment: Moment
    cards: Cards


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take one's cards back into the hand."""

    person: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class BotChooses:
    """From the host program: what the bot that plays a seat has chosen."""

    seat: int
    moment: Moment
    cards: Cards


@dataclass(frozen=True, slots=True)
class Away:
    """From the host program: a person is not at the table any more (a connection broke)."""

    person: str


@dataclass(frozen=True, slots=True)
class Back:
    """A person is here again, and takes the seat back from a substitute."""

    person: str


@dataclass(frozen=True, slots=True)
class CallSubstitute:
    """Without a clock: ask for a substitute for somebody who has been awaited for long."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """After the game: the same people gather for another one."""

    person: str


@dataclass(frozen=True, slots=True)
class Standstill:
    """From the host program: it was not running for so long, and nobody loses time to that."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; see `Table.wakes_at`."""


Command: TypeAlias = (
    Sit
    | SeatBot
    | Remove
    | Leave
    | Start
    | Deal
    | Choose
    | TakeBack
    | BotChooses
    | Away
    | Back
    | CallSubstitute
    | Rematch
    | Standstill
    | Tick
)
