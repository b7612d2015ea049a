"""Nobody's own files are touched."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
