"""The socket: one ASGI callable, one connection at a table.

The first message says who one is; everything after it is a command. What is sent waits in a bounded
queue with a task of its own that writes it: whoever does not read is closed with 4008 and resumes,
and nobody else at the table notices.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any

import structlog

from five211 import commands as cmd
from five211 import texts
from five211.errors import GameError
from five211.server import entries as ent
from five211.server import protocol as proto
from five211.server.codec import encode
from five211.server.guests import Guests
from five211.server.hub import COME_BACK, Hub, checked_bot
from five211.server.live import Asked, Connection, Live
from five211.server.room import hashed
from five211.server.store import StoreFailed
from five211.server.wire import answers_only
from five211.view import SPECTATOR

log = structlog.get_logger()

QUEUE = 64  # frames that may wait for somebody who reads slowly
HELLO_WITHIN = 10.0  # seconds
LARGEST = 4096  # bytes of a message; uvicorn closes with 1009 beyond
DEVICE_CODE = 300.0  # seconds that a code for another device is good

SLOW, REFUSED, TOO_FAST, FULL, BUG = 4008, 4003, 4029, 1013, 1011


class Outbox:
    """What waits to be sent on one socket."""

    def __init__(self, send: Any, on_slow: Any) -> None:
        self._send = send
        self._on_slow = on_slow
        self._frames: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self.closing: tuple[int, str] | None = None
        self.task = asyncio.create_task(self._run())

    def put(self, frame: bytes) -> None:
        """Send a frame soon."""
        if self.closing is not None:
            return
        if len(self._frames) >= QUEUE:
            self._on_slow()
            self._frames.clear()
            self.close(SLOW, "too slow")
            return
        self._frames.append(frame)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close after what waits."""
        if self.closing is None:
            self.closing = (code, reason)
            self._wake.set()

    async def _run(self) -> None:
        frames, send = self._frames, self._send
        with suppress(OSError, RuntimeError):  # the other side has gone
            while True:
                while frames:
                    text = frames.popleft().decode()
                    await send({"type": "websocket.send", "text": text})
                if self.closing is not None:
                    code, reason = self.closing
                    await send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                self._wake.clear()
                await self._wake.wait()


