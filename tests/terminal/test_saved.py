"""What is kept: one holder at a time, whole lines or none, on any system."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from pathlib import Path

import pytest

from five211 import GameError
from five211.terminal.saved import Log, folder, games_file
from tests.goldens import golden
from tests.terminal.people import offered, setup


def test_the_newest_game_comes_first() -> None:
    logs = [Log.begin(setup()) for _ in range(3)]
    for age, log in enumerate(logs):
        log.close()
        os.utime(log.path, (age, age))
    assert offered() == [log.path for log in reversed(logs)]


def test_no_two_games_have_the_same_file() -> None:
    game = setup()
    Log.begin(game).close()
    with pytest.raises(GameError, match="cannot be written: File exists"):
        Log.begin(game)


def test_a_game_that_somebody_has_just_ended_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the moment when it is opened, and the moment when it is held."""
    held, other = Log.begin(setup()), Log.begin(setup())
    other.close()
    flock = fcntl.flock

    def ends_first(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        other.path.unlink()
        flock(file, how)

    os.utime(held.path, (0, 0))
    monkeypatch.setattr(fcntl, "flock", ends_first)
    assert offered() == []
    assert held.path.exists()
    held.close()


def test_a_file_that_vanishes_while_they_are_listed_is_no_game(tmp_path: Path) -> None:
    folder().mkdir(parents=True)
    (folder() / "x.game").symlink_to(tmp_path / "nowhere")
    assert offered() == []


def test_choices_are_read_as_they_were_written_also_after_a_cut() -> None:
    log = Log.begin(setup())
    log.note(0, ("Y1", "G2"))
    with log.path.open("ab") as file:
        file.write(b'[1,["Y1')
    found = log.read()
    assert found is not None
    log.note(0, ())
    again = log.read()
    assert again is not None
    assert [(move.seat, move.cards) for move in again[1]] == [(0, ("Y1", "G2")), (0, ())]
    log.close()


def test_without_a_way_to_hold_files_one_plays_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_locks(_file: object, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", no_locks)
        Log.begin(setup()).close()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "fcntl", None)
        Log.begin(setup()).close()
        assert len(offered()) == 2


def test_a_record_is_put_after_whole_ones_only_and_once() -> None:
    record = golden("2-standard-classic")
    one, two = Log.begin(setup()), Log.begin(setup())
    games_file().write_text('{"half of a rec')
    one.finish(record)
    first = games_file().read_text()
    assert first.endswith("\n")
    assert "half" not in first
    one.finish(record)
    assert games_file().read_text() == first
    two.finish(record)
    assert len(games_file().read_text().splitlines()) == 2  # another game, though the same cards
    assert [path.name for path in folder().iterdir()] == ["games.jsonl"]


def test_a_record_that_cannot_be_opened_is_said_and_the_game_stays() -> None:
    log = Log.begin(setup())
    games_file().mkdir()
    with pytest.raises(GameError, match="cannot be written: Is a directory"):
        log.finish(golden("2-standard-classic"))
    assert log.path.exists()
    log.drop()
