"""Where a person's files are kept, as their system has it."""

from __future__ import annotations

import os
from pathlib import Path

from five211.errors import GameError


def folder_of(kind: str, usual: str) -> Path:
    """Our folder among the person's files of a kind: DATA or CACHE."""
    home = os.environ.get(f"XDG_{kind}_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return Path(home or Path.home() / usual) / "five211"
    except RuntimeError:  # who has no home, as in some containers
        raise GameError("no_home", name=f"XDG_{kind}_HOME") from None
