"""A whole store as lines of text, to be moved from one kind of database to another.

JSON Lines: first what this is, then one line for each thing that is kept, `[kind, fields]`, and at
the end how many there were. So nothing but one line is in memory at a time. Nothing is taken in
that is not good: each game's record is replayed, with the proof of its deal, and each table's log.

Such a file has every hidden card, and hashes of keys and passwords: it is as secret as the store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from five211.errors import GameError
from five211.proof import check_proof
from five211.record import RecordError, parse
from five211.server import lobby
from five211.server.live import Live
from five211.server.store import Game, Gap, Listing, PlayerData, Row

FORMAT = "5211-store"
VERSION = 2
READ = (1, VERSION)
"""The first had no gaps, and fewer kinds of entries in the logs: all of it is still read."""
TWO_DOORS = "two tables have the same code or link"
MOVED_ALONG = ("processes", "gaps")
"""What an empty store may have: it goes, since the clocks that come ran in another house."""


@dataclass(frozen=True, slots=True)
class Alive:
    """When a server last used the store."""

    at: float


@dataclass(frozen=True, slots=True)
class Ban:
    """Who is kept out."""

    what: str
    until: float
    reason: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A player, with the hash of each key and when it was made."""

    player: PlayerData
    keys: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Logged:
    """A table, with each version of its log."""

    listing: Listing
    rows: tuple[tuple[int, bytes], ...]


Thing = Alive | Gap | Ban | Profile | Game | Logged
_KINDS: dict[str, Any] = {
    kind.__name__: msgspec.json.Decoder(kind).decode
    for kind in (Alive, Gap, Ban, Profile, Game, Logged)
}
_line = msgspec.json.Decoder(tuple[str, msgspec.Raw]).decode
_first = msgspec.json.Decoder(dict[str, Any]).decode


class Movable(Protocol):
    """A store of which everything can be had, or that can be filled; neither needs it open."""

    def everything(self) -> AsyncIterator[Thing]:
        """All that is kept, as it is at one moment."""

    async def fill(self, things: Iterable[Thing]) -> None:
        """Keep all of these, or nothing if one is bad; raises `GameError` if it is not empty."""


async def write(store: Movable, put: Callable[[bytes], object]) -> int:
    """Write all that a store keeps, line by line; how many things that were."""
    put(msgspec.json.encode({"format": FORMAT, "version": VERSION}) + b"\n")
    count = 0
    async for thing in store.everything():
        put(msgspec.json.encode((type(thing).__name__, thing)) + b"\n")
        count += 1
    put(msgspec.json.encode(("end", count)) + b"\n")
    return count


def read(lines: Iterable[bytes], name: str) -> Iterator[Thing]:
    """Everything in a file of this name, each thing verified; raises `GameError`."""
    numbered = enumerate(lines, 1)
    _check_first(next(numbered, (1, b""))[1], name)
    for number, line in numbered:
        try:
            kind, fields = _line(line)
            if kind == "end":
                if msgspec.json.decode(fields) == number - 2 and next(numbered, None) is None:
                    return
                break
            thing: Thing = _KINDS[kind](fields)
        except (KeyError, msgspec.DecodeError, UnicodeDecodeError):
            raise GameError("moving_line", name=name, line=number) from None
        _check(thing, name, number)
        yield thing
    raise GameError("moving_cut", name=name)


def _check_first(line: bytes, name: str) -> None:
    try:
        first = _first(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        first = {}
    if first.get("format") != FORMAT:
        raise GameError("moving_format", name=name)
    if first.get("version") not in READ:
        raise GameError("moving_version", name=name)


def _check(thing: Thing, name: str, line: int) -> None:
    if isinstance(thing, Game):
        place = _fault(thing)
        if place:
            raise GameError("moving_game", name=name, line=line, place=place)
    elif isinstance(thing, Logged) and not _follows(thing):
        raise GameError("moving_table", name=name, line=line)


def _fault(game: Game) -> str:
    """Where a game is not what it says it is; empty if it is good."""
    try:
        record = parse(game.record)
        if "proof" in record.extra:
            check_proof(record)
    except RecordError as error:
        return error.place or error.code
    result = record.match.result
    points = tuple(one.points for one in game.standings)
    return "" if result is not None and result.points == points else "standings"


def _follows(logged: Logged) -> bool:
    """Whether a table is what its log makes it."""
    listing = logged.listing
    rows = [Row(listing.id, version, entries) for version, entries in logged.rows]
    try:
        room = Live.replayed(rows).room
    except Exception:  # noqa: BLE001 - a damaged row, or one of a newer version
        return False
    first = rows[0].version
    whole = [row.version for row in rows] == list(range(first, first + len(rows)))
    return whole and _doors(lobby.listing(room, listing.touched)) == _doors(listing)


def _doors(one: Listing) -> tuple[object, ...]:
    return one.id, one.code, one.watch, one.screen, one.public, one.phase


def refuse_if(full: object) -> None:
    """Whoever fills a store must not mix two."""
    if full:
        raise GameError("moving_full")
