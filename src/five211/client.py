"""A client of the game server, for programs: bots, the terminal, tests (docs/protocol.md).

It keeps its view up to date, comes back by itself when the connection breaks and sends again what
was not answered, and takes part in the deal with words of its own.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from itertools import count
from typing import Any, NoReturn
from urllib.parse import urlencode, urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from five211.cards import Card, Cards
from five211.commands import Moment
from five211.errors import plain
from five211.events import Result
from five211.proof import WORDS, hash_words
from five211.rules import Rules
from five211.scoring import derive
from five211.state import Round, lay
from five211.table import Clock, Options
from five211.tableview import SeatView, TableView
from five211.view import SPECTATOR, View

FOR_GOOD = (1000, 4001, 4003, 4004)
"""Codes after which coming back makes no sense."""
FORBIDDEN = 403  # this server does not want us: see five211.server.gate
PAUSE = (0.1, 5.0)  # seconds between two attempts, the first and the longest
FAREWELL = 2.0  # seconds that a server has to say goodbye, too


class Refused(Exception):  # noqa: N818
    """The server refused something; `code` for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Left(Exception):  # noqa: N818
    """The server closed the connection for good."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


def socket_url(url: str, table: str = "") -> str:
    """The socket's address on a server; the table in it is for a proxy (docs/deploy.md)."""
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    query = urlencode({"table": table}) if table else ""
    return urlunsplit((scheme, parts.netloc, "/socket", query, ""))


