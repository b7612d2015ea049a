"""`five211 db`: the server's database, brought up to date or moved to another kind."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from five211 import texts
from five211.cli import common
from five211.cli.serve import with_database
from five211.errors import GameError, file_name
from five211.server import databases, moving
from five211.server.settings import Settings
from five211.server.store import Game, StoreFailed


def migrate(database: str | None, config: str | None, lang: str | None) -> None:
    """Make the database's tables, or bring them up to date."""
    language = common.speak(lang)
    settings = with_database({"database": database}, config)
    databases.prepare(settings)
    shown = databases.name(settings.database)
    common.console().print(texts.fill(language, "cli.migrated", database=shown))


def export(file: str, database: str | None, config: str | None, lang: str | None) -> None:
    """Write everything to a file that only its owner reads."""
    language = common.speak(lang)
    settings = with_database({"database": database}, config)
    _check_there(settings)
    with _new(file) as out, _failing(settings):
        n = asyncio.run(moving.write(databases.make_store(settings), out.write))
    if file != "-":
        said = texts.say(language, "cli.exported", n=n, name=file_name(file))
        common.console().print(said)


def import_(file: str, database: str | None, config: str | None, lang: str | None) -> None:
    """Verify everything in a file, and keep it in a database that is empty."""
    language = common.speak(lang)
    settings = with_database({"database": database}, config)
    count = _Count()
    with _opened(file) as lines, _failing(settings):
        things = count.all(moving.read(lines, file_name(file)))
        asyncio.run(databases.make_store(settings).fill(things))
    shown = databases.name(settings.database)
    said = texts.say(language, "cli.imported", n=count.games, tables=count.tables, database=shown)
    common.console().print(said)


class _Count:
    """How much has come by."""

    games = tables = 0

    def all(self, things: Iterator[moving.Thing]) -> Iterator[moving.Thing]:
        for thing in things:
            self.games += isinstance(thing, Game)
            self.tables += isinstance(thing, moving.Logged)
            yield thing


def _check_there(settings: Settings) -> None:
    """An empty file would be made else, and exported."""
    path = settings.database
    if not databases.is_postgres(path) and not Path(path).exists():
        raise GameError("file_missing", name=file_name(path))


@contextmanager
def _failing(settings: Settings) -> Iterator[None]:
    try:
        yield
    except StoreFailed as error:
        raise databases.unusable(settings, error) from None


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    with common.opened(file) as text:
        yield text.buffer  # type: ignore[attr-defined]


@contextmanager
def _new(file: str) -> Iterator[IO[bytes]]:
    """A file that was not there; if it cannot be finished, it goes again."""
    if file == "-":
        yield sys.stdout.buffer
        return
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise _unwritten(file, error) from None
    done = False
    try:
        with os.fdopen(number, "wb") as out:
            yield out
        done = True
    except OSError as error:
        raise _unwritten(file, error) from None
    finally:
        if not done:
            Path(file).unlink()


def _unwritten(file: str, error: OSError) -> GameError:
    if error.errno == errno.EEXIST:
        return GameError("file_there", name=file_name(file))
    reason = error.strerror or type(error).__name__
    return GameError("file_write", name=file_name(file), reason=reason)
