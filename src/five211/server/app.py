"""The application: routes, sockets, errors and limits, behind the gate."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import structlog
from litestar import Litestar, Request, Response, asgi
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from five211 import __version__, texts
from five211.errors import GameError
from five211.server import pages, routes
from five211.server.bus import Bus
from five211.server.bus.choosing import make_bus
from five211.server.databases import make_store
from five211.server.docs import PlainDocs
from five211.server.gate import Gate
from five211.server.guests import Guests
from five211.server.hub import Hub, Sources
from five211.server.limits import make_limits
from five211.server.network import LOOPBACK, addresses
from five211.server.protocol import error_json
from five211.server.routes.common import the_hub
from five211.server.settings import Settings
from five211.server.socket import Sockets
from five211.server.store import Store, StoreFailed

log = structlog.get_logger()

STATUS = {
    "token": 401,
    "key": 401,
    "login": 401,
    "operator": 401,
    "code": 403,
    "banned": 403,
    "rated": 403,
    "closed": 404,
    "table_unknown": 404,
    "game_unknown": 404,
    "player_unknown": 404,
    "server_full": 503,
    "try_again": 503,
    "store_away": 503,
    "stopping": 503,
}


def _language(request: Request[Any, Any, State]) -> str:
    wanted = request.headers.get("accept-language", "")[:2].lower()
    return wanted if wanted in texts.language_names() else texts.DEFAULT_LANGUAGE


def _answer(
    request: Request[Any, Any, State], error: GameError, status: int, **more: Any
) -> Response[Any]:
    body = {"error": error_json(error, _language(request))}
    return Response(body, status_code=status, **more)


def _on_game_error(request: Request[Any, Any, State], error: GameError) -> Response[Any]:
    return _answer(request, error, STATUS.get(error.code, 400))


def _on_store_failed(request: Request[Any, Any, State], error: StoreFailed) -> Response[Any]:
    the_hub(request.app.state).faults.store_failed(error)
    asks = request.method in ("GET", "HEAD")  # who asks has nothing that could not be written
    return _on_game_error(request, GameError("store_away" if asks else "try_again"))


def _on_http(request: Request[Any, Any, State], error: HTTPException) -> Response[Any]:
    """What Litestar refuses by itself: a body that does not fit, too many requests."""
    page = pages.lost(request) if error.status_code == 404 else None
    if page is not None:
        return page
    said = _HTTP.get(error.status_code, GameError("request"))
    return _answer(request, said, error.status_code, headers=error.headers)


_HTTP = {
    404: GameError("not_found"),
    405: GameError("not_found"),
    429: GameError("too_fast"),
}


def _on_nesting(request: Request[Any, Any, State], _error: RecursionError) -> Response[Any]:
    """A body that is nested deeper than anybody means."""
    return _answer(request, GameError("request"), 400)


def _on_bug(request: Request[Any, Any, State], error: Exception) -> Response[Any]:
    log.error("bug", kind=type(error).__name__, path=request.scope["path"], exc_info=error)
    return _answer(request, GameError("bug"), 500)


def make_app(
    settings: Settings,
    store: Store | None = None,
    sources: Sources | None = None,
    bus: Bus | None = None,
) -> Gate:
    """The server as an ASGI application."""
    kept, heard = store or make_store(settings), bus or make_bus(settings)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        hub = Hub(settings, kept, sources, heard)
        await hub.start()
        guests = Guests(hub)
        hub.sharing.look_up_bans = guests.look_out
        app.state.update({"hub": hub, "guests": guests, "sockets": Sockets(hub, guests)})
        try:
            yield
        finally:
            await hub.stop()

    @asgi("/socket", copy_scope=False)
    async def socket(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await scope["litestar_app"].state["sockets"](scope, receive, send)
        else:
            answer = Response({"error": error_json(GameError("not_found"), "en")}, status_code=404)
            await answer.to_asgi_response(None, Request(scope))(scope, receive, send)

    limit = RateLimitConfig(
        ("minute", settings.requests_a_minute),
        exclude=["^/api/(health|ready)$", "^/metrics$", "^/socket$"],
        exclude_opt_key=pages.UNLIMITED,
        store="limits",
    )
    docs = OpenAPIConfig(
        "five211",
        __version__,
        path="/docs",
        use_handler_docstrings=True,
        render_plugins=[PlainDocs(), JsonRenderPlugin()],
    )
    app = Litestar(
        route_handlers=[*pages.handlers(pages.FOLDER), socket, *routes.HANDLERS],
        lifespan=[lifespan],
        middleware=[limit.middleware],
        stores={"limits": make_limits(settings)},
        exception_handlers={
            GameError: _on_game_error,
            StoreFailed: _on_store_failed,
            HTTPException: _on_http,
            RecursionError: _on_nesting,
            Exception: _on_bug,
        },
        openapi_config=docs if settings.docs else None,
        logging_config=None,
        request_max_body_size=100_000,
    )
    return Gate(app, hosts(settings))


def hosts(settings: Settings) -> set[str]:
    """The names that this server answers to."""
    names = {*LOOPBACK, settings.host, *settings.hosts}
    if settings.url:
        names.add(urlsplit(settings.url).hostname or "")
    if settings.lan or settings.host in ("0.0.0.0", "::"):  # noqa: S104
        names.update(addresses())
    return names
