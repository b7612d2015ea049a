"""What is not installed with five211 itself, and the sentence that says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from five211.errors import GameError


class MissingExtraError(GameError, ImportError):
    """A package is missing; whoever tries imports and does without catches it, too."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports that `five211[name]` brings: if one of them is missing, that is said."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise MissingExtraError("env_missing", package=package, extra=name) from error
