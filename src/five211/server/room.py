"""A room: a table, and what the house adds to it. Pure, like the table itself.

`apply(room, entry, now)` is a function of its arguments, so the log of entries is the room. The
house adds doors (code, links, tokens), talk, and the proof of the deal (five211.proof): when a game
starts the hub binds a seed, people's clients send hashes and then words, and the decks follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from hmac import compare_digest
from typing import Any, TypeAlias

from five211 import conduct
from five211.change import Replacing
from five211.commands import Away, Command, Deal, Moment
from five211.errors import GameError
from five211.events import Event, Public
from five211.gathering import checked_name
from five211.proof import SEED, WORDS, Proof, hash_words
from five211.record import Record
from five211.rules import Rules
from five211.server.entries import (
    Admitted,
    Alerted,
    Bound,
    Closed,
    Dealt,
    Driven,
    GoneOn,
    Hashed,
    Here,
    HouseEntry,
    Kept,
    Moved,
    Moving,
    NotHere,
    Opened,
    Reacted,
    Rewritten,
    Said,
    Told,
    Worded,
)
from five211.table import Table

Entry: TypeAlias = Command | HouseEntry
Applied: TypeAlias = "tuple[Room, tuple[Event, ...]]"

REACTIONS = ("hello", "wow", "ouch", "haha", "thinking", "hurry", "well_played", "thanks", "sorry")
LONGEST_TEXT = 200  # characters of something said
TABS = 8  # processes that somebody may be connected to; also those that died are counted
PATIENCE = 5.0  # seconds for a client to send its hash, and again for its words


@dataclass(frozen=True, slots=True)
class DealBound(Public):
    """The server is bound to a seed; these seats are asked for the hash of their words."""

    commitment: str
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HashesIn(Public):
    """All hashes are in; those who sent one send their words now."""

    hashes: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Reaction(Public):
    """Somebody shows a preset reaction."""

    seat: int
    reaction: str


@dataclass(frozen=True, slots=True)
class Message(Public):
    """Somebody says something."""

    seat: int
    said: str


@dataclass(frozen=True, slots=True)
class TableClosed(Public):
    """An operator closed the table."""


HouseEvent: TypeAlias = DealBound | HashesIn | Reaction | Message | TableClosed


@dataclass(frozen=True, slots=True)
class Dealing:
    """The proof of a game's decks in the making."""

    seed: bytes
    asked: tuple[int, ...]
    """The seats whose answer is awaited."""
    until: float
    """How long it is awaited."""
    hashes: tuple[str | None, ...]
    words: tuple[bytes | None, ...]
    opened: bool = False
    """Whether all hashes are in, so that words may come."""

    @property
    def ready(self) -> bool:
        """Whether the decks are settled."""
        return self.opened and not self.asked


