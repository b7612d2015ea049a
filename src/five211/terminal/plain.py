"""A game in lines of text: lines in, lines out, nothing redrawn.

For screen readers, dumb terminals and scripts: everything is there as a sentence. It plays at any
`Place`, and shows a hand only to the person whose turn it is. Here is what is asked, and what is
done about the answers; `telling` has the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from typing import Any

from five211 import texts
from five211.bots import Entry
from five211.cards import LONGEST_LINE, Cards
from five211.commands import Moment
from five211.errors import GameError
from five211.tableview import TableView
from five211.terminal.lines import Talk
from five211.terminal.place import Place
from five211.terminal.telling import Teller
from five211.view import View

COMMANDS = ("quit", "help", "undo", "last", "all", "scores", "call")
GRACE = 0.5  # seconds in which bots usually have chosen, before anybody is told to wait


class Quit(Exception):  # noqa: N818
    """The player has had enough."""


class Meanwhile(Exception):  # noqa: N818
    """Something happened at the table before anything was typed."""


def meant(language: str, line: str, among: Iterable[str]) -> str | None:
    """Which of these words a line is, in this language or in English."""
    for one in among if len(line) < LONGEST_LINE else ():
        for tongue in (language, texts.DEFAULT_LANGUAGE):
            if line.lower() in str(texts.template(tongue, f"play.word_{one}")).split():
                return one
    return None


class Plain:
    """The people at this terminal, through games at one place."""

    def __init__(
        self, place: Place, talk: Talk, language: str, opponents: Iterable[Entry] = ()
    ) -> None:
        self._place, self._talk, self._language = place, talk, language
        self._teller = Teller(place, talk, language)
        self._teller.greet(opponents)
        self._alone = len(place.people) == 1
        self._line: asyncio.Future[str] | None = None
        """What is being typed."""
        self._seen = place.version
        self._open: int | None = None
        """The seat whose hand may be shown; none behind the curtain."""
        self._shown: Moment | None = None
        """The turn for which a hand was shown last."""
        self._last: int = place.people[0]
        """Who chose last."""

    def go_on(self) -> None:
        """The game was interrupted another day."""
        self._teller.go_on()

    async def play(self) -> None:
        """One game to its end. `Quit` and `EOFError` end it early; it can be gone on with."""
        if self._teller.look().view is not None:
            await self._place.start()
        while True:
            self._seen = self._place.version
            self._teller.catch_up()
            now = self._teller.look()
            if now.view is not None and now.view.result is not None:
                return
            with suppress(Meanwhile):
                await (self._gather() if now.view is None else self._turn(now))

    async def another(self) -> bool:
        """After the end: whether there is to be another game."""
        with suppress(EOFError, Quit):
            while True:
                self._talk.ask(texts.say(self._language, "play.again"))
                line = await self._typed()
                if not line or meant(self._language, line, ("yes",)):
                    return True
                if meant(self._language, line, ("no",)):
                    return False
                await self._obey(line)
        return False

    # Hearing

    async def _typed(self) -> str:
        """The line that is typed."""
        line, self._line = self._line or self._talk.hear(), None
        try:
            return await line
        except EOFError:
            self._talk.say()
            raise

    async def _hear(self, prompt: str) -> str:
        """The line that is typed; `Meanwhile` if something happens at the table first."""
        before = self._awaited()
        self._talk.ask(prompt)
        self._line = self._line or self._talk.hear()
        while not self._line.done():
            await self._news(self._line)
            self._seen = self._place.version
            if not self._line.done() and (self._teller.untold() or self._awaited() != before):
                self._talk.say()
                raise Meanwhile
        return await self._typed()

    async def _news(self, *also: asyncio.Future[str], seconds: float | None = None) -> None:
        """Wait for something at the table, or for one of these; raises what went wrong there."""
        news = asyncio.ensure_future(self._place.after(self._seen))
        try:
            waiting: set[asyncio.Future[Any]] = {news, *also}
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if news.done() and news.exception() is not None:
                self._talk.say()
                self._teller.catch_up()
                news.result()
        finally:
            news.cancel()

    def _awaited(self) -> int | None:
        """The first of our people who is to choose."""
        for seat in self._place.people:
            now = self._place.look(seat)
            if now.moment is not None and now.choice is None:
                return seat
        return None

    # Asking

    async def _gather(self) -> None:
        """Before the game: whose it is to start says so."""
        self._teller.gather()
        host = self._place.host
        if not host and not self._talk.terminal:
            await self._news()
            return
        line = await self._hear(texts.say(self._language, "play.go" if host else "play.gather"))
        if meant(self._language, line, ("go",)):
            await self._try(self._place.start())
        else:
            await self._obey(line)

    async def _turn(self, now: TableView) -> None:
        seat = self._awaited()
        if seat is None:
            await self._wait(now)
        elif self._alone or self._open == seat:
            await self._ask(seat)
        else:
            await self._curtain(seat, now)

    async def _wait(self, now: TableView) -> None:
        """Others still choose; on a terminal one may change one's mind meanwhile."""
        await self._news(seconds=GRACE if self._talk.terminal else None)
        if not self._talk.terminal or self._place.version != self._seen or now.moment is None:
            return
        names = tuple(seat.name for seat in now.seats if seat.chosen is False)
        line = await self._hear(texts.say(self._language, "play.waiting", names=names))
        await (self._answer(line, self._last) if self._alone else self._obey(line))

    async def _curtain(self, seat: int, now: TableView) -> None:
        """Whose hand comes next sits down alone; what else is told here is public."""
        name = now.seats[seat].name
        line = await self._hear(texts.say(self._language, "play.curtain", name=name))
        if line:
            await self._obey(line)
        else:
            self._open, self._shown = seat, None

    async def _ask(self, seat: int) -> None:
        """Somebody's turn."""
        now = self._place.look(seat)
        assert now.view is not None
        if now.moment != self._shown:
            self._shown = now.moment
            self._teller.show_turn(seat)
        prompt = texts.say(self._language, "play.prompt", n=now.view.plays)
        if not self._alone:
            name = now.seats[seat].name
            prompt = texts.say(self._language, "play.prompt_of", name=name, prompt=prompt)
        await self._answer(await self._hear(prompt), seat)

    async def _let_bots_choose(self) -> None:
        """Bots are quick: whoever asks about the table sees that they have chosen."""
        seconds = GRACE if self._talk.terminal else None
        while any(seat.bot and seat.chosen is False for seat in self._teller.look().seats):
            self._seen = self._place.version
            await self._news(seconds=seconds)
            if self._place.version == self._seen:
                return

    # Answers

    async def _answer(self, line: str, seat: int) -> None:
        """What somebody typed whose hand is open: Enter, a command, or cards."""
        if not line:
            await self._let_bots_choose()
            self._teller.show(seat)
        elif line.startswith("!") or meant(self._language, line, COMMANDS):
            await self._obey(line, seat)
        else:
            await self._try(self._choose(seat, line))

    async def _choose(self, seat: int, line: str) -> None:
        now = self._place.look(seat)
        assert now.view is not None
        cards = self._read(line, now.view)
        if now.moment != self._shown:
            raise GameError("turn_over")
        await self._place.choose(seat, cards)
        self._last, self._open = seat, None
        if not self._alone:
            self._talk.clear()

    def _read(self, line: str, game: View) -> Cards:
        """Numbers of cards in the hand, also run together, or cards as they are typed."""
        digits = line[:LONGEST_LINE].replace(",", "").replace(" ", "")
        if len(line) > LONGEST_LINE or not (digits.isascii() and digits.isdigit()):
            return self._teller.words.read_cards(line)
        numbers = [int(digit) for digit in digits]
        if len(set(numbers)) < len(numbers) or not all(1 <= n <= len(game.hand) for n in numbers):
            raise GameError("numbers", n=game.plays, most=len(game.hand))
        return tuple(game.hand[number - 1] for number in numbers)

    async def _try(self, doing: Awaitable[None]) -> None:
        """Do it; what cannot be is told."""
        try:
            await doing
        except GameError as error:
            self._talk.say(self._teller.words.told(error).say(self._language))

    # Commands

    async def _obey(self, line: str, seat: int | None = None) -> None:
        """Anything but cards; without a seat no hand is open, and whoever chose last speaks."""
        command, now = meant(self._language, line, COMMANDS), self._teller.look()
        if command == "quit":
            raise Quit
        if command == "undo":
            await self._try(self._take_back(self._last if seat is None else seat))
        elif command == "call":
            await self._call(now)
        elif line.startswith("!"):
            await self._react(line[1:].strip())
        elif command in (None, "help") or now.view is None:
            self._teller.help()
        elif command == "scores":
            self._teller.scores(now.view)
        else:
            (self._teller.last_round if command == "last" else self._teller.whole_game)(now.view)

    async def _take_back(self, seat: int) -> None:
        await self._place.take_back(seat)
        self._teller.say("events.choice_none")

    async def _call(self, now: TableView) -> None:
        """A substitute for those who are awaited."""
        late = [n for n, seat in enumerate(now.seats) if not seat.chosen and not seat.bot]
        others = [n for n in late if n not in self._place.people]
        for seat in others or self._place.people[:1]:
            await self._try(self._place.call_substitute(seat))

    async def _react(self, reaction: str) -> None:
        """A word to the others; which there are, if it is none of them."""
        known = self._place.reactions
        if reaction in known or not known:
            await self._try(self._place.react(reaction))
        else:
            self._teller.tell(f"!{one}: {said}" for one, said in known.items())
