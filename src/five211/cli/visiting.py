"""While somebody else's code runs: what it prints goes to stderr, and its neighbours are its own.

Two folders may each have a `helpers.py`. So what is imported from somebody's own folder is among
Python's modules only while code of that folder runs, in whichever process, however late.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import local
from types import ModuleType
from typing import Any

_neighbours: dict[str, dict[str, ModuleType]] = {}
"""What was imported from each folder, by the modules' names."""


class _Visit(local):
    """Whether somebody else's code runs in this thread."""

    here = False


_visit = _Visit()


@contextmanager
def visiting(folder: str | None) -> Iterator[None]:
    """Somebody else's code runs in here; it may import from this folder, if it has one."""
    if sys.stdout is not None and not isinstance(sys.stdout, _Aside):
        sys.stdout = _Aside(sys.stdout)
    _visit.here = True
    try:
        with nullcontext() if folder is None else _home(folder):
            yield
    finally:
        _visit.here = False


class _Aside:
    """What stdout is, except to somebody else's code: a command's answer is not for it to write.

    Only to the thread that it runs in: others may print meanwhile. So it stays, and is not taken
    away by whoever is done first.
    """

    def __init__(self, out: Any) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr((_visit.here and sys.stderr) or self._out, name)


@contextmanager
def _home(folder: str) -> Iterator[None]:
    mine = _neighbours.setdefault(folder, {})
    sys.path.insert(0, folder)
    sys.modules.update(mine)
    before = len(sys.modules)
    try:
        yield
    finally:
        if len(sys.modules) != before:
            new = dict(list(sys.modules.items())[before:])  # the newest are the last
            beside = {name for name, module in new.items() if _is_beside(module, folder)}
            mine.update(
                (name, module)
                for name, module in new.items()
                if name.partition(".")[0] in beside or name.partition(".")[0] in mine
            )
        for name in mine:
            sys.modules.pop(name, None)
        with suppress(ValueError):  # somebody's code may have taken it away
            sys.path.remove(folder)


def _is_beside(module: ModuleType, folder: str) -> bool:
    """Whether a file or a package stands in this folder, and not somewhere below."""
    spec = getattr(module, "__spec__", None)
    if spec is None:
        return False
    places = spec.submodule_search_locations or [spec.origin or ""]
    return any(str(Path(place).parent) == folder for place in places)
