"""What HTTP requests carry and what is answered; the OpenAPI pages are made from these."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from five211.table import Clock

Name = Annotated[str, Meta(max_length=200, description="One line of text, 24 characters at most.")]
Word = Annotated[str, Meta(max_length=100)]
Secret = Annotated[str, Meta(max_length=200)]
Seats = Annotated[int, Meta(description="2 to 5.")]


class ErrorText(Struct, frozen=True):
    """What is wrong, for programs and for people."""

    code: str
    text: str


class ErrorBody(Struct, frozen=True):
    """The answer when something cannot be done."""

    error: ErrorText


class ClockBody(Struct, frozen=True, kw_only=True):
    """How long a turn may take."""

    seconds: float
    reserve: float = 0.0
    correspondence: bool = False


class TableBody(Struct, frozen=True, kw_only=True):
    """A table to be made; whoever makes it sits in its first seat and is the host."""

    name: Name
    """The host's name."""
    title: Name = ""
    players: Seats = 4
    variant: Word = "standard"
    edition: Word = "classic"
    clock: ClockBody | None = None
    public: bool = False
    chat: bool = False
    rated: bool = False
    show_chosen: bool = True
    show_points: bool = True
    """Whether the page shows totals; all can add them up, so hiding them is a courtesy."""
    substitute: Word = "easy"
    bots: Annotated[list[Word], Meta(max_length=4)] = msgspec.field(default_factory=list)
    """Bots or levels for the next seats."""
    words: bool = False
    """Whether the host's client sends words for the deal."""
    start: bool = False
    """Start at once; free seats are filled with the substitute."""


class PlayBody(Struct, frozen=True, kw_only=True):
    """A game against bots, at once."""

    name: Name = "You"
    players: Seats = 4
    level: Word = "easy"
    variant: Word = "standard"
    edition: Word = "classic"
    words: bool = False
    """Whether this client sends words for the deal."""


class SitBody(Struct, frozen=True, kw_only=True):
    """Sit down."""

    name: Name
    code: Secret | None = None
    """The table's code; needed unless the table is public."""
    seat: int | None = None
    token: Secret | None = None
    """The token of the seat that one held before."""
    words: bool = False
    """Whether this client sends words for the deal."""


class Seated(Struct, frozen=True):
    """One has a seat, and the token that opens it."""

    table: str
    seat: int
    token: str
    code: str
    watch: str
    screen: str


class DeviceBody(Struct, frozen=True):
    """A seat moves to this device."""

    code: Secret


class DoorBody(Struct, frozen=True):
    """A code, or the secret of a watch link."""

    door: Secret


class Door(Struct, frozen=True):
    """What a code or a link opens."""

    kind: str
    table: dict[str, Any]
    watch: str | None = None
    """With a code: whoever could sit down may as well watch."""
    screen: str | None = None
    """With a code: a television's secret, which gives away nothing but that code."""


class Tables(Struct, frozen=True):
    """The lobby."""

    tables: list[dict[str, Any]]


class PlayerBody(Struct, frozen=True):
    """A profile's name."""

    name: Name


class LoginBody(Struct, frozen=True):
    """An account."""

    login: Secret
    password: Annotated[str, Meta(max_length=1000)]


class PlayerShape(Struct, frozen=True):
    """A profile as anybody may see it."""

    id: str
    name: str
    rating: int
    games: int
    wins: float


class OwnPlayer(Struct, frozen=True):
    """One's own profile; the key is shown once."""

    player: PlayerShape
    login: str | None
    key: str | None = None


class StandingShape(Struct, frozen=True):
    """One seat at the end of a game."""

    name: str
    bot: str | None
    player: str | None
    points: int
    rank: int


class GameShape(Struct, frozen=True):
    """A game that is over."""

    id: str
    ended: float
    rated: bool
    standings: list[StandingShape]


class Games(Struct, frozen=True):
    """Games that are over, the latest first."""

    games: list[GameShape]


class Players(Struct, frozen=True):
    """Players, the best first."""

    players: list[PlayerShape]


class BotShape(Struct, frozen=True):
    """A bot that one can play with."""

    name: str
    called: str
    """What players call it."""
    level: str | None


class About(Struct, frozen=True):
    """What this server is and has."""

    name: str
    version: str
    protocol: int
    languages: list[str]
    editions: list[str]
    bots: list[BotShape]
    reactions: list[str]
    webhooks: bool
    email: bool
    addresses: list[str]
    """Where others find this server, for a page on the machine itself."""


class Health(Struct, frozen=True):
    """How the server is."""

    status: str


class BanBody(Struct, frozen=True):
    """Keep a player (by id), an address or a network out."""

    what: Secret
    days: float = 36500.0
    reason: Annotated[str, Meta(max_length=500)] = ""


class BanShape(Struct, frozen=True):
    """Who is kept out."""

    what: str
    until: float
    reason: str


class Bans(Struct, frozen=True):
    """All who are kept out."""

    bans: list[BanShape]


class Overview(Struct, frozen=True):
    """What an operator sees."""

    tables: int
    sockets: int
    memory: list[dict[str, Any]]


def clock_of(body: ClockBody | None) -> Clock | None:
    """The clock that a request asks for."""
    if body is None:
        return None
    warning = min(10.0, body.seconds / 3) if not body.correspondence else body.seconds / 4
    return Clock(body.seconds, body.reserve, warning, body.correspondence)
