"""Taking a player's name out of what is kept, when they ask to be forgotten.

The games stay: others played them too. Names, addresses and what was said go.
"""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from five211.commands import Sit
from five211.server.codec import entry_bytes, read_row, row_bytes
from five211.server.entries import Admitted, Alerted, Said
from five211.server.room import Entry
from five211.server.store import Game, Standing


def redact_row(row: bytes, player: str, persons: set[str]) -> tuple[bytes, set[str]]:
    """A row of a log without the player, and who that was at the table."""
    found = set(persons)
    entries = []
    for entry, at, id_ in read_row(row):
        if isinstance(entry, Admitted) and entry.player == player:
            found.add(entry.person)
        entries.append(entry_bytes(_redact(entry, player, found), at, id_))
    return row_bytes(entries), found


def _redact(entry: Entry, player: str, persons: set[str]) -> Entry:
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
