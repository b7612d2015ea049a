"""How quickly something is told: by itself, by a key, to its end at once, or halted for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from five211.terminal.settings import SPEEDS

WAITS = ("slow", "normal")
"""Speeds at which a scoring waits for a key at its end."""


class Pace:
    """Whoever tells waits here; whoever listens may hurry or halt it."""

    def __init__(self, speed: Callable[[], str]) -> None:
        self._speed = speed
        self._go_on = asyncio.Event()
        self._hurry = False
        self.halted = self.waits_for_key = False

    def begin(self) -> None:
        """Something new is told, at its usual speed."""
        self._hurry = False

    async def stay(self, seconds: float) -> None:
        """As long as this stays, unless somebody hurries."""
        if self._hurry or not seconds * SPEEDS[self._speed()]:
            return
        self._go_on.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._go_on.wait(), seconds * SPEEDS[self._speed()])
        while self.halted:
            self._go_on.clear()
            await self._go_on.wait()

    async def key(self, shown: Callable[[], None]) -> None:
        """Until somebody has read it, at a speed at which people read."""
        if self._speed() in WAITS:
            self.waits_for_key = True
            shown()
            self._go_on.clear()
            await self._go_on.wait()
            self.waits_for_key = False

    def go_on(self) -> None:
        """The next step."""
        self._go_on.set()

    def hurry(self) -> None:
        """To the end."""
        self._hurry, self.halted = True, False
        self.go_on()

    def halt(self, telling: bool) -> None:
        """Halt what is told, or go on."""
        if not self.waits_for_key:
            self.halted = telling and not self.halted
            self.go_on()
