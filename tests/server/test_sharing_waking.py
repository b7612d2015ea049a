"""Which tables a process takes up though nobody is there, and which it lets go of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from five211.commands import Away, Sit, Start, Tick
from five211.server import lobby, sharing
from five211.server.entries import Alerted, Bound, Dealt, Opened, Told
from five211.server.hub import Hub
from five211.server.live import Live
from five211.server.room import Entry, Room, apply
from five211.table import Clock as TableClock
from five211.table import Options
from tests.server.helpers import DAY, Clock, hall, on_a_loop, until
from tests.server.players import may_choose
from tests.server.several import End, Wire, left_tables, quick  # noqa: F401 - quick: around every test


async def two_that_are_late(folder: Path, clock: Clock) -> list[str]:
    """Tables of a server that has stopped, whose clocks ran out."""
    tables = await left_tables(folder, clock, 2)
    clock.now += 2 * 86400.0
    return tables


@on_a_loop
async def test_a_table_with_a_fault_keeps_no_other_asleep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    bad, good = await two_that_are_late(tmp_path, clock)
    find = Hub.find

    async def fails(self: Hub, id_: str) -> Live:
        if id_ == bad:
            raise RuntimeError("a bug")
        return await find(self, id_)

    monkeypatch.setattr(Hub, "find", fails)
    async with hall(tmp_path, clock.sources) as one:
        await until(lambda: list(one.hub.lives) == [good])
        asked = list[str]()

        async def notes(id_: str) -> Any:
            asked.append(id_)

        monkeypatch.setattr(one.hub, "_wake", notes)
        await one.hub._wake_due()
        assert set(asked) == {bad}  # what is in memory is not asked for


@on_a_loop
async def test_if_the_first_does_not_wake_a_table_the_next_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    tables = await two_that_are_late(tmp_path, clock)
    turns = {tables[0]: 1, tables[1]: 2}
    monkeypatch.setattr(sharing.Sharing, "_turn", lambda _, table: turns[table])
    async with hall(tmp_path, clock.sources, bus=End(Wire())) as one:
        hub = one.hub
        await until(lambda: set(hub._late) == set(tables))
        assert not hub.lives
        for table in tables:
            hub._late[table] -= sharing.NEXT
        await hub._wake_due()
        assert list(hub.lives) == tables[:1]
        hub._unload()
        assert list(hub.lives) == tables[:1]  # it stays long enough to be taken over


@on_a_loop
async def test_a_table_that_is_played_elsewhere_is_let_go_of(tmp_path: Path) -> None:
    clock, wire = Clock(), Wire()
    async with (
        hall(tmp_path, clock.sources, bus=End(wire)) as one,
        hall(tmp_path, clock.sources, bus=End(wire)) as other,
    ):
        made = await one.make(players=2, bots=["random"], words=False)
        table, hub = made["table"], one.hub
        live = hub.lives[table]
        async with other.client(made) as ana:
            await ana.do("start")
            await ana.until(may_choose)
            await until(lambda: not live.busy and hub.sharing.lives(live.room.driver))
            for timer in live.away.values():
                timer.cancel()
            live.away.clear()
            clock.now += hub.settings.unload_after + 1.0
            there = other.hub.lives[table]
            other.hub.do(there, Tick())
            await other.hub.written(there)
            await until(lambda: not live.busy and live.version == there.version)
            assert live.touched == clock.now
            hub._unload()
            assert table not in hub.lives
            other.hub._unload()
            assert table in other.hub.lives


def test_a_table_is_due_when_somebody_is_to_be_told_or_a_deck_to_be_dealt() -> None:
    options = Options(clock=TableClock(**DAY))  # type: ignore[arg-type]
    opened = Opened("t", "c", "w", "s", 2, "standard", options)
    room: Room | None = None

    def do(*entries: Entry) -> Room:
        nonlocal room
        for entry in entries:
            room, _ = apply(room, entry, 1.0)
        assert room is not None
        return room

    assert lobby.due(do(opened, Sit("ana", "Ana"), Sit("ben", "Ben"))) is None
    assert lobby.due(do(Start("ana"))) == 0.0
    assert lobby.due(do(Bound(bytes(32), ()))) == 0.0
    due = lobby.due(do(Dealt()))
    assert due is not None
    assert due > 80_000.0
    # He is here, and is to be told if his process is killed.
    assert lobby.due(do(Alerted("ben", "webhook", "http://example.org"))) == 0.0
    assert lobby.due(do(Away("ben"))) == 0.0
    moment = do().table.moment
    assert moment is not None
    assert lobby.due(do(Told("ben", moment))) == due
