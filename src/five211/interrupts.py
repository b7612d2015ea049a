"""Ctrl-C is for whoever began something, not for the processes that work for it.

They end with whoever began them, and not by themselves: one that is killed ends nobody.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread


@contextmanager
def unheard() -> Iterator[None]:
    """What begins in here never hears Ctrl-C, not even while Python itself begins."""
    if current_thread() is not main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def work_for_parent() -> None:
    """In a process that works for another: Ctrl-C is for that one, and with it this one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def end_with_parent() -> None:
    """In a process that another began: wait beside for that one to be gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)  # in the middle of anything: nobody waits for it
