"""One table in memory: who is connected, and what each of them is sent.

Every viewer (a seat, or the spectators together) has a sequence of events of its own, counted by
what that viewer may see and nothing else: the log's versions never leave the server. `take` renders
what is to be sent from the state as it is now, and hands it out together with the log's row; nobody
is sent anything before that row is written.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from five211.editions import Words, words
from five211.errors import GameError
from five211.events import Event, GameEnded
from five211.match import Match
from five211.server import codec, wire
from five211.server.entries import Kept
from five211.server.protocol import error_json
from five211.server.room import Dealing, Entry, Room, apply, kept
from five211.server.store import Game, Listing, Row
from five211.view import SPECTATOR, Viewer, Watcher, shares

TAIL = 64  # events kept for somebody who comes back
IDS = 64  # ids of a person's last commands, to know one that is sent twice

Send: TypeAlias = Callable[[bytes], None]


@dataclass(eq=False, slots=True)
class Connection:
    """One socket at a table."""

    send: Send
    close: Callable[[int, str], None]
    viewer: Viewer
    person: str | None = None
    address: str = ""
    language: str | None = None
    knows_code: bool = False
    seen: int | None = None
    """What it had seen when it came; used once, for its first frame."""
    new: bool = True
    answers: list[bytes] = field(default_factory=list)
    """What its next frame answers."""


@dataclass(slots=True)
class Told:
    """What one viewer has been told."""

    n: int = 0
    tail: deque[Event] = field(default_factory=lambda: deque(maxlen=TAIL))
    fresh: list[Event] = field(default_factory=list)
    """Events that have not been sent yet."""
    shown: wire.Parts = field(default_factory=dict)
    """The viewer's own parts of the view as they were last sent."""
    match: Match | None = None
    """The game that they show."""


@dataclass(eq=False, slots=True)
class Batch:
    """What one commit does for one table."""

    live: Live
    row: Row | None
    frames: list[tuple[Connection, bytes]]
    leaving: list[tuple[Connection, int, str]]
    """Who has no seat any more, or no table: closed after the frames."""
    listing: Listing | None
    game: Game | None
    waiters: list[asyncio.Future[None]]


