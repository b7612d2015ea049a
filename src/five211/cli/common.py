"""What the commands share: the language, cards in colour, JSON, and reading files of records."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from five211 import texts
from five211.cards import Cards
from five211.editions import Words, check_language
from five211.errors import GameError, file_name
from five211.record import LONGEST
from five211.terminal.paint import inks

_spoken: list[str] = []  # the language that the command was asked for, also for its errors


def speak(wanted: str | None) -> str:
    """Settle the language of this command: the one asked for, or the system's."""
    if wanted is not None:
        _spoken.append(check_language(wanted))
    return language()


def language() -> str:
    """The language of this command."""
    if _spoken:
        return _spoken[-1]
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = os.environ.get(variable, "")[:2].lower()
        if wanted:
            return wanted if wanted in texts.language_names() else texts.DEFAULT_LANGUAGE
    return texts.DEFAULT_LANGUAGE


def console(stderr: bool = False) -> Console:
    """A console that neither guesses at markup nor breaks lines of a file."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def has_screen() -> bool:
    """Whether something can be drawn for somebody who can answer."""
    both = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return both and os.environ.get("TERM") != "dumb"


def painted(cards: Cards, words: Words) -> Text:
    """Cards in colour, always with their letter and value."""
    text, styles = Text(), inks(words.edition)
    for number, card in enumerate(cards):
        text.append(" " if number else "")
        text.append(f" {words.card(card)} ", style=styles[card.color])
    return text


def print_json(value: Any) -> None:
    """One JSON document on stdout, in ASCII, which every pipe and terminal can take."""
    print(json.dumps(value))


def name_list(text: str) -> tuple[str, ...]:
    """Names by commas."""
    return tuple(part.strip() for part in text.split(","))


# JSON can say any character as \\uXXXX, also one that UTF-8 cannot.
WRITTEN = ("utf-8", "backslashreplace")
CODING = {"r": ("utf-8-sig", "strict"), "w": WRITTEN, "a": WRITTEN}


class FileError(GameError):
    """A file that cannot be read or written."""


@contextmanager
def opened(name: str, mode: str = "r") -> Iterator[IO[str]]:
    """A text file, or stdin or stdout for "-"."""
    try:
        with _opened(name, mode) as file:
            yield file
    except UnicodeDecodeError:
        raise FileError("file_text", name=file_name(name)) from None


def _standard(mode: str) -> IO[str]:
    stream = sys.stdin if mode == "r" else sys.stdout
    if stream is None:
        raise FileError("file", name=file_name("-"), reason=os.strerror(errno.EBADF))
    encoding, errors = CODING[mode]
    with suppress(UnsupportedOperation):  # some of it has been read already, by a "-" before
        stream.reconfigure(encoding=encoding, errors=errors)  # type: ignore[union-attr]
    return stream


@contextmanager
def _opened(name: str, mode: str) -> Iterator[IO[str]]:
    if name == "-":
        yield _standard(mode)
        return
    if not name:
        raise FileError("file_unnamed")
    try:
        encoding, errors = CODING[mode]
        with open(name, mode, encoding=encoding, errors=errors) as file:  # noqa: PTH123
            yield file
    except OSError as error:
        if mode == "r" and isinstance(error, FileNotFoundError):
            raise FileError("file_missing", name=file_name(name)) from None
        reason = error.strerror or type(error).__name__
        raise FileError("file", name=file_name(name), reason=reason) from None


def check_writable(name: str) -> None:
    """Refuse a file that cannot be written, and leave none behind."""
    there = os.path.lexists(name)
    with opened(name, "a"):
        pass
    if not there and name != "-":
        Path(name).unlink()


def records_in(file: IO[str], name: str) -> Iterator[tuple[int, str]]:
    """The texts of the records in a file, each with its line: JSON Lines, or one JSON object."""
    number, found = 0, False
    while line := file.readline(LONGEST + 1):
        number += 1
        if not line.strip():
            continue
        if not found and not _is_json(line):
            whole = line + file.read(LONGEST)
            if _is_json(whole) or "\n" not in whole.strip():
                yield number, whole
                return
            for broken in whole.splitlines(keepends=True)[:-1]:
                yield number, broken
                number += 1
            line = whole.splitlines(keepends=True)[-1] + file.readline(LONGEST)
        found = True
        yield number, line
        while len(line) > LONGEST and not line.endswith("\n"):
            line = file.readline(LONGEST + 1)  # the rest of a line that is too long
    if not found:
        raise FileError("file_empty", name=file_name(name))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
