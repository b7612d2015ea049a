"""Seats at servers' tables, kept so that nobody whose terminal died loses one.

A seat is a file of its own, for its owner's eyes only, since the token in it is the seat. One
process at a time holds it: a second terminal never gets into the first one's seat by accident.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from five211.errors import GameError
from five211.terminal.saved import _age, _hold, folder

ENDING = ".seat"
NEWEST = 20  # how many are kept


class Seat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What opens a seat."""

    server: str
    table: str
    name: str
    """The name that was wished for; empty if none was."""
    token: str


class Kept:
    """A seat that this process holds; without a file if none could be written."""

    def __init__(self, seat: Seat, path: Path | None = None, file: IO[bytes] | None = None) -> None:
        self.seat, self._path, self._file = seat, path, file

    def drop(self) -> None:
        """It opens nothing any more."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Leave it to whoever comes next."""
        if self._file is not None:
            self._file.close()


def keep(seat: Seat) -> Kept:
    """Keep a new one; that it cannot be kept is no reason not to play."""
    with suppress(OSError, GameError):
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        for number, one in enumerate(_free(), start=1):
            one.close() if number < NEWEST else one.drop()
        path = folder() / f"{secrets.token_hex(8)}{ENDING}"
        new = path.with_suffix(".new")  # nobody finds it before it is held and whole
        descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        _hold(file)
        file.write(msgspec.json.encode(seat))
        os.fsync(descriptor)
        new.rename(path)
        return Kept(seat, path, file)
    return Kept(seat)


def kept(server: str, table: str, name: str | None, token: str | None) -> Iterator[Kept]:
    """Those at a table that no process holds, the newest first: with this token if one is said,
    else of this name if one is wished for. Whoever gets one closes or drops it.
    """
    with suppress(GameError):  # who has no home
        for one in _free():
            seat = one.seat
            wished = name in (None, seat.name) if token is None else token == seat.token
            if wished and (seat.server, seat.table) == (server, table):
                yield one
            else:
                one.close()


def _free() -> Iterator[Kept]:
    for path in sorted(folder().glob(f"*{ENDING}"), key=_age):
        found = _taken(path)
        if found is not None:
            yield found


def _taken(path: Path) -> Kept | None:
    """A seat that no process holds; what cannot be read goes."""
    try:
        file = path.open("r+b", buffering=0)
    except OSError:  # it has just been dropped
        return None
    try:
        _hold(file)
        return Kept(msgspec.json.decode(file.read(), type=Seat), path, file)
    except OSError:  # somebody plays there
        file.close()
    except (msgspec.MsgspecError, ValueError):
        file.close()
        path.unlink(missing_ok=True)
    return None
