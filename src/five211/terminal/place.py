"""Where a game is played, as a terminal sees it: on this machine, or at a server's table.

`here.Here` and `away.Away` are the two; the screen and the lines know neither. What people may see
is a `TableView`; what they do is awaited, and refused with a `GameError`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from five211.cards import Cards
from five211.errors import GameError
from five211.tableview import TableView

Found = TypeVar("Found")


class Place(ABC):
    """A table that somebody at this terminal sits at."""

    show_points = True
    """Whether the host lets everybody's totals be seen before the end."""

    def __init__(self) -> None:
        self.version = 0
        """Counts what has changed: whoever has seen this one has seen all."""
        self.said: list[str] = []
        """What happened at the table besides the game, in words: who came, who went."""
        self.unkept: GameError | None = None
        """Why the record of the game that is over could not be kept; the next start tries again."""
        self._failed: Exception | None = None
        self._news = asyncio.Event()

    @property
    @abstractmethod
    def people(self) -> tuple[int, ...]:
        """The seats of the people at this terminal; one hand is shown at a time."""

    @abstractmethod
    def look(self, seat: int) -> TableView:
        """What one of them may see now."""

    @abstractmethod
    def now(self) -> float:
        """The table's time, to which deadlines are compared."""

    @abstractmethod
    async def choose(self, seat: int, cards: Cards) -> None:
        """Put cards face down for the turn that is awaited; when it returns, they are kept."""

    @abstractmethod
    async def take_back(self, seat: int) -> None:
        """Take them up again."""

    @abstractmethod
    async def start(self) -> None:
        """Begin the game, if it has not begun; free seats are filled with bots."""

    @abstractmethod
    async def again(self) -> None:
        """After the game: another one with the same players."""

    @abstractmethod
    async def close(self) -> None:
        """Nobody here plays any more; what was kept stays."""

    # What there is at a server's table only; a game at home has it as follows

    @property
    def host(self) -> bool:
        """Whether it is ours to start."""
        return True

    @property
    def connected(self) -> bool:
        """Whether the table hears us."""
        return True

    @property
    def link(self) -> str | None:
        """The address of the table, to tell friends."""
        return None

    @property
    def record_url(self) -> str | None:
        """Where the record of the game is, once it is over, if that is elsewhere."""
        return None

    @property
    def reactions(self) -> dict[str, str]:
        """What can be said with one word: each with its sentence."""
        return {}

    async def react(self, reaction: str) -> None:  # noqa: ARG002
        """Say one of them to the table."""
        raise GameError("alone")

    async def call_substitute(self, seat: int) -> None:
        """Ask for a substitute for somebody who has been awaited long enough."""
        raise GameError("not_awaited", seat=seat + 1)

    # News

    async def after(self, seen: int) -> int:
        """Wait until there is something newer; what it is counted as. Raises what went wrong."""
        while self.version == seen and self._failed is None:
            await self._news.wait()
        if self._failed is not None:
            raise self._failed
        return self.version

    def changed(self) -> None:
        """There is something new to see."""
        self.version += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    def fail(self, error: Exception) -> None:
        """The game cannot go on."""
        self._failed = error
        self.changed()


def in_thread(work: Callable[[], Found]) -> asyncio.Future[Found]:
    """What `work` gives, from a thread of its own; it keeps nobody from leaving."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Found] = loop.create_future()

    def settle(error: BaseException | None, value: Found | None) -> None:
        if found.done():
            return
        if error is None:
            found.set_result(value)  # type: ignore[arg-type]
        else:
            found.set_exception(error)

    def run() -> None:
        try:
            value, error = work(), None
        except Exception as failure:  # noqa: BLE001 - whoever waits gets it
            value, error = None, failure
            if isinstance(failure, StopIteration):  # a future cannot hold that one
                error = RuntimeError(repr(failure))
        except BaseException as failure:  # noqa: BLE001 - nor is it for us to end the program
            value, error = None, RuntimeError(repr(failure))
        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            loop.call_soon_threadsafe(settle, error, value)

    Thread(target=run, daemon=True).start()
    return found
