"""What a client may send over the socket (docs/protocol.md), and what it gets.

Every message is one JSON object with a `type`. Unknown keys are ignored, so that a newer client can
talk to an older server; anything else that does not fit is refused with a sentence.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from five211.cards import Card
from five211.commands import Moment
from five211.errors import GameError
from five211.sentences import snake_name

VERSION = 1
Id: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=1000)]
Codes: TypeAlias = Annotated[tuple[str, ...], msgspec.Meta(max_length=10)]


class ClientMessage(msgspec.Struct, tag_field="type", tag=snake_name, frozen=True, kw_only=True):
    """What all have in common: an id of the client's own, which makes sending twice harmless."""

    id: Id | None = None


class Hello(ClientMessage, frozen=True, kw_only=True):
    """The first message: which table, by what right, and what was seen last."""

    table: Text = ""
    """The table's id; not needed with a watch link."""
    token: Text | None = None
    """The token of a seat; none to watch."""
    watch: Text | None = None
    """A watch link's or a screen's secret."""
    seen: int | None = None
    """The last number of one's own sequence that one has seen."""
    language: Text | None = None
    """The language for sentences; none for none."""
    protocol: int = VERSION


class Choose(ClientMessage, frozen=True, kw_only=True):
    """Put cards face down, or change them."""

    moment: Moment
    cards: Codes


class TakeBack(ClientMessage, frozen=True, kw_only=True):
    """Take one's cards back into the hand."""

    moment: Moment


class Start(ClientMessage, frozen=True, kw_only=True):
    """The host starts; free seats are filled with this bot or level, if one is named."""

    fill: Text | None = None


class SeatBot(ClientMessage, frozen=True, kw_only=True):
    """The host puts a bot in a seat."""

    bot: Text
    seat: int | None = None


class Remove(ClientMessage, frozen=True, kw_only=True):
    """The host frees a seat before the start."""

    seat: int


class Leave(ClientMessage, frozen=True, kw_only=True):
    """Get up for good."""


class CallSubstitute(ClientMessage, frozen=True, kw_only=True):
    """Ask for a substitute for somebody who has been awaited for long."""

    seat: int


class Rematch(ClientMessage, frozen=True, kw_only=True):
    """Another game with the same people."""


class React(ClientMessage, frozen=True, kw_only=True):
    """Show a preset reaction."""

    reaction: Text


class Say(ClientMessage, frozen=True, kw_only=True):
    """Say something, where the host has allowed it."""

    text: Text


class Hash(ClientMessage, frozen=True, kw_only=True):
    """The hash of one's words for the deal."""

    hash: Text


class Words(ClientMessage, frozen=True, kw_only=True):
    """One's words for the deal, in hexadecimal."""

    words: Text


class Alert(ClientMessage, frozen=True, kw_only=True):
    """How to be told of a turn while away: "webhook" with an address, "email", or "" for not."""

    kind: Text
    target: Text = ""


class MoveDevice(ClientMessage, frozen=True, kw_only=True):
    """Ask for a code that moves the seat to another device."""


Message: TypeAlias = (
    Hello
    | Choose
    | TakeBack
    | Start
    | SeatBot
    | Remove
    | Leave
    | CallSubstitute
    | Rematch
    | React
    | Say
    | Hash
    | Words
    | Alert
    | MoveDevice
)


_decode = msgspec.json.Decoder(Message).decode


def read_message(text: str | bytes) -> Message:
    """A client's message, or an error."""
    try:
        return _decode(text)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise GameError("message") from None


def read_cards(codes: tuple[str, ...]) -> tuple[Card, ...]:
    """The cards of a choice."""
    return tuple(Card(code) for code in codes)


def error_json(error: GameError, language: str | None) -> dict[str, Any]:
    """An error as it is sent: its code, and its sentence."""
    return {"code": error.code, "text": error.say(language or "en")}
