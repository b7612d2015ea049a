"""Taking a player's name out of what is kept, when they ask to be forgotten.

The games stay: others played them too. Names, addresses and what was said go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from five211.commands import Sit
from five211.server.codec import entry_bytes, read_row, row_bytes
from five211.server.entries import Admitted, Alerted, Kept, Opened, Rewritten, Said
from five211.server.room import Entry
from five211.server.store import Game, Standing
from five211.table import Seat

Sitting = TypeVar("Sitting", Sit, Seat)

_PLAYER = re.compile(rb'"player":"([A-Za-z0-9_-]+)"')


def players_in(row: bytes) -> set[str]:
    """The profiles that a row of a log names; what people wrote has its quotes escaped."""
    return {found.decode() for found in _PLAYER.findall(row)}


def redact_log(rows: Sequence[bytes], player: str) -> tuple[list[bytes], dict[str, str], bool]:
    """A log without the player; their names with what stands there now; whether they were host."""
    log = [read_row(row) for row in rows]
    entries = [entry for row in log for entry, _, _ in row]
    admitted: list[Admitted] = []
    sitting: list[Sit | Seat] = []
    for entry in entries:
        if isinstance(entry, Kept):
            admitted += entry.admitted
            sitting += entry.seats
        elif isinstance(entry, Admitted):
            admitted.append(entry)
        elif isinstance(entry, Sit):
            sitting.append(entry)
    persons = {one.person for one in admitted if one.player == player}
    hosted = bool(admitted) and admitted[0].person in persons
    names = {one.name: _nameless(one.person) for one in sitting if one.person in persons}
    new = [
        row_bytes(
            [entry_bytes(_redact(one, player, persons, hosted), at, id_) for one, at, id_ in row]
        )
        for row in log
    ]
    return new, names, hosted


def rewritten(rows: Sequence[bytes]) -> bytes:
    """A row to follow those of a log that is redacted."""
    times = [at for row in rows for _, at, _ in read_row(row)]
    return row_bytes([entry_bytes(Rewritten(), max(times), None)])


def redact_summary(summary: bytes, names: dict[str, str], hosted: bool) -> bytes:
    """A table's line in the lobby without these names."""
    line = json.loads(summary)
    if hosted:
        line["name"] = ""
    for seat in line["seats"]:
        if seat["bot"] is None:
            seat["name"] = names.get(seat["name"], seat["name"])
    return json.dumps(line, ensure_ascii=False).encode()


def _redact(entry: Entry, player: str, persons: set[str], hosted: bool) -> Entry:
    if isinstance(entry, Kept):
        return replace(
            entry,
            opened=_untitled(entry.opened, hosted),
            admitted=tuple(_unknown(one, player) for one in entry.admitted),
            seats=tuple(_unnamed(seat, persons) for seat in entry.seats),
            alerts={who: alert for who, alert in entry.alerts.items() if who not in persons},
        )
    if isinstance(entry, Opened):
        return _untitled(entry, hosted)
    if isinstance(entry, Admitted):
        return _unknown(entry, player)
    if isinstance(entry, Sit):
        return _unnamed(entry, persons)
    if isinstance(entry, Said) and entry.person in persons:
        return replace(entry, text="…")
    if isinstance(entry, Alerted) and entry.person in persons:
        return replace(entry, kind="", target="")
    return entry


def _untitled(opened: Opened, hosted: bool) -> Opened:
    return replace(opened, name="") if hosted else opened  # the title is the host's own words


def _unknown(admitted: Admitted, player: str) -> Admitted:
    return replace(admitted, player=None) if admitted.player == player else admitted


def _unnamed(sitting: Sitting, persons: set[str]) -> Sitting:
    if sitting.person not in persons:
        return sitting
    return replace(sitting, name=_nameless(sitting.person))


def _nameless(person: str | None) -> str:
    """Unlike any other name at the table, and always the same."""
    return f"? {sha256(str(person).encode()).hexdigest()[:6]}"


def redact_record(game: Game, player: str) -> tuple[str, tuple[Standing, ...]]:
    """A finished game's record and standings without the player's name."""
    record = json.loads(game.record)
    standings = list(game.standings)
    for seat, standing in enumerate(standings):
        if standing.player == player:
            record["seats"][seat]["name"] = "?"
            standings[seat] = replace(standing, player=None, name="?")
    return json.dumps(record, ensure_ascii=False), tuple(standings)
