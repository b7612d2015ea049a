"""A seat at a server's table, by the same protocol as the browser (docs/protocol.md).

The server judges, and `Client` stays in touch. Whoever closes the terminal goes away and keeps the
seat; nobody leaves for good by closing a window.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, get_args

from five211 import texts
from five211.cards import Cards
from five211.client import Client, Left, Refused, read_table_view
from five211.errors import GameError, file_name, in_a_line, plain, short
from five211.events import GameEvent
from five211.joining import Address, House, look_up, namesakes, read_address, take_seat
from five211.sentences import snake_name
from five211.tableview import TableView
from five211.terminal.place import Place, in_thread
from five211.terminal.seats import Kept, Seat, keep, kept

FILL = "easy"
"""Who takes the seats that are free when the game starts."""
GAME = {snake_name(kind.__name__) for kind in get_args(GameEvent)}
SILENT = GAME | {"choice_kept", "chose", "took_back", "deal_bound", "hashes_in"}
"""Events that the view tells already, or that nobody wants to hear each turn."""


class Away(Place):
    """One person at a table elsewhere."""

    def __init__(self, client: Client, house: House, seat: Kept, language: str) -> None:
        super().__init__()
        self._client, self._house, self._kept, self._language = client, house, seat, language
        self._seat: int = client.view["you"]
        self._seen: tuple[int, TableView] | None = None
        self.look(self._seat)  # better to know at once if it cannot be read
        self.show_points = bool(client.view["info"]["show_points"])
        self._task = asyncio.create_task(self._attend())

    # What a place is

    @property
    def people(self) -> tuple[int, ...]:
        """The seat that is ours."""
        return (self._seat,)

    def look(self, seat: int) -> TableView:
        """What the server lets us see."""
        self._check(seat)
        version = self._client.version
        if self._seen is None or self._seen[0] != version:
            try:
                self._seen = version, read_table_view(self._client.view)
            except Exception as error:  # noqa: BLE001 - a server may say anything
                strange = in_our_words(error, self._house.server)
                if self._seen is None:
                    raise strange from None
                self._seen = version, self._seen[1]  # the last that could be read
                self.fail(strange)
        return self._seen[1]

    def now(self) -> float:
        """The server's time."""
        return self._client.now()

    async def choose(self, seat: int, cards: Cards) -> None:
        """Put cards face down; when the connection is lost, this waits until it is back."""
        self._check(seat)
        await self._do("choose", moment=self._moment, cards=[card.code for card in cards])

    async def take_back(self, seat: int) -> None:
        """Take them up again."""
        self._check(seat)
        await self._do("take_back", moment=self._moment)

    async def start(self) -> None:
        """Begin, if that is ours to do."""
        if self._view["phase"] == "gathering" and self.host:
            await self._do("start", "already_started", fill=FILL)

    async def again(self) -> None:
        """Gather for another game, which the host starts."""
        if self._view["phase"] == "over":
            await self._do("rematch", "game_not_over")  # somebody else was quicker
        await self.start()

    async def close(self) -> None:
        """Go away; the seat stays ours, here and at the table."""
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._client.__aexit__()
        self._kept.close()

    # What people at a server's table look for

    @property
    def connected(self) -> bool:
        """Whether the server hears us; if not, that is being tried again."""
        return self._client.connected

    @property
    def host(self) -> bool:
        """Whether it is ours to start: we are the host, or the host is away."""
        seats = enumerate(self._view["seats"])
        return {number for number, one in seats if one["host"] and one["present"]} <= {self._seat}

    @property
    def link(self) -> str | None:
        """The address of this table, to tell friends."""
        info = self._view["info"]
        if info.get("code") is None:
            return None
        best = (*self._house.addresses, self._house.server)[0]
        return plain(f"{best}/t/{info['id']}#{info['code']}")

    @property
    def record_url(self) -> str | None:
        """Where the record of the game is, once it is over."""
        if self._view["phase"] != "over":
            return None
        game = self._view["proof"]["table"].replace("/", "-")
        return plain(f"{self._house.server}/api/games/{game}/record")

    @property
    def reactions(self) -> dict[str, str]:
        """What can be said with one key: each with its words."""
        return {one: self._reaction(one) for one in self._house.reactions}

    async def react(self, reaction: str) -> None:
        """Say one of them to the table."""
        await self._do("react", reaction=reaction)

    async def call_substitute(self, seat: int) -> None:
        """Ask for a substitute for somebody who has been awaited until `call_from`."""
        await self._do("call_substitute", seat=seat)

    # Its own

    @property
    def _view(self) -> dict[str, Any]:
        return self._client.view

    @property
    def _moment(self) -> Any:
        moment = self._view["moment"]
        if moment is None:
            raise GameError("nothing_to_choose")
        return moment

    def _check(self, seat: int) -> None:
        if seat != self._seat:
            raise GameError("not_seated")

    async def _do(self, kind: str, *fine: str, **fields: Any) -> None:
        """Ask the server for something; some refusals are just as well."""
        try:
            await self._client.do(kind, **fields)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is said in words
            if not isinstance(error, Refused) or error.code not in fine:
                raise in_our_words(error, self._house.server) from None

    async def _attend(self) -> None:
        """Pass on what comes, until the seat is lost."""
        seen = 0
        try:
            while True:
                seen = await self._client.after(seen)
                self._listen()
                self.look(self._seat)
                self.changed()
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            if isinstance(error, Left | Refused):
                self._kept.drop()
            self.fail(in_our_words(error, self._house.server))

    def _listen(self) -> None:
        events = self._client.events
        for _ in range(events.qsize()):
            event = events.get_nowait()
            if event["event"] not in SILENT:
                self.said.append(in_a_line(self._sentence(event)))

    def _sentence(self, event: dict[str, Any]) -> str:
        """An event in words: the server's, but a reaction has words of its own."""
        if event["event"] != "reaction":
            return str(event["text"])
        name, reaction = self._view["seats"][event["seat"]]["name"], event["reaction"]
        words = self._reaction(reaction)
        return texts.say(self._language, "events.reaction", name=name, reaction=words)

    def _reaction(self, reaction: str) -> str:
        """Its words, or what a newer server calls it."""
        known = texts.load("languages", self._language)["reactions"]
        return (
            texts.fill(self._language, f"reactions.{reaction}") if reaction in known else reaction
        )


