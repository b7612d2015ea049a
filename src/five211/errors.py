"""What may go wrong, as one family of errors.

An error is a code with fields. Its sentence is made per language from the same files as every
other text (rule of the house: bad input gets a clear sentence and changes nothing).
"""

from __future__ import annotations

from typing import Any

from five211 import texts

SHOWN = 24  # characters of somebody's input that a sentence repeats
LONGEST_FILE = 200  # characters of a file's name that a sentence repeats
LONGEST_REASON = 120  # characters of somebody else's words that a sentence repeats
LARGEST = 10**9  # numbers from here on are not worth repeating


def shown(value: object) -> str:
    """Somebody's input, short enough and plain enough to stand in a sentence."""
    if type(value) is int:
        return str(value) if abs(value) < LARGEST else "…"
    if not isinstance(value, str):
        return type(value).__name__
    start = plain(value[:SHOWN])
    return f"“{start}…”" if len(value) > SHOWN else f"“{start}”"


def file_name(name: str) -> str:
    """A file's name as a sentence shows it: all of it, since its end tells most."""
    return f"“{'…' if len(name) > LONGEST_FILE else ''}{plain(name[-LONGEST_FILE:])}”"


def plain(text: str) -> str:
    """Somebody's text without what would move a terminal's cursor or cannot be written."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def in_a_line(text: str) -> str:
    """Somebody else's words in one plain line."""
    return plain(" ".join(text.split()))


def short(text: str) -> str:
    """Somebody else's words, to stand at the end of a sentence of ours."""
    return in_a_line(text)[:LONGEST_REASON].rstrip(".")


def reason(error: BaseException) -> str:
    """What went wrong in somebody else's code, to stand at the end of a sentence of ours."""
    return short(f"{type(error).__name__}: {error}".removesuffix(": "))


class GameError(ValueError):
    """Something that the rules, the table or the record format do not allow.

    >>> raise GameError("players", players=6, least=2, most=5)
    Traceback (most recent call last):
    ...
    five211.errors.GameError: 5211 is for 2 to 5 players, not 6.
    """

    code: str
    fields: dict[str, Any]

    def __init__(self, code: str | GameError, **fields: Any) -> None:
        if isinstance(code, GameError):  # as Gymnasium raises anew what a process of its own raised
            fields, code = {**code.fields, **fields}, code.code
        super().__init__(code)
        self.code = code
        self.fields = fields

    def say(self, language: str = texts.DEFAULT_LANGUAGE) -> str:
        """The sentence for a player; in English if the language is not known.

        What is no code was a text already, of somebody who raises errors of any kind by their type.
        """
        if language not in texts.language_names():
            language = texts.DEFAULT_LANGUAGE
        if self.code not in texts.load("languages", language)["errors"]:
            return self.code
        return texts.say(language, f"errors.{self.code}", **self.fields)

    def __str__(self) -> str:
        return self.say()

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"{type(self).__name__}({self.code!r}{fields})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameError):
            return NotImplemented
        return (type(self), self.code, self.fields) == (type(other), other.code, other.fields)

    __hash__ = None  # type: ignore[assignment]  # fields may hold anything

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self.fields)


def check_list(value: object) -> None:
    """Refuse what is no list of things: an iterator would be used up, a set has no order."""
    if not isinstance(value, (tuple, list)):
        raise GameError("list_type", given=shown(value))


def _rebuild(kind: type[GameError], code: str, fields: dict[str, Any]) -> GameError:
    return kind(code, **fields)
