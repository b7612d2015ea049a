"""How processes that serve the same tables hear of each other's commits.

A bus is a hint and nothing more: what it says is a table's id and the number of its last row, never
what stands in that row; whoever hears of a newer one reads the store. Messages may be lost, come
twice or in any order, so live tables are also looked up every second (`sharing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

News: TypeAlias = Sequence[tuple[str, int]]
"""Tables and the versions that were written."""
Heard: TypeAlias = Callable[[News], None]


class Bus(Protocol):
    """Tells other processes, and is told by them."""

    shared: bool
    """Whether there may be other processes at all."""
    kind: str
    """What it goes over; empty without one."""

    @property
    def up(self) -> bool:
        """Whether it answers."""

    async def start(self, heard: Heard) -> None:
        """Begin to listen; one's own news may come, too."""

    async def stop(self) -> None:
        """Listen no longer."""

    def tell(self, news: News) -> None:
        """Say it soon; never waits and never fails."""


class Alone:
    """One process: there is nobody to tell."""

    shared = False
    kind = ""
    up = True

    async def start(self, heard: Heard) -> None:
        """Nobody will say anything."""

    async def stop(self) -> None:
        """Nothing was begun."""

    def tell(self, news: News) -> None:
        """Nobody listens."""