@dataclass(frozen=True, slots=True)
class Room:
    """A table with its doors."""

    opened: Opened
    table: Table
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Hash of a token to the person who has it."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Person to player's profile."""
    wordy: frozenset[str] = frozenset()
    """Those whose clients send words for the deal."""
    moving: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """Hash of a device code to the person and how long it is good."""
    alerts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Person to kind and target."""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Person to the processes that they are connected to, if there are several; some may be dead"""
    driver: str = ""
    """The process that sees to clocks and bots, if there are several."""
    told: Mapping[str, Moment] = field(default_factory=dict)
    """Person to the turn that they were last told of while they were away."""
    dealing: Dealing | None = None
    closed: bool = False

    @property
    def id(self) -> str:
        """What the table is called in addresses, records and proofs."""
        return self.opened.id

    @property
    def proof(self) -> Proof | None:
        """What the decks of this game follow from, as soon as that is settled."""
        dealing = self.dealing
        if dealing is None or not dealing.ready:
            return None
        return Proof(f"{self.id}/{self.table.game}", dealing.seed, dealing.words)

    @property
    def seed(self) -> bytes | None:
        """What tells this deal from any other."""
        return None if self.dealing is None else self.dealing.seed

    @property
    def commitment(self) -> str | None:
        """What was published of this game's decks."""
        if self.dealing is None:
            return None
        return Proof(f"{self.id}/{self.table.game}", self.dealing.seed, ()).commitment

    @property
    def to_ask(self) -> tuple[str, ...]:
        """The people who are asked for words when a game starts."""
        here = [seat.person for seat in self.table.seats if seat.person and seat.present]
        return tuple(person for person in here if person in self.wordy)

    @property
    def wakes_at(self) -> float | None:
        """When the next entry is due by itself: a clock, or a client that does not answer."""
        if self.dealing is not None and self.dealing.asked:
            return self.dealing.until
        return self.table.wakes_at

    @property
    def stage(self) -> tuple[object, ...]:
        """How far it has come: whoever brings that about sees to what follows, of several."""
        return self.table.game, self.table.moment, self.table.awaits_deck

    @property
    def deck_is_due(self) -> bool:
        """Whether a seed is to be bound or a deck dealt, and nobody is waited for."""
        return self.table.awaits_deck and (self.dealing is None or self.dealing.ready)

    def has_more_to_do(self, before: Room) -> bool:
        """Whether something is to be done by itself that was not before."""
        bots = set(self.table.bots_awaited) - set(before.table.bots_awaited)
        return bool(bots) or self.stage != before.stage

    @property
    def to_tell(self) -> tuple[str, ...]:
        """Those who wanted to be told of their turn while they are not here, and are not yet."""
        seats = self.table.seats
        return tuple(one for one in self.untold if not seats[self.table.seat_of(one)].present)

    @property
    def untold(self) -> tuple[str, ...]:
        """The same, and those who would have to be told if they were not here."""
        table, seats = self.table, self.table.seats
        if not self.alerts or table.moment is None:
            return ()
        awaited = [seats[one].person for one in table.awaited if seats[one].substitute is None]
        return tuple(
            one
            for one in awaited
            if one is not None and one in self.alerts and self.told.get(one) != table.moment
        )

    @property
    def record(self) -> Record:
        """The record with its proof. It holds every hidden card: see `view.open_to_reader`."""
        record, proof = self.table.record, self.proof
        return record if proof is None else replace(record, extra={"proof": proof.write()})

    def person_with(self, token: str) -> str:
        """The person whose token this is."""
        person = self.tokens.get(hashed(token))
        if person is None:
            raise GameError("token")
        return person


_replace = Replacing(Room)


def hashed(secret: str) -> str:
    """What is kept of a token or code; they are long and random, so a plain hash will do."""
    return sha256(secret.encode(errors="replace")).hexdigest()


def apply(room: Room | None, entry: Entry, now: float) -> Applied:
    """What becomes of a room, and what happened."""
    if room is None:
        assert isinstance(entry, Opened | Kept)
        return _open(entry) if isinstance(entry, Opened) else _take_up(entry, now), ()
    if isinstance(entry, Rewritten):
        return room, ()
    if room.closed:
        raise GameError("table_closed")
    handle = _HANDLERS.get(type(entry))
    if handle is not None:
        return handle(room, entry, now)
    table, events = conduct.apply(room.table, entry, now)  # type: ignore[arg-type]
    changes: dict[str, Any] = {"table": table}
    if table.game != room.table.game:  # a new game has decks of its own
        changes["dealing"] = None
    if isinstance(entry, Away) and entry.person in room.where:  # connected to no process that lives
        changes["where"] = {one: there for one, there in room.where.items() if one != entry.person}
    return _replace(room, changes), events


