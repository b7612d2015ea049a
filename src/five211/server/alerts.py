"""Telling somebody who is not here that it is their turn: by webhook or by e-mail.

At most once a turn, and never while they are at the table: the log says so before it is sent, so a
server that is killed in between tells nobody. A message says which table and whose turn, and
nothing of the game. A webhook goes only to addresses on the open internet, unless the operator
allows others: the server must not be a way into its own network.
"""

from __future__ import annotations

import asyncio
import re
import smtplib
import socket
import ssl
from email.message import EmailMessage
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import httpx
import structlog

from five211 import texts
from five211.errors import GameError
from five211.server.network import LOOPBACK
from five211.server.settings import Settings

log = structlog.get_logger()

KINDS = ("webhook", "email")
TIMEOUT = 10.0  # seconds
LAST = 8.0  # seconds for what is under way at the end; systemd gives twenty to all that ends
MAIL = re.compile(r"[^\s@,;:<>()\[\]\"\\]+@[^\s@,;:<>()\[\]\"\\]+\.[^\s@,;:<>()\[\]\"\\]+")
"""One address and not a list of them."""


class Alerts:
    """What is sent to people who are away."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self._client: httpx.AsyncClient | None = None

    def check(self, kind: str, target: str) -> None:
        """Refuse what could never be sent."""
        if not kind:
            return
        if kind not in KINDS:
            raise GameError("alert_kind", known=KINDS)
        if kind == "webhook":
            if not self._settings.webhooks:
                raise GameError("alert_off", kind=kind)
            if not _is_web_address(target):
                raise GameError("alert_address")
        else:
            if not self._settings.smtp:
                raise GameError("alert_off", kind=kind)
            if not MAIL.fullmatch(target) or not target.isprintable():
                raise GameError("alert_address")

    def send(self, alert: tuple[str, str], table: str, name: str) -> None:
        """It is their turn: said once, by the process that wrote in the log that it says so."""
        task = asyncio.create_task(self._send(alert, table, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, alert: tuple[str, str], table: str, name: str) -> None:
        kind, target = alert
        link = f"{self._settings.url}/t/{table}" if self._settings.url else None
        try:
            if kind == "webhook":
                await self._post(target, {"table": table, "name": name, "url": link})
            else:
                await asyncio.to_thread(self._mail, target, name, link or table)
        except (OSError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            log.info("alert failed", kind=kind, reason=type(error).__name__)

    async def _post(self, target: str, message: dict[str, str | None]) -> None:
        url = httpx.URL(target)
        headers, extensions = {"host": url.netloc.decode()}, {"sni_hostname": url.host}
        # Looked up once, checked, and then used: a name could change its mind in between.
        address = await self._address(url.host, url.port or (443 if url.scheme == "https" else 80))
        if self._client is None:
            self._client = httpx.AsyncClient(
                timeout=TIMEOUT, follow_redirects=False, trust_env=False
            )
        said = {**message, "event": "your_turn"}
        url = url.copy_with(host=address)
        async with (
            asyncio.timeout(TIMEOUT),
            self._client.stream("POST", url, json=said, headers=headers, extensions=extensions),
        ):
            pass  # whatever is answered is not read: it could be without end

    async def _address(self, host: str, port: int) -> str:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for *_, where in found:
            address = str(where[0])
            if self._settings.private_webhooks or _is_open(address):
                return address
        raise GameError("alert_address")

    def _mail(self, target: str, name: str, link: str) -> None:
        settings = self._settings
        parts = urlsplit(settings.smtp)
        mail = EmailMessage()
        mail["From"], mail["To"] = settings.mail_from or "five211@localhost", target
        mail["Subject"] = texts.say("en", "server.mail_subject", name=name)
        mail.set_content(texts.say("en", "server.mail_text", name=name, link=link))
        host, safe = parts.hostname or "localhost", ssl.create_default_context()
        if parts.scheme == "smtps":
            made: smtplib.SMTP = smtplib.SMTP_SSL(
                host, parts.port or 465, timeout=TIMEOUT, context=safe
            )
        else:
            made = smtplib.SMTP(host, parts.port or 25, timeout=TIMEOUT)
        with made as smtp:
            if parts.username:
                if parts.scheme != "smtps" and host not in LOOPBACK:
                    smtp.starttls(context=safe)  # a password is never sent in the open
                smtp.login(unquote(parts.username), unquote(parts.password or ""))
            smtp.send_message(mail)

    async def close(self) -> None:
        """Stop, when what is under way has been sent: the log says so already."""
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=LAST)
            for task in left:
                task.cancel()
        if self._client is not None:
            await self._client.aclose()


def _is_web_address(target: str) -> bool:
    try:
        parts = urlsplit(target)
        good = parts.scheme in ("http", "https") and parts.port != 0 and bool(parts.hostname)
    except ValueError:  # a port or an IPv6 address that cannot be
        return False
    return good and parts.username is None and target.isprintable() and " " not in target


def _is_open(address: str) -> bool:
    """Whether an address is on the open internet, and not a way around to another one."""
    found = ip_address(address.split("%")[0])
    if found.version == 6 and (found.sixtofour or found.teredo or found.ipv4_mapped):
        return False
    return found.is_global and not found.is_multicast
