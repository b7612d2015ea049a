"""Entries as they stand in the log: JSON, one array of entries for each commit.

`[name, time, id, fields]`, where the id is the one that the client gave its command, if it did.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from five211.cards import Card
from five211.commands import Command
from five211.server.entries import HouseEntry
from five211.server.room import Entry

_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (*get_args(Command), *get_args(HouseEntry))
}


def encode_hook(value: object) -> object:
    """What msgspec does not know."""
    if isinstance(value, Card):
        return value.code
    raise TypeError(type(value))


def _decode_hook(kind: type[Any], value: Any) -> object:
    if kind is Card:
        return Card(value)
    raise TypeError(kind)


encode = msgspec.json.Encoder(enc_hook=encode_hook).encode
_decode = msgspec.json.Decoder(list[tuple[str, float, str | None, dict[str, Any]]]).decode


def entry_bytes(entry: Entry, at: float, id_: str | None) -> bytes:
    """One entry of the log."""
    return encode((type(entry).__name__, at, id_, entry))


def row_bytes(entries: list[bytes]) -> bytes:
    """The entries of one commit."""
    return b"[" + b",".join(entries) + b"]"


def read_row(row: bytes) -> list[tuple[Entry, float, str | None]]:
    """The entries of one commit, with their times and ids."""
    return [
        (msgspec.convert(fields, _KINDS[name], dec_hook=_decode_hook), at, id_)
        for name, at, id_, fields in _decode(row)
    ]
