"""What is written in a table's log besides the commands of the game's own table.

A log of entries is a room: see `room.apply`. Tokens, codes and links stand here only as hashes, as
far as they open something that is not for everyone at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from five211.commands import Moment
from five211.table import Options, Seat


@dataclass(frozen=True, slots=True)
class Opened:
    """A table is made. It is the first entry of a new log and never comes again."""

    id: str
    code: str
    """Whoever knows it may sit down."""
    watch: str
    """Whoever knows it may watch, and nothing else."""
    screen: str
    """As `watch`, for a television: it may also show the code."""
    players: int
    variant: str
    options: Options
    name: str = ""
    public: bool = False
    """Whether the lobby shows it: anybody may sit down, and watch."""
    chat: bool = False
    """Whether people may write to each other; never at a public table."""
    rated: bool = False
    show_points: bool = True
    """Whether the page shows totals. They follow from what is public (rule 8.1): a courtesy."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A person gets a token, of which only the hash is kept."""

    person: str
    token: str
    player: str | None = None
    """The player's profile, if there is one."""
    words: bool = False
    """Whether their client sends words for the deal."""


@dataclass(frozen=True, slots=True)
class Kept:
    """All that lasts from one game to the next: with it a log begins anew, and stays short."""

    opened: Opened
    admitted: tuple[Admitted, ...]
    seats: tuple[Seat, ...]
    host: str | None
    game: int
    moving: Mapping[str, tuple[str, float]]
    alerts: Mapping[str, tuple[str, str]]
    told: tuple[int, ...]
    """How many events each seat has been told of, and the spectators."""
    ids: Mapping[str, tuple[str, ...]]
    """The ids of each person's last commands."""
    where: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    """The processes that each person is connected to; older logs name the last one only."""
    driver: str = ""
    """The process that sees to clocks and bots."""


@dataclass(frozen=True, slots=True)
class Moving:
    """A person asks for a code that moves the seat to another device, once and soon."""

    person: str
    code: str
    until: float


@dataclass(frozen=True, slots=True)
class Moved:
    """The code was used: the other device has a token, and the old ones are worth nothing."""

    code: str
    token: str


@dataclass(frozen=True, slots=True)
class Bound:
    """The seed of a game's decks; its hash is published, and these people are asked for words."""

    seed: bytes
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hashed:
    """The hash of a person's words."""

    person: str
    hash: str


@dataclass(frozen=True, slots=True)
class Worded:
    """A person's words, which the decks depend on too."""

    person: str
    words: bytes


@dataclass(frozen=True, slots=True)
class GoneOn:
    """Whoever has not answered by now is not waited for."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The next deck, as it follows from the seed and the words."""


@dataclass(frozen=True, slots=True)
class Reacted:
    """One of the preset reactions."""

    person: str
    reaction: str


@dataclass(frozen=True, slots=True)
class Said:
    """Something in somebody's own words."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Alerted:
    """How a person who is not here wants to hear of a turn: "webhook", "email" or "" for not."""

    person: str
    kind: str
    target: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed for good, by an operator."""


@dataclass(frozen=True, slots=True)
class Here:
    """A person is connected to this process, of several: if it dies, they are away."""

    person: str
    process: str


@dataclass(frozen=True, slots=True)
class NotHere:
    """A person is connected to this process no longer, but to another."""

    person: str
    process: str


@dataclass(frozen=True, slots=True)
class Driven:
    """From now on this process sees to the table's clock and bots, of several."""

    process: str


@dataclass(frozen=True, slots=True)
class Told:
    """A person who is not here is told that it is their turn; not again in that one."""

    person: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The rows before were changed, which never happens but to forget a player: read them again."""


HouseEntry = (
    Opened
    | Admitted
    | Kept
    | Moving
    | Moved
    | Bound
    | Hashed
    | Worded
    | GoneOn
    | Dealt
    | Reacted
    | Said
    | Alerted
    | Closed
    | Here
    | NotHere
    | Driven
    | Told
    | Rewritten
)
