"""People who play through everything, and write down what they asked and were answered.

Each game's log is compared with that (`history`) before the next begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any

from five211.client import Refused, read_view, socket_url
from five211.record import parse
from tests.server.players import may_choose, some_choice
from tests.services.cluster import Cluster
from tests.services.history import Evidence, Witness

LATE = ("turn_over", "nothing_to_choose")  # another was quicker
EXPECTED = (*LATE, "nothing_to_take_back", "too_late", "words_not_asked")


class Person:
    """Somebody who plays, changes their mind, and whose machine may die."""

    def __init__(self, cluster: Cluster, seat: dict[str, Any], rng: Random) -> None:
        self._cluster, self._seat, self._rng = cluster, seat, rng
        self._names_table = rng.random() < 0.5
        """If not, nginx goes by the address, and another process may serve them."""
        self.deaths = 0
        self.client = self._new(1)

    def _new(self, game: int) -> Witness:
        url, seat = self._cluster.url, self._seat
        client = Witness(url, seat["table"], seat["token"]).noted(self._cluster.history, game)
        if not self._names_table:
            client._url = socket_url(url, "")
        return client

    async def __aenter__(self) -> Person:
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.client._socket is not None:
            self.client._socket.transport.abort()
        await self.client.__aexit__()

    async def die(self) -> None:
        """Nobody waits for what was asked last; somebody else with the same token goes on."""
        self.deaths += 1
        game = self.client.game
        await self.__aexit__()
        self.client = self._new(game)
        await self.client.__aenter__()

    async def play(self) -> None:
        while True:
            seen = await self.client.until(may_choose)
            if seen["phase"] == "over":
                return
            await self._turn(seen)

    async def _turn(self, seen: dict[str, Any]) -> None:
        moment, rng = seen["moment"], self._rng
        while True:
            codes = [card.code for card in some_choice(seen, rng)]
            if rng.random() < 0.01:
                await self._ask_and_die("choose", moment=moment, cards=codes)
                return
            if not await self._ask("choose", moment=moment, cards=codes) or rng.random() < 0.6:
                break
            if rng.random() < 0.3 and not await self._ask("take_back", moment=moment):
                break
            if self.client.view["moment"] != moment:
                return
        if rng.random() < 0.1:
            await self._ask("react", reaction="wow")

    async def _ask(self, kind: str, **fields: Any) -> bool:
        try:
            await self.client.do(kind, **fields)
        except Refused as refused:
            assert refused.code in EXPECTED, (refused.code, kind, fields)  # noqa: PT017
            return False
        return True

    async def _ask_and_die(self, kind: str, **fields: Any) -> None:
        asking = asyncio.create_task(self._ask(kind, **fields))
        await asyncio.sleep(self._rng.choice((0.0, 0.005, 0.05)))
        await self.die()
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking


class Table:
    """People around one table, game after game; each game's log is read before the next."""

    def __init__(self, cluster: Cluster, number: int, rng: Random) -> None:
        self._cluster, self._rng = cluster, rng
        self._players, self._bots = 2 + number % 4, number % 2
        clock = {"seconds": 5.0, "reserve": 0.0, "correspondence": False}
        self._options = {"clock": clock} if number % 3 == 2 else {}
        self.game = 0
        self.persons: list[Person] = []

    async def play(self, enough: asyncio.Event) -> None:
        cluster = self._cluster
        seats = await cluster.seats(self._players, self._bots, **self._options)
        async with AsyncExitStack() as stack:
            for seat in seats:
                person = Person(cluster, seat, Random(self._rng.random()))
                self.persons.append(await stack.enter_async_context(person))
            while True:
                self.game += 1
                for person in self.persons:
                    person.client.game = self.game
                if self.game > 1:
                    await self.persons[-1].client.do("rematch")
                    await self._all(lambda seen: seen["phase"] == "gathering")
                await self.persons[0].client.do("start")
                await self._all(lambda seen: seen["phase"] != "gathering")
                await asyncio.gather(*(person.play() for person in self.persons))
                await self._check(seats[0]["table"])
                if enough.is_set():
                    return

    async def _all(self, good: Callable[[dict[str, Any]], bool]) -> None:
        await asyncio.gather(*(person.client.until(good) for person in self.persons))

    async def _check(self, table: str) -> None:
        cluster, number = self._cluster, self.game
        rows, game = await cluster.written(table, number)
        views = [read_view(person.client.view) for person in self.persons]
        operations = cluster.history.of(table, number)
        evidence = Evidence(operations, rows, parse(game.record), views, number)
        cluster.problems += evidence.problems()
        cluster.games += 1
        cluster.rows += len(rows)
        cluster.choices += sum(
            one.kind == "choose" and one.outcome == "acknowledged" for one in operations
        )

    def state(self) -> str:
        """What can be said of it when it hangs."""
        lines = [f"table with {self._players}, {self._bots} of them bots, game {self.game}"]
        for person in self.persons:
            seen, client = person.client.view, person.client
            parts = {key: seen.get(key) for key in ("you", "phase", "moment", "choice", "chosen")}
            waits = [text for text, _ in client._unanswered.values()]
            lines.append(f"  {client.connected=} {parts} {waits=} {client._failed!r}")
            lines.append(f"    {seen.get('seats')} {seen.get('proof')}")
        return "\n".join(lines)
