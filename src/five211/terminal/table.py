"""The table on a whole screen: what a seat may see, what is told of it, and the keys.

What is new is told from the story of the view, so it is the same at home and at a server's table.
Nothing here judges: choices go to the place, and what it refuses is shown as a sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from five211 import texts
from five211.cards import Cards
from five211.editions import words
from five211.errors import GameError
from five211.events import Event, GameEnded, RoundScored
from five211.sentences import explain_step, explain_takes, tell_lines, totals
from five211.tableview import TableView
from five211.terminal import aloud, pages, showing
from five211.terminal.draw import Board, Look
from five211.terminal.hand import CardAt, Hand, card_size
from five211.terminal.pace import Pace
from five211.terminal.place import Place
from five211.terminal.settings import SPEEDS
from five211.terminal.story import Chapter, story
from five211.terminal.told import Choice, Curtain, Keys, Question

if TYPE_CHECKING:
    from five211.terminal.app import FiveApp

REVEAL, STEP = 1.2, 0.9
"""Seconds that a reveal and a scoring's step stay, at the usual speed."""


class TableScreen(Screen[None]):
    """One table, from the first deal to the last word."""

    app: FiveApp
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"pick({number - 1})", show=False) for number in range(1, 6)),
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("space,up,down", "pick_here", show=False),
        Binding("enter", "enter", show=False),
        Binding("escape", "hurry", show=False),
        Binding("u,U,backspace", "undo", show=False),
        Binding("l,L", "last_round", show=False),
        Binding("g,G", "whole_game", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("plus,equals_sign", "speed(1)", show=False),
        Binding("minus", "speed(-1)", show=False),
        Binding("p,P", "halt", show=False),
        Binding("n,N", "again", show=False),
        Binding("s,S", "start", show=False),
        Binding("r,R", "replay", show=False),
        Binding("t,T", "talk", show=False),
        Binding("c,C", "call", show=False),
        Binding("q,Q", "leave", show=False),
    ]

    def __init__(self, place: Place, language: str) -> None:
        super().__init__()
        self.place, self.language = place, language
        self.active = place.people[0]
        self.hand_is_open = len(place.people) == 1
        """Whether the active person's hand may be seen."""
        self._game = -1
        self._told = 0
        self.telling: Board | None = None
        self.chapter: Chapter | None = None
        """What is being told."""
        self._lines: list[str] = []
        self._heard = 0
        self.pace = Pace(lambda: self.app.settings.speed)
        self.trouble = ""
        self.notice = ""
        """Instead of what to do now, until the next key."""
        self._stale = False

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Static(id="small")
        yield Static(id="status")
        yield Static(id="board")
        yield Static(id="story")
        yield Hand()
        yield Static(id="prompt")
        yield Keys(self.say("keys_table"))

    def on_mount(self) -> None:
        """Begin to follow what happens."""
        self.run_worker(self._follow(), name="follow")
        self.set_interval(1.0, self._tick)

    def on_resize(self) -> None:
        """Everything anew in the room that there is."""
        self.show()

    # What happens

    async def _follow(self) -> None:
        seen = -1
        try:
            while True:
                seen = await self.place.after(seen)
                await self._take_in()
        except GameError as error:
            self.trouble = words(self.language).told(error).say(self.language)
        except Exception as error:  # noqa: BLE001 - a bot of one's own may raise anything
            self.trouble = texts.say(
                self.language, "terminal.bot_trouble", reason=f"{type(error).__name__}: {error}"
            )
        self.telling = self.chapter = None
        self.show()

    async def _take_in(self) -> None:
        """Tell what is new, and give the next person their hand."""
        self._lines += self.place.said[self._heard :]
        self._heard = len(self.place.said)
        now = self.look
        if now.view is not None:
            chapters = story(now.view)
            if now.game != self._game:  # whoever comes to a game has seen what was before
                self._told = len(chapters) if self._game < 0 else 0
                self._game = now.game
            self.show()
            kept = self._where_kept()
            while self._told < len(chapters):
                self._told += 1
                await self._tell(now, chapters[: self._told], kept)
        await self._seat_somebody()
        self.show()

    async def _tell(self, now: TableView, chapters: Sequence[Chapter], kept: str) -> None:
        """Reveal a turn, and tell its scoring step by step, as the table was then.

        Others may be further on meanwhile, even in another game.
        """
        self.pace.begin()
        if len(self.place.people) > 1:
            self.hand_is_open = False
        self.chapter = chapter = chapters[-1]
        look, names = self.words_and_room, aloud.names(now)
        reveal, *others = chapter.events
        board = Board(now.rules, showing.rows(self, now, chapters, after=False))
        self._lines = []
        await self._show_step(board, _told_of(reveal, names, look), REVEAL)
        if chapter.score is not None:
            for number, step in enumerate(chapter.score.steps, start=1):
                board = pages.with_steps(board, chapter, number)
                await self._show_step(board, [explain_step(step, look.words)], STEP)
            board = replace(board, rows=showing.rows(self, now, chapters, after=True))
            takes = explain_takes(chapter.score, names, look.words)
            await self._show_step(board, takes, STEP)
        for event in others:
            if not isinstance(event, RoundScored):
                await self._show_step(board, _told_of(event, names, look), 0)
        if any(isinstance(event, GameEnded) for event in others):
            await self._show_step(board, [kept], 0)
        if chapter.score is not None or len(self.place.people) > 1:  # before a curtain falls
            await self.pace.key(self.show)
        self.telling = self.chapter = None

    def _where_kept(self) -> str:
        """Where the record of the game that is over can be found."""
        if self.place.unkept is not None:
            return self.place.unkept.say(self.language)
        url = self.place.record_url
        return self.say("saved") if url is None else self.say("saved_away", url=url)

    async def _show_step(self, board: Board, lines: Sequence[str], seconds: float) -> None:
        self.telling = board
        self._lines += lines
        self.show()
        await self.pace.stay(seconds)

    async def _seat_somebody(self) -> None:
        """Whose hand is shown; a curtain before each if there are several."""
        if len(self.place.people) == 1:
            return
        while waiting := [seat for seat in self.place.people if self._awaited(seat)]:
            if self.hand_is_open and self.active in waiting:
                return
            before, self.active, self.hand_is_open = self.active, waiting[0], False
            kept = not self._awaited(before)  # whoever has just chosen may think again
            self.show()
            while self.app.screen is not self:  # nothing that is being read is covered
                await asyncio.sleep(0.05)
            title = self.say("curtain", name=self.names[self.active])
            how = self.say("curtain_back" if kept else "curtain_how", name=self.names[before])
            if await self.app.push_screen_wait(Curtain(title, self._facts, how, escapes=kept)):
                self.hand_is_open = True
            else:
                await self._tried(self.place.take_back(before))
                self.active = before

    @property
    def _facts(self) -> str:
        """What everybody may know, for the curtain."""
        view, look = self.look.view, self.words_and_room
        points = totals(self.names, view.points, look.words) if view is not None else ()
        said = texts.say(self.language, "play.score", totals=points)
        return f"{showing.status(self).plain}\n{said}"

    def _awaited(self, seat: int) -> bool:
        now = self.place.look(seat)
        return now.moment is not None and now.choice is None

    def _tick(self) -> None:
        """Clocks run on."""
        if self.telling is None and any(seat.deadline for seat in self.look.seats):
            self.show()

    # What is shown

    @property
    def look(self) -> TableView:
        """What the active person may see."""
        return self.place.look(self.active)

    @property
    def names(self) -> list[str]:
        """Everybody's."""
        return aloud.names(self.look)

    @property
    def words_and_room(self) -> Look:
        """With which words, paints and in how much room."""
        return self.app.look(self.language, self.look.options.edition, self.size.width)

    def say(self, key: str, **fields: object) -> str:
        """A sentence of the terminal's own."""
        return texts.say(self.language, f"terminal.{key}", **fields)

    def show(self) -> None:
        """Draw everything, once for all that has changed by then."""
        if not self._stale:
            self._stale = True
            self.call_next(self._draw)

    def _draw(self) -> None:
        self._stale = False
        if not self.children:
            return  # it is being closed
        self.set_class(self.size.width < 80 or self.size.height < 24, "too-small")
        self.query_one("#small", Static).update(self.say("small", wide=80, high=24))
        now, look = self.look, self.words_and_room
        hand = self.query_one(Hand)
        view = now.view
        cards = view.hand if view is not None else ()
        hand.hold(_without(cards, now.choice), hidden=not self.hand_is_open)
        hand.paint(look, card_size(self.size.width, self.size.height), self.can_choose)
        self.query_one("#status", Static).update(showing.status(self))
        self.query_one("#board", Static).update(showing.board(self))
        self.query_one("#prompt", Static).update(Text(showing.prompt(self), style="bold"))
        self.query_one(Keys).tell(self.say(showing.keys(self)))
        self._show_story()

    def _show_story(self) -> None:
        """The last sentences that fit, each of them whole."""
        told = self.query_one("#story", Static)
        lines = [self.trouble] if self.trouble else self._lines
        room, wide, shown = told.size.height, max(20, self.size.width - 1), list[Text]()
        for line in reversed(lines):
            wrapped = Text(line).wrap(self.app.console, wide)
            if shown and len(shown) + len(wrapped) > room:
                break
            shown = [*wrapped, *shown]
        told.update(Text("\n").join(shown))

    @property
    def can_choose(self) -> bool:
        """Whether the active person is to choose, and sees their hand."""
        return self.hand_is_open and self._awaited(self.active)

    # What somebody does

    def on_card_at_pressed(self, message: CardAt.Pressed) -> None:
        """A click on a card."""
        self.action_pick(message.place)

    def on_click(self) -> None:
        """A click on the table goes on."""
        self.pace.go_on()

    def action_pick(self, place: int) -> None:
        """Pick a card or leave it; whoever picks has read enough."""
        self.pace.hurry()
        self.notice = ""
        view = self.look.view
        if view is not None and self.can_choose:
            self.query_one(Hand).pick(place, view.plays)
            self.show()

    def action_pick_here(self) -> None:
        """The card where the mark is; while something is told, go on."""
        if self.telling is not None:
            self.pace.go_on()
            return
        self.action_pick(self.query_one(Hand).at)

    def action_move(self, by: int) -> None:
        """To the card beside."""
        self.notice = ""
        self.query_one(Hand).move(by)
        self.show()

    async def action_enter(self) -> None:
        """Play what is picked; while something is told, go on."""
        if self.telling is not None:
            self.pace.go_on()
            return
        view, choice = self.look.view, self.query_one(Hand).choice
        if view is not None and self.can_choose and len(choice) < view.plays:
            self.notice = self.say("pick_first", n=view.plays)
            self.show()
        elif view is not None and self.can_choose:
            self.query_one(Hand).picked = []
            if len(self.place.people) > 1:
                self.hand_is_open = False
            self._try(self.place.choose(self.active, choice))

    def action_hurry(self) -> None:
        """To the end of what is told."""
        self.pace.hurry()

    def action_halt(self) -> None:
        """Halt what is told, or go on."""
        self.pace.halt(self.telling is not None)
        self.show()

    def action_undo(self) -> None:
        """Take a choice back, or leave what is picked."""
        hand = self.query_one(Hand)
        if hand.picked:
            hand.picked = []
            self.show()
        elif self.look.choice is not None and (self.hand_is_open or len(self.place.people) > 1):
            self._try(self.place.take_back(self.active))

    def action_again(self) -> None:
        """Another game, when this one is over."""
        view = self.look.view
        if view is not None and view.result is not None:
            self._try(self._again())

    async def _again(self) -> None:
        record = self.app.record
        await self.place.again()
        self._lines = []
        self.app.note(record)

    def action_start(self) -> None:
        """Begin, as the host of a server's table."""
        if self.look.view is None:
            self._try(self.place.start())

    def action_talk(self) -> None:
        """A word to the others, at a server's table."""
        reactions = list(self.place.reactions.items())
        if reactions:
            page = Choice(self.say("talk"), [said for _name, said in reactions])
            self.app.push_screen(
                page,
                lambda n: self._try(self.place.react(reactions[n][0])) if n is not None else None,
            )

    def action_call(self) -> None:
        """A substitute for somebody who has been awaited for long."""
        for number, seat in enumerate(self.look.seats):
            if not seat.chosen and seat.bot is None and number != self.active:
                self._try(self.place.call_substitute(number))

    def action_speed(self, by: int) -> None:
        """Quicker or slower."""
        names = list(SPEEDS)
        place = min(max(names.index(self.app.settings.speed) + by, 0), len(names) - 1)
        self.app.change(speed=names[place])
        speed = texts.fill(self.language, f"terminal.speed_{names[place]}")
        self.notice = self.say("speed_now", speed=speed)
        self.show()

    def action_last_round(self) -> None:
        """The last round that was scored, with its scoring."""
        self.app.push_screen(pages.last_round(self))

    def action_whole_game(self) -> None:
        """Everything so far."""
        self.app.push_screen(pages.whole_game(self))

    def action_help(self) -> None:
        """The keys and the rules in short."""
        self.app.push_screen(pages.help_page(self.words_and_room, self.look.rules))

    def action_replay(self) -> None:
        """The game that is over, with every hand."""
        view = self.look.view
        if view is not None and view.result is not None and self.app.record is not None:
            self.app.replay(self.app.record, self.language)

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        view = self.look.view
        return bool(self.trouble) or (view is not None and view.result is not None)

    def action_leave(self) -> None:
        """Get up; a game that is not over is kept."""
        if self.over:
            self.app.exit()
        else:
            how = self.say("leave_how" if self.app.record is not None else "leave_how_away")
            question = Question(self.say("leave_title"), how)
            self.app.push_screen(question, lambda yes: self.app.exit() if yes else None)

    def action_press(self, key: str) -> None:
        """A click on a key's name."""
        self.app.press(key)

    def _try(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something at the table; what it refuses is told."""
        self.run_worker(self._tried(doing))

    async def _tried(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
        except GameError as error:
            now = words(self.language, self.look.options.edition)
            self._lines.append(now.told(error).say(self.language))
            self.place.changed()  # whoever was to choose may have to choose again


def _told_of(event: Event, names: Sequence[str], look: Look) -> Sequence[str]:
    return tell_lines(event, names, look.words.language, look.words.edition)


def _without(hand: Cards, choice: Cards | None) -> Cards:
    """What is left in the hand while a choice lies face down."""
    left = list(hand)
    for card in choice or ():
        left.remove(card)
    return tuple(left)
