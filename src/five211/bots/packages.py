"""Bots of other packages, which tell of them by an entry point in their pyproject.toml:

    [project.entry-points."five211.bots"]
    mine = "package.module:Mine"

They are only looked for when a name is none of ours, and can never take the place of one of ours.
Their code runs when such a bot is made, not before.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from five211.bots.base import LEVELS, Bot, Entry, checked_bot, entries
from five211.errors import GameError, plain, reason, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "five211.bots"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,21}")
"""What such a bot may be called: it has to fit on a seat, and into a list by commas."""


@cache
def packaged() -> tuple[Entry, ...]:
    """The bots of all packages that are installed, by their names."""
    from importlib.metadata import entry_points  # not at the top: a start is to be quick

    taken = {*LEVELS, *(one.name.casefold() for one in entries())}
    found: dict[str, Entry] = {}
    for point in entry_points(group=GROUP):
        if NAME.fullmatch(point.name) and point.name.casefold() not in taken:
            found.setdefault(point.name, Entry(point.name, partial(_made, point)))
    return tuple(found[name] for name in sorted(found))


def _made(point: EntryPoint) -> Bot:
    """A new bot of this entry point."""
    try:
        found = point.load()
        bot = found() if isinstance(found, type) else found
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code
        assert point.dist is not None
        package, told = plain(point.dist.name), reason(error)
        bot_name = shown(point.name)
        raise GameError("bot_package", bot=bot_name, package=package, reason=told) from None
    return checked_bot(bot, point.name)