class Client:
    """One connection to one table, through all interruptions."""

    def __init__(
        self,
        url: str,
        table: str = "",
        token: str | None = None,
        watch: str | None = None,
        language: str | None = None,
    ) -> None:
        self._url = socket_url(url, table)
        self._hello = {"table": table, "token": token, "watch": watch, "language": language}
        self._ids = count(1)
        self._prefix = secrets.token_hex(4)
        self._unanswered: dict[str, tuple[str, asyncio.Future[dict[str, Any]]]] = {}
        self._socket: ClientConnection | None = None
        self._words = b""
        self._answered: tuple[str, str] | None = None
        self._changed = asyncio.Condition()
        self._failed: BaseException | None = None
        self._refused: Refused | None = None
        self._welcome = False  # whether the last connection got a view
        self._ahead = 0.0  # of our clock
        self.connected = False
        """Whether there is a connection now; if not, it is being tried again."""
        self.version = 0
        """Counts what has changed: frames, and the connection itself."""
        self.n: int | None = None
        self.view: dict[str, Any] = {}
        self.events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def __aenter__(self) -> Client:
        self._task = asyncio.create_task(self._run())
        await self.until(lambda view: bool(view))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        if self._socket is not None:
            await self._socket.close()
        self.connected = False

    # What one does with it

    async def do(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a command and wait until it is done; `Refused` if it is not."""
        return await (await self._ask(kind, fields))

    async def _ask(self, kind: str, fields: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        """Send a command; its answer comes later."""
        id_ = f"{self._prefix}-{next(self._ids)}"
        text = json.dumps({"type": kind, "id": id_, **fields})
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._unanswered[id_] = (text, answer)
        await self._send(text)
        return answer

    async def choose(self, cards: Cards) -> None:
        """Put cards face down for the turn that is awaited."""
        await self.do("choose", moment=self.view["moment"], cards=[card.code for card in cards])

    async def until(self, good: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the view is as wanted."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._failed is not None or good(self.view))
        if self._failed is not None and not good(self.view):
            raise self._failed
        return self.view

    async def after(self, seen: int) -> int:
        """Wait until there is a newer version; which one. Raises what ended the connection."""
        await self.until(lambda _view: self.version != seen)
        return self.version

    def now(self) -> float:
        """The server's time, to which those in the view are compared."""
        return time.monotonic() + self._ahead

    # The connection

    async def _run(self) -> None:
        pause = PAUSE[0]
        try:
            while True:
                try:
                    await self._stay()
                except ConnectionClosed as closed:
                    code, reason = (
                        (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
                    )
                    if code in FOR_GOOD:
                        raise self._refused or Left(code, reason) from None
                    pause = PAUSE[0] if self._welcome else min(PAUSE[1], pause * 2)
                except InvalidStatus as status:
                    if status.response.status_code == FORBIDDEN:
                        raise Left(4003, "refused") from None
                    pause = min(PAUSE[1], pause * 2)  # a proxy whose server is just starting
                except (TimeoutError, OSError, InvalidHandshake):
                    pause = min(PAUSE[1], pause * 2)
                await self._lose()
                await asyncio.sleep(pause)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            await self._fail(error)

    async def _lose(self) -> None:
        """Let it be seen that there is no connection."""
        if self.connected:
            self.connected = False
            self.version += 1
            await self._show()

    async def _show(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _fail(self, error: BaseException) -> None:
        self._failed, self.connected = error, False
        for _, answer in self._unanswered.values():
            if not answer.done():
                answer.set_exception(error)
        await self._show()

    async def _stay(self) -> NoReturn:
        self._welcome = False
        connection = connect(self._url, compression=None, max_size=None, close_timeout=FAREWELL)
        async with connection as socket:
            hello = {"type": "hello", "protocol": 1, "seen": self.n, **self._hello}
            await socket.send(json.dumps(hello))
            await self._hear(await socket.recv())
            self._socket = socket
            self._welcome = True
            for text, _ in list(self._unanswered.values()):
                await socket.send(text)
            while True:
                await self._hear(await socket.recv())

    async def _send(self, text: str) -> None:
        if self._failed is not None:
            raise self._failed
        if self._socket is not None:
            with suppress(ConnectionClosed):  # it is sent again after coming back
                await self._socket.send(text)

    async def _hear(self, message: str | bytes) -> None:
        frame = json.loads(message)
        for answer in frame["answers"]:
            self._answer(answer)
        if not frame["view"] and not frame["n"]:
            return  # a refusal: the connection is about to close
        self._refused = None
        self.n = frame["n"]
        self.view.update(frame["view"])
        if "now" in frame:
            self._ahead = frame["now"] - time.monotonic()
        self.connected = True
        self.version += 1
        for event in frame["events"]:
            self.events.put_nowait(event)
        if "proof" in frame["view"] and self.view["proof"]:
            await self._take_part(self.view["proof"])
        await self._show()

    def _answer(self, answer: dict[str, Any]) -> None:
        _, waiting = self._unanswered.pop(answer["id"], (None, None))
        if answer["done"]:
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)
            return
        refused = Refused(answer["error"]["code"], answer["error"]["text"])
        if waiting is None:  # the connection is about to close, and the code says whether for good
            self._refused = refused
        elif not waiting.done():
            waiting.set_exception(refused)

    async def _take_part(self, proof: dict[str, Any]) -> None:
        """Send the hash of words, and then the words, when one is asked for them."""
        now = (proof["commitment"], proof["stage"])
        if self.view.get("you") not in proof["asked"] or now == self._answered:
            return
        self._answered = now
        if proof["stage"] == "hashes":
            self._words = secrets.token_bytes(WORDS)
            asked = await self._ask("hash", {"hash": hash_words(self._words)})
        else:
            asked = await self._ask("words", {"words": self._words.hex()})
        asked.add_done_callback(lambda answer: answer.exception())  # too late is no harm


def read_view(wire: dict[str, Any]) -> View:
    """The game's own `View` of what a server sends: what a bot of five211 is handed."""
    info = wire["info"]
    rules = Rules.of(info["players"], info["variant"])
    result = wire["result"]
    return View(
        rules=rules,
        viewer=SPECTATOR if wire["you"] is None else wire["you"],
        hand=_cards(wire.get("hand", [])),
        pile=wire["pile"],
        turns=_turns(wire["turns"]),
        rounds=_rounds(rules, wire["rounds"]),
        earlier=tuple(_rounds(rules, rounds) for rounds in wire["earlier"]),
        dealt=wire["phase"] == "choosing",
        result=None if result is None else Result(*(tuple(part) for part in result.values())),
    )


def read_table_view(wire: dict[str, Any]) -> TableView:
    """The table's own `TableView` of what a server sends.

    Who substitutes, and how patient the others must be, is not sent: `call_from` says the latter.
    While people gather, the number of games may not be known.
    """
    info, moment, proof, phase = (wire[key] for key in ("info", "moment", "proof", "phase"))
    places = zip(wire["seats"], wire["chosen"], wire["deadlines"], strict=True)
    choice = wire.get("choice")
    return TableView(
        viewer=SPECTATOR if wire["you"] is None else wire["you"],
        rules=Rules.of(info["players"], info["variant"]),
        options=Options(info["edition"], _clock(info["clock"]), info["show_chosen"]),
        game=0 if proof is None else int(proof["table"].rpartition("/")[2]),
        moment=None if moment is None else Moment(*(moment[key] for key in MOMENT)),
        seats=tuple(_seat(*place) for place in places),
        paused=wire["paused"],
        awaits_deck=phase == "dealing",
        view=None if phase == "gathering" else read_view(wire),
        choice=None if choice is None else _cards(choice),
        call_from=wire["call_from"],
    )


MOMENT = tuple(one.name for one in fields(Moment))
CLOCK = tuple(one.name for one in fields(Clock))


def _clock(clock: dict[str, Any] | None) -> Clock | None:
    return None if clock is None else Clock(**{key: clock[key] for key in CLOCK})


def _seat(seat: dict[str, Any], chosen: bool | None, deadline: float | None) -> SeatView:
    """A seat; a name is shown by a terminal, so nothing in it moves the cursor."""
    bot, substitute = (seat[key] and plain(seat[key]) for key in ("bot", "substitute"))
    free, present, host = (seat[key] for key in ("free", "present", "host"))
    return SeatView(plain(seat["name"]), bot, substitute, free, present, host, chosen, deadline)


def _cards(codes: list[str]) -> Cards:
    return tuple(Card(code) for code in codes)


def _turns(turns: list[list[list[str]]]) -> tuple[tuple[Cards, ...], ...]:
    return tuple(tuple(_cards(cards) for cards in turn) for turn in turns)


def _rounds(rules: Rules, rounds: list[dict[str, Any]]) -> tuple[Round, ...]:
    found = []
    for one in rounds:
        turns = _turns(one["turns"])
        found.append(Round(turns, derive(rules, lay(rules, turns))))
    return tuple(found)
