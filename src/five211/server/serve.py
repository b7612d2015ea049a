"""Running the server: the socket it listens on, its log, and what it says at the start."""

from __future__ import annotations

import errno
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import structlog
import uvicorn

from five211.errors import GameError, shown
from five211.folders import folder_of
from five211.server.app import make_app
from five211.server.network import addresses
from five211.server.settings import Settings
from five211.server.socket import LARGEST
from five211.server.thinking import compile_ahead

GRACE = 5  # seconds for connections to end when the server stops
BACKLOG = 2048


def data_folder() -> Path:
    """Where a server that was not told otherwise keeps its file."""
    return folder_of("DATA", ".local/share")


def listen(settings: Settings) -> socket.socket:
    """The socket to listen on; an error that says what to do if it is taken."""
    host = "0.0.0.0" if settings.lan else settings.host  # noqa: S104
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, settings.port))
        listener.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        listener.close()
        number = getattr(error, "errno", None)
        if isinstance(error, (socket.gaierror, UnicodeError)) or number == errno.EADDRNOTAVAIL:
            raise GameError("listen_host", host=shown(host)) from None
        if number == errno.EADDRINUSE:
            raise GameError("port_taken", port=settings.port) from None
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise GameError("port", port=settings.port, reason=reason) from None
    return listener


def where(settings: Settings, port: int) -> str:
    """The address that people type."""
    return settings.url.rstrip("/") or own_address(settings, port)


def own_address(settings: Settings, port: int) -> str:
    """Where this process listens."""
    everywhere = settings.lan or settings.host in ("0.0.0.0", "::")  # noqa: S104
    host = addresses()[0] if everywhere else settings.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def set_up_log(level: str) -> None:
    """One JSON object a line on stderr. Fields are named one by one: never a message or a token."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    if number == logging.INFO and sys.stderr.isatty():
        number = logging.WARNING  # whoever sits there has been told that it runs
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
    root = logging.getLogger()
    for handler in [one for one in root.handlers if isinstance(one, _Lines)]:
        root.removeHandler(handler)
    root.addHandler(_Lines(logging.WARNING))
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


class _Lines(logging.Handler):
    """What libraries log, in the same form: the first line of it, which has no values."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        text = (str(record.msg).splitlines() or [""])[0]
        error = record.exc_info[1] if record.exc_info else None
        more = {} if error is None else {"kind": type(error).__name__, "exc_info": error}
        structlog.get_logger().log(record.levelno, text, source=record.name, **more)


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


class _Server(uvicorn.Server):
    """uvicorn, which tells when people may come."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self._ready()
        try:
            compile_ahead()
        except OSError as error:  # the first to ask will wait, that is all
            structlog.get_logger().warning("nothing compiled ahead", kind=type(error).__name__)


def run(
    settings: Settings, listener: socket.socket, ready: Callable[[], object] = lambda: None
) -> None:
    """Serve until told to stop; `ready` is called when people may come."""
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
        backlog=BACKLOG,
    )
    # uvicorn raises the signal again when it is done, and that would end us with an error
    signal.signal(signal.SIGTERM, lambda *_: None)
    server = _Server(config, ready)
    server.run(sockets=[listener])
    if not server.started:
        raise GameError("server_start")
