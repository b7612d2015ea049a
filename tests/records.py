"""Help for tests of records: places in one, values to put there, and how it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from five211 import RecordError, faults, parse
from tests.goldens import unfinished

STANDARD, LONG, SHORTEST = "2-standard-classic", "2-long-azul", "5-standard-classic"
STOPPED = unfinished()[2]  # three players, in the third turn of their second round
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
json_values = st.recursive(
    scalars.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def at(data: Any, place: str) -> Any:
    """What stands at a place, such as "deals[0].rounds[2].points"."""
    for key in re.findall(r"[^.\[\]]+", place):
        data = data[int(key) if isinstance(data, list) else key]
    return data


def put(data: Any, place: str, value: Any) -> None:
    """Change what stands at a place."""
    *way, last = re.findall(r"[^.\[\]]+", place)
    inner = at(data, ".".join(way))
    inner[int(last) if isinstance(inner, list) else last] = value


def refusal(text: str) -> RecordError:
    """The error with which a text is refused; `faults` names the same one."""
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value == faults(text)[0]
    return caught.value


def nodes(data: Any, place: str = "") -> Iterator[str]:
    """Every place in a record."""
    if isinstance(data, dict):
        inner = [(f"{place}.{key}" if place else key, value) for key, value in data.items()]
    else:
        items = data if isinstance(data, list) else []
        inner = [(f"{place}[{n}]", value) for n, value in enumerate(items)]
    for at_, value in inner:
        yield at_
        yield from nodes(value, at_)
