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

from five211.commands import BotChooses
from five211.editions import Words, words
from five211.errors import GameError
from five211.events import Event, GameEnded
from five211.match import Match
from five211.server import codec, wire
from five211.server.entries import Kept, Rewritten
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
    token: str = ""
    """The hash of the token that opened it."""
    address: str = ""
    language: str | None = None
    knows_code: bool = False
    seen: int | None = None
    """What it has seen: when it came, and with every frame that was sent."""
    new: bool = True
    """Whether its next frame is the whole view."""
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

    def copy(self) -> Told:
        """As it is now."""
        return Told(self.n, self.tail.copy(), self.fresh.copy(), self.shown, self.match)


@dataclass(frozen=True, slots=True)
class Written:
    """A table before what is to be written: from there one goes on if another was quicker."""

    room: Room
    version: int
    sequences: dict[Viewer, Told]
    ids: dict[str, deque[str]]
    shown: dict[str | None, wire.Parts]
    game_shown: dict[str | None, Match | None]
    dealing_shown: dict[str | None, Dealing | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of a table: if another process was quicker, it is judged again."""

    entry: Entry | GameError
    """Or why it cannot be one."""
    id: str | None
    connection: Connection
    more: dict[str, object] = field(default_factory=dict)
    """What else the answer says."""


@dataclass(eq=False, slots=True)
class Batch:
    """What one commit does for one table."""

    live: Live
    row: Row | None
    frames: list[tuple[Connection, int, bytes]]
    """To whom, up to which of their events, and what."""
    new: list[Connection]
    """Whose first frame is among them."""
    leaving: list[tuple[Connection, int, str]]
    """Who has no seat any more, or no table: closed after the frames."""
    listing: Listing | None
    game: Game | None
    waiters: list[asyncio.Future[bool]]
    asked: list[Asked]
    thought: list[BotChooses]
    telling: list[tuple[tuple[str, str], str]]
    """Whom it tells that it is their turn: where, and their name."""


class Live:
    """A room in memory."""

    __slots__ = (
        "anew",
        "asked",
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
        "quiet",
        "room",
        "rounds",
        "sequences",
        "shown",
        "taken",
        "telling",
        "thought",
        "timer",
        "touched",
        "used",
        "version",
        "waiters",
        "watch",
        "watched",
        "writing",
        "written",
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
        self.waiters: list[asyncio.Future[bool]] = []
        self.asked: list[Asked] = []  # since the last commit
        self.thought: list[BotChooses] = []  # what bots have chosen since
        self.telling: list[tuple[tuple[str, str], str]] = []  # who is to be told of their turn
        self.writing = False  # whether a commit of it is under way
        self.written: Written | None = None  # before that, and all that is to be written
        self.taken: Written | None = None  # the same, once that commit is through
        self.shown: dict[str | None, wire.Parts] = {}  # what everyone was last sent, by language
        self.game_shown: dict[str | None, Match | None] = {}
        self.dealing_shown: dict[str | None, Dealing | None] = {}
        self.rounds: wire.Rounds = {}
        self.finished: Room | None = None  # as it was when a game ended; a rematch may follow
        self.gone = False
        self.listed: Listing | None = None  # as it was last written
        self.touched = room.table.now
        self.used = room.table.now  # the same, but only what this process did
        # What the hub has under way for this table:
        self.timer: asyncio.TimerHandle | None = None
        self.deadline: float | None = None
        self.bots: set[tuple[object, int, bytes | None]] = set()
        self.away: dict[str, asyncio.TimerHandle] = {}
        self.watch: asyncio.TimerHandle | None = None
        self.watched: object = None
        self.quiet: asyncio.TimerHandle | None = None  # until people may be told of their turn

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
        live.version, live.used = rows[-1].version, live.touched
        live.finished = None
        for sequence in live.sequences.values():
            sequence.fresh.clear()
        return live

    # Other processes

    @property
    def busy(self) -> bool:
        """Whether something is to be written that others may have overtaken."""
        return self.writing or bool(self.entries)

    def follow_on(self, rows: Sequence[Row]) -> bool:
        """What another process wrote; false if only the whole log tells what it comes to."""
        if not _follows(rows, self.version):
            return False
        self._follow(rows)
        return True

    def _follow(self, rows: Sequence[Row]) -> None:
        for row in rows:
            for entry, at, id_ in codec.read_row(row.entries):
                self.judge(entry, at, id_)
        self.version, self.finished = rows[-1].version, None  # the game has been kept by them

    def goes_on(self, rows: Sequence[Row]) -> bool:
        """Whether these are what others wrote since we last did, and tell what it comes to."""
        return self.written is not None and _follows(rows, self.written.version)

    def begin_again(self, rows: Sequence[Row]) -> None:
        """The room as it is written: by what others wrote since we last did, or the whole log."""
        if self.written is not None and self.goes_on(rows):
            self._put_back(self.written)
            self._follow(rows)
        else:
            fresh = Live.replayed(rows)
            self._put_back(fresh.as_it_is())
            self.touched, self.rounds = fresh.touched, {}
            for connection in self.connections:
                connection.new = True  # they are shown it whole, with what they missed
        self.entries, self.anew, self.finished = [], False, None
        self.writing, self.written, self.taken = False, None, None
        self.asked, self.thought, self.telling = [], [], []
        for connection in self.connections:
            connection.answers = []

    def as_it_is(self) -> Written:
        """As the room is now, whatever will be done with it."""
        return Written(
            self.room,
            self.version,
            {viewer: told.copy() for viewer, told in self.sequences.items()},
            {person: ids.copy() for person, ids in self.ids.items()},
            self.shown.copy(),
            self.game_shown.copy(),
            self.dealing_shown.copy(),
        )

    def _put_back(self, written: Written) -> None:
        for name in written.__slots__:
            setattr(self, name, getattr(written, name))

    def wrote(self) -> None:
        """The commit of it that was under way is through."""
        self.writing, self.written, self.taken = False, self.taken, None

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
        before = None if self.entries else self.as_it_is()
        events = self.judge(entry, at, id_)
        self.used = at
        if before is not None and self.writing:
            self.taken = before
        elif before is not None:
            self.written = before
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
        new = [one for one in self.connections if one.new]
        frames, leaving = self._frames(now), self._leaving()
        for sequence in self.sequences.values():
            sequence.fresh = []
        waiters, self.waiters = self.waiters, []
        asked, self.asked = self.asked, []
        thought, self.thought = self.thought, []
        self.writing = row is not None
        telling, self.telling = self.telling, []
        return Batch(self, row, frames, new, leaving, None, None, waiters, asked, thought, telling)

    def holds(self, connection: Connection) -> bool:
        """Whether a connection still is whose seat it was opened for; spectators always are."""
        viewer = connection.viewer
        if isinstance(viewer, Watcher):
            return True
        seat, tokens = self.room.table.seats[viewer], self.room.tokens
        return seat.person == connection.person == tokens.get(connection.token)

    def _leaving(self) -> list[tuple[Connection, int, str]]:
        if self.room.closed:
            return [(one, 4004, "closed") for one in self.connections]
        return [(one, 4001, self._why(one)) for one in self.connections if not self.holds(one)]

    def _why(self, connection: Connection) -> str:
        """Whether the seat went to another device, or is somebody else's."""
        here = connection.person in [seat.person for seat in self.room.table.seats]
        return "moved" if here else "no seat"

    def _frames(self, now: float) -> list[tuple[Connection, int, bytes]]:
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
            if not self.holds(connection):  # the seat may be somebody else's by now
                answers, connection.answers = connection.answers, []
                frames.append((connection, 0, wire.answers_only(answers)))
                continue
            viewer, language = connection.viewer, connection.language
            n = self.sequences[viewer].n
            if language not in public:
                public[language] = self._public_change(language)
            if viewer not in own:
                own[viewer] = self._own_change(viewer)
            if connection.new:
                frames.append((connection, n, self._first_frame(connection, now)))
                continue
            fresh = self.sequences[viewer].fresh
            changed = b",".join(filter(None, (public[language], own[viewer])))
            if fresh or changed or connection.answers:
                events = self._events(fresh, language, encoded)
                frames.append((connection, n, self._frame(connection, b"", events, changed)))
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


def _follows(rows: Sequence[Row], version: int) -> bool:
    """Whether nothing is missing between a version and these rows, and no log begins anew there."""
    if not rows or rows[0].version != version + 1:
        return False
    entries = (entry for row in rows for entry, _, _ in codec.read_row(row.entries))
    return not any(isinstance(entry, Kept | Rewritten) for entry in entries)
