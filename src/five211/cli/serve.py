"""`five211 serve`: the game server. A bare `five211` opens it in the browser, too."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread
from typing import Any

import httpx
import segno

from five211 import texts
from five211.cli import common
from five211.errors import GameError
from five211.server import databases, serve
from five211.server.bus.choosing import make_bus
from five211.server.bus.choosing import name as name_of_bus
from five211.server.settings import Settings, load

PATIENCE = 3  # seconds for what holds the port to say that it is a five211


def run(flags: dict[str, Any], config: str | None, lang: str | None, browser: bool = False) -> None:
    """Serve until Ctrl-C."""
    language = common.speak(lang)
    settings = with_database(flags, config)
    make_bus(settings)  # an address that is none is told before anything is done
    databases.prepare(settings)
    console = common.console()
    try:
        listener = serve.listen(settings)
    except GameError:
        address = serve.where(settings, settings.port)
        if not (browser and is_five211(address)):
            raise
        console.print(texts.fill(language, "cli.serving_already", url=address))
        show(address)
        return
    port = listener.getsockname()[1]
    address = serve.where(settings, port)
    console.print(texts.fill(language, "cli.serving", url=address))
    console.print(texts.fill(language, "cli.serving_file", file=databases.name(settings.database)))
    if settings.url:
        own = serve.own_address(settings, port)
        console.print(texts.fill(language, "cli.serving_here", url=own))
    if settings.bus:
        console.print(texts.fill(language, "cli.serving_bus", bus=name_of_bus(settings.bus)))
    if settings.lan:
        console.print(texts.say(language, "cli.serving_lan"))
        segno.make(address, error="m").terminal(compact=True)
    # a browser may take its time, and nobody at a table shall wait for that
    opening = Thread(target=show, args=(address,), daemon=True)
    serve.run(settings, listener, opening.start if browser else lambda: None)


def with_database(flags: dict[str, Any], config: str | None) -> Settings:
    """The settings, with the user's own file if no database is named."""
    settings = load(flags, config)
    if settings.database == "":
        folder = serve.data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        settings = load({**flags, "database": str(folder / "five211.sqlite")}, config)
    return settings


def is_five211(address: str) -> bool:
    """Whether a server of ours answers there."""
    try:
        about = httpx.get(f"{address}/api/about", timeout=PATIENCE, trust_env=False).json()
    except (httpx.HTTPError, ValueError):
        return False
    return isinstance(about, dict) and about.get("name") == "five211"


def show(address: str) -> None:
    """Open the browser, where there is somebody in front of a screen."""
    screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if screen and sys.stdout and sys.stdout.isatty() and not os.environ.get("CI"):
        webbrowser.open(address)