def kept(room: Room, told: tuple[int, ...], ids: Mapping[str, tuple[str, ...]]) -> Kept:
    """The entry that a log may begin anew with, between two games."""
    table = room.table
    assert table.match is None
    admitted = tuple(
        Admitted(person, token, room.players.get(person), person in room.wordy)
        for token, person in room.tokens.items()
    )
    return Kept(
        room.opened,
        admitted,
        table.seats,
        table.host,
        table.game,
        room.moving,
        room.alerts,
        told,
        ids,
        room.where,
        room.driver,
    )


def _take_up(entry: Kept, now: float) -> Room:
    rules = Rules.of(entry.opened.players, entry.opened.variant)
    options, seats = entry.opened.options, entry.seats
    table = Table(rules, options, seats, entry.host, game=entry.game, now=now)
    moving, alerts = entry.moving, entry.alerts
    where = {one: (at,) if isinstance(at, str) else at for one, at in entry.where.items()}
    driver = entry.driver
    room = Room(entry.opened, table, moving=moving, alerts=alerts, where=where, driver=driver)
    for one in entry.admitted:
        room, _ = _admit(room, one, now)
    return room


def _open(entry: Opened) -> Room:
    if entry.name:
        checked_name(entry.name)
    if entry.public and entry.chat:
        raise GameError("chat_public")
    return Room(entry, Table.new(Rules.of(entry.players, entry.variant), entry.options))


def _admit(room: Room, entry: Admitted, _now: float) -> Applied:
    players = room.players
    if entry.player is not None:
        players = {**players, entry.person: entry.player}
    wordy = room.wordy | {entry.person} if entry.words else room.wordy - {entry.person}
    tokens = {**room.tokens, entry.token: entry.person}
    return replace(room, tokens=tokens, players=players, wordy=wordy), ()


def _moving(room: Room, entry: Moving, _now: float) -> Applied:
    room.table.seat_of(entry.person)
    others = {code: one for code, one in room.moving.items() if one[0] != entry.person}
    return replace(room, moving={**others, entry.code: (entry.person, entry.until)}), ()


def _moved(room: Room, entry: Moved, now: float) -> Applied:
    person, until = room.moving.get(entry.code, ("", 0.0))
    if until <= now:
        raise GameError("device_code")
    moving = {code: one for code, one in room.moving.items() if one[0] != person}
    tokens = {
        (entry.token if one == person else token): one for token, one in room.tokens.items()
    }  # in their order: the first is whose table it was
    return replace(room, moving=moving, tokens=tokens), ()


def _bind(room: Room, entry: Bound, now: float) -> Applied:
    table = room.table
    assert table.awaits_deck
    assert len(entry.seed) == SEED
    nothing = (None,) * len(table.seats)
    asked = tuple(sorted(table.seat_of(person) for person in entry.asked))
    dealing = Dealing(entry.seed, asked, now + PATIENCE, nothing, nothing)
    room = replace(room, dealing=dealing)
    assert room.commitment is not None
    bound = DealBound(room.commitment, asked)
    return _answered(room, dealing, now, (bound,))


def _hash(room: Room, entry: Hashed, now: float) -> Applied:
    dealing, seat = _asked(room, entry.person, opened=False)
    if len(entry.hash) != 2 * WORDS or not set(entry.hash) <= set("0123456789abcdef"):
        raise GameError("words_hash")
    return _answered(room, _without(dealing, seat, hashes=entry.hash), now)


def _word(room: Room, entry: Worded, now: float) -> Applied:
    dealing, seat = _asked(room, entry.person, opened=True)
    if len(entry.words) != WORDS:
        raise GameError("words_size", n=WORDS)
    if not compare_digest(hash_words(entry.words), dealing.hashes[seat] or ""):
        raise GameError("words_other")
    return _answered(room, _without(dealing, seat, words=entry.words), now)


def _go_on(room: Room, _entry: GoneOn, now: float) -> Applied:
    if room.dealing is None:
        return room, ()
    return _answered(room, replace(room.dealing, asked=()), now)


