"""The game on a whole screen of a terminal (Textual): which screen comes when.

It knows where a game is played only as a `Place`; the rules, the words and the story come from the
same modules as everywhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import msgspec
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from five211 import texts
from five211.bots import Entry, entry
from five211.editions import words
from five211.errors import GameError
from five211.record import Record, parse
from five211.sentences import totals
from five211.terminal.asked import Asked
from five211.terminal.draw import Look
from five211.terminal.here import Here
from five211.terminal.paint import inks
from five211.terminal.place import Place
from five211.terminal.replaying import ReplayScreen
from five211.terminal.saved import games_file, interrupted
from five211.terminal.settings import remember, remembered
from five211.terminal.start import StartScreen
from five211.terminal.table import TableScreen

NIGHT = Theme("night", primary="#E8731A", background="#1E2833", foreground="#F6F3EC", dark=True)
DAY = Theme("day", primary="#B4540A", background="#F6F3EC", foreground="#1E2833", dark=False)

PRESSED = {
    "⏎": "enter",
    "esc": "escape",
    "?": "question_mark",
    "← →": "right",
    "↑ ↓": "down",
    "1-5": "1",
}
"""Which key a click on the last line stands for."""


class FiveApp(App[GameError | None]):
    """Start, table, replay."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "5211"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("d", "light", show=False),
    ]
    CSS = """
    Screen { layout: vertical; background: $background; color: $foreground; }
    #small { display: none; }
    .too-small > Static, .too-small > Hand { display: none; }
    .too-small > #small { display: block; }
    #status, #title, #prompt, #said { height: 1; }
    #board, #hands { height: auto; margin-top: 1; }
    #story { height: 1fr; margin: 1 0 0 0; }
    #hand { align-horizontal: left; height: 5; }
    .line, .field { height: 1; width: 100%; }
    .label { width: 22; }
    Input { width: 1fr; }
    .sheet { background: $background; padding: 0 1; width: 100%; height: 100%; }
    .title { height: 2; }
    .curtain { align: center middle; background: $background; width: 100%; height: 100%; }
    .curtain > Static { width: 100%; margin: 1; }
    StartScreen VerticalScroll { height: 1fr; margin-top: 1; }
    """

    def __init__(self, asked: Asked, load: Callable[[str], Entry], language: str) -> None:
        super().__init__()
        self.asked, self._load, self.language = asked, load, language
        self.settings = asked.settings(remembered())
        self.place: Place | None = None
        self.records: list[str] = []
        """Of the games that were played here, the last one perhaps not to its end."""

    def on_mount(self) -> None:
        """The first screen, or the game that was asked for."""
        for theme in (NIGHT, DAY):
            self.register_theme(theme)
        self._paint()
        self.begin()

    def begin(self) -> None:
        """What is shown first."""
        if self.asked.join is not None:
            self.join(self.asked.join, self.language)
        elif self.asked.at_once:
            self._open(Here.begin(self.asked.setup(self.settings, self.language), self._load))
        else:
            self.push_screen(StartScreen(self.language, self._interrupted, games_file().exists()))

    def _paint(self) -> None:
        self.theme = "day" if self.settings.light else "night"

    def look(self, language: str, edition: str, width: int) -> Look:
        """With which words and paints to draw."""
        few = self.console.color_system == "standard"
        return Look(words(language, edition), inks(edition, few), width)

    def change(self, **chosen: Any) -> None:
        """Remember what somebody chose."""
        self.settings = msgspec.structs.replace(self.settings, **chosen)
        self._paint()
        remember(self.settings)

    def press(self, key: str) -> None:
        """A key, as if it were typed."""
        self.simulate_key(PRESSED.get(key, key))

    def action_light(self) -> None:
        """Between day and night."""
        self.change(light=not self.settings.light)

    # Games

    def play(self, language: str) -> None:
        """A new game, as it was chosen."""
        self._open(Here.begin(Asked().setup(self.settings, language), self._load), language)

    def resume(self, language: str) -> None:
        """The game that was interrupted."""
        for log in interrupted():
            place = Here.resume(log, self._load)
            if place is not None:
                self._open(place, language)
                return
            log.close()
        raise GameError("nothing_to_resume")

    def join(self, url: str, language: str) -> None:
        """A seat at a server's table."""
        self.run_worker(self._join(url, language), name="join")

    async def _join(self, url: str, language: str) -> None:
        from five211.terminal.away import join

        asked = self.asked
        name = asked.name or next(iter(self.settings.people), None)
        try:
            place = await join(url, asked.table, asked.code, name, asked.token, language)
        except GameError as error:
            if isinstance(self.screen, StartScreen):
                self.screen.tell(error)
            else:  # it was asked for on the command line
                self.exit(error)
            return
        self._open(place, language)

    def _open(self, place: Place, language: str | None = None) -> None:
        self.place = place
        self.push_screen(TableScreen(place, language or self.language))
        if isinstance(place, Here):
            self.run_worker(place.start())

    def _interrupted(self, language: str) -> str | None:
        """Where the newest interrupted game stands, in words; none if there is none."""
        for log in interrupted():
            place = Here.resume(log, self._load)
            log.close()
            if place is not None:
                now = place.look(0)
                assert now.view is not None
                return texts.fill(
                    language,
                    "terminal.start_where",
                    round=min(now.view.round + 1, now.rules.rounds),
                    rounds=now.rules.rounds,
                    totals=totals(
                        [seat.name for seat in now.seats], now.view.points, words(language)
                    ),
                )
        return None

    # Replays

    def replay_last(self, language: str) -> None:
        """The game that was finished last."""
        with suppress(OSError):
            *_, last = games_file().read_text(encoding="utf-8").splitlines()
            self.push_screen(ReplayScreen(parse(last), language))

    def back(self) -> None:
        """To the screen before; from the first one, out."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    async def on_unmount(self) -> None:
        """However one leaves: the game is as it was written down."""
        if self.place is not None:
            self.note()
            await self.place.close()

    def note(self) -> None:
        """Keep the record of this game, for whoever asked for it."""
        if isinstance(self.place, Here):
            self.records.append(self.place.record)


class ReplayApp(FiveApp):
    """A recorded game and nothing else."""

    def __init__(self, record: Record, language: str) -> None:
        super().__init__(Asked(), entry, language)
        self._record = record

    def begin(self) -> None:
        """The replay at once."""
        self.push_screen(ReplayScreen(self._record, self.language))


def run_app(asked: Asked, load: Callable[[str], Entry], language: str) -> list[str]:
    """Play on the whole screen until somebody leaves; the records of the games at home."""
    app = FiveApp(asked, load, language)
    sys.setswitchinterval(0.001)  # a bot that thinks gives way to a key at once
    error = app.run()
    if error is not None:
        raise error
    return app.records


def run_replay(record: Record, language: str) -> None:
    """Look at a recorded game on the whole screen."""
    ReplayApp(record, language).run()
