"""Running the server: the socket it listens on, its log, and what it says at the start."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import structlog
import uvicorn

from five211.errors import GameError
from five211.server.app import make_app
from five211.server.network import addresses
from five211.server.settings import Settings
from five211.server.socket import LARGEST

GRACE = 5  # seconds for connections to end when the server stops


def data_folder() -> Path:
    """Where a server that was not told otherwise keeps its file."""
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(home or Path.home() / ".local" / "share") / "five211"


def listen(settings: Settings) -> socket.socket:
    """The socket to listen on; an error that says what to do if it is taken."""
    host = "0.0.0.0" if settings.lan else settings.host  # noqa: S104
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, settings.port))
    except OSError as error:
        listener.close()
        raise GameError("port", port=settings.port, reason=error.strerror or "?") from None
    return listener


def where(settings: Settings, port: int) -> str:
    """The address that people type."""
    if settings.url:
        return settings.url.rstrip("/")
    host = addresses()[0] if settings.lan else settings.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def set_up_log(level: str) -> None:
    """One JSON object a line on stderr. Fields are named one by one: never a message or a token."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _short_traceback,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


def _short_traceback(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Where a bug is, without the values that were there: they could be hidden cards."""
    error = event.pop("exc_info", None)
    trace = getattr(error, "__traceback__", None) or (sys.exc_info()[2] if error is True else None)
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    if places:
        event["at"] = places[-8:]
    return event


def run(settings: Settings, listener: socket.socket) -> None:
    """Serve until told to stop."""
    set_up_log(settings.log)
    gc.set_threshold(50_000, 20, 10_000)  # the default's pauses are the slowest moves
    config = uvicorn.Config(
        make_app(settings),
        ws="websockets-sansio",
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        limit_concurrency=None,
        backlog=2048,
    )
    uvicorn.Server(config).run(sockets=[listener])
