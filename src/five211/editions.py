"""The editions: what colours and icons are called, and how they look, in each language.

An edition is one file in `data/editions`; adding one needs no code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
        """Cards as a person types them: by code, or by what they show where that is no code.

        >>> words("fr").read_cards("j1 Ve2, G3")
        (Card('Y1'), Card('G2'), Card('G3'))
        """
        if not isinstance(text, str) or len(text) > LONGEST_LINE:
            raise GameError("card_text", text=shown(text))
        apart = re.sub(r"([0-9])", r"\1 ", text.replace(",", " "))
        return tuple(sorted(self._read(word) for word in apart.split()))

    def _read(self, word: str) -> Card:
        shows = {self.card(card).upper(): card for card in ALL_CARDS}
        codes = {card.code: card for card in ALL_CARDS}
        found = {**shows, **codes}.get(word.upper())
        if found is None:
            raise GameError("card_text", text=shown(word))
        return found


def edition_names() -> tuple[str, ...]:
    """The editions there are."""
    return texts.names("editions")


def paint(edition: str) -> Mapping[str, str]:
    """The screen's paint for each colour's letter."""
    painted: Mapping[str, str] = texts.load("editions", check_edition(edition))["paint"]
    return painted


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
