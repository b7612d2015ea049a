"""Bots think in processes of their own, so that a slow one never delays a table.

A bot gets a view and a stream of chance, nothing else; the stream's seed is fresh for each choice
and has nothing to do with any deck.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing.process import BaseProcess

import structlog

from five211.bots import Bot, entries, entry
from five211.cards import Cards
from five211.chance import stream
from five211.interrupts import end_with_parent, unheard, work_for_parent
from five211.state import check_choice
from five211.view import View

log = structlog.get_logger()


PATIENCE = 20.0  # seconds for one choice, waiting for a process included
PATIENCE_AT_FIRST = 120.0  # for a bot's first one, which may have to be compiled


class Thinkers:
    """The processes that bots think in."""

    def __init__(
        self, workers: int, patience: float = PATIENCE, at_first: float = PATIENCE_AT_FIRST
    ) -> None:
        self._workers = workers
        self._patience, self._at_first = patience, at_first
        self._pool: ProcessPoolExecutor | None = None
        self._known: set[str] = set()
        self._beginning = 0
        """First choices under way: others may have to wait for them."""

    def think(self, bot: str, view: View, seed: int) -> asyncio.Future[Cards]:
        """What the bot chooses; begun at once."""
        return asyncio.ensure_future(self._think(bot, view, seed))

    async def _think(self, bot: str, view: View, seed: int) -> Cards:
        first = bot not in self._known
        self._known.add(bot)
        self._beginning += first
        patience = self._at_first if self._beginning else self._patience
        try:
            return await self._thought(bot, view, seed, patience)
        finally:
            self._beginning -= first

    async def _thought(self, bot: str, view: View, seed: int, patience: float) -> Cards:
        for _ in range(2):
            pool = self._started()
            try:
                thought = pool.submit(choose, bot, view, seed)
                return await asyncio.wait_for(asyncio.wrap_future(thought), patience)
            except BrokenProcessPool:  # a process was killed: once more, in a new one
                log.warning("bot process died")
                self._known.clear()
                if self._pool is pool:
                    self._pool = None
            except TimeoutError:
                log.error("bot too slow", bot=bot)
                if not thought.cancelled():  # it is thinking; else it was only waiting its turn
                    self._kill(pool)
                break
            except Exception as error:  # the bot's own fault, whatever it is
                log.error("bot failed", bot=bot, kind=type(error).__name__, exc_info=error)
                break
        return choose("random", view, seed)  # the game goes on

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=context, initializer=work_for_parent
            )
        return self._pool

    def _kill(self, pool: ProcessPoolExecutor) -> None:
        """A process that thinks for ever is not asked again, nor are those beside it."""
        if self._pool is pool:
            self._pool = None
        for process in list((pool._processes or {}).values()):
            process.kill()

    def close(self) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def compile_ahead() -> BaseProcess:
    """Begin to compile what our bots need, unless it is on disk, before anyone asks.

    In a process that gives way to all others, and ends with the server.
    """
    process = multiprocessing.get_context("spawn").Process(target=compile_quietly, daemon=True)
    with unheard():
        process.start()
    return process


def compile_quietly() -> None:
    """In a process of its own: compile."""
    with suppress(AttributeError):  # where there is no such thing as being nice
        os.nice(10)
    end_with_parent()
    for one in entries():
        if one.level is not None:
            one.ready()


@cache
def _bot(name: str) -> Bot:
    """A bot that is ready: whatever has to be compiled, is compiled before its first choice."""
    return entry(name).ready()


def choose(bot: str, view: View, seed: int) -> Cards:
    """In one of the processes: what the bot chooses."""
    try:
        cards = _bot(bot).choose(view, stream(seed, "bot"))
    except (SystemExit, KeyboardInterrupt) as error:  # sent on, it would end the server
        raise RuntimeError(repr(error)) from None
    return check_choice(view.rules, view.hand, view.turn, cards)
