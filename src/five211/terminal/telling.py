"""What is told of a game in lines: what is new, what is asked for again, and the table.

All of it comes from views, each as one person may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from five211 import texts
from five211.bots import Entry
from five211.cards import Cards
from five211.characters import called, character
from five211.editions import words
from five211.events import Drew, Event
from five211.happenings import GameStarted
from five211.sentences import tell_lines
from five211.tableview import TableView
from five211.terminal import aloud
from five211.terminal.lines import Talk
from five211.terminal.place import Place
from five211.terminal.story import Chapter, public_events, story
from five211.view import View


class Teller:
    """Tells the people at this terminal about one place."""

    def __init__(self, place: Place, talk: Talk, language: str) -> None:
        self._place, self._talk, self.language = place, talk, language
        self.words = words(language, self.look().options.edition)
        self._said = 0
        """How much of what the place said was passed on."""
        self._game, self._told = 0, 0
        """The game of which something was told, and how many of its events."""
        self._connected = True
        self._gathered: list[str] = []
        self._hands: dict[int, tuple[tuple[int, ...], Cards]] = {}
        """The hand that each of the people was shown last, and in which turn."""

    def look(self) -> TableView:
        """The table as the first of the people sees it: no more of it than is public is told."""
        return self._place.look(self._place.people[0])

    def say(self, key: str, **fields: object) -> None:
        """A sentence."""
        self._talk.say(texts.say(self.language, key, **fields))

    def tell(self, lines: Iterable[str]) -> None:
        """Several of them."""
        for line in lines:
            self._talk.say(line)

    # The beginning

    def greet(self, opponents: Iterable[Entry]) -> None:
        """Who plays, and how."""
        now, people = self.look(), self._place.people
        names, players = aloud.names(now), len(now.seats)
        if len(people) > 1:
            at_home = tuple(names[seat] for seat in people)
            self.say("play.welcome_people", players=players, names=at_home)
        else:
            seat = people[0]
            self.say("play.welcome", players=players, name=names[seat], seat=seat + 1)
        for bot in dict.fromkeys(opponents):
            self._introduce(bot)
        if self._place.link is not None:
            self.say("play.link", link=self._place.link)
        self.say("play.how")
        self._talk.say(self.words.legend())

    def _introduce(self, bot: Entry) -> None:
        """A line about an opponent that players know by a level."""
        told = character(self.language, bot.name)
        if told is not None and bot.level is not None:
            level = texts.fill(self.language, f"levels.{bot.level}")
            self.say("play.opponent", name=called(bot.name), level=level, character=told)

    def go_on(self) -> None:
        """What is on the table was told another day."""
        self._note()
        self.say("events.resumed")

    def gather(self) -> None:
        """Who sits at the table before the game, if that is another than before."""
        lines = list(aloud.gathered(self.look(), self.words))
        if lines != self._gathered:
            self._gathered = lines
            self.tell(lines)

    # What is new

    def untold(self) -> list[str]:
        """All that has happened since."""
        begins = self._sentences([GameStarted(0)])  # a server says so, too; once is enough
        lines = [line for line in self._place.said[self._said :] if line not in begins]
        if self._place.connected != self._connected:
            key = "play.found" if self._place.connected else "play.lost"
            lines.append(texts.say(self.language, key))
        now = self.look()
        if now.view is not None:
            same = now.game == self._game
            lines += [] if same else begins
            lines += self._sentences(public_events(now.view)[self._told * same :])
        return lines

    def catch_up(self) -> None:
        """Tell it."""
        lines = self.untold()
        self._note()
        self.tell(lines)

    def _note(self) -> None:
        now = self.look()
        self._said, self._connected = len(self._place.said), self._place.connected
        if now.view is not None:
            self._game, self._told = now.game, len(public_events(now.view))

    def _sentences(self, events: Iterable[Event]) -> list[str]:
        names, edition = aloud.names(self.look()), self.words.edition
        told = (tell_lines(event, names, self.language, edition) for event in events)
        return list(chain.from_iterable(told))

    # The table

    def show_turn(self, seat: int) -> None:
        """A turn as it begins, to whoever is to choose: what was drawn, and the table."""
        now, game = self._seen_by(seat)
        place = (now.game, len(game.earlier), game.round, game.turn)
        before, hand = self._hands.get(seat, ((), ()))
        self._hands[seat] = place, game.hand
        if before[:2] == place[:2]:
            since = [one for one in story(game) if (one.deal, one.round, one.turn) >= before[1:]]
            played = tuple(card for one in since for card in one.choices[seat])
            drew = aloud.drawn(hand, played, game.hand)
            self.tell(self._sentences((Drew(seat, drew),) if drew else ()))
        self._show(now, game)
        if any(one.bot is None for n, one in enumerate(now.seats) if n not in self._place.people):
            self.tell(aloud.others(now, self.words, self._place.now()))

    def show(self, seat: int) -> None:
        """Everything that somebody can see."""
        now, game = self._seen_by(seat)
        self._show(now, game)
        self.tell(aloud.others(now, self.words, self._place.now()))

    def _seen_by(self, seat: int) -> tuple[TableView, View]:
        now = self._place.look(seat)
        assert now.view is not None
        return now, now.view

    def _show(self, now: TableView, game: View) -> None:
        if not game.turns:
            self._talk.say()
        self.tell(aloud.table(now, game, self.words, self._place.show_points))

    # What is asked for

    def help(self) -> None:
        """The rule that counts, and what to type."""
        self.tell(aloud.help_lines(self.look(), self.words))

    def scores(self, game: View) -> None:
        """Points and score piles, unless the host keeps them for the end."""
        if self._place.show_points or game.result is not None:
            self.tell(aloud.score_piles(self.look(), game, self.words))
        else:
            self.say("play.points_hidden")

    def last_round(self, game: View) -> None:
        """The last round that was scored, told again."""
        chapters = story(game)
        scored = [(one.deal, one.round) for one in chapters if one.score is not None]
        self._retell([one for one in chapters if (one.deal, one.round) in scored[-1:]])

    def whole_game(self, game: View) -> None:
        """Everything again."""
        self._retell(story(game))

    def _retell(self, chapters: Sequence[Chapter]) -> None:
        if not chapters:
            self.say("play.nothing_yet")
        self.tell(self._sentences(event for one in chapters for event in one.events))
