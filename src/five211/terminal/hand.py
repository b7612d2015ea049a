"""The hand: up to five cards to be picked by number, by arrows and space, or by mouse."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from five211.cards import Cards
from five211.rules import HAND
from five211.terminal import draw
from five211.terminal.draw import Look

SMALL, MIDDLE, LARGE = (9, 4), (11, 6), (15, 8)
"""Sizes of a card: columns and lines."""


def card_size(width: int, height: int) -> tuple[int, int]:
    """How large cards may be in a window of this size."""
    if width >= 110 and height >= 34:
        return LARGE
    return MIDDLE if width >= 90 and height >= 28 else SMALL


class CardAt(Static):
    """One place of the hand."""

    class Pressed(Message):
        """Somebody clicked on it."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, place: int) -> None:
        super().__init__(classes="card")
        self.place = place

    def on_click(self, event: events.Click) -> None:
        """Pick it, or leave it."""
        event.stop()
        self.post_message(self.Pressed(self.place))


class Hand(Horizontal):
    """All of one's cards; which are picked is kept here until they are played."""

    def __init__(self) -> None:
        super().__init__(id="hand")
        self.cards: Cards = ()
        self.hidden = True
        self.picked: list[int] = []
        self.at = 0
        self.size_of_card = SMALL

    def compose(self) -> ComposeResult:
        """A place for each card."""
        for place in range(HAND):
            yield CardAt(place)

    def hold(self, cards: Cards, hidden: bool) -> None:
        """Other cards, or the same; nothing is picked of others."""
        if cards != self.cards or hidden:
            self.picked = []
            self.at = 0 if hidden else min(self.at, max(0, len(cards) - 1))  # it tells nothing
        self.cards, self.hidden = cards, hidden

    def pick(self, place: int, plays: int) -> None:
        """Pick a card or leave it; of too many, the one picked first is left."""
        if self.hidden or place >= len(self.cards):
            return
        self.at = place
        if place in self.picked:
            self.picked.remove(place)
        else:
            self.picked = [*self.picked, place][-plays:]

    def move(self, by: int) -> None:
        """To the card beside, around the ends."""
        if self.cards:
            self.at = (self.at + by) % len(self.cards)

    @property
    def choice(self) -> Cards:
        """What is picked."""
        return tuple(sorted(self.cards[place] for place in self.picked))

    def paint(self, look: Look, size: tuple[int, int], active: bool) -> None:
        """Show it all."""
        self.size_of_card = size
        wide, high = size
        self.styles.height = high + 1
        for place, widget in enumerate(self.query(CardAt)):
            there = place < len(self.cards)
            widget.styles.display = "block" if there else "none"
            widget.styles.width, widget.styles.height = wide + 2, high + 1
            if not there:
                continue
            picked, at = place in self.picked, active and place == self.at
            if self.hidden:
                widget.update(draw.back(size))
                continue
            text = draw.card(self.cards[place], look, size, picked)
            sign = f"{'›' if at else ' '}{place + 1}{'‹' if at else ' '}"
            if picked:
                sign = f"▲{sign}▲"
            style = "bold reverse" if picked else "bold" if at else ""
            pad = (wide - len(sign)) // 2
            label = Text.assemble("\n", " " * pad, (sign, style))
            widget.update(Text.assemble(text, label))
