"""`five211 serve`: the game server."""

from __future__ import annotations

from typing import Any

import segno

from five211 import texts
from five211.cli import common
from five211.server import serve
from five211.server.settings import load


def run(flags: dict[str, Any], config: str | None, lang: str | None) -> None:
    """Serve until Ctrl-C."""
    language = common.speak(lang)
    settings = load(flags, config)
    if settings.database == "":
        folder = serve.data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        settings = load({**flags, "database": str(folder / "five211.sqlite")}, config)
    serve.check_store(settings)
    listener = serve.listen(settings)
    port = listener.getsockname()[1]
    address = serve.where(settings, port)
    console = common.console()
    console.print(texts.fill(language, "cli.serving", url=address))
    if settings.lan:
        console.print(texts.say(language, "cli.serving_lan"))
        segno.make(address, error="m").terminal(compact=True)
    serve.run(settings, listener)
