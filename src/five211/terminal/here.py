"""A game on this machine: people at this terminal against bots, and nothing lost if it dies.

Every choice is written down before it counts (`saved`). Bots think in threads of their own, each
turn with a stream of its own, so that a game that was interrupted goes on as it would have.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import msgspec

from five211.bots import Entry, prepare
from five211.cards import Card, Cards
from five211.chance import shuffled, stream
from five211.commands import BotChooses, Choose, Command, Deal, SeatBot, Sit, Start, TakeBack
from five211.conduct import apply
from five211.errors import GameError
from five211.record import write
from five211.rules import Rules
from five211.table import Options, Table
from five211.tableview import TableView, table_view
from five211.terminal.place import Place, in_thread
from five211.terminal.saved import Log, Move, Setup
from five211.view import view

Load = Callable[[str], Entry]
"""Finds a bot by what it was asked for."""


class Here(Place):
    """One game after the other, of the same people and bots."""

    def __init__(self, setup: Setup, load: Load, log: Log, moves: tuple[Move, ...] = ()) -> None:
        super().__init__()
        self.setup, self._log = setup, log
        rules = Rules.of(setup.players, setup.variant)
        if not setup.people or len(setup.people) + len(setup.bots) != rules.players:
            needed = rules.players - len(setup.people)
            raise GameError("opponents_number", n=needed, given=len(setup.bots))
        self.opponents = tuple(load(bot) for bot in setup.bots)
        self._bots = {
            number: entry.make() for number, entry in enumerate(self.opponents, len(setup.people))
        }
        self._prepared: set[int] = set()
        self._thinking: set[asyncio.Task[None]] = set()
        self._asked: set[tuple[int, object]] = set()
        self._one_thinks = asyncio.Lock()  # more than one would only keep keys waiting
        self.table = self._gathered(rules)
        self._deal()
        for move in moves:
            self._replay(move)

    def _gathered(self, rules: Rules, games: int = 0) -> Table:
        """A table at which everybody sits, and the game begins after so many others."""
        table = replace(Table.new(rules, Options(edition=self.setup.edition)), game=games)
        people = [Sit(str(number), name) for number, name in enumerate(self.setup.people)]
        bots = [SeatBot("0", entry.name) for entry in self.opponents]
        commands: list[Command] = [*people, *bots, Start("0")]
        for command in commands:
            table, _events = apply(table, command, 0.0)
        return table

    @staticmethod
    def begin(setup: Setup, load: Load) -> Here:
        """A new game; what cannot be played leaves no file behind."""
        log = Log.begin(setup)
        try:
            return Here(setup, load, log)
        except Exception:
            log.drop()
            raise

    @staticmethod
    def resume(log: Log, load: Load) -> Here | None:
        """A game that was interrupted; none if there is nothing to go on with.

        Its file may be damaged, a bot's file gone; or the game was over, and is a record now.
        """
        found = log.read()
        with suppress(GameError):
            if found is not None:
                here = Here(found[0], load, log, found[1])
                if not here.over:
                    return here
                log.finish(here.record)
        log.close()
        return None

    # What a place is

    @property
    def people(self) -> tuple[int, ...]:
        """The first seats."""
        return tuple(range(len(self.setup.people)))

    def look(self, seat: int) -> TableView:
        """What one of the people may see."""
        return table_view(self.table, seat)

    def now(self) -> float:
        """There is no clock at home."""
        return 0.0

    async def start(self) -> None:
        """The game has begun already: let the bots think."""
        self._go_on()

    async def choose(self, seat: int, cards: Cards) -> None:
        """Put cards face down."""
        moment = self.table.moment
        if moment is None:
            raise GameError("nothing_to_choose")
        self._keep(seat, Choose(str(seat), moment, cards), cards)

    async def take_back(self, seat: int) -> None:
        """Take them up again."""
        moment = self.table.moment
        if moment is None:
            raise GameError("nothing_to_choose")
        self._keep(seat, TakeBack(str(seat), moment), ())

    async def again(self) -> None:
        """The same players, other cards."""
        if not self.over:
            raise GameError("game_not_over")
        setup = msgspec.structs.replace(
            self.setup, seed=secrets.token_hex(16), id=secrets.token_hex(8)
        )
        log = Log.begin(setup)
        self._let_go()
        self._log = log
        self.setup, self.table = setup, self._gathered(self.table.rules, self.table.game)
        self.unkept = None
        self._go_on()

    async def close(self) -> None:
        """Leave the game as it is, to go on with it another time."""
        for task in self._thinking:
            task.cancel()
        self._let_go()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.match is not None and self.table.match.over

    @property
    def record(self) -> str:
        """The game so far, with every hidden card, as JSON."""
        return write(self.table.record)

    # Its own

    def _keep(self, seat: int, command: Command, cards: Cards) -> None:
        """Judge, write, then let it count."""
        table, _events = apply(self.table, command, 0.0)
        # a bot's own choice would be the same again: it has to last when everybody has seen it
        lasts = seat not in self._bots or table.match != self.table.match
        self._log.note(seat, tuple(card.code for card in cards), lasts)
        self.table = table
        self._go_on()

    def _replay(self, move: Move) -> None:
        """What was written down counts again."""
        moment = self.table.moment
        if moment is None:
            raise GameError("game_over")
        cards, person = tuple(Card(code) for code in move.cards), str(move.seat)
        if move.seat in self._bots:
            self._do(BotChooses(move.seat, moment, cards))
        else:
            self._do(Choose(person, moment, cards) if cards else TakeBack(person, moment))
        self._deal()

    def _do(self, command: Command) -> None:
        self.table, _events = apply(self.table, command, 0.0)

    def _deal(self) -> None:
        if self.table.awaits_deck:
            match, rules = self.table.match, self.table.rules
            assert match is not None
            rng = stream(self.setup.seed, "deck", 0, len(match.deals))
            self._do(Deal(shuffled(rules.deck, rng)))

    def _go_on(self) -> None:
        """Deal if that is awaited, have bots think, and put a finished game among the records."""
        self._deal()
        if self.over:
            self._finish()
        for number in self.table.bots_awaited:
            asked = number, self.table.moment
            if asked not in self._asked:
                self._asked.add(asked)
                task = asyncio.create_task(self._think(number))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)
        self.changed()

    def _let_go(self) -> None:
        """The file is left as it is; a record that found no room may find it now."""
        if self.unkept is not None:
            self._finish()
        self._log.close()

    def _finish(self) -> None:
        self.unkept = None
        try:
            self._log.finish(self.record)
        except GameError as error:
            self.unkept = error

    async def _think(self, number: int) -> None:
        match, moment, bot = self.table.match, self.table.moment, self._bots[number]
        assert match is not None
        assert moment is not None
        label = (moment.deal, moment.round, moment.turn)
        rng = stream(self.setup.seed, "bot", 0, number, *label)
        try:
            async with self._one_thinks:
                if number not in self._prepared:
                    await in_thread(partial(prepare, bot))
                    self._prepared.add(number)
                cards = await in_thread(partial(bot.choose, view(match, number), rng))
            self._keep(number, BotChooses(number, moment, cards), cards)
        except Exception as error:  # noqa: BLE001 - a bot of one's own may do anything
            self.fail(error)
