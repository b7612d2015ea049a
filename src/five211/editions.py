"""The editions: what colours and icons are called, and how they look, in each language.

An edition is one file in `data/editions`; adding one needs no code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from five211 import texts
from five211.cards import ALL_CARDS, LONGEST_LINE, Card, Cards, Color
from five211.errors import GameError, shown
from five211.record import DEFAULT_EDITION, check_edition


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one edition in one language; get them with `words(language, edition)`."""

    language: str
    edition: str
    data: Mapping[str, Any] = field(compare=False)  # the two above say which it is

    def color(self, color: Color) -> str:
        """A colour's name: "green"."""
        return str(self.data["colors"][color.name]["name"])

    def the_color(self, color: Color) -> str:
        """A colour's name as a sentence's subject: "green", "le vert"."""
        return str(self.data["colors"][color.name]["the"])

    def letter(self, color: Color) -> str:
        """The letter on the card, unique in this edition and language."""
        return str(self.data["colors"][color.name]["letter"])

    def icon(self, count: int) -> str:
        """The icon's name for this many: "Kododo", "Kododos"."""
        return str(self.data["icon"][texts.plural(self.language, count)])

    def card(self, card: Card) -> str:
        """A card as it is seen: "G2"."""
        letter = self.letter(card.color)
        return texts.say(self.language, "card.code", letter=letter, value=card.value)

    def card_name(self, card: Card) -> str:
        """A card as it is read aloud: "green 2", "green Kododo"."""
        key = "card.icon" if card.is_icon else "card.name"
        return texts.fill(
            self.language,
            key,
            color=self.color(card.color),
            value=card.value,
            icon=self.icon(card.value),
        )

    def cards(self, cards: tuple[Card, ...]) -> str:
        """Several cards as they are seen: "G2 G3"."""
        if not cards:
            return texts.fill(self.language, "card.none")
        return " ".join(self.card(card) for card in cards)

    def read_cards(self, text: str) -> Cards:
        """Cards as a person types them: as they are seen, or by code where that is clear.

        A letter that could be another colour's, too, is refused: V is violet's code, but may be
        meant for "vert".

        >>> words("fr").read_cards("j1 Ve2, G3")
        (Card('Y1'), Card('G2'), Card('G3'))
        >>> words("fr").read_cards("V3")
        Traceback (most recent call last):
        ...
        five211.errors.GameError: “V3” is not clear: write Ve3 pour le vert, Vi3 pour le violet.
        """
        if not isinstance(text, str) or len(text) > LONGEST_LINE:
            raise self._no_card(text)
        apart = re.sub(r"([0-9])", r"\1 ", text.replace(",", " "))
        return tuple(sorted(self._read(word) for word in apart.split()))

    def _read(self, word: str) -> Card:
        letter, value = word[:-1].upper(), word[-1]
        could_be = [color for color in Color if self._may_mean(letter, color)]
        found = tuple(
            card for card in ALL_CARDS if card.color in could_be and value == str(card.value)
        )
        if not found:
            raise self._no_card(word)
        if len(found) > 1:
            raise GameError("card_unclear", text=shown(word), ways=", ".join(map(self._way, found)))
        return found[0]

    def _may_mean(self, letter: str, color: Color) -> bool:
        """Whether somebody who types this may mean that colour: its code, or how it begins."""
        return bool(letter) and (
            letter == color.name or self.letter(color).upper().startswith(letter)
        )

    def _way(self, card: Card) -> str:
        """How to type a card, and what it is then."""
        color = self.the_color(card.color)
        return texts.fill(self.language, "card.way", card=self.card(card), color=color)

    def _no_card(self, text: object) -> GameError:
        letters = " ".join(self.letter(color) for color in Color)
        example = self.card(Card("G2"))
        return GameError("card_typed", text=shown(text), letters=letters, example=example)

    def told(self, error: GameError) -> GameError:
        """An error that names its cards as they are seen here."""
        told = copy(error)
        told.fields = {
            name: self.card(value) if isinstance(value, Card) else value
            for name, value in error.fields.items()
        }
        return told

    def legend(self) -> str:
        """Which letter is which colour, as a sentence."""
        named = tuple(f"{self.letter(color)} {self.color(color)}" for color in Color)
        return texts.say(self.language, "play.codes", codes=named)


def edition_names() -> tuple[str, ...]:
    """The editions there are."""
    return texts.names("editions")


def paint(edition: str) -> Mapping[str, str]:
    """The screen's paint for each colour's letter."""
    painted: Mapping[str, str] = texts.load("editions", check_edition(edition))["paint"]
    return painted


def ink(back: str) -> str:
    """Black or white, whichever is easier to read on a paint.

    >>> ink("#FFE14D"), ink("#12397F")
    ('#000000', '#ffffff')
    """
    red, green, blue = (_linear(int(back[i : i + 2], 16) / 255) for i in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if luminance > 0.179 else "#ffffff"


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def check_language(language: str) -> str:
    """The language, or an error if there is none of this code."""
    if language not in texts.language_names():
        raise GameError("language", language=shown(language), known=texts.language_names())
    return language


def words(language: str = texts.DEFAULT_LANGUAGE, edition: str = DEFAULT_EDITION) -> Words:
    """The words of an edition in a language."""
    return _words(check_language(language), check_edition(edition))


@cache
def _words(language: str, edition: str) -> Words:
    return Words(language, edition, texts.load("editions", edition)[language])