class Live:
    """A room in memory."""

    __slots__ = (
        "anew",
        "away",
        "bots",
        "connections",
        "deadline",
        "dealing_shown",
        "entries",
        "finished",
        "game_shown",
        "gone",
        "ids",
        "listed",
        "room",
        "rounds",
        "sequences",
        "shown",
        "timer",
        "touched",
        "version",
        "waiters",
    )

    def __init__(self, room: Room) -> None:
        self.room = room
        self.version = 0
        self.entries: list[bytes] = []
        self.anew = False  # whether they make the rows before them needless
        self.connections: list[Connection] = []
        viewers: list[Viewer] = [*range(len(room.table.seats)), SPECTATOR]
        self.sequences = {viewer: Told() for viewer in viewers}
        self.ids: dict[str, deque[str]] = {}
        self.waiters: list[asyncio.Future[None]] = []
        self.shown: dict[str | None, wire.Parts] = {}  # what everyone was last sent, by language
        self.game_shown: dict[str | None, Match | None] = {}
        self.dealing_shown: dict[str | None, Dealing | None] = {}
        self.rounds: wire.Rounds = {}
        self.finished: Room | None = None  # as it was when a game ended; a rematch may follow
        self.gone = False
        self.listed: Listing | None = None  # as it was last written
        self.touched = room.table.now
        # What the hub has under way for this table:
        self.timer: asyncio.TimerHandle | None = None
        self.deadline: float | None = None
        self.bots: set[tuple[object, int]] = set()
        self.away: dict[str, asyncio.TimerHandle] = {}

    @staticmethod
    def replayed(rows: Sequence[Row]) -> Live:
        """A room from its log."""
        live: Live | None = None
        for row in rows:
            for entry, at, id_ in codec.read_row(row.entries):
                if live is None:
                    live = Live(apply(None, entry, at)[0])
                    if isinstance(entry, Kept):
                        live._take_up(entry)
                else:
                    live.judge(entry, at, id_)
        assert live is not None
        live.version = rows[-1].version
        live.finished = None
        for sequence in live.sequences.values():
            sequence.fresh.clear()
        return live

    # Commands

    def judge(self, entry: Entry, at: float, id_: str | None) -> tuple[Event, ...]:
        """Apply an entry to the room as it is now; an error changes nothing."""
        self.room, events = apply(self.room, entry, at)
        self.touched = at
        if events:
            for viewer, seen in shares(events, self.sequences).items():
                sequence = self.sequences[viewer]
                sequence.n += len(seen)
                sequence.tail += seen
                sequence.fresh += seen
        if any(isinstance(event, GameEnded) for event in events):
            self.finished = self.room
        person = getattr(entry, "person", None)
        if id_ is not None and person is not None:
            self.ids.setdefault(person, deque(maxlen=IDS)).append(id_)
        return events

    def do(self, entry: Entry, at: float, id_: str | None) -> tuple[Event, ...]:
        """The same, and write it in the log with the next commit."""
        played = self.room.table.match is not None
        events = self.judge(entry, at, id_)
        if played and self.room.table.match is None:  # the game before is in its record
            self.entries = [codec.entry_bytes(self._kept(), at, None)]
            self.anew = True
        else:
            self.entries.append(codec.entry_bytes(entry, at, id_))
        return events

    def _kept(self) -> Kept:
        told = tuple([sequence.n for sequence in self.sequences.values()])
        return kept(self.room, told, {person: tuple(ids) for person, ids in self.ids.items()})

    def _take_up(self, entry: Kept) -> None:
        for sequence, n in zip(self.sequences.values(), entry.told, strict=True):
            sequence.n = n
        self.ids = {person: deque(ids, maxlen=IDS) for person, ids in entry.ids.items()}

    def has_done(self, person: str, id_: str | None) -> bool:
        """Whether a command of this id was done already."""
        return id_ is not None and id_ in self.ids.get(person, ())

    # Who is here

    def present(self, person: str) -> bool:
        """Whether a person has a socket here."""
        return any(one.person == person for one in self.connections)

    def answer_done(self, connection: Connection, id_: str | None, **more: object) -> None:
        """Its command is done: said with the next commit."""
        if id_ is not None or more:
            connection.answers.append(codec.encode({"id": id_, "done": True, **more}))

    def answer_refused(self, connection: Connection, id_: str | None, error: GameError) -> None:
        """Its command is refused, as of now: said in order with everything else."""
        shape = {"id": id_, "done": False, "error": error_json(error, connection.language)}
        connection.answers.append(codec.encode(shape))

    # What is sent

    def take(self, now: float) -> Batch:
        """Everything since the last time, to be written and then sent."""
        row = None
        if self.entries:
            self.version += 1
            row = Row(self.room.id, self.version, codec.row_bytes(self.entries), self.anew)
            self.entries, self.anew = [], False
        frames, leaving = self._frames(now), self._leaving()
        for sequence in self.sequences.values():
            sequence.fresh = []
        waiters, self.waiters = self.waiters, []
        return Batch(self, row, frames, leaving, None, None, waiters)

    def _holds(self, connection: Connection) -> bool:
        """Whether a connection still is whose seat it was opened for; spectators always are."""
        viewer = connection.viewer
        if isinstance(viewer, Watcher):
            return True
        return self.room.table.seats[viewer].person == connection.person

    def _leaving(self) -> list[tuple[Connection, int, str]]:
        if self.room.closed:
            return [(one, 4004, "closed") for one in self.connections]
        return [(one, 4001, "no seat") for one in self.connections if not self._holds(one)]

    def _frames(self, now: float) -> list[tuple[Connection, bytes]]:
        """A frame for everyone for whom there is something new; what many share is made once."""
        if not self.connections:
            self.shown, self.rounds = {}, {}
            for sequence in self.sequences.values():
                sequence.shown = {}
            return []
        public: dict[str | None, bytes] = {}
        own: dict[Viewer, bytes] = {}
        encoded: dict[tuple[int, str | None], bytes] = {}
        frames = []
        for connection in self.connections:
            if not self._holds(connection):  # the seat may be somebody else's by now
                answers, connection.answers = connection.answers, []
                frames.append((connection, wire.answers_only(answers)))
                continue
            viewer, language = connection.viewer, connection.language
            if language not in public:
                public[language] = self._public_change(language)
            if viewer not in own:
                own[viewer] = self._own_change(viewer)
            if connection.new:
                frames.append((connection, self._first_frame(connection, now)))
                continue
            fresh = self.sequences[viewer].fresh
            changed = b",".join(filter(None, (public[language], own[viewer])))
            if fresh or changed or connection.answers:
                events = self._events(fresh, language, encoded)
                frames.append((connection, self._frame(connection, b"", events, changed)))
        return frames

    def _public_change(self, language: str | None) -> bytes:
        """What has changed for everyone since the last time, in one language."""
        table, shown = self.room.table, self.shown.get(language, {})
        if shown and self.dealing_shown.get(language) is self.room.dealing:
            parts = {"proof": shown["proof"]}
        else:
            parts = wire.house_parts(self.room)
            self.dealing_shown[language] = self.room.dealing
        if table.options.show_chosen:
            parts.update(wire.seat_parts(table, SPECTATOR))
        if shown and self.game_shown.get(language) is table.match:
            parts.update({key: shown[key] for key in wire.GAME})
        else:
            parts.update(wire.game_parts(table.match, self._words(language), self.rounds))
            self.game_shown[language] = table.match
        self.shown[language] = parts
        return wire.changed_parts(shown, parts)

    def _own_change(self, viewer: Viewer) -> bytes:
        """What has changed for one viewer alone."""
        table, sequence = self.room.table, self.sequences[viewer]
        parts = {} if table.options.show_chosen else wire.seat_parts(table, viewer)
        if not isinstance(viewer, Watcher):
            if sequence.shown and sequence.match is table.match:
                parts.update({key: sequence.shown[key] for key in wire.HAND})
            else:
                parts.update(wire.hand_parts(table.match, viewer))
                sequence.match = table.match
            parts.update(wire.choice_parts(table, viewer))
        shown, sequence.shown = sequence.shown, parts
        return wire.changed_parts(shown, parts)

    def _events(
        self,
        events: Sequence[Event],
        language: str | None,
        encoded: dict[tuple[int, str | None], bytes],
    ) -> bytes:
        texts = []
        for event in events:
            key = (id(event), language)
            text = encoded.get(key)
            if text is None:
                names = [seat.name for seat in self.room.table.seats]
                text = encoded[key] = wire.encode_event(event, names, self._words(language))
            texts.append(text)
        return b",".join(texts)

    def _words(self, language: str | None) -> Words | None:
        return None if language is None else words(language, self.room.opened.options.edition)

    def _first_frame(self, connection: Connection, now: float) -> bytes:
        """The whole view, the events that were missed, as far as they are known, and the time."""
        connection.new = False
        sequence = self.sequences[connection.viewer]
        missed = 0 if connection.seen is None else sequence.n - connection.seen
        tail = list(sequence.tail)[-missed:] if 0 < missed <= len(sequence.tail) else []
        parts = {
            **wire.info_parts(self.room, connection.viewer, connection.knows_code),
            **self.shown[connection.language],
            **sequence.shown,
        }
        events = self._events(tail, connection.language, {})
        time = b'"now":%b,' % codec.encode(now)
        return self._frame(connection, time, events, wire.join_parts(parts))

    def _frame(self, connection: Connection, time: bytes, events: bytes, changed: bytes) -> bytes:
        answers, connection.answers = connection.answers, []
        return b'{"n":%d,%b"events":[%b],"view":{%b},"answers":[%b]}' % (
            self.sequences[connection.viewer].n,
            time,
            events,
            changed,
            b",".join(answers),
        )
