"""What an operator can set: by flags, by environment variables, or in a TOML file.

A flag wins over the environment (`FIVE211_PORT=8000`), and that over the file. A variable that is
empty is one that is not set.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, inspect

from five211.errors import GameError, file_name, shown

Seconds = Annotated[float, Meta(ge=0, lt=1e9)]
Some = Annotated[int, Meta(ge=1, lt=10**9)]
PREFIX = "FIVE211_"
ELSEWHERE = ("cache", "token")
"""What other parts of five211 read from the environment: no settings of a server."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server is run."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 5211
    lan: bool = False
    """Reachable on the local network."""
    database: str = ""
    """An SQLite file, or postgresql://user:password@host/name; without, a file in the user's folder
    for data."""
    database_connections: Some = 8
    """Connections to PostgreSQL, at most."""
    database_patience: Annotated[float, Meta(ge=0.1, lt=1e6)] = 5
    """Seconds until PostgreSQL is taken to be gone."""
    bus: str = ""
    """How several processes on one database hear of each other: redis://host:port, or "postgres";
    empty for one process alone."""
    url: str = ""
    """Where people find this server, if that is not where it listens: behind a proxy, say."""
    hosts: tuple[str, ...] = ()
    """More names that this server answers to."""
    proxies: str = ""
    """Addresses of proxies whose word about the client's address is taken, by commas."""

    bot_pace: Seconds = 0.9
    """Seconds that a bot seems to think."""
    bot_workers: Some = 1
    """Processes that bots think in."""
    patience: Seconds = 120.0
    """Seconds, without a clock, until the others may call a substitute."""
    away_after: Seconds = 3.0
    """Seconds without a connection until somebody is shown as away."""

    gathering_hours: Seconds = 24
    """How long a table that never started is kept, untouched."""
    playing_days: Seconds = 90
    """How long an unfinished game is kept, untouched."""
    over_days: Seconds = 7
    """How long a table is kept after its last game."""
    games_days: Seconds = 730
    """How long records of finished games are kept."""
    unload_after: Seconds = 600
    """Seconds after which a table that nobody uses leaves the memory."""

    operator_token: str = ""
    """Opens the operator's commands; empty for nobody."""
    metrics: bool = False
    """Whether /metrics is open."""
    docs: bool = False
    """Whether /docs is open."""
    log: Literal["debug", "info", "warning", "error"] = "info"

    requests_a_minute: Some = 300
    """HTTP requests of one address."""
    sockets: Some = 20_000
    """Connections in all."""
    sockets_an_address: Some = 200
    messages_a_second: Annotated[float, Meta(ge=0.01, lt=1e9)] = 10
    """Messages of one socket, in the long run."""
    messages_at_once: Some = 40
    """Messages of one socket in a burst."""
    tables: Some = 50_000
    """Tables in memory."""

    webhooks: bool = True
    private_webhooks: bool = False
    """Whether a webhook may point into this machine or its network."""
    smtp: str = ""
    """smtp://user:password@host:port, for e-mail; empty for none."""
    mail_from: str = ""


def load(flags: Mapping[str, Any], file: str | None = None) -> Settings:
    """The settings from everywhere."""
    found: dict[str, Any] = {}
    if file is not None:
        found.update(_read(file))
    found.update(_environment())
    found.update({name: value for name, value in flags.items() if value is not None})
    for name in found:
        if name not in Settings.__struct_fields__:
            raise _unknown(name)
    try:
        settings = msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        place = re.search(r"\$\.(\w+)", str(error))
        assert place is not None
        raise _misfit(place[1], found[place[1]]) from None
    _check_proxies(settings.proxies)
    _check_url(settings.url)
    return settings


def _environment() -> dict[str, Any]:
    """What the environment says; a name that is misspelt is told by whoever looks at it all."""
    found: dict[str, Any] = {}
    for variable, value in os.environ.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and value and name not in ELSEWHERE:
            hosts = name == "hosts"
            found[name] = [one.strip() for one in value.split(",")] if hosts else value
    return found


def _check_proxies(proxies: str) -> None:
    """uvicorn takes what it cannot read for a name, and believes nobody."""
    for one in proxies.split(",") if proxies not in ("", "*") else ():
        try:
            ip_network(one.strip())
        except ValueError:
            raise GameError("settings_proxies", given=shown(one.strip())) from None


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if url and not good:
        raise GameError("settings_url", given=shown(url))


def _read(file: str) -> dict[str, Any]:
    """What a file of settings says."""
    name = file_name(file)
    try:
        text = Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise GameError("file_missing", name=name) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise GameError("file", name=name, reason=reason) from None
    except UnicodeDecodeError:
        raise GameError("file_text", name=name) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else len(text.splitlines())
        raise GameError("settings_toml", name=name, line=line) from None


def _unknown(name: str) -> GameError:
    near = get_close_matches(name, Settings.__struct_fields__, n=1)
    if near:
        return GameError("settings_near", name=shown(name), near=near[0])
    return GameError("settings_unknown", name=shown(name))


def _misfit(name: str, value: object) -> GameError:
    """What a setting is, if not this."""
    given = str(value).lower() if isinstance(value, (bool, float)) else shown(value)
    match next(field.type for field in _fields() if field.name == name):
        case inspect.IntType(ge=least, le=most, lt=over):
            numbers = {"least": least, "most": most if over is None else over - 1}
            return GameError("settings_whole", name=name, given=given, **numbers)
        case inspect.FloatType(ge=least, lt=over):
            bounds = {"least": f"{least:g}", "under": f"{over:.0f}"}
            return GameError("settings_number", name=name, given=given, **bounds)
        case inspect.BoolType():
            return GameError("settings_switch", name=name, given=given)
        case inspect.LiteralType(values=known):
            return GameError("settings_known", name=name, given=given, known=known)
        case inspect.StrType():
            return GameError("settings_text", name=name, given=given)
    return GameError("settings_list", name=name)


def _fields() -> tuple[inspect.Field, ...]:
    settings = inspect.type_info(Settings)
    assert isinstance(settings, inspect.StructType)
    return settings.fields
