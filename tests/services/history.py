"""What clients saw, and whether the logs agree: a checker in the manner of Jepsen.

Every operation is noted when it is begun and when it is answered, by a clock that only counts. The
checker then reads what the store has at the end, and knows nothing of how it came about. An
operation that was answered "done" stands in the log once, as it was asked. One that was refused
does not, and one that nobody knows of at most once. If one was answered before another was begun,
no matter by whom and at which process, it stands before it. The log alone, walked through with the
simplest rules (cards lie face down until everybody's do), gives the record, and everyone has seen
the game that was recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import Any, Literal, TypeAlias

from five211.cards import Cards
from five211.client import Client
from five211.commands import BotChooses, Choose, Moment, TakeBack
from five211.errors import GameError
from five211.proof import check_proof
from five211.record import Record
from five211.server import codec
from five211.server.entries import Hashed, Kept, Reacted, Worded
from five211.server.live import Live
from five211.server.room import Entry
from five211.server.store import Row
from five211.view import View, view

Outcome: TypeAlias = Literal["unknown", "acknowledged", "refused"]
Kind: TypeAlias = Literal[
    "gap",  # versions that do not follow each other
    "broken",  # a log that cannot be replayed, or a game that is not over or not proven
    "lost",  # acknowledged, and not in the log
    "doubled",  # more than once in the log
    "refused",  # refused, and in the log
    "invented",  # in the log, and nobody asked for it
    "altered",  # in the log, but not as it was asked
    "reordered",  # answered before another was begun, and written after it
    "contradiction",  # choices in the log that are not the record's
    "forgotten",  # an acknowledged choice that the record does not have
    "unseen",  # somebody has seen another game than the record's
]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must not be."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Operation:
    """One command as its client sees it."""

    id: str
    table: str
    game: int
    seat: int
    kind: str
    fields: Mapping[str, Any]
    begun: float
    outcome: Outcome = "unknown"
    answered: float = inf
    code: str = ""


class History:
    """All that was asked, and what became of it."""

    def __init__(self) -> None:
        self.operations: dict[str, Operation] = {}
        self._clock = count(1)

    def begin(
        self, id_: str, table: str, game: int, seat: int, kind: str, fields: Mapping[str, Any]
    ) -> None:
        assert id_ not in self.operations
        begun = float(next(self._clock))
        self.operations[id_] = Operation(id_, table, game, seat, kind, fields, begun)

    def acknowledge(self, id_: str) -> None:
        self._answer(id_, "acknowledged")

    def refuse(self, id_: str, code: str) -> None:
        self._answer(id_, "refused", code)

    def _answer(self, id_: str, outcome: Outcome, code: str = "") -> None:
        operation = self.operations[id_]
        assert operation.outcome == "unknown"
        operation.outcome, operation.code = outcome, code
        operation.answered = float(next(self._clock))

    def of(self, table: str, game: int) -> list[Operation]:
        """What was asked in one game, in the order in which it was begun."""
        found = self.operations.values()
        return [one for one in found if (one.table, one.game) == (table, game)]

    def outcomes(self) -> Counter[str]:
        return Counter(one.outcome for one in self.operations.values())

    def refusals(self) -> Counter[str]:
        return Counter(one.code for one in self.operations.values() if one.code)


class Witness(Client):
    """A client, every command of which is noted."""

    history: History
    game: int = 1
    """The game whose log will have its commands."""

    def noted(self, history: History, game: int = 1) -> Witness:
        self.history, self.game = history, game
        return self

    async def _ask(self, kind: str, fields: dict[str, Any]) -> Any:
        # What `Client._ask` is about to do, but noted before anything is sent.
        number = next(self._ids)
        id_ = f"{self._prefix}-{number}"
        self._ids = count(number)
        table, seat = str(self._hello["table"]), self.view["you"]
        self.history.begin(id_, table, self.game, seat, kind, dict(fields))
        return await super()._ask(kind, fields)

    def _answer(self, answer: dict[str, Any]) -> None:
        if answer["id"] in self._unanswered:
            if answer["done"]:
                self.history.acknowledge(answer["id"])
            else:
                self.history.refuse(answer["id"], answer["error"]["code"])
        super()._answer(answer)


@dataclass
class Evidence:
    """One game: what was asked, what is written, what is recorded, and what everyone saw."""

    operations: Sequence[Operation]
    rows: Sequence[Row]
    record: Record
    views: Sequence[View] = ()
    number: int = 1
    """Which game of its table it was."""
    _written: list[tuple[Entry, str | None]] = field(init=False, default_factory=list)
    _seats: dict[str, int] = field(init=False, default_factory=dict)

    def problems(self) -> list[Problem]:
        """All that is wrong with it."""
        found = list(self._whole())
        if found:
            return found
        checks: tuple[Callable[[], Iterator[Problem]], ...] = (
            self._once,
            self._as_asked,
            self._in_order,
            self._consistent,
            self._remembered,
            self._seen,
        )
        return [problem for check in checks for problem in check()]

    def _whole(self) -> Iterator[Problem]:
        """The log has no gap, and can be replayed to the record, which is finished and proven."""
        versions = [row.version for row in self.rows]
        if not versions or versions != list(range(versions[0], versions[0] + len(versions))):
            yield Problem("gap", f"versions {versions}")
            return
        self._written = [
            (entry, id_) for row in self.rows for entry, _, id_ in codec.read_row(row.entries)
        ]
        if versions[0] != 1 and not isinstance(self._written[0][0], Kept):
            yield Problem("gap", f"the log begins with version {versions[0]}")
            return
        try:
            room = Live.replayed(self.rows).room
            check_proof(self.record)
        except (GameError, AssertionError) as error:
            yield Problem("broken", f"{type(error).__name__} {error}")
            return
        if not self.record.finished or room.table.game != self.number:
            yield Problem("broken", "the game is not over, or not this one")
        elif room.record.match != self.record.match:
            yield Problem("broken", "the log tells another game than the record")
        seats = enumerate(room.table.seats)
        self._seats = {seat.person: n for n, seat in seats if seat.person is not None}

    def _ids(self) -> list[str]:
        """The ids in the log, in its order; with `Kept` it begins with those before it."""
        known = {one.id for one in self.operations}
        found = []
        for entry, id_ in self._written:
            if isinstance(entry, Kept):  # those of the games before it are in their own logs
                found += [one for ids in entry.ids.values() for one in ids if one in known]
            elif id_ is not None:
                found.append(id_)
        return found

    def _once(self) -> Iterator[Problem]:
        written = Counter(self._ids())
        for one in self.operations:
            times = written.pop(one.id, 0)
            if times > 1:
                yield Problem("doubled", f"{one} stands {times} times in the log")
            if times == 0 and one.outcome == "acknowledged":
                yield Problem("lost", f"{one}")
            if times > 0 and one.outcome == "refused":
                yield Problem("refused", f"{one} stands in the log")
        for id_ in written:
            yield Problem("invented", id_)

    def _as_asked(self) -> Iterator[Problem]:
        asked = {one.id: one for one in self.operations}
        for entry, id_ in self._written:
            one = asked.get(id_ or "")
            if one is None:
                continue
            seat = self._seats.get(getattr(entry, "person", ""))
            if seat != one.seat or not _same(one, entry):
                yield Problem("altered", f"{one} stands in the log as {entry} of seat {seat}")

    def _in_order(self) -> Iterator[Problem]:
        asked = {one.id: one for one in self.operations}
        latest: Operation | None = None
        for id_ in self._ids():
            one = asked.get(id_)
            if one is None:
                continue
            if latest is not None and one.answered < latest.begun:
                yield Problem("reordered", f"{latest} stands before {one}")
            if latest is None or one.begun > latest.begun:
                latest = one

    def _turns(self) -> list[tuple[Moment, list[list[str]]]]:
        """Every turn of the record, with what each seat chose."""
        return [
            (Moment(self.number, deal, number, turn), [_codes(cards) for cards in chosen])
            for deal, state in enumerate(self.record.match.deals)
            for number, turns in enumerate([*(one.turns for one in state.rounds), state.turns])
            for turn, chosen in enumerate(turns)
        ]

    def _consistent(self) -> Iterator[Problem]:
        """Walk through the log: what lies face down when everybody has chosen is the record's."""
        nothing: list[list[str]] = [[]]
        turns = iter(self._turns())
        moment, chosen = next(turns)
        lying: dict[int, list[str]] = {}
        for entry, _ in self._written:
            if not isinstance(entry, Choose | TakeBack | BotChooses):
                continue
            bot = isinstance(entry, BotChooses)
            seat = entry.seat if isinstance(entry, BotChooses) else self._seats[entry.person]
            if entry.moment != moment:
                yield Problem("contradiction", f"{entry} is accepted in {moment}")
                continue
            if bot and seat in lying:
                yield Problem("contradiction", f"{entry}, but {lying[seat]} lies there")
            if isinstance(entry, TakeBack):
                lying.pop(seat, None)
                continue
            lying[seat] = _codes(entry.cards)
            if len(lying) == len(chosen):
                if [lying[n] for n in range(len(chosen))] != chosen:
                    yield Problem("contradiction", f"{moment} is recorded as {chosen}: {lying}")
                moment, chosen = next(turns, (Moment(-1, -1, -1, -1), nothing))
                lying = {}
        if lying or moment.game != -1:
            yield Problem("contradiction", f"the log ends in {moment} with {lying}")

    def _remembered(self) -> Iterator[Problem]:
        """What was acknowledged last in a turn is what the record says, whatever the log says."""
        said: dict[tuple[int, Moment], list[Operation]] = {}
        for one in self.operations:  # a client begins one when the one before it is answered
            if one.kind in ("choose", "take_back") and one.outcome != "refused":
                said.setdefault((one.seat, Moment(**one.fields["moment"])), []).append(one)
        for moment, chosen in self._turns():
            for seat, cards in enumerate(chosen):
                ours = said.get((seat, moment), [])
                if not ours or any(one.outcome == "unknown" for one in ours):
                    continue  # what nobody knows of may have come at any time
                last = ours[-1]
                if last.kind == "choose" and sorted(last.fields["cards"]) != cards:
                    yield Problem("forgotten", f"{last} is recorded as {cards}")

    def _seen(self) -> Iterator[Problem]:
        for seen in self.views:
            if seen != view(self.record.match, seen.viewer):
                yield Problem("unseen", f"by {seen.viewer}")


def _codes(cards: Cards) -> list[str]:
    return sorted(card.code for card in cards)


def _same(one: Operation, entry: Entry) -> bool:
    """Whether an entry is what was asked."""
    fields = one.fields
    if isinstance(entry, Choose):
        same = [card.code for card in entry.cards] == fields.get("cards")
        return same and one.kind == "choose" and entry.moment == Moment(**fields["moment"])
    if isinstance(entry, TakeBack):
        return one.kind == "take_back" and entry.moment == Moment(**fields["moment"])
    if isinstance(entry, Reacted):
        return one.kind == "react" and entry.reaction == fields["reaction"]
    if isinstance(entry, Hashed):
        return one.kind == "hash" and entry.hash == fields["hash"]
    if isinstance(entry, Worded):
        return one.kind == "words" and entry.words.hex() == fields["words"]
    return one.kind == type(entry).__name__.lower()
