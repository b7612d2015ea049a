"""Processes that work for another: Ctrl-C is not theirs, and they end with it.

`server/test_killing.py` kills a real server, and `arena/test_crew.py` a real arena.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from queue import SimpleQueue

import pytest

from five211 import interrupts


def test_ctrl_c_is_for_the_one_that_they_work_for() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        interrupts.work_for_parent()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_they_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: SimpleQueue[int] = SimpleQueue()
    parent = multiprocessing.get_context("spawn").Process(target=print)
    monkeypatch.setattr(parent, "join", lambda: None)
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(os, "_exit", ended.put)
    interrupts.end_with_parent()
    assert ended.get(timeout=60) == 1
