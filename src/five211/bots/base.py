"""What a bot is, and the list of those there are.

A bot is handed a `View` and a random stream of its own, and answers with a choice. It never sees
a state. To add one: a class with `choose`, and a line with `register`. Packages add theirs
by an entry point (`bots.packages`); one's own may stay in a file (`cli.own`): see docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import iscoroutinefunction
from random import Random
from types import FunctionType
from typing import Any, Protocol

from five211.cards import Cards
from five211.errors import GameError, shown
from five211.view import View

LEVELS = ("beginner", "easy", "medium", "hard", "expert")
"""What players know the bots by, the weakest first."""


class Bot(Protocol):
    """Anything that can choose."""

    def choose(self, view: View, rng: Random) -> Cards:
        """One of `view.choices`."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot's place in the list: its name, the level that players know it by, and its maker."""

    name: str
    make: Callable[[], Bot]
    level: str | None = None

    def ready(self) -> Bot:
        """A new bot that may be asked at once: what it has to load or compile, it has."""
        bot = self.make()
        prepare(bot)
        return bot


_entries: dict[str, Entry] = {}


def register(name: str, make: Callable[[], Bot], level: str | None = None) -> None:
    """Put a bot on the list under a name and, if players are to find it, a level."""
    if level is not None and level not in LEVELS:
        raise GameError("level_unknown", level=shown(level), known=LEVELS)
    other_level = name in LEVELS and name != level  # "expert" may be the expert's own name
    if name in _entries or other_level or level in {one.level for one in entries()} - {None}:
        raise GameError("bot_taken", bot=shown(name))
    _entries[name] = Entry(name, make, level)


def entries() -> tuple[Entry, ...]:
    """All bots on the list, five211's own, in the order in which they were put there."""
    return tuple(_entries.values())


def words() -> tuple[str, ...]:
    """Everything that a bot on the list can be called by."""
    both = (word for one in _entries.values() for word in (one.name, one.level) if word)
    return tuple(dict.fromkeys(both))


def entry(name_or_level: str | Entry) -> Entry:
    """The bot of this name, or of this level; one that is not on the list stands for itself."""
    if isinstance(name_or_level, Entry):
        return name_or_level
    for one in _entries.values():
        if isinstance(name_or_level, str) and name_or_level in (one.name, one.level):
            return one
    from five211.bots.packages import packaged  # not at the top: few ever need to look

    for one in packaged():
        if name_or_level == one.name:
            return one
    known = (*words(), *(one.name for one in packaged()))
    raise GameError("bot_unknown", bot=shown(name_or_level), known=known)


def checked_bot(bot: Any, name: str) -> Bot:
    """Somebody's bot, if it is one."""
    choose = getattr(bot, "choose", None)
    if isinstance(bot, FunctionType):
        raise GameError("bot_function", name=shown(name))
    if not callable(choose):
        raise GameError("bot_choose", name=shown(name))
    if iscoroutinefunction(choose):
        raise GameError("bot_async", name=shown(name))
    found: Bot = bot
    return found


def prepare(bot: Bot) -> None:
    """Have a bot compile what it needs, if it has to, before anybody waits for it."""
    ready: Callable[[], object] = getattr(bot, "prepare", tuple)
    ready()


def make(name_or_level: str) -> Bot:
    """A new bot of this name or level, ready to choose."""
    return entry(name_or_level).make()