def _asked(room: Room, person: str, opened: bool) -> tuple[Dealing, int]:
    seat, dealing = room.table.seat_of(person), room.dealing
    if dealing is None or seat not in dealing.asked or dealing.opened is not opened:
        raise GameError("words_not_asked")
    return dealing, seat


def _without(dealing: Dealing, seat: int, **answer: Any) -> Dealing:
    """The seat has answered."""
    for name, value in answer.items():
        old = getattr(dealing, name)
        answer[name] = (*old[:seat], value, *old[seat + 1 :])
    return replace(dealing, asked=tuple(s for s in dealing.asked if s != seat), **answer)


def _answered(room: Room, dealing: Dealing, now: float, events: tuple[Event, ...] = ()) -> Applied:
    """When all hashes are in, those who sent one are asked for their words."""
    if not dealing.asked and not dealing.opened:
        asked = tuple(seat for seat, one in enumerate(dealing.hashes) if one is not None)
        dealing = replace(dealing, asked=asked, until=now + PATIENCE, opened=True)
        events += (HashesIn(dealing.hashes),)
    return replace(room, dealing=dealing), events


def _deal(room: Room, _entry: Dealt, now: float) -> Applied:
    table, proof = room.table, room.proof
    assert table.match is not None
    assert proof is not None
    deck = proof.deck(table.rules, len(table.match.deals))
    table, events = conduct.apply(table, Deal(deck), now)
    return replace(room, table=table), events


def _react(room: Room, entry: Reacted, _now: float) -> Applied:
    seat = room.table.seat_of(entry.person)
    if entry.reaction not in REACTIONS:
        raise GameError("reaction", known=REACTIONS)
    return room, (Reaction(seat, entry.reaction),)


def _say(room: Room, entry: Said, _now: float) -> Applied:
    seat = room.table.seat_of(entry.person)
    if not room.opened.chat:
        raise GameError("chat_off")
    text = " ".join(entry.text.split())
    if not 0 < len(text) <= LONGEST_TEXT or not text.isprintable():
        raise GameError("chat_text", n=LONGEST_TEXT)
    return room, (Message(seat, text),)


def _alert(room: Room, entry: Alerted, _now: float) -> Applied:
    room.table.seat_of(entry.person)
    alerts = {person: one for person, one in room.alerts.items() if person != entry.person}
    if entry.kind:
        alerts[entry.person] = (entry.kind, entry.target)
    return replace(room, alerts=alerts), ()


def _is_here(room: Room, entry: Here, _now: float) -> Applied:
    room.table.seat_of(entry.person)
    there = (*_elsewhere(room, entry), entry.process)[-TABS:]
    return replace(room, where={**room.where, entry.person: there}), ()


def _is_not_here(room: Room, entry: NotHere, _now: float) -> Applied:
    return replace(room, where={**room.where, entry.person: _elsewhere(room, entry)}), ()


def _elsewhere(room: Room, entry: Here | NotHere) -> tuple[str, ...]:
    there = room.where.get(entry.person, ())
    return tuple(process for process in there if process != entry.process)


def _drive(room: Room, entry: Driven, _now: float) -> Applied:
    return replace(room, driver=entry.process), ()


def _tell(room: Room, entry: Told, _now: float) -> Applied:
    return replace(room, told={**room.told, entry.person: entry.moment}), ()


def _close(room: Room, _entry: Closed, _now: float) -> Applied:
    return replace(room, closed=True), (TableClosed(),)


_HANDLERS: dict[type[Any], Callable[[Room, Any, float], Applied]] = {
    Admitted: _admit,
    Moving: _moving,
    Moved: _moved,
    Bound: _bind,
    Hashed: _hash,
    Worded: _word,
    GoneOn: _go_on,
    Dealt: _deal,
    Reacted: _react,
    Said: _say,
    Alerted: _alert,
    Closed: _close,
    Here: _is_here,
    NotHere: _is_not_here,
    Driven: _drive,
    Told: _tell,
}
