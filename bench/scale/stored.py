"""What stays on the disk: of a game that is over, and of a table that is played at."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from bench.scale.services import Services

PARTS = {"games": ("games", "game_players"), "tables": ("log", "tables", "table_players")}


@dataclass(frozen=True, slots=True)
class Stored:
    """Bytes, once what was deleted is cleared away."""

    game: float
    """A game that is over: its record and how it is found."""
    table: float
    """A table: the log of its last game, and how it is found."""


def stored_in_postgres(shared: Services, database: str) -> Stored:
    """Its relations with their indexes, packed."""
    sizes = {}
    for part, names in PARTS.items():
        packed = [f"VACUUM FULL {name}" for name in names]
        total = " + ".join(f"pg_total_relation_size('{name}')" for name in names)
        size = shared.number(database, *packed, f"SELECT {total}")
        count = shared.number(database, f"SELECT count(*) FROM {part}")
        sizes[part] = size / max(count, 1)
    return Stored(sizes["games"], sizes["tables"])


def stored_in_sqlite(file: Path) -> Stored:
    """What a packed copy of the file shrinks by without them."""
    copy = file.with_suffix(".copy")
    connection = sqlite3.connect(file)
    connection.execute("VACUUM INTO ?", (str(copy),))
    connection.close()
    connection = sqlite3.connect(copy, isolation_level=None)
    sizes = {}
    for part, names in PARTS.items():
        before = copy.stat().st_size
        (count,) = connection.execute(f"SELECT count(*) FROM {part}").fetchone()
        for name in names:
            connection.execute(f"DELETE FROM {name}")
        connection.execute("VACUUM")
        sizes[part] = (before - copy.stat().st_size) / max(count, 1)
    connection.close()
    copy.unlink()
    return Stored(sizes["games"], sizes["tables"])
