"""Taking a player's name out of what is kept, when they ask to be forgotten.

The games stay: others played them too. Names, addresses and what was said go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from five211.commands import Sit
from five211.server.codec import entry_bytes, read_row, row_bytes
from five211.server.entries import Admitted, Alerted, Opened, Said
from five211.server.room import Entry
from five211.server.store import Game, Standing

_PLAYER = re.compile(rb'"player":"([A-Za-z0-9_-]+)"')


def players_in(row: bytes) -> set[str]:
    """The profiles that a row of a log names; what people wrote has its quotes escaped."""
    return {found.decode() for found in _PLAYER.findall(row)} if b'"Admitted"' in row else set()


def redact_log(rows: Sequence[bytes], player: str) -> tuple[list[bytes], dict[str, str], bool]:
    """A log without the player; their names with what stands there now; whether they were host."""
    log = [read_row(row) for row in rows]
    entries = [entry for row in log for entry, _, _ in row]
    persons = {
        entry.person for entry in entries if isinstance(entry, Admitted) and entry.player == player
    }
    sits = [entry for entry in entries if isinstance(entry, Sit)]
    hosted = bool(sits) and sits[0].person in persons
    names = {one.name: _nameless(one.person) for one in sits if one.person in persons}
    new = [
        row_bytes(
            [entry_bytes(_redact(one, player, persons, hosted), at, id_) for one, at, id_ in row]
        )
        for row in log
    ]
    return new, names, hosted


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
    if isinstance(entry, Opened) and hosted:
        return replace(entry, name="")  # the title is the host's own words
    if isinstance(entry, Admitted) and entry.player == player:
        return replace(entry, player=None)
    if isinstance(entry, Sit) and entry.person in persons:
        return replace(entry, name=_nameless(entry.person))
    if isinstance(entry, Said) and entry.person in persons:
        return replace(entry, text="…")
    if isinstance(entry, Alerted) and entry.person in persons:
        return replace(entry, kind="", target="")
    return entry


def _nameless(person: str) -> str:
    """Unlike any other name at the table, and always the same."""
    return f"? {sha256(person.encode()).hexdigest()[:6]}"


def redact_record(game: Game, player: str) -> tuple[str, tuple[Standing, ...]]:
    """A finished game's record and standings without the player's name."""
    record = json.loads(game.record)
    standings = list(game.standings)
    for seat, standing in enumerate(standings):
        if standing.player == player:
            record["seats"][seat]["name"] = "?"
            standings[seat] = replace(standing, player=None, name="?")
    return json.dumps(record, ensure_ascii=False), tuple(standings)