class Bucket:
    """So many at once, and so many a second in the long run."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._most, self._rate = at_once, a_second
        self._left, self._at = float(at_once), time.monotonic()

    def take(self) -> bool:
        """Whether one more is all right."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Sockets:
    """All sockets of this server."""

    def __init__(self, hub: Hub, guests: Guests) -> None:
        self._hub = hub
        self._guests = guests
        self._all = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection from its beginning to its end."""
        await receive()
        address = scope["client"][0] if scope.get("client") else ""
        await send({"type": "websocket.accept"})
        why = await self._keeps_out(address)
        if why is not None:
            await send({"type": "websocket.close", "code": why[0], "reason": why[1]})
            return
        self._all += 1
        try:
            await self._serve(address, receive, send)
        finally:
            self._all -= 1
            self._guests.let_out(address)

    async def _keeps_out(self, address: str) -> tuple[int, str] | None:
        settings = self._hub.settings
        try:
            if await self._guests.banned(address):
                return REFUSED, "banned"
        except StoreFailed as error:
            self._hub.faults.store_failed(error)
            return COME_BACK, "store"
        if self._hub.closing:
            return COME_BACK, "restart"
        full = self._all >= settings.sockets
        if full or not self._guests.let_in(address, settings.sockets_an_address):
            return FULL, "full"
        return None

    async def _serve(self, address: str, receive: Any, send: Any) -> None:
        outbox = Outbox(send, self._hub.metrics.slow.inc)
        live, connection = None, None
        try:
            joined = await self._hello(address, receive, outbox)
            if joined is not None:
                live, connection = joined
                await self._listen(receive, outbox, live, connection)
        except StoreFailed as error:
            self._hub.faults.store_failed(error)
            outbox.close(COME_BACK, "store")
        except Exception as error:
            log.error("bug", kind=type(error).__name__, exc_info=error)
            outbox.close(BUG, "bug")
        finally:
            if live is not None and connection is not None:
                self._hub.detach(live, connection)
            outbox.close(1000, "")
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(outbox.task), 5)
            outbox.task.cancel()

    async def _hello(
        self, address: str, receive: Any, outbox: Outbox
    ) -> tuple[Live, Connection] | None:
        """The first message, or none if it is not good."""
        language = None
        try:
            text = await asyncio.wait_for(_receive(receive), HELLO_WITHIN)
            if text is None:
                return None
            message = proto.read_message(text)
            if not isinstance(message, proto.Hello):
                raise GameError("hello_first")
            if message.protocol != proto.VERSION:
                raise GameError("protocol", n=proto.VERSION)
            language = _language(message.language)
            connection = Connection(
                outbox.put, outbox.close, SPECTATOR, address=address, language=language
            )
            return await self._join(message, connection)
        except GameError as error:
            outbox.put(_refusal(error, language))
            outbox.close(COME_BACK if error.code == "try_again" else REFUSED, error.code)
        except StoreFailed as error:
            self._hub.faults.store_failed(error)
            outbox.close(COME_BACK, "store")
        except TimeoutError:
            outbox.close(SLOW, "hello_first")  # it may be on its way, or we have slept
        return None

    async def _join(self, hello: proto.Hello, connection: Connection) -> tuple[Live, Connection]:
        hub = self._hub
        connection.seen = hello.seen
        if hello.token is not None:
            live = await hub.find(hello.table)
            person = live.room.person_with(hello.token)
            if await self._guests.banned(live.room.players.get(person)):
                raise GameError("banned")
            connection.person = live.room.person_with(hello.token)  # much may happen in an await
            connection.viewer = live.room.table.seat_of(connection.person)
            connection.token = hashed(hello.token)
            connection.knows_code = True
        elif hello.watch is not None:
            id_ = await hub.store.find_table(hello.watch)
            live = await hub.find(id_ or "")
            opened = live.room.opened
            if hello.watch not in (opened.watch, opened.screen):
                raise GameError("table_unknown")
            connection.knows_code = hello.watch == opened.screen
        else:
            live = await hub.find(hello.table)
            if not live.room.opened.public:
                raise GameError("watch_link")
        if live.room.closed:
            raise GameError("table_closed")
        hub.attach(live, connection)
        return live, connection

    async def _listen(
        self, receive: Any, outbox: Outbox, live: Live, connection: Connection
    ) -> None:
        settings = self._hub.settings
        bucket = Bucket(settings.messages_at_once, settings.messages_a_second)
        while True:
            text = await _receive(receive)
            if text is None or live.gone or outbox.closing:
                return
            if not bucket.take():
                outbox.put(_refusal(GameError("too_fast"), connection.language))
                outbox.close(TOO_FAST, "too fast")
                return
            await self._hear(text, live, connection)

    async def _hear(self, text: str | bytes, live: Live, connection: Connection) -> None:
        """One command: done or refused, and either is answered."""
        hub, id_ = self._hub, None
        try:
            message = proto.read_message(text)
            id_ = message.id
            if connection.person is None:
                raise GameError("spectator")
            asked = self._asked(message, connection, connection.person)
        except GameError as error:
            asked = Asked(error, id_, connection)
        await hub.hear(live, asked)

    def _asked(self, message: proto.Message, connection: Connection, person: str) -> Asked:
        if isinstance(message, proto.Hello):
            raise GameError("hello_once")
        if isinstance(message, proto.MoveDevice):
            code, until = self._guests.secret(16), self._hub.now + DEVICE_CODE
            entry, more = ent.Moving(person, hashed(code), until), {"code": code, "until": until}
            return Asked(entry, message.id, connection, more)
        return Asked(self._entry(message, person), message.id, connection)

    def _entry(self, message: proto.Message, person: str) -> Any:
        """The entry that a message asks for, in the name of the person who sent it."""
        if isinstance(message, proto.Choose):
            return cmd.Choose(person, message.moment, proto.read_cards(message.cards))
        if isinstance(message, proto.Start):
            fill = message.fill
            return cmd.Start(person, None if fill is None else checked_bot(fill))
        if isinstance(message, proto.SeatBot):
            return cmd.SeatBot(person, checked_bot(message.bot), message.seat)
        if isinstance(message, proto.Words):
            try:
                return ent.Worded(person, bytes.fromhex(message.words))
            except ValueError:
                raise GameError("words_size", n=32) from None
        if isinstance(message, proto.Alert):
            self._hub.alerts.check(message.kind, message.target)
        kind, names = _PLAIN[type(message)]
        return kind(person, *(getattr(message, name) for name in names))


_PLAIN: dict[type[Any], tuple[type[Any], tuple[str, ...]]] = {
    proto.TakeBack: (cmd.TakeBack, ("moment",)),
    proto.Remove: (cmd.Remove, ("seat",)),
    proto.Leave: (cmd.Leave, ()),
    proto.CallSubstitute: (cmd.CallSubstitute, ("seat",)),
    proto.Rematch: (cmd.Rematch, ()),
    proto.React: (ent.Reacted, ("reaction",)),
    proto.Say: (ent.Said, ("text",)),
    proto.Hash: (ent.Hashed, ("hash",)),
    proto.Alert: (ent.Alerted, ("kind", "target")),
}


def _refusal(error: GameError, language: str | None) -> bytes:
    answer = {"id": None, "done": False, "error": proto.error_json(error, language)}
    return answers_only([encode(answer)])


def _language(wanted: str | None) -> str | None:
    if wanted is None or wanted in texts.language_names():
        return wanted
    return texts.DEFAULT_LANGUAGE


async def _receive(receive: Any) -> str | bytes | None:
    """The next message; none when the socket has closed."""
    event = await receive()
    if event["type"] == "websocket.disconnect":
        return None
    text = event.get("text")
    return text if text is not None else event.get("bytes") or b""
