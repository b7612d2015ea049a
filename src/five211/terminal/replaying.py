"""A recorded game on the screen, turn by turn, with every hand once it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from five211.errors import plain
from five211.record import Record, replay
from five211.terminal import draw, pages
from five211.terminal.story import story
from five211.terminal.told import Keys
from five211.view import SPECTATOR, view

if TYPE_CHECKING:
    from five211.terminal.app import FiveApp


ROOMY = 30
"""Lines of a window that has room for hands and sentences."""


class ReplayScreen(Screen[None]):
    """One turn at a time."""

    app: FiveApp
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter,n", "go(1)", show=False),
        Binding("left,backspace", "go(-1)", show=False),
        Binding("down,pagedown", "round(1)", show=False),
        Binding("up,pageup", "round(-1)", show=False),
        Binding("home", "go(-9999)", show=False),
        Binding("end", "go(9999)", show=False),
        Binding("h", "hands", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, record: Record, language: str) -> None:
        super().__init__()
        self.record, self.language, self.at = record, language, 0
        self.names = [plain(player.name) for player in record.players]
        match = record.match
        self.chapters = story(view(match, SPECTATOR))
        played = [before for before, after in replay(match) if before.awaits_choices]
        self.hands = [before.state.hands for before in played] if match.over else []
        self._wanted: bool | None = None
        """Whether somebody asked to see hands, or not to."""

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Static(id="status")
        yield Static(id="board")
        yield Static(id="hands")
        yield Static(id="story")
        yield Keys("")

    def on_mount(self) -> None:
        """Say the keys."""
        self.show()

    def on_resize(self) -> None:
        """In the room that there is."""
        self.show()

    def show(self) -> None:
        """Draw everything."""
        look = self.app.look(self.language, self.record.edition, self.size.width)
        self.query_one(Keys).tell(look.say("keys_replay"))
        if not self.chapters:
            self.query_one("#story", Static).update(look.say("replay_start"))
            return
        upto = self.chapters[: self.at + 1]
        title = look.say(
            "replay_title",
            round=upto[-1].round + 1,
            turn=upto[-1].turn + 1,
            number=self.at + 1,
            all=len(self.chapters),
        )
        self.query_one("#status", Static).update(Text(title, style="bold", no_wrap=True))
        board = pages.scored_board(self.record.match.rules, self.names, upto)
        self.query_one("#board", Static).update(draw.board(board, look))
        hands = self.query_one("#hands", Static)
        hands.update(self._hands(look))
        hands.display = self._shows_hands and bool(self.hands)
        told = self.query_one("#story", Static)
        told.update(pages.chapters_told([upto[-1]], self.names, look))
        told.display = self.size.height >= ROOMY or not hands.display  # no room for both

    @property
    def _shows_hands(self) -> bool:
        """Where there is room for both hands and sentences, or on request."""
        return self.size.height >= ROOMY if self._wanted is None else self._wanted

    def _hands(self, look: draw.Look) -> Text:
        """What everybody held when they chose this turn; only of games that are over."""
        if not self.hands or not self._shows_hands:
            return Text("")
        lines = []
        for name, hand in zip(self.names, self.hands[self.at], strict=True):
            cards = Text(" ").join(
                Text(look.words.card(card), style=look.inks[card.color]) for card in hand
            )
            lines.append(Text.assemble(f" {name[:9]:9} ", cards))
        return Text("\n").join(lines)

    def action_hands(self) -> None:
        """Show the hands, or hide them."""
        self._wanted = not self._shows_hands
        self.show()

    def action_go(self, by: int) -> None:
        """So many turns further."""
        self.at = min(max(self.at + by, 0), max(0, len(self.chapters) - 1))
        self.show()

    def action_round(self, by: int) -> None:
        """To the end of the next round, or of the one before."""
        ends = [place for place, one in enumerate(self.chapters) if one.score is not None]
        ahead = [place for place in ends if (place - self.at) * by > 0]
        if ahead:
            self.at = ahead[0] if by > 0 else ahead[-1]
        self.show()

    def action_leave(self) -> None:
        """Back to where one came from."""
        self.app.back()

    def action_press(self, key: str) -> None:
        """A click on a key's name."""
        self.app.press(key)
