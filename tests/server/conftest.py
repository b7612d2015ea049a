"""The servers of these tests log as they do when they are run for real."""

from __future__ import annotations

import pytest

from five211.server.serve import set_up_log


@pytest.fixture(autouse=True)
def _log() -> None:
    set_up_log("error")
