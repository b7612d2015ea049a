"""What the server sends, as types: frames over the socket, a replay, a lobby's line.

`wire` and its neighbours make JSON as quickly as they can and need none of this. It is here for
those who read that JSON: web/generate.py writes the page's types from it, and
tests/server/test_frames.py holds every frame of whole games against it, so that it stays true.
A field that may be UNSET may be missing. Events and steps are made from their own classes.
"""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct

from five211 import cards, events, happenings, scoring
from five211.cards import Cards
from five211.commands import Moment
from five211.events import Result
from five211.rules import Variant
from five211.scoring import Outcome
from five211.sentences import snake_name
from five211.server import room
from five211.server.shapes import ErrorText
from five211.table import Clock
from five211.tally import IconStanding, Standing

Turns: TypeAlias = list[list[Cards]]


class Color(StrEnum):
    """A colour's letter."""

    Y = "Y"
    G = "G"
    O = "O"  # noqa: E741
    B = "B"
    V = "V"


class ByColor(Struct):
    """A number for every colour."""

    Y: int
    G: int
    O: int  # noqa: E741
    B: int
    V: int


# Steps and events: the fields of their own classes, as JSON has them


def _told(kind: type[Any], base: type[Struct], **known: Any) -> Any:
    """The shape of a step or an event that is sent with its name."""
    hints = {**get_type_hints(kind), **known}
    sent = [(one.name, _SENT.get(hints[one.name], hints[one.name])) for one in fields(kind)]
    return defstruct(kind.__name__, sent, bases=(base,), kw_only=True)


class StepShape(Struct, tag_field="step", tag=snake_name, kw_only=True):
    """What all steps of a scoring have."""

    text: str | UnsetType = UNSET


class EventShape(Struct, tag_field="event", tag=snake_name, kw_only=True):
    """What all events have."""

    text: str | UnsetType = UNSET


_SENT: dict[Any, Any] = {
    cards.Color: Color,
    tuple[cards.Color, ...]: tuple[Color, ...],
    tuple[tuple[cards.Color, int], ...]: dict[Color, int],
}

if TYPE_CHECKING:
    Step: TypeAlias = Any
else:
    _EACH = {scoring.ColorsCounted: {"counts": ByColor}}  # all are counted, some are struck out
    Step = reduce(
        or_, [_told(kind, StepShape, **_EACH.get(kind, {})) for kind in get_args(scoring.Step)]
    )


class Score(Struct):
    """What a round brought, and the steps that led there."""

    kind: Outcome
    color: Color | None
    points: list[int]
    cards: list[Cards]
    steps: list[Step]


_SENT[scoring.Score] = Score
EVENTS: tuple[type[Any], ...] = (
    *get_args(events.GameEvent),
    *get_args(happenings.TableEvent),
    *get_args(room.HouseEvent),
)

if TYPE_CHECKING:
    GameEvent: TypeAlias = Any
else:
    GameEvent = reduce(or_, [_told(kind, EventShape) for kind in EVENTS])


# The view, part by part


class Info(Struct):
    """What never changes about a table."""

    id: str
    name: str
    players: int
    variant: Variant
    edition: str
    rounds: int
    limit: int
    exact: int
    turns: list[int]
    goal: int | None
    clock: Clock | None
    show_chosen: bool
    show_points: bool
    public: bool
    chat: bool
    rated: bool
    code: str | None
    watch: str | None
    screen: str | None


class Seat(Struct):
    """Who sits in a seat."""

    name: str
    bot: str | None
    substitute: str | None
    free: bool
    present: bool
    host: bool


class ColorTally(Struct):
    """One colour on the table."""

    color: Color
    count: int
    to_limit: int
    standing: Standing


class Tally(Struct):
    """The table as players count it."""

    colors: list[ColorTally]
    icons: int
    exact: int
    icon_standing: IconStanding
    text: list[str] | UnsetType = UNSET


class Round(Struct):
    """A round that was played."""

    turns: Turns
    score: Score


class ProofState(Struct):
    """The proof of the deal, as far as it is public."""

    table: str
    commitment: str
    hashes: list[str | None] | None
    asked: list[int]
    stage: Literal["hashes", "words", "dealt"]


class View(Struct, kw_only=True):
    """All that a viewer may know; the parts of the game are null while people gather."""

    info: Info
    you: int | None
    seats: list[Seat]
    phase: Literal["gathering", "dealing", "choosing", "over"]
    moment: Moment | None
    chosen: list[bool | None]
    deadlines: list[float | None]
    call_from: float | None
    paused: bool
    deal: int | None
    round: int | None
    turn: int | None
    plays: int | None
    pile: int | None
    last_round: bool | None
    turns: Turns | None
    tally: Tally | None
    rounds: list[Round] | None
    earlier: list[list[Round]] | None
    points: list[int] | None
    piles: list[int] | None
    result: Result | None
    proof: ProofState | None
    # not for spectators:
    hand: Cards | UnsetType = UNSET
    choice: Cards | UnsetType | None = UNSET
    choices: list[Cards] | UnsetType = UNSET


class Answer(Struct, kw_only=True):
    """What became of a command: the error if it was not done, a code if one was asked for."""

    id: str | None
    done: bool
    error: ErrorText | UnsetType = UNSET
    code: str | UnsetType = UNSET
    until: float | UnsetType = UNSET


if TYPE_CHECKING:
    Parts: TypeAlias = Any
else:
    Parts = defstruct(
        "Parts", [(name, hint | UnsetType, UNSET) for name, hint in get_type_hints(View).items()]
    )


class Frame(Struct):
    """Everything that comes over the socket."""

    n: int
    events: list[GameEvent]
    view: Parts
    answers: list[Answer]
    now: float | UnsetType = UNSET  # in the first frame of a connection only


# Over HTTP


class SummarySeat(Struct):
    """A seat, as the lobby shows it."""

    name: str
    bot: str | None
    free: bool
    present: bool


class Summary(Struct):
    """A table's line in the lobby."""

    id: str
    name: str
    players: int
    variant: Variant
    edition: str
    clock: Clock | None
    rated: bool
    public: bool
    phase: Literal["gathering", "playing", "over", "closed"]
    seats: list[SummarySeat]
    round: int | None
    rounds: int


class ReplayStep(Struct):
    """What happened, and what everyone held and saw then."""

    events: list[GameEvent]
    hands: list[Cards]
    turns: Turns
    tally: Tally
    points: list[int]
    pile: int
    round: int
    turn: int


class Proof(Struct):
    """What the decks of a game that is over followed from."""

    table: str
    commitment: str
    seed: str
    words: list[str | None]


class Replay(Struct):
    """A game that is over, step by step."""

    players: list[str]
    bots: list[str | None]
    variant: Variant
    edition: str
    result: Result
    proof: Proof | None
    steps: list[ReplayStep]
