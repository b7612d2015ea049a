"""What lies over the table for a while: something to read, a curtain, a question."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

ARROWS = ("←", "↑")
"""They come in pairs, which are one key's worth."""


class Keys(Static):
    """The last line of a screen: which key does what. A click does the same."""

    DEFAULT_CSS = """
    Keys { dock: bottom; height: 1; width: 100%; link-style: none; link-color: $foreground; }
    """

    def __init__(self, told: str) -> None:
        super().__init__(id="keys")
        self._told = told

    def on_mount(self) -> None:
        """Say it."""
        if self._told:
            self.tell(self._told)

    def tell(self, told: str) -> None:
        """Other keys."""
        line = Text(no_wrap=True, overflow="ellipsis")
        for one in told.split("|"):
            *keys, does = one.split(" ", 2 if one[:1] in ARROWS else 1)
            key = " ".join(keys)
            press = Style(meta={"@click": f"screen.press({key!r})"})
            line.append(f" {key} ", style=press + Style(bold=True, reverse=True))
            line.append(f" {does} ", style=press)
        self.update(line)


class Told(ModalScreen[None]):
    """Something to read and to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,l,g,question_mark,f1", "leave", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("home", "scroll(-9999)", show=False),
        Binding("end", "scroll(9999)", show=False),
    ]

    def __init__(self, title: str, content: Text, keys: str, at_end: bool = False) -> None:
        super().__init__()
        self.title, self._content, self._keys, self._at_end = title, content, keys, at_end

    def compose(self) -> ComposeResult:
        """A title, the text, the keys."""
        with Vertical(classes="sheet"):
            yield Static(Text(self.title or "", style="bold"), classes="title")
            with VerticalScroll(can_focus=False):
                yield Static(self._content)
            yield Keys(self._keys)

    def on_mount(self) -> None:
        """Begin where it matters."""
        if self._at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_scroll(self, lines: int) -> None:
        """So many lines further."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_leave(self) -> None:
        """Back to the table."""
        self.dismiss()

    def action_press(self, _key: str) -> None:
        """A click on the keys: the only one that does something leads back."""
        self.dismiss()


class Question(ModalScreen[bool]):
    """A question to be answered by Enter or Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", show=False),
        Binding("escape", "answer(False)", show=False),
    ]

    def __init__(self, title: str, how: str, facts: str = "") -> None:
        super().__init__()
        self.title, self._how, self._facts = title, how, facts

    def compose(self) -> ComposeResult:
        """A few lines in the middle of nothing else."""
        with Vertical(classes="curtain"):
            yield Static(Text(self.title or "", style="bold", justify="center"))
            yield Static(Text(self._facts, justify="center"))
            yield Static(Text(self._how, justify="center"), id="how")

    def action_answer(self, yes: bool) -> None:
        """Yes or no."""
        self.dismiss(yes)

    def on_click(self, event: events.Click) -> None:
        """A click on the answer says yes."""
        if event.widget is self.query_one("#how"):
            self.action_answer(True)


class Curtain(Question, inherit_bindings=False):
    """Before a hand; not lifted by Enter, which the one before may have pressed once too often."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "answer(True)", show=False),
        Binding("escape,u", "answer(False)", show=False),
        Binding("q,Q", "app.quit", show=False),
    ]

    def __init__(self, title: str, facts: str, how: str, escapes: bool) -> None:
        super().__init__(title, how, facts)
        self._escapes = escapes

    def action_answer(self, yes: bool) -> None:
        """Yes, or no where somebody may still think again."""
        if yes or self._escapes:
            self.dismiss(yes)


class Choice(ModalScreen[int | None]):
    """One of a few lines, by its number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"take({number - 1})", show=False) for number in range(1, 10)),
        Binding("escape,q", "take(-1)", show=False),
    ]

    def __init__(self, title: str, lines: list[str]) -> None:
        super().__init__()
        self.title, self._lines = title, lines[:9]

    def compose(self) -> ComposeResult:
        """A title and the lines."""
        numbered = [f"{number} {line}" for number, line in enumerate(self._lines, start=1)]
        with Vertical(classes="sheet"):
            yield Static(Text(self.title or "", style="bold"), classes="title")
            yield Static(Text("\n".join(numbered)))

    def action_take(self, place: int) -> None:
        """This one; none by Escape."""
        if place < len(self._lines):
            self.dismiss(place if place >= 0 else None)
