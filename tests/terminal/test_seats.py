"""Seats that are kept: for their owner's eyes, one process at a time, and not for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from five211.terminal import seats
from five211.terminal.saved import folder
from five211.terminal.seats import NEWEST, Seat, keep, kept


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def seat(token: str, table: str = "abc", name: str = "Ana") -> Seat:
    return Seat(server="http://h:1", table=table, name=name, token=token)


def found(name: str | None = None, token: str | None = None) -> list[str]:
    """The tokens that come back, each left to the next."""
    tokens = []
    for one in kept("http://h:1", "abc", name, token):
        tokens.append(one.seat.token)
        one.close()
    return tokens


def aged(age: int, new: Seat) -> None:
    """A seat that was kept so many seconds ago."""
    before = set(folder().glob("*"))
    keep(new).close()
    (path,) = set(folder().glob("*")) - before
    os.utime(path, (10**9 - age, 10**9 - age))


def test_the_newest_comes_first_and_others_seats_do_not_come() -> None:
    aged(30, seat("old"))
    aged(20, seat("new", name="Ben"))
    aged(10, seat("other", table="xyz"))
    assert found() == ["new", "old"]
    assert found("Ana") == ["old"]
    assert found("Cleo") == []
    assert found("Cleo", "new") == ["new"]  # a token says more than a name
    assert found(None, "nothing") == []


def test_what_somebody_holds_is_nobody_elses() -> None:
    one = keep(seat("mine"))
    assert found() == []
    one.close()
    assert found() == ["mine"]
    (again,) = kept("http://h:1", "abc", None, None)
    again.drop()
    assert found() == []
    assert list(folder().iterdir()) == []


def test_only_its_owner_reads_it() -> None:
    keep(seat("mine")).close()
    (path,) = folder().iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_only_the_newest_stay() -> None:
    for number in range(NEWEST + 3):
        aged(NEWEST + 3 - number, seat(str(number)))
    assert found() == [str(number) for number in reversed(range(3, NEWEST + 3))]


@pytest.mark.parametrize("rubbish", [b"", b"{", b'{"server": 1}', b"[]", b'{"server": "\xff"}'])
def test_what_cannot_be_read_goes(rubbish: bytes) -> None:
    keep(seat("mine")).close()
    (folder() / "rubbish.seat").write_bytes(rubbish)
    assert found() == ["mine"]
    assert len(list(folder().iterdir())) == 1


def test_a_seat_that_is_dropped_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(seat("mine")).close()

    def dropped(path: Path) -> float:
        path.unlink()
        return 0.0

    monkeypatch.setattr(seats, "_age", dropped)
    assert found() == []


def test_nowhere_to_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    one = keep(seat("mine"))
    assert one.seat.token == "mine"
    assert found() == []
    one.close()
    one.drop()
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    keep(seat("mine")).close()
    assert found() == []


def homeless() -> Path:
    raise RuntimeError("nowhere")
