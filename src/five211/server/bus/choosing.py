"""Which bus a server uses: none, Redis if its address is named, or the database itself."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from five211.errors import GameError, shown
from five211.server.bus import Alone, Bus
from five211.server.databases import is_postgres
from five211.server.settings import Settings

REDIS = ("redis", "rediss", "unix")
_WORD = re.compile(r"[a-z+-]{1,20}", re.IGNORECASE)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name; an address may have a password, and is never shown."""
    scheme, colon, _ = settings.bus.partition("://")
    if not settings.bus:
        return Alone()
    if settings.bus == "postgres":
        make = _postgres
    elif colon and scheme in REDIS:
        _check_place(settings.bus)
        make = _redis
    else:
        word = _WORD.fullmatch(scheme)
        raise GameError("bus_unknown", bus=shown(word[0]) if word else "…")
    made = make(settings)
    if not is_postgres(settings.database):
        raise GameError("bus_database")
    return made


def name(bus: str) -> str:
    """The bus as it may be shown: of an address, where it is and nothing else."""
    if "://" not in bus:
        return bus
    parts = urlsplit(bus)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _check_place(url: str) -> None:
    """Refuse what redis-py would read as this machine's own Redis, or as its first database."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            good = len(parts.path) > 1
        else:
            good = bool(
                parts.hostname and re.fullmatch(r"/?\d*", parts.path) and not parts.fragment
            )
    except ValueError:
        good = False
    if not good:
        raise GameError("bus_address")


def _postgres(settings: Settings) -> Bus:
    try:
        from five211.server.bus.postgres import PostgresBus
    except ModuleNotFoundError:
        raise GameError("postgres_missing") from None
    return PostgresBus(settings.database)


def _redis(settings: Settings) -> Bus:
    try:
        from five211.server.bus.redis import RedisBus
    except ModuleNotFoundError:
        raise GameError("redis_missing") from None
    try:
        return RedisBus(settings.bus)
    except ValueError:
        raise GameError("bus_address") from None
