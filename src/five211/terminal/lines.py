"""Lines in, lines out: what a game says to somebody, and what they type.

Each line is read by a thread, past Python's own buffer: a thread that waits in there keeps its
lock, and nobody could leave any more.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from typing import TextIO

from rich.console import Console

from five211.terminal.place import in_thread

PIECE = 1 << 16  # bytes that are read at once


class Talk:
    """A conversation with whoever sits at this terminal."""

    def __init__(self, console: Console, source: TextIO | None) -> None:
        self._console = console
        self.terminal = source is not None and source.isatty()
        """Whether somebody may be there, who can be asked things."""
        self._next = reader(source)

    def say(self, text: str = "") -> None:
        """A line; a terminal breaks it between words."""
        self._console.print(text, soft_wrap=not self._console.is_terminal)

    def ask(self, prompt: str) -> None:
        """What to type now."""
        self._console.file.write(f"{prompt}> ")
        self._console.file.flush()

    def hear(self) -> asyncio.Future[str]:
        """The next line that is typed; `EOFError` if there is none any more."""
        line = in_thread(self._line)
        line.add_done_callback(lambda done: done.cancelled() or done.exception())
        return line

    def _line(self) -> str:
        line = self._next()
        if not line:
            raise EOFError
        return line.strip()

    def clear(self) -> None:
        """Push all that is to be seen off the screen."""
        try:  # its true height: what the surroundings say may be old
            high = os.get_terminal_size(self._console.file.fileno()).lines
        except (OSError, ValueError):
            high = shutil.get_terminal_size().lines
        self.say("\n" * (high - 1))


def reader(source: TextIO | None) -> Callable[[], str]:
    """What gives one line after the other, with its end; nothing at the end of the input."""
    if source is None:
        return str
    try:
        number = source.fileno()
    except (OSError, ValueError):  # text that is in memory already
        return source.readline
    left, over = bytearray(), False

    def line() -> str:
        nonlocal over
        end = left.find(b"\n")
        while end < 0 and not over:
            piece = _piece(number)
            at = piece.find(b"\n")
            end = -1 if at < 0 else len(left) + at
            left.extend(piece)
            over = not piece
        found = left[:] if end < 0 else left[: end + 1]
        del left[: len(found)]
        return found.decode(source.encoding or "utf-8", errors="replace")

    return line


def _piece(number: int) -> bytes:
    try:
        return os.read(number, PIECE)
    except OSError:  # the terminal is gone
        return b""
