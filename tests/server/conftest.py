"""The servers of these tests log as they do when they are run for real; every kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from five211.server.serve import set_up_log
from tests.server.stores import STORES, Opening, drop_databases, opened


@pytest.fixture(autouse=True)
def _log() -> None:
    set_up_log("error")


@pytest.fixture(autouse=True)
def _databases(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test has in PostgreSQL goes when it is over; what many share, with the server."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder is not None:
        drop_databases(folder)


@pytest.fixture(params=STORES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """Opens a store of each kind; opened again, it holds what it held."""
    return lambda: opened(STORES[request.param](tmp_path))
