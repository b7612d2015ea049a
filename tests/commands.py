"""The command line run in this process, in plain surroundings: what tests of commands share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from five211 import cli
from five211.cli import common

WISHES = ("LC_ALL", "LC_MESSAGES", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONUNBUFFERED")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """English, no wishes about colour, and files of one's own out of the way."""
    for name in WISHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(common, "_spoken", [])


def run_main(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: object
) -> tuple[int, str, str]:
    """`five211` with these arguments: exit code, stdout, stderr."""
    monkeypatch.setattr(sys, "argv", ["five211", *map(str, args)])
    common._spoken.clear()
    with pytest.raises(SystemExit) as caught:
        cli.main()
    out, err = capsys.readouterr()
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


def stopped(mark: Path, *args: str) -> tuple[int, int, bytes, bytes]:
    """`five211` in a process group that hears Ctrl-C, as from a terminal, once a bot made its mark:
    its number, exit code, stdout, stderr."""
    with subprocess.Popen(
        [sys.executable, "-m", "five211", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "MARK": str(mark), "LANG": "C.UTF-8"},
    ) as running:
        while not mark.exists():
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=120)
    return running.pid, running.returncode, out, err
