"""What a person sees while a command works: a bar, and that something is compiled first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from five211 import texts
from five211.cli import common

if TYPE_CHECKING:
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

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0
            rate = texts.fill(common.language(), "cli.rate", rate=f"{speed:.0f}")
            return Text(rate if speed >= 1 else "")

    return Rate()


@cache
def told_of_compiling() -> None:
    """From now on, say on stderr when the compiled engine is made, once: it takes seconds."""
    from five211.fast import machine

    machine.tell(_say)


@cache
def _announce() -> None:
    if sys.stderr:
        print(texts.say(common.language(), "cli.compiling"), file=sys.stderr, flush=True)


def _say(_name: str) -> None:
    _announce()
