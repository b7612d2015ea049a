"""What the tests of `five211 bot` share: a file with bots of one's own, and a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from five211.cli import common
from tests.server.houses import ServerProcess, server_process

OWN = """
from neighbour import first

class Mine:
    def choose(self, view, rng):
        return first(view.choices)

class Failing:
    def choose(self, view, rng):
        return 1 / 0

class Cheating:
    def choose(self, view, rng):
        return view.hand

class Lazy:
    def choose(self, view, rng):
        return None

class Odd:
    def choose(self, view, rng):
        return ["G2", "G3"]

class Leaving:
    def choose(self, view, rng):
        raise SystemExit("bye")

class Nobody:
    def __repr__(self):
        return 1 / 0

    def choose(self, view, rng):
        return self

class Empty:
    def choose(self, view, rng):
        return []

class NoBot:
    pass

class Unmade:
    def __init__(self):
        raise OSError("no brain.")

class Async:
    async def choose(self, view, rng):
        return view.choices[0]

class Unsure(Mine):
    @property
    def searches(self):
        return 1 / 0

class Endless(Mine):
    def choose(self, view, rng):
        class Cards(list):
            def __iter__(self):
                raise OSError("no end")
        return Cards()

class Stopping(Mine):
    def choose(self, view, rng):
        raise KeyboardInterrupt

class Unready(Mine):
    def prepare(self):
        raise OSError("no network")

class Prepared:
    prepared = 0

    def prepare(self):
        self.prepared += 1

    def choose(self, view, rng):
        assert self.prepared == 1
        return view.choices[0]

ready = Mine()
"""


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """English."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(common, "_spoken", [])


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with bots of one's own, and the neighbour that it imports."""
    (tmp_path / "neighbour.py").write_text("def first(choices): return choices[0]\n")
    path = tmp_path / "my_bot.py"
    path.write_text(OWN)
    return path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server"), operator_token="op") as one:
        yield one
