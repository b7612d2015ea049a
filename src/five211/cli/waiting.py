"""While a command works: a bar, word that something is compiled first, and what Ctrl-C does."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from five211 import texts
from five211.bots import Entry, prepare
from five211.cli import common

if TYPE_CHECKING:
    from types import FrameType

    from rich.progress import ProgressColumn

Advance = Callable[[int], Any]


@contextmanager
def bar(total: int) -> Iterator[Advance]:
    """A progress bar on stderr, if that is a terminal; what it gives moves it on."""
    console = common.console(stderr=True)
    if not console.is_terminal:
        yield lambda _more: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), _rate(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda more: progress.advance(task, more)


def _rate() -> ProgressColumn:
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    from five211.stats.words import number

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0
            language = common.language()
            rate = texts.fill(language, "cli.rate", rate=number(language, speed))
            return Text(rate if speed >= 1 else "")

    return Rate()


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Only the first Ctrl-C counts in here: one more shall not cost what there is to show."""
    usual = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(usual):
        yield
        return

    def first(signal_number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        usual(signal_number, frame)

    signal.signal(signal.SIGINT, first)
    try:
        yield
        print(end="", flush=True)  # while it is safe
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def or_nothing() -> Iterator[None]:
    """Whoever stops this is told that there is nothing to show yet."""
    try:
        yield
    except KeyboardInterrupt:
        _tell("cli.nothing_yet")
        raise


@cache
def told_of_compiling() -> None:
    """From now on, say on stderr when the compiled engine is made, once: it takes seconds."""
    from five211.fast import machine

    machine.tell(_say)


def prepared(bots: Iterable[Entry]) -> None:
    """Have bots compile what they need before a game begins, and say so if they do."""
    for bot in {one.name: one.make() for one in bots}.values():
        if hasattr(bot, "prepare"):  # few have to, and the others are to begin at once
            told_of_compiling()
            prepare(bot)


@cache
def _announce() -> None:
    _tell("cli.compiling")


def _say(_name: str) -> None:
    _announce()


def _tell(key: str) -> None:
    if sys.stderr:
        print(texts.say(common.language(), key), file=sys.stderr, flush=True)
