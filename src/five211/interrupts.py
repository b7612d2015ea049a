"""Ctrl-C is for whoever began something, not for the processes that work for it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


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
