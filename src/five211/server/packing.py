"""A finished game as one row of a database, whichever that is; records are compressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import msgspec

from five211.server.redact import redact_record
from five211.server.store import Game, Standing

COLUMNS = "id, table_id, ended, public, rated, record, standings"
_standings = msgspec.json.Decoder(tuple[Standing, ...]).decode


def packed(game: Game) -> tuple[Any, ...]:
    """The row of a game, in the order of `COLUMNS`."""
    record, standings = _pack(game.record, game.standings)
    return game.id, game.table, game.ended, game.public, game.rated, record, standings


def _pack(record: str, standings: tuple[Standing, ...]) -> tuple[bytes, bytes]:
    return zlib.compress(record.encode()), msgspec.json.encode(standings)


def unpacked(row: Iterable[Any]) -> Game:
    """The game of such a row."""
    id_, table, ended, public, rated, record, standings = row
    text = zlib.decompress(record).decode()
    return Game(id_, table, ended, bool(public), bool(rated), text, _standings(standings))


def without(row: Iterable[Any], player: str) -> tuple[bytes, bytes, str]:
    """What to write instead when a player is forgotten: record and standings, and the game's id."""
    game = unpacked(row)
    return (*_pack(*redact_record(game, player)), game.id)
