"""The whole screen driven by keys, and what it shows as text: what its tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from five211 import Cards, faults
from five211.bots import Entry, entry
from five211.terminal.app import FiveApp
from five211.terminal.asked import Asked
from five211.terminal.saved import games_file
from five211.terminal.table import TableScreen

SNAPSHOTS = Path(__file__).parent / "snapshots"
SIZE = (80, 24)


@asynccontextmanager
async def playing(
    size: tuple[int, int] = SIZE,
    language: str = "en",
    load: Callable[[str], Entry] = entry,
    **asked: Any,
) -> AsyncIterator[Pilot[Any]]:
    """The app with these wishes; without motion unless asked for."""
    asked.setdefault("speed", "none")
    app = FiveApp(Asked(**asked), load, language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def table(pilot: Pilot[Any]) -> TableScreen:
    """The table's screen, also if something lies over it."""
    return next(one for one in pilot.app.screen_stack if isinstance(one, TableScreen))


def shown(pilot: Pilot[Any]) -> list[str]:
    """The lines on the screen."""
    screen = pilot.app.screen
    return [strip.text.rstrip() for strip in screen._compositor.render_strips()]


def text(pilot: Pilot[Any]) -> str:
    """All of it, wherever lines were broken."""
    return " ".join(" ".join(shown(pilot)).split())


async def settled(pilot: Pilot[Any], good: Callable[[], bool]) -> None:
    """Wait until it is so."""
    for _ in range(2000):
        if good():
            return
        await pilot.pause(0.005)
    raise AssertionError(text(pilot))


async def may_choose(pilot: Pilot[Any]) -> bool:
    """Wait until somebody is to choose, or the game is over; whether it goes on."""
    screen = table(pilot)

    def ready() -> bool:
        if screen.over:
            return screen.telling is None
        return screen.can_choose and screen.telling is None

    await settled(pilot, ready)
    return not screen.over


async def play_turn(pilot: Pilot[Any], *places: int) -> None:
    """Pick by number and play."""
    await pilot.press(*(str(place + 1) for place in places), "enter")


async def play_out(pilot: Pilot[Any]) -> None:
    """The first cards of the hand, until the game is over."""
    while await may_choose(pilot):
        view = table(pilot).look.view
        assert view is not None
        await play_turn(pilot, *range(view.plays))


def hand(pilot: Pilot[Any]) -> Cards:
    """What the active person holds."""
    view = table(pilot).look.view
    assert view is not None
    return view.hand


def kept_games() -> list[str]:
    """The records of the games that were finished, each sound."""
    records = games_file().read_text(encoding="utf-8").splitlines()
    for record in records:
        assert faults(record) == ()
    return records


async def all_bots_chose(pilot: Pilot[Any]) -> None:
    """Wait until only people are awaited."""
    await may_choose(pilot)
    await settled(pilot, lambda: all(seat.chosen for seat in table(pilot).look.seats if seat.bot))
    await pilot.pause()
