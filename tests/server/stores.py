"""Every kind of store that there is, and small things to keep in one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from five211.server.sqlite import SqliteStore
from five211.server.store import Game, Listing, PlayerData, Row, Standing, Store

Kept = TypeVar("Kept", bound=Store)
Opening: TypeAlias = Callable[[], AbstractAsyncContextManager[Store]]


def sqlite_in(folder: Path) -> SqliteStore:
    return SqliteStore(str(folder / "five211.sqlite"))


STORES: dict[str, Callable[[Path], Store]] = {"sqlite": sqlite_in}
"""How each kind is made for one test, whose folder this is; made twice, it is the same store."""


@asynccontextmanager
async def opened(store: Kept) -> AsyncIterator[Kept]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(table: str, version: int = 1) -> Row:
    return Row(table, version, b"[]")


def admitted(table: str, player: str) -> Row:
    """The row of a log that names a profile."""
    entry = b'[["Admitted",1.0,null,{"person":"p","token":"t","player":"%b"}]]'
    return Row(table, 1, entry % player.encode())


def listing(table: str, **changes: Any) -> Listing:
    fields: dict[str, Any] = {
        "id": table,
        "code": f"C{table}",
        "watch": f"W{table}",
        "screen": f"S{table}",
        "public": True,
        "phase": "gathering",
        "summary": b'{"name": "", "seats": []}',
        "touched": 100.0,
        "due": None,
    }
    return Listing(**{**fields, **changes})


def game(id_: str, ended: float = 100.0, *standings: Standing, **changes: Any) -> Game:
    fields: dict[str, Any] = {"public": True, "rated": False, "record": "{}"}
    return Game(id_, "t", ended, standings=standings, **{**fields, **changes})


def standing(player: str | None, rank: int = 0) -> Standing:
    return Standing(player, player or "?", None, 5, rank)


def player(id_: str, **changes: Any) -> PlayerData:
    fields: dict[str, Any] = {"login": None, "password": None, "made": 1.0, "seen": 1.0}
    fields |= {"mu": 25.0, "sigma": 8.0, "games": 0, "wins": 0.0}
    return PlayerData(id_, id_.upper(), **{**fields, **changes})
