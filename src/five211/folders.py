"""Where a person's files are kept, as their system has it."""

from __future__ import annotations

import os
from pathlib import Path


def folder_of(kind: str, usual: str) -> Path:
    """Our folder among the person's files of a kind: DATA or CACHE."""
    home = os.environ.get(f"XDG_{kind}_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(home or Path.home() / usual) / "five211"
