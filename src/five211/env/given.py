"""What somebody handed in, as a sentence of an environment's names it: by its value.

The core's sentences name the type of what is neither text nor number, since what comes there may
come from anywhere. Whoever makes an environment wrote the value themselves, and looks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from reprlib import Repr
from typing import Any

import numpy as np

from five211.errors import LARGEST, SHOWN, GameError, in_a_line, shown

LONGEST = 60
"""Characters of a value that a sentence repeats."""
TOO_LONG = 10**1000
"""Python does not write numbers of any length."""
_short = Repr()
_short.maxother = _short.maxstring = _short.maxlong = LONGEST


def given(value: object) -> str:
    """A value, short enough for a sentence.

    >>> given(None), given(2.5), given({"greedy"}), given("gold")
    ('None', '2.5', "{'greedy'}", '“gold”')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is int and LARGEST <= abs(value) < TOO_LONG:
        return _cut(str(value), SHOWN)
    if isinstance(value, str) or type(value) is int:
        return shown(value)
    return _cut(in_a_line(_short.repr(value)), LONGEST)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


@contextmanager
def named(*values: object) -> Iterator[None]:
    """What the core refuses here, it refuses by the value."""
    try:
        yield
    except GameError as error:
        known = {shown(value): given(value) for value in values}
        told = copy(error)
        told.fields = {
            name: known.get(field, field) if isinstance(field, str) else field
            for name, field in error.fields.items()
        }
        raise told from None


def check_flag(name: str, value: object) -> bool:
    """What is either so or not so, or an error: a text would always be so."""
    if not isinstance(value, bool | np.bool_):
        raise GameError("env_flag", name=name, given=given(value))
    return bool(value)


def check_known(options: Iterable[str], known: Iterable[str]) -> None:
    """Refuse options that nobody would look at."""
    for name in options:
        if name not in known:
            raise GameError("env_option", name=shown(name), known=tuple(known))


def whole(value: object) -> bool:
    """Whether it is a whole number, Python's or NumPy's; true and false are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def plain(value: Any) -> Any:
    """A whole number as Python's own, for code that knows no other; anything else as it is."""
    return int(value) if whole(value) else value
