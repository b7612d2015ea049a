"""Every sentence that a person reads, per language, from the files in `data/languages`.

A language is one TOML file of templates; adding one needs no code. A template is filled with
`str.format`; a table of `one`/`other` (or more forms) under a key is chosen by the number `n`,
by the lists under `plural` in that file. This module knows nothing of the game. It is the only
one of the core's that reads a file: the package's own, once, when the first sentence is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_LANGUAGE = "en"


def _folder(kind: str) -> Path:
    from pathlib import Path  # not at the top: `import five211` is to be quick

    return Path(__file__).parent / "data" / kind


@cache
def names(kind: str) -> tuple[str, ...]:
    """The names of the files in a folder of the package's data, without their ending."""
    return tuple(sorted(file.stem for file in _folder(kind).glob("*.toml")))


@cache
def load(kind: str, name: str) -> Mapping[str, Any]:
    """One file of the package's data."""
    import tomllib  # not at the top: `import five211` is to be quick

    content = (_folder(kind) / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(content)


def language_names() -> tuple[str, ...]:
    """The languages there are, by their code."""
    return names("languages")


@cache
def template(language: str, key: str) -> str | Mapping[str, str]:
    """What a language's file says under a key, "section.name"."""
    section, name = key.split(".", maxsplit=1)
    found: str | Mapping[str, str] = load("languages", language)[section][name]
    return found


def say(language: str, key: str, /, **fields: Any) -> str:
    """The sentence under `key`, its fields filled in and its first letter made large."""
    filled = fill(language, key, **fields)
    return filled[:1].upper() + filled[1:]


def fill(language: str, key: str, /, **fields: Any) -> str:
    """The words under `key`, their fields filled in."""
    text = template(language, key)
    if not isinstance(text, str):
        text = text[plural(language, fields["n"])]
    return text.format(**{name: _plain(language, value) for name, value in fields.items()})


def plural(language: str, n: int) -> str:
    """The form that the number `n` takes; forms list their numbers, and the rest are `other`."""
    forms: Mapping[str, Sequence[int]] = load("languages", language)["plural"]
    return next((form for form, numbers in forms.items() if n in numbers), "other")


def listed(language: str, items: Sequence[object]) -> str:
    """Several things in a row: "a, b and c"."""
    *most, last = [str(item) for item in items] or [""]
    if not most:
        return last
    comma, conjunction = template(language, "list.comma"), template(language, "list.and")
    return f"{str(comma).join(most)}{conjunction}{last}"


def _plain(language: str, value: object) -> object:
    return listed(language, value) if isinstance(value, tuple) else value
