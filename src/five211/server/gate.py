"""What every request passes: which names this server answers to, and who may send it something.

A page on another site must not be able to use somebody's server at home: the `Host` header is
checked against DNS rebinding, and `Origin` on sockets (which CORS does not cover) and on everything
that changes something. Every answer carries the headers that keep a page to itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from five211 import texts
from five211.errors import GameError
from five211.server.network import LOOPBACK
from five211.server.protocol import error_json

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
)
# Browsers complain of this one where a page is not sure to be ours: on plain HTTP at home.
SECURE = ((b"cross-origin-opener-policy", b"same-origin"),)
SAFE = ("GET", "HEAD", "OPTIONS")
STATUS = {"host": 421, "origin": 403}


class Gate:
    """An ASGI application around another."""

    def __init__(self, app: Any, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts if host)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        why = self._refuses(scope, headers)
        if scope["type"] == "websocket":
            if why is None:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4003, "reason": why.code})
            return

        host = _name(headers.get(b"host", b"").decode("latin-1"))
        secure = SECURE if scope["scheme"] == "https" or host in LOOPBACK else ()

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [header for header in (*HEADERS, *secure) if header[0] not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        if why is None:
            await self._app(scope, receive, with_headers)
        else:
            wanted = headers.get(b"accept-language", b"")[:2].decode("latin-1").lower()
            language = wanted if wanted in texts.language_names() else texts.DEFAULT_LANGUAGE
            body = json.dumps({"error": error_json(why, language)}).encode()
            plain = [(b"content-type", b"application/json")]
            status = STATUS[why.code]
            await with_headers({"type": "http.response.start", "status": status, "headers": plain})
            await with_headers({"type": "http.response.body", "body": body})

    def _refuses(self, scope: Any, headers: dict[bytes, bytes]) -> GameError | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if _name(host) not in self._hosts:
            return GameError("host")
        origin = headers.get(b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and origin is not None and not self._same(origin.decode("latin-1"), host):
            return GameError("origin")
        return None

    def _same(self, origin: str, host: str) -> bool:
        """Whether a page of ours sent it: the same name and port as it was sent to."""
        try:
            parts = urlsplit(origin)
            name, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return False
        if parts.netloc.lower() == host.lower():
            return True
        # a proxy may speak https and pass another port on
        return port is None and name == _name(host) and name not in LOOPBACK


def _name(host: str) -> str:
    """A Host header without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
