"""The first screen: what to play, against whom; Enter plays. What was chosen is remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from five211 import texts
from five211.bots import LEVELS, entry
from five211.characters import called, character
from five211.editions import edition_names, words
from five211.errors import GameError
from five211.rules import ASIDE, Rules, Variant
from five211.terminal import pages
from five211.terminal.settings import SPEEDS
from five211.terminal.told import Keys

if TYPE_CHECKING:
    from five211.terminal.app import FiveApp

LABEL = 20
"""Room for what a line is about."""


Where: TypeAlias = Callable[[str], str]
"""Where a game stands, in words of a language."""


class OfLine(Message):
    """Something about a line of the form."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line


class Line(Static, can_focus=True):
    """A line of the form: something to do by Enter, or to change by the arrows to the sides."""

    class Done(OfLine):
        """Enter, or a click on it."""

    class Changed(OfLine):
        """Another value."""

    class Dropped(OfLine):
        """Nobody wants it any more."""

    class Reached(OfLine):
        """Somebody is there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete,x", "drop", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(self, name: str, values: Sequence[str] = (), value: str = "") -> None:
        super().__init__(classes="line")
        self.key, self.values, self.value = name, values, value
        self.label, self.told = "", ""

    def show(self, label: str, told: str = "") -> None:
        """With these words."""
        self.label, self.told = label, told
        self.refresh()

    def render(self) -> Text:
        """A mark where one is, and arrows around what can be changed."""
        mark = "▸ " if self.has_focus else "  "
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{mark}{self.label:{LABEL}}" if self.values else f"{mark}{self.label}")
        if self.values:
            text.append(f"‹ {self.told} ›")
        text.stylize("bold" if self.has_focus or not self.values else "")
        return text

    def on_focus(self) -> None:
        """The mark comes."""
        self.refresh()
        self.post_message(self.Reached(self))

    def on_blur(self) -> None:
        """The mark goes."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, anything else goes on."""
        if not self.values:
            self.action_done()
        else:
            self.action_turn(-1 if event.x < LABEL + 4 else 1)

    def action_turn(self, by: int) -> None:
        """The next value, or the one before."""
        if self.values:
            place = self.values.index(self.value) if self.value in self.values else 0
            self.value = self.values[(place + by) % len(self.values)]
            self.post_message(self.Changed(self))

    def action_drop(self) -> None:
        """Away with it."""
        self.post_message(self.Dropped(self))

    def action_done(self) -> None:
        """Do it; where there is nothing to do but to change, play."""
        self.post_message(self.Done(self))


