"""What is kept of games in the terminal: each confirmed choice, finished games, and settings.

A game that is being played is a file of its own, a line a choice, written through to the disk
before anybody hears of it: from the first line, the cards, the seed and so every deck follow. A
game that is over becomes a record among the others, and its file goes.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from five211.errors import GameError, file_name
from five211.folders import folder_of

ENDING = ".game"


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a game on this machine begins with."""

    players: int
    variant: str
    edition: str
    people: tuple[str, ...]
    """The names of those at this terminal, from the first seat on."""
    bots: tuple[str, ...]
    """Who sits in the other seats, as they were asked for."""
    seed: str
    id: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A choice that was put face down, or taken back if there are no cards."""

    seat: int
    cards: tuple[str, ...]


def folder() -> Path:
    """Where all of it is."""
    return folder_of("DATA", ".local/share") / "terminal"


def games_file() -> Path:
    """The records of the games that were finished here."""
    return folder() / "games.jsonl"


class Log:
    """The file of a game that is being played; held by one process at a time."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path, self._file = path, file

    @staticmethod
    def begin(setup: Setup) -> Log:
        """A new one."""
        path = folder() / f"{setup.id}{ENDING}"
        try:
            folder().mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        except OSError as error:
            raise _unwritten(path, error) from None
        log = Log(path, os.fdopen(descriptor, "r+b", buffering=0))
        _hold(log._file, patiently=True)
        try:
            log._write(msgspec.json.encode(setup))
        except GameError:
            log.drop()
            raise
        return log

    def note(self, seat: int, cards: tuple[str, ...], lasts: bool = True) -> None:
        """Keep a choice: when this returns, it is on the disk, and all that was noted before.

        One that need not last by itself is only handed to the system.
        """
        self._write(msgspec.json.encode(Move(seat, cards)), lasts)

    def _write(self, line: bytes, lasts: bool = True) -> None:
        _append(self._file, self.path, line + b"\n", lasts)

    def read(self) -> tuple[Setup, tuple[Move, ...]] | None:
        """What is in it; none if that is no game. A line that was cut off is one not kept."""
        lines = _whole_lines(self._file).split(b"\n")[:-1]
        try:
            setup = msgspec.json.decode(lines[0], type=Setup)
            return setup, tuple(msgspec.json.decode(line, type=Move) for line in lines[1:])
        except (IndexError, ValueError, msgspec.MsgspecError):  # some of it may be no text
            return None

    def finish(self, record: str) -> None:
        """Put the record of the game that is over among the others, once, and end the file."""
        told = {**json.loads(record), "id": self.path.stem}
        line, path = json.dumps(told).encode() + b"\n", games_file()
        try:
            with path.open("a+b", buffering=0) as file:
                _hold(file, patiently=True)
                if line not in _whole_lines(file):  # somebody died between the two steps
                    _append(file, path, line)
        except OSError as error:
            raise _unwritten(path, error) from None
        self.drop()

    def drop(self) -> None:
        """End the file: nobody wants to go on with this game."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave it to whoever comes next."""
        self._file.close()


def interrupted() -> Iterator[Log]:
    """The games that were not played to their end, the newest first, and that nobody plays now."""
    for path in sorted(folder().glob(f"*{ENDING}"), key=_age):
        with suppress(OSError):  # another process has it, or has just ended it
            file = path.open("r+b", buffering=0)
            try:
                _hold(file)
                path.stat()
            except OSError:
                file.close()
                raise
            yield Log(path, file)


def _age(path: Path) -> float:
    with suppress(OSError):
        return -path.stat().st_mtime
    return 0.0


def _hold(file: IO[bytes], patiently: bool = False) -> None:
    """Keep others from it; if another process does, wait for it, or `OSError`."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | (0 if patiently else fcntl.LOCK_NB))
    except BlockingIOError:
        raise
    except (ImportError, OSError):  # not every system has that, and not every disk
        pass


def _whole_lines(file: IO[bytes]) -> bytes:
    """What is in a file; the rest of a line that was cut off is cut off, too."""
    file.seek(0)
    kept = file.read()
    whole = kept.rfind(b"\n") + 1
    if whole < len(kept):
        file.truncate(whole)
    file.seek(whole)
    return kept[:whole]


def _append(file: IO[bytes], path: Path, line: bytes, lasts: bool = True) -> None:
    """Write a line, all of it or nothing; through to the disk if it has to last."""
    before = file.seek(0, os.SEEK_END)
    try:
        while line:  # a disk that is nearly full takes the beginning
            line = line[file.write(line) :]
        if lasts:
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            file.truncate(before)
        raise _unwritten(path, error) from None


def _unwritten(path: Path, error: OSError) -> GameError:
    reason = error.strerror or type(error).__name__
    return GameError("file_write", name=file_name(str(path)), reason=reason)
