"""Bots as people name them: by name, by level, or one of their own, `my_bot.py:Mine`.

Somebody's own bot is a Python file and the name of a class in it. The file is run as Python would
run it, with its own folder to import from (`cli.visiting`): only use code that you trust. The same
is true of a bot from a package that was installed beside five211.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from multiprocessing import parent_process
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from typing import Any

from five211.bots import Bot, Entry, checked_bot, entries, entry, prepare
from five211.cards import Card, Cards
from five211.cli import common
from five211.cli.visiting import visiting
from five211.errors import GameError, file_name, reason, short, shown
from five211.view import View

MODULE = "five211_bot"  # what a bot's file is called among Python's modules, with its path


def load(named: str) -> Entry:
    """The bot of a name or level, or of a file and a class in it."""
    if named.endswith(".py"):
        raise GameError("bot_no_class", file=file_name(named))
    file, colon, name = named.rpartition(":")
    if not colon:
        listed = entry(named)
        return listed if listed in entries() else _ready(listed.name, partial(_packaged, listed))
    found = getattr(_module(file), name, None)
    if found is None:
        raise GameError("bot_class", file=file_name(file), name=shown(name))
    return _ready(name, partial(_made, found, name, file))


def _ready(name: str, make: Callable[[], Bot]) -> Entry:
    """A bot of which the first is made now, so that a fault is told before any game."""
    from five211.gathering import LONGEST_NAME  # not at the top: most commands never come here

    ready = [make()]
    return Entry(name[: LONGEST_NAME - 2], lambda: ready.pop() if ready else make())


@dataclass(frozen=True, slots=True)
class OwnBot:
    """Somebody's own bot: if it fails or may not choose what it chose, it is named."""

    bot: Bot
    name: str
    file: str
    """Where its code stands, to say in which line it failed."""

    @property
    def searches(self) -> bool:
        """Whether it says that it takes its time."""
        with _named(self.name, self.file):
            return bool(getattr(self.bot, "searches", False))

    def prepare(self) -> None:
        """Have it load or compile what it needs, if it wants to."""
        with _named(self.name, self.file):
            prepare(self.bot)

    def choose(self, view: View, rng: Random) -> Cards:
        """What the bot chooses, if it may."""
        with _named(self.name, self.file):
            chosen: object = self.bot.choose(view, rng)
            cards = tuple(chosen) if isinstance(chosen, (tuple, list)) else ()
            if all(isinstance(one, Card) for one in cards) and tuple(sorted(cards)) in view.choices:
                return tuple(sorted(cards))
            told = _value(chosen)
        raise GameError("bot_illegal", name=shown(self.name), cards=told)


def _made(found: Any, name: str, file: str) -> OwnBot:
    """A bot of this class; or this bot, if it is made already."""
    with _named(name, file):
        bot = found() if isinstance(found, type) else found
    return OwnBot(checked_bot(bot, name), name, file)


def _packaged(found: Entry) -> OwnBot:
    with visiting(None):
        return OwnBot(found.make(), found.name, "")


def _module(file: str) -> Any:
    """Somebody's file, run once as a module; it may import its neighbours."""
    with common.opened(file):  # a sentence if there is no such file
        path = Path(file).resolve()
    name = f"{MODULE}:{path}"
    if name in sys.modules:
        return sys.modules[name]
    loader = SourceFileLoader(name, file)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        with _theirs(file, lambda said: GameError("bot_file", file=file_name(file), reason=said)):
            loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@cache
def _folder(file: str) -> str | None:
    """Where a file stands; a package's bot has none."""
    return str(Path(file).resolve().parent) if file else None


def _named(name: str, file: str) -> AbstractContextManager[None]:
    """A bot's code runs in here: if it fails, the bot is named."""
    return _theirs(file, lambda said: GameError("bot_failed", name=shown(name), reason=said))


@contextmanager
def _theirs(file: str, failed: Callable[[str], GameError]) -> Iterator[None]:
    """Somebody's code runs in here: if it fails, that is an error of ours."""
    try:
        with visiting(_folder(file)):
            yield
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) and _hears_ctrl_c():
            raise
        raise failed(_reason(error, file)) from None


def _hears_ctrl_c() -> bool:
    """Whether Ctrl-C would be heard here: if not, whoever says that it came is somebody's code."""
    return current_thread() is main_thread() and parent_process() is None


def _reason(error: BaseException, file: str) -> str:
    """What went wrong in somebody's code, in one line, and in which line of it."""
    said = reason(error)
    trace = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in trace if frame.filename == file]
    return f"{Path(file).name}:{lines[-1]}: {said}" if lines else said


def _value(chosen: object) -> str:
    """What somebody's bot answered, in one short line: cards by their code."""
    if isinstance(chosen, (tuple, list)) and all(isinstance(one, Card) for one in chosen):
        return short(" ".join(one.code for one in chosen)) or "()"
    try:
        return short(repr(chosen))
    except Exception:  # noqa: BLE001 - somebody's own code
        return type(chosen).__name__
