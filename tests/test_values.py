"""Everything that the core hands out is a value: frozen, slotted, compared by what it holds."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

import pytest

MODULES = (
    "commands", "events", "happenings", "match", "record", "rules", "scoring", "state", "table",
    "tableview", "tally", "view",
)  # fmt: skip
CLASSES = [
    value
    for name in MODULES
    for value in vars(importlib.import_module(f"five211.{name}")).values()
    if isinstance(value, type)
    and dataclasses.is_dataclass(value)
    and value.__module__ == f"five211.{name}"
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_value_does_not_change(kind: Any) -> None:
    names = [field.name for field in dataclasses.fields(kind)]
    one, same = (object.__new__(kind) for _ in range(2))
    for value in (one, same):
        for name in names:
            object.__setattr__(value, name, 0)
    assert one == same
    assert not hasattr(one, "__dict__"), "a value has its slots and nothing else"
    for name in (*names, "another"):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
            setattr(one, name, 1)


def test_all_of_them_were_looked_at() -> None:
    assert len(CLASSES) > 50
