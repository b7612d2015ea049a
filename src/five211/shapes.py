"""Values of the game as JSON can hold them: the same shapes on the command line and on the wire."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from enum import Enum
from functools import cache
from typing import Any

from five211.cards import Card, Color
from five211.editions import Words
from five211.events import Event
from five211.scoring import Score
from five211.sentences import explain_step, snake, tell


def as_json(value: Any) -> Any:
    """Cards and colours as their letters, values as objects, counts by colour."""
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Color):
        return value.name
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        if value and all(isinstance(item, tuple) and _is_count(item) for item in value):
            return {color.name: count for color, count in value}
        return [as_json(item) for item in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    names = _fields(type(value))  # type: ignore[arg-type]
    return {name: as_json(getattr(value, name)) for name in names}


@cache
def _fields(kind: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]


def _is_count(item: tuple[Any, ...]) -> bool:
    return len(item) == 2 and isinstance(item[0], Color)


def score_json(score: Score, words: Words | None) -> dict[str, Any]:
    """A scoring with its steps, each with its sentence if there are words for it."""
    return {
        "kind": score.outcome.value,
        "color": as_json(score.color),
        "points": list(score.points),
        "cards": as_json(score.cards),
        "steps": [_step_json(step, words) for step in score.steps],
    }


def _step_json(step: Any, words: Words | None) -> dict[str, Any]:
    shape = {"step": snake(step), **as_json(step)}
    return shape if words is None else {**shape, "text": explain_step(step, words)}


def event_json(event: Event, names: Sequence[str], words: Words | None) -> dict[str, Any]:
    """An event with its fields, and its sentence if there are words for it."""
    shape: dict[str, Any] = {"event": snake(event)}
    for field in dataclasses.fields(event):  # type: ignore[arg-type]
        value = getattr(event, field.name)
        shape[field.name] = score_json(value, words) if isinstance(value, Score) else as_json(value)
    if words is not None:
        shape["text"] = tell(event, names, words.language, words.edition)
    return shape