class ServerRefusal(GameError):  # noqa: N818
    """What a server refused: its code and its sentence, which is in our language already."""

    @classmethod
    def of(cls, refused: Refused) -> ServerRefusal:
        """The same as a refusal of a table here."""
        return cls(refused.code, text=in_a_line(str(refused)))

    def say(self, language: str = texts.DEFAULT_LANGUAGE) -> str:  # noqa: ARG002
        """The server's own words."""
        return str(self.fields["text"])


def in_our_words(error: Exception, server: str) -> GameError:
    """What went wrong between us and a server."""
    if isinstance(error, Refused):
        return ServerRefusal.of(error)
    if isinstance(error, Left):
        known = {4001: GameError("seat_lost"), 4004: GameError("table_closed")}
        return known.get(error.code) or GameError("join_ended", reason=short(str(error)))
    return GameError("join_strange", url=file_name(server))


async def join(
    url: str,
    table: str | None,
    code: str | None,
    name: str | None,
    token: str | None,
    language: str,
) -> Away:
    """Find the table and sit down, or come back to the seat that is still ours.

    Whoever wishes for no name gets one that nobody has yet.
    """
    name = name or None
    address = read_address(url, table, code)
    house, found = await in_thread(partial(look_up, address, language))
    for one in kept(house.server, found, name, token):
        try:
            return await _enter(house, one, language)
        except GameError:  # it is nobody's any more
            continue
    if token is None:
        names = namesakes(texts.fill(language, "play.you")) if name is None else [name]
        here = Address(house.server, found, address.code)
        sitting = in_thread(partial(take_seat, here, names, None, None, language))
        token = (await sitting)[1]
    seat = Seat(server=house.server, table=found, name=name or "", token=token)
    return await _enter(house, keep(seat), language)


async def _enter(house: House, seat: Kept, language: str) -> Away:
    client = Client(house.server, seat.seat.table, seat.seat.token, language=language)
    async with AsyncExitStack() as stack:  # also for somebody who waits no longer
        stack.callback(seat.close)
        stack.push_async_exit(client)
        try:
            await client.__aenter__()
            away = Away(client, house, seat, language)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is said in words
            if isinstance(error, Left | Refused):
                seat.drop()
            raise in_our_words(error, house.server) from None
        stack.pop_all()
    return away
