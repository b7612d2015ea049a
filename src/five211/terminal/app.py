"""The game on a whole screen of a terminal (Textual): which screen comes when.

It knows where a game is played only as a `Place`; the rules, the words and the story come from the
same modules as everywhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from five211.bots import Entry, entry
from five211.editions import words
from five211.errors import GameError
from five211.record import Record, parse
from five211.terminal.aloud import where_it_stands
from five211.terminal.asked import Asked
from five211.terminal.draw import Look
from five211.terminal.here import Here
from five211.terminal.paint import inks
from five211.terminal.place import Place
from five211.terminal.replaying import ReplayScreen
from five211.terminal.saved import Log, games_file, interrupted
from five211.terminal.settings import remember, remembered
from five211.terminal.start import StartScreen, Where
from five211.terminal.table import TableScreen

NIGHT = Theme("night", primary="#E8731A", background="#1E2833", foreground="#F6F3EC", dark=True)
DAY = Theme("day", primary="#B4540A", background="#F6F3EC", foreground="#1E2833", dark=False)

OFFERED = 3
"""Interrupted games on the first screen, at most."""
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
    .sheet { background: $background; width: 100%; height: 100%; }
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
            try:
                self._open(Here.begin(self.asked.setup(self.settings, self.language), self._load))
            except GameError as error:
                self.exit(error)
        else:
            kept = {} if self.asked.new else self._interrupted()
            self.push_screen(StartScreen(self.language, kept, games_file().exists()))

    def _paint(self) -> None:
        self.theme = "day" if self.settings.light else "night"

    def look(self, language: str, edition: str, width: int) -> Look:
        """With which words and paints to draw."""
        few = self.console.color_system == "standard"
        return Look(words(language, edition), inks(edition, few), width)

    def choose(self, **chosen: Any) -> None:
        """As somebody chose."""
        self.settings = msgspec.structs.replace(self.settings, **chosen)
        self._paint()

    def change(self, **chosen: Any) -> None:
        """As somebody chose, now and the next time."""
        self.choose(**chosen)
        remember(msgspec.structs.replace(remembered(), **chosen))

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

    def resume(self, path: Path, language: str) -> None:
        """A game that was interrupted."""
        place = Here.resume(self._file_of(path), self._load)
        if place is None:
            raise GameError("nothing_to_resume")
        self._open(place, language)

    def forget(self, path: Path) -> None:
        """Nobody wants to go on with that game."""
        self._file_of(path).drop()

    def _file_of(self, path: Path) -> Log:
        """The file of an interrupted game, if nobody plays it now."""
        for log in interrupted():
            if log.path == path:
                return log
            log.close()
        raise GameError("nothing_to_resume")

    def join(self, url: str, language: str) -> None:
        """A seat at a server's table; one at a time."""
        if not any(one.name == "join" and not one.is_finished for one in self.workers):
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

    def _interrupted(self) -> dict[Path, Where]:
        """Where the newest interrupted games stand, to be told in any language."""
        found: dict[Path, Where] = {}
        for log in interrupted():
            place = Here.resume(log, self._load)
            log.close()
            if place is not None:
                found[log.path] = partial(where_it_stands, place.look(0))
            if len(found) == OFFERED:
                break
        return found

    # Replays

    def replay(self, record: str, language: str) -> None:
        """A game, turn by turn."""
        self.push_screen(ReplayScreen(parse(record), language))

    def replay_last(self, language: str) -> None:
        """The game that was finished last."""
        with suppress(OSError, UnicodeDecodeError):
            for last in reversed(games_file().read_text(encoding="utf-8").splitlines()):
                self.replay(last, language)
                return
        raise GameError("no_games")

    def back(self) -> None:
        """To the screen before; from the first one, out."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    async def on_unmount(self) -> None:
        """However one leaves: the game is as it was written down."""
        if self.place is not None:
            self.note(self.record)
            await self.place.close()

    @property
    def record(self) -> str | None:
        """Of the game that is played at home."""
        return self.place.record if isinstance(self.place, Here) else None

    def note(self, record: str | None) -> None:
        """Keep the record of a game, for whoever asked for it."""
        if record is not None:
            self.records.append(record)


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
    if app.return_code:
        raise SystemExit(app.return_code)
    return app.records


def run_replay(record: Record, language: str) -> None:
    """Look at a recorded game on the whole screen."""
    ReplayApp(record, language).run()
