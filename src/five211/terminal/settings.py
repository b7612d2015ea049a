"""What somebody chose the last time, kept for the next."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress

import msgspec

from five211.editions import edition_names
from five211.rules import ASIDE, Variant
from five211.terminal.saved import folder
from five211.texts import language_names

SPEEDS = {"slow": 1.8, "normal": 1.0, "fast": 0.4, "none": 0.0}
"""How long a scoring's steps stay, beside the usual time."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that is remembered; a file of another version is read as far as it fits."""

    players: int = 4
    bots: tuple[str, ...] = ("easy",)
    """One for all opponents, or one each."""
    people: tuple[str, ...] = ()
    """Names of those at this terminal; none for one person without a name."""
    variant: str = "standard"
    edition: str = "classic"
    language: str = ""
    """None of one's own: the system's."""
    speed: str = "normal"
    light: bool = False
    """Paper by day instead of slate by night."""


def remembered() -> Settings:
    """What was chosen the last time; the usual where that cannot be read, or is not known here."""
    with suppress(OSError, ValueError, msgspec.MsgspecError):  # it may be no text at all
        kept = msgspec.json.decode((folder() / "settings.json").read_bytes(), type=Settings)
        strange = {name for name, known in _known().items() if getattr(kept, name) not in known}
        usual = {name: getattr(Settings(), name) for name in strange}
        return msgspec.structs.replace(kept, **usual)
    return Settings()


def _known() -> dict[str, Collection[object]]:
    return {
        "players": ASIDE,
        "variant": [*Variant],
        "edition": edition_names(),
        "language": ("", *language_names()),
        "speed": SPEEDS,
    }


def remember(settings: Settings) -> None:
    """Keep it; that it cannot be kept is no reason not to play."""
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        new = folder() / "settings.json.new"
        new.write_bytes(msgspec.json.encode(settings))
        os.replace(new, folder() / "settings.json")  # noqa: PTH105
