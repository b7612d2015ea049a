"""A game in lines of text: lines in, lines out, nothing redrawn.

For screen readers, dumb terminals and scripts: everything is there as a sentence. It plays on a
`Table` like every other interface, and shows only what the player's view holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from five211 import texts
from five211.bots import Bot, Entry, entry
from five211.cards import LONGEST_LINE, Cards
from five211.chance import shuffled, stream
from five211.characters import called, character
from five211.commands import BotChooses, Choose, Command, Deal, SeatBot, Sit, Start
from five211.conduct import apply
from five211.editions import words
from five211.errors import GameError
from five211.events import HandDealt
from five211.happenings import ChoiceKept, Chose
from five211.record import Record
from five211.rules import Rules
from five211.sentences import describe_tally, tell_lines, totals
from five211.table import Options, Table
from five211.view import View, view, visible

ME = "me"
MY_SEAT = 0
QUIT = ("q", "quit", "exit")


class PlainGame:
    """One person against bots."""

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[str | Entry],
        name: str,
        seed: str,
        options: Options,
        language: str,
        ask: Callable[[str], str],
        say: Callable[[str], None],
    ) -> None:
        self.seed = seed
        self.language = language
        self.words = words(language, options.edition)
        self.ask, self.say = ask, say
        self.bots: dict[int, tuple[Bot, Random]] = {}
        self.opponents = tuple(dict.fromkeys(entry(bot) for bot in bots))
        self.table = Table.new(rules, options)
        self._do(Sit(ME, name), aloud=False)
        for number, bot in enumerate(bots, start=1):
            self.bots[number] = entry(bot).make(), stream(seed, "bot", 0, number)
            self._do(SeatBot(ME, entry(bot).name), aloud=False)

    def play(self) -> Record:
        """The whole game. `EOFError` from `ask`, or a quit, ends it early as `Quit`."""
        rules, me = self.table.rules, self.table.seats[MY_SEAT].name
        self._say("play.welcome", players=rules.players, name=me)
        for one in self.opponents:
            self._introduce(one)
        self._say("play.how")
        self.say(self.words.legend())
        self._do(Start(ME))
        while not self._view.result:
            if self.table.awaits_deck:
                deal = len(self.table.match.deals) if self.table.match else 0
                self._do(Deal(shuffled(rules.deck, stream(self.seed, "deck", 0, deal))))
            self._let_bots_choose()
            self._choose()
        return self.table.record

    def _introduce(self, bot: Entry) -> None:
        """A line about an opponent that players know by a level."""
        told = character(self.language, bot.name)
        if told is not None and bot.level is not None:
            level = texts.fill(self.language, f"levels.{bot.level}")
            self._say("play.opponent", name=called(bot.name), level=level, character=told)

    @property
    def _view(self) -> View:
        assert self.table.match is not None
        return view(self.table.match, MY_SEAT)

    def _do(self, command: Command, aloud: bool = True) -> None:
        """One command to the table, and what comes of it told as far as the player may know."""
        self.table, events = apply(self.table, command, 0.0)
        names = [seat.name for seat in self.table.seats]
        for event in visible(events, MY_SEAT):
            # not what was just typed, nor the hand that is shown next
            if aloud and not isinstance(event, ChoiceKept | Chose | HandDealt):
                for line in tell_lines(event, names, self.language, self.words.edition):
                    self.say(line)

    def _let_bots_choose(self) -> None:
        match, moment = self.table.match, self.table.moment
        assert match is not None
        assert moment is not None
        for number in self.table.bots_awaited:
            bot, rng = self.bots[number]
            cards = bot.choose(view(match, number), rng)
            self._do(BotChooses(number, moment, cards))

    def _choose(self) -> None:
        """Ask until a choice is made."""
        self._show()
        while True:
            prompt = texts.say(self.language, "play.prompt", n=self._view.plays)
            line = self.ask(f"{prompt}> ").strip()
            moment = self.table.moment
            assert moment is not None
            if line.lower() in QUIT:
                raise Quit
            if not line:
                self._show()
            elif line == "?":
                self._help()
            else:
                try:
                    self._do(Choose(ME, moment, self._read(line)))
                except GameError as error:
                    self.say(self.words.told(error).say(self.language))
                else:
                    return

    def _read(self, line: str) -> Cards:
        """Numbers of cards in the hand, also run together, or cards as they are typed."""
        hand = self._view.hand
        digits = line[:LONGEST_LINE].replace(",", "").replace(" ", "")
        if len(line) > LONGEST_LINE or not (digits.isascii() and digits.isdigit()):
            return self.words.read_cards(line)
        numbers = [int(digit) for digit in digits]
        if len(set(numbers)) < len(numbers) or not all(1 <= n <= len(hand) for n in numbers):
            raise GameError("numbers", n=self._view.plays, most=len(hand))
        return tuple(hand[number - 1] for number in numbers)

    def _show(self) -> None:
        """Everything that the player can see, as sentences."""
        now, rules, w = self._view, self.table.rules, self.words
        names = [seat.name for seat in self.table.seats]
        if not now.turns:
            self.say("")
        if rules.goal is not None:
            self._say("play.long", deal=len(now.earlier) + 1, goal=rules.goal)
        self._say(
            "play.status",
            round=now.round + 1,
            rounds=rules.rounds,
            turn=now.turn + 1,
            turns=len(rules.plays),
            pile=now.pile,
            limit=rules.limit,
        )
        self._say("play.score", totals=totals(names, now.points, w))
        if now.turns:
            for name, cards in zip(names, now.table, strict=True):
                self._say("play.seat", name=name, cards=w.cards(cards))
            for line in describe_tally(now.tally, w):
                self.say(line)
        numbered = (f"{n}={w.card(card)}" for n, card in enumerate(now.hand, start=1))
        self._say("play.hand", cards="  ".join(numbered))

    def _help(self) -> None:
        rules = self.table.rules
        icons = self.words.icon(rules.exact)
        then = texts.fill(self.language, "book.then")
        plays = then.join(str(count) for count in rules.plays)
        fields = {"limit": rules.limit, "exact": rules.exact, "icons": icons, "plays": plays}
        self._say("play.help", **fields)
        self._say("play.how")

    def _say(self, key: str, **fields: object) -> None:
        self.say(texts.say(self.language, key, **fields))


class Quit(Exception):  # noqa: N818
    """The player has had enough."""
