"""What every request passes: which names this server answers to, and who may send it something.

A page on another site must not be able to use somebody's server at home: the `Host` header is
checked against DNS rebinding, and `Origin` on sockets (which CORS does not cover) and on everything
that changes something. Every answer carries the headers that keep a page to itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

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
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
SAFE = ("GET", "HEAD", "OPTIONS")


class Gate:
    """An ASGI application around another."""

    def __init__(self, app: Any, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        why = self._refuses(scope)
        if scope["type"] == "websocket":
            if why is None:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4003, "reason": why})
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [header for header in HEADERS if header[0] not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        if why is None:
            await self._app(scope, receive, with_headers)
        else:
            plain = [(b"content-type", b"text/plain; charset=utf-8")]
            await with_headers({"type": "http.response.start", "status": 421, "headers": plain})
            await with_headers({"type": "http.response.body", "body": why.encode()})

    def _refuses(self, scope: Any) -> str | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if _name(host) not in self._hosts:
            return "This server does not answer to that name."
        origin = headers.get(b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and origin is not None and not self._same(origin.decode("latin-1"), host):
            return "Another site may not use this server."
        return None

    def _same(self, origin: str, host: str) -> bool:
        """Whether a page of ours sent it: the same name and port as it was sent to."""
        parts = urlsplit(origin)
        return parts.netloc.lower() == host.lower() or (
            # a proxy may speak https and pass another port on
            parts.hostname is not None
            and parts.port is None
            and parts.hostname.lower() == _name(host)
            and parts.hostname.lower() not in LOOPBACK
        )


LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def _name(host: str) -> str:
    """A Host header without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