class StartScreen(Screen[None]):
    """The form."""

    app: FiveApp
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+tab", "app.focus_previous", show=False),
        Binding("down,tab", "app.focus_next", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,Q", "leave", show=False),
    ]

    def __init__(self, language: str, kept: dict[Path, Where], has_games: bool) -> None:
        super().__init__()
        self.language, self._has_games = language, has_games
        self._kept = {str(path): where for path, where in kept.items()}

    def compose(self) -> ComposeResult:
        """A line a question."""
        kept = self.app.settings
        first = max(1, len(kept.people))
        bots = dict(enumerate(kept.bots, start=first))
        yield Static(id="title")
        with VerticalScroll(can_focus=False):
            for path in self._kept:
                yield Line(path)
            yield Line("play")
            yield Line("players", [str(n) for n in ASIDE], str(kept.players))
            for number in range(1, max(ASIDE)):
                yield Line(
                    f"bot{number}", LEVELS, _level(bots.get(number) or next(iter(kept.bots), ""))
                )
            yield Line("variant", list(Variant), kept.variant)
            yield Line("edition", edition_names(), kept.edition)
            yield Line("language", texts.language_names(), self.language)
            yield Line("speed", list(SPEEDS), kept.speed)
            yield Line("look", ["night", "day"], "day" if kept.light else "night")
            with Horizontal(classes="field"):
                yield Static(classes="label")
                yield Input(", ".join(kept.people), id="people", compact=True, max_length=200)
            with Horizontal(classes="field"):
                yield Static(classes="label")
                yield Input(id="url", compact=True, max_length=500)
            if self._has_games:
                yield Line("replay")
        yield Static(id="said")
        yield Keys("")

    def on_mount(self) -> None:
        """Ready to play."""
        self.show()
        self.query(Line).first().focus()

    def line(self, key: str) -> Line:
        """The line of a question."""
        return next(one for one in self.query(Line) if one.key == key)

    def show(self) -> None:
        """Every line in the chosen language."""
        say = self._say
        self.query_one("#title", Static).update(
            Text.assemble((f" {say('title')} ", "bold reverse"), f"  {say('subtitle')}")
        )
        self.query_one(Keys).tell(say("keys_start_kept" if self._kept else "keys_start"))
        for one in self.query(Line):
            self._show_line(one)
        labels = say("start_people"), say("start_url")
        hints = say("start_people_how"), "http://…/t/TABLE#CODE"
        fields = zip(self.query(".label").results(Static), self.query(Input), strict=True)
        for (label, field), told, hint in zip(fields, labels, hints, strict=True):
            label.update(f"  {told}")
            field.placeholder = hint

    def _show_line(self, one: Line) -> None:
        say, key = self._say, one.key
        if key in self._kept:
            one.show(say("start_resume", where=self._kept[key](self.language)))
        elif key.startswith("bot"):
            number = int(key.removeprefix("bot"))
            seats = int(self.line("players").value) - 1
            one.styles.display = "block" if self._bots_from <= number <= seats else "none"
            name = entry(one.value).name
            level = texts.fill(self.language, f"levels.{one.value}")
            told = texts.fill(self.language, "terminal.start_level", level=level, name=called(name))
            one.show(say("start_opponent", n=number - self._bots_from + 1), told)
            if one.has_focus:
                self._introduce(one)
        else:
            one.show(say(f"start_{key}"), self._told(key, one.value))

    @property
    def _bots_from(self) -> int:
        """Which opponent is the first bot; the others are people at this keyboard."""
        return max(1, len(self.people))

    @property
    def people(self) -> tuple[str, ...]:
        """The names that were typed."""
        typed = self.query_one("#people", Input).value
        return tuple(name for name in (part.strip() for part in typed.split(",")) if name)

    def _told(self, key: str, value: str) -> str:
        language = self.language
        if key == "variant":
            goal = Rules.of(2, Variant.LONG).goal
            return texts.fill(language, f"terminal.variant_{value}", goal=goal)
        if key == "edition":
            return str(words(language, value).data["name"])
        if key == "language":
            return str(texts.load("languages", value)["language"])
        if key in ("speed", "look"):
            return texts.fill(language, f"terminal.{key}_{value}")
        return value

    def _say(self, key: str, **fields: object) -> str:
        return texts.say(self.language, f"terminal.{key}", **fields)

    # What somebody does

    def on_line_changed(self, message: Line.Changed) -> None:
        """Show and remember it."""
        line = message.line
        if line.key == "language":
            self.language = line.value
        chosen = self._chosen()
        self.app.change(**{name: chosen[name] for name in chosen if name != "people"})
        self.show()

    def on_line_reached(self, message: Line.Reached) -> None:
        """Say who that is."""
        self._introduce(message.line)

    def _introduce(self, line: Line) -> None:
        said = ""
        if line.key.startswith("bot"):
            name = entry(line.value).name
            said = f"{called(name)} {character(self.language, name)}"
        self.query_one("#said", Static).update(said)

    def on_line_dropped(self, message: Line.Dropped) -> None:
        """Nobody wants to go on with that game."""
        path = message.line.key
        if path in self._kept:
            self._try(lambda: self.app.forget(Path(path)))
            del self._kept[path]
            self.app.action_focus_next()
            message.line.remove()

    def on_input_changed(self, _message: Input.Changed) -> None:
        """More people, fewer bots."""
        self.show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Enter in a field: join the table, or play."""
        if message.input.id == "url" and message.value.strip():
            self._try(lambda: self.app.join(message.value.strip(), self.language))
        else:
            self._play()

    def on_line_done(self, message: Line.Done) -> None:
        """Enter on a line."""
        key = message.line.key
        if key in self._kept:
            self._try(lambda: self.app.resume(Path(key), self.language))
        elif key == "replay":
            self._try(lambda: self.app.replay_last(self.language))
        else:
            self._play()

    def _play(self) -> None:
        """What cannot be played is not remembered either."""
        before, chosen = self.app.settings, self._chosen()
        self.app.choose(**chosen)
        if self._try(lambda: self.app.play(self.language)):
            self.app.change(**chosen)
        else:
            self.app.settings = before
            self.query_one("#people", Input).focus()

    def _chosen(self) -> dict[str, object]:
        players = int(self.line("players").value)
        people = self.people
        bots = [self.line(f"bot{n}").value for n in range(self._bots_from, players)]
        return {
            "players": players,
            "bots": tuple(bots),
            "people": people,
            "variant": self.line("variant").value,
            "edition": self.line("edition").value,
            "language": self.language,
            "speed": self.line("speed").value,
            "light": self.line("look").value == "day",
        }

    def _try(self, doing: Callable[[], None]) -> bool:
        """Do it; what cannot be is told."""
        try:
            doing()
        except GameError as error:
            self.tell(error)
            return False
        return True

    def tell(self, error: GameError) -> None:
        """What went wrong, in a sentence."""
        self.query_one("#said", Static).update(Text(error.say(self.language), style="bold"))

    def action_help(self) -> None:
        """The rules in short, and the keys of the table."""
        edition, players = self.line("edition").value, int(self.line("players").value)
        look = self.app.look(self.language, edition, self.size.width)
        self.app.push_screen(pages.help_page(look, Rules.of(players)))

    def action_leave(self) -> None:
        """Not now."""
        self.app.exit()

    def action_press(self, key: str) -> None:
        """A click on a key's name."""
        self.app.press(key)


def _level(bot: str) -> str:
    """The level of a bot that was chosen; another one's is the usual."""
    try:
        return entry(bot).level or LEVELS[1]
    except GameError:
        return LEVELS[1]
