"""The cards: a colour and a value (rules 1.1, 1.2, 2.4).

A card is written as its colour's letter and its value, "G2"; the cards of value 1 carry the icon.
Cards are ordered by colour as the letters stand here, then by value. Two cards that look alike
are the same card for every purpose, so there is one object for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NoReturn, TypeAlias

from five211.errors import GameError, shown

ICON = 1  # the value whose cards carry the icon (rule 1.2)
VALUES = range(1, 10)  # one digit: what the notation can write; the rules say which there are


class Color(IntEnum):
    """A colour, by its letter; what a colour is called is a matter of edition and language."""

    Y = 0
    G = 1
    O = 2  # noqa: E741
    B = 3
    V = 4

    __hash__ = int.__hash__  # an enum's own is slow

    def __repr__(self) -> str:
        return f"Color.{self.name}"

    def __str__(self) -> str:
        return self.name


class Card(int):
    """One card: `Card("G2")` is the green 2.

    >>> sorted([Card("V1"), Card("G2"), Card("Y6")])
    [Card('Y6'), Card('G2'), Card('V1')]
    """

    # An int, because hands are sorted and compared all the time and ints do that in C.
    color: Color
    value: int
    is_icon: bool
    code: str

    def __new__(cls, code: str) -> Card:  # noqa: D102
        try:
            return _CARDS[code]
        except (KeyError, TypeError):
            raise GameError("card_text", text=shown(code)) from None

    def __repr__(self) -> str:
        return f"Card({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a card does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a card does not change")

    def __reduce__(self) -> tuple[Any, ...]:
        return Card, (self.code,)


Cards: TypeAlias = tuple[Card, ...]


def _make(color: Color, value: int) -> Card:
    card = int.__new__(Card, color * 10 + value)
    card.__dict__.update(
        color=color, value=value, is_icon=value == ICON, code=f"{color.name}{value}"
    )
    return card


_CARDS = {card.code: card for card in (_make(color, value) for color in Color for value in VALUES)}

ALL_CARDS = tuple(_CARDS.values())

LONGEST_LINE = 1000  # characters of typed cards worth looking at: a whole deck is 300


def card(color: Color, value: int) -> Card:
    """The card of this colour and value."""
    return Card(f"{color.name}{value}")


def parse_cards(text: str) -> Cards:
    """Cards as people type them, in any order and case: `parse_cards("g2, Y1")`.

    >>> parse_cards("g2, Y1")
    (Card('Y1'), Card('G2'))
    """
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        raise GameError("card_text", text=shown(text))
    return tuple(sorted(Card(word.upper()) for word in text.replace(",", " ").split()))


def show_cards(cards: Iterable[Card]) -> str:
    """Cards as `parse_cards` reads them.

    >>> show_cards(parse_cards("g2 Y1"))
    'Y1 G2'
    """
    return " ".join(card.code for card in cards)
