"""The server itself: what it is, how it is."""

from __future__ import annotations

from litestar import Response, get
from litestar.datastructures import State

from five211 import __version__, texts
from five211.bots import entries, packaged
from five211.characters import called
from five211.editions import edition_names
from five211.errors import GameError
from five211.server import shapes as sh
from five211.server.network import LOOPBACK, addresses
from five211.server.protocol import VERSION
from five211.server.room import REACTIONS
from five211.server.routes.common import (
    ERRORS,
    Asked,
    the_hub,
)
from five211.server.settings import Settings


def reachable(settings: Settings, listening: tuple[str, int | None] | None) -> tuple[str, ...]:
    """Where others find this server, the best first; nothing if only this machine does."""
    if settings.url:
        return (settings.url.rstrip("/"),)
    if not settings.lan or listening is None:
        return ()
    numbers = (one for one in addresses() if one[0].isdigit() and not one.startswith("127."))
    return tuple(f"http://{one}:{listening[1]}" for one in numbers)


@get("/api/about", responses=ERRORS)
async def about(request: Asked, state: State) -> sh.About:
    """What this server is and has."""
    settings = the_hub(state).settings
    here = request.url.hostname in LOOPBACK  # elsewhere, a page knows how it was found
    return sh.About(
        name="five211",
        version=__version__,
        protocol=VERSION,
        languages=list(texts.language_names()),
        editions=list(edition_names()),
        bots=[
            sh.BotShape(one.name, called(one.name), one.level) for one in (*entries(), *packaged())
        ],
        reactions=list(REACTIONS),
        webhooks=settings.webhooks,
        email=bool(settings.smtp),
        addresses=list(reachable(settings, request.scope["server"])) if here else [],
    )


@get("/api/health", responses=ERRORS)
async def health() -> sh.Health:
    """Whether the server runs."""
    return sh.Health("ok")


@get("/api/ready", responses=ERRORS)
async def ready(state: State) -> sh.Health:
    """Whether it can take people in: its store answers, and it is not about to stop."""
    hub = the_hub(state)
    if hub.closing:
        raise GameError("stopping")
    await hub.ask_store()
    return sh.Health("ready")


@get("/metrics", responses=ERRORS, include_in_schema=False)
async def metrics(state: State) -> Response[bytes]:
    """For Prometheus, if the operator opened it."""
    hub = the_hub(state)
    if not hub.settings.metrics:
        raise GameError("closed")
    return Response(hub.metrics.text(), media_type="text/plain; version=0.0.4")


HANDLERS = (about, health, ready, metrics)
