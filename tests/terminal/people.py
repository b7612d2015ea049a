"""Help for tests of games at home: somebody who hears what is said, and answers as told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from five211.bots import Entry, entry
from five211.cards import Cards
from five211.record import Record, parse
from five211.terminal.here import Here, Load
from five211.terminal.lines import Talk
from five211.terminal.plain import Plain
from five211.terminal.saved import Setup, games_file, interrupted

CLEARED = "\x0c"
"""What is heard when everything is pushed off the screen."""
BOTS = ("hasty", "random", "hasty", "random")


def setup(
    players: int = 3,
    variant: str = "standard",
    edition: str = "classic",
    seed: str = "7",
    people: Sequence[str] = ("Ana",),
    bots: Sequence[str] = (),
) -> Setup:
    """A game at home."""
    return Setup(
        players=players,
        variant=variant,
        edition=edition,
        people=tuple(people),
        bots=tuple(bots or BOTS[: players - len(people)]),
        seed=seed,
    )


Answer = Callable[["Person"], str]


class Person(Talk):
    """Hears lines, and answers at once."""

    def __init__(self, answer: Answer, terminal: bool = False) -> None:
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.all: list[str] = []
        """Both, in order."""
        self.answer, self.terminal = answer, terminal

    def say(self, text: str = "") -> None:
        self.heard.append(text)
        self.all.append(text)

    def ask(self, prompt: str) -> None:
        self.asked.append(prompt)
        self.all.append(prompt)

    def hear(self) -> asyncio.Future[str]:
        line: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        try:
            line.set_result(self.answer(self).strip())
        except EOFError as error:
            line.set_exception(error)
        return line

    def clear(self) -> None:
        self.say(CLEARED)

    async def until(self, text: str, since: int = 0) -> int:
        """Wait until this is said or asked; where that was, to look for what follows."""
        while not any(text in line for line in self.all[since:]):
            await asyncio.sleep(0.01)
        return since + next(n for n, line in enumerate(self.all[since:], 1) if text in line)

    @property
    def hand(self) -> list[str]:
        """The cards as the last line that shows them has them, by what may be typed."""
        return re.findall(r"\d=(\S+)", next(x for x in reversed(self.heard) if "1=" in x))

    @property
    def plays(self) -> int:
        """How many cards are to be played."""
        return int(re.findall(r"(\d) c", self.asked[-1])[0])


class Typist(Person):
    """Types a line when the test does."""

    def __init__(self, terminal: bool = True) -> None:
        super().__init__(then(), terminal)
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self) -> asyncio.Future[str]:
        return asyncio.ensure_future(self._hear())

    async def _hear(self) -> str:
        line = await self._typed.get()
        if line is None:
            raise EOFError
        return line

    def type(self, line: str | None) -> None:
        """A line, or none: the end of the input."""
        self._typed.put_nowait(line)


def by_number(person: Person) -> str:
    """The first cards of the hand; behind a curtain, Enter."""
    return " ".join("12"[: person.plays]) if " c" in person.asked[-1] else ""


def by_code(person: Person) -> str:
    """The same cards by what they are called."""
    return ", ".join(person.hand[: person.plays]).lower()


def then(*lines: str) -> Answer:
    """These lines, and the end of the input after them."""
    left = list(lines)

    def answer(_person: Person) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return answer


class Player:
    """Somebody, or several, in a game at home."""

    def __init__(
        self,
        answer: Answer,
        game: Setup | None = None,
        language: str = "en",
        load: Callable[[str], Entry] = entry,
        terminal: bool = False,
    ) -> None:
        self.person, self.language = Person(answer, terminal), language
        self._setup, self._load = game or setup(), load

    @property
    def heard(self) -> list[str]:
        return self.person.heard

    @property
    def asked(self) -> list[str]:
        return self.person.asked

    def play(self) -> Record:
        """The game, to its end or to that of the answers."""
        return asyncio.run(self._play())

    async def _play(self) -> Record:
        self.here = Here.begin(self._setup, self._load)
        try:
            plain = self.plain = Plain(self.here, self.person, self.language, self.here.opponents)
            await plain.play()
        finally:
            await self.here.close()
        return self.here.table.record


class Waits:
    """A bot that lets itself be awaited: it chooses when it is told to."""

    def __init__(self) -> None:
        self.may = Event()

    def choose(self, view, rng):  # type: ignore[no-untyped-def]  # noqa: ARG002
        self.may.wait(60)
        return view.choices[0]


async def play_first(here: Here) -> None:
    """Everybody here plays the first cards of their hand, to the end."""
    await here.start()
    while not here.over:
        seen = here.version
        for seat in here.people:
            now = here.look(seat)
            if now.moment is not None and now.choice is None:
                await here.choose(seat, first(here, seat))
        if not here.over and here.version == seen:
            await here.after(seen)


def first(here: Here, seat: int) -> Cards:
    """The first cards of a hand."""
    view = here.look(seat).view
    assert view is not None
    return view.hand[: view.plays]


def kept() -> list[Record]:
    """The games that were finished here, without what they are called."""
    lines = games_file().read_text(encoding="utf-8").splitlines()
    return [replace(parse(line), extra={}) for line in lines]


def offered() -> list[Path]:
    """The files of the games that can be gone on with, the newest first."""
    found = []
    for log in interrupted():
        found.append(log.path)
        log.close()
    return found


def played(game: Setup, load: Load = entry) -> Record:
    """The record of a game that nobody interrupts."""

    async def whole() -> Record:
        here = Here.begin(game, load)
        await play_first(here)
        await here.close()
        return here.table.record

    return asyncio.run(whole())
