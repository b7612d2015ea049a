"""What the log and the metrics say of a store that is away, and of other processes."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from five211.server import faults
from five211.server.faults import CALM, QUIET, Trouble
from five211.server.store import StoreFailed
from tests.server.helpers import Clock, hall, heard, on_a_loop, until
from tests.server.players import raw_seat
from tests.server.several import End, Wire, quick  # noqa: F401 - quick: around every test


def test_a_trouble_is_told_when_it_begins_now_and_then_and_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr("five211.server.faults.time.monotonic", lambda: clock.now)
    trouble = Trouble("store", logging.ERROR)
    with heard() as logged:
        trouble.went_well()
        for seconds in (0.0, 1.0, QUIET - 2, 1.0):
            clock.now += seconds
            trouble.failed("disk full", tables=2)
            trouble.went_well()  # something else that is smaller
        before = trouble.lasts
        for seconds in (CALM, 1.0):
            clock.now += seconds
            trouble.went_well()
        assert (before, trouble.lasts) == (True, False)
        trouble.failed("gone")
    told = [(one["event"], one["log_level"], one.get("reason"), one.get("times")) for one in logged]
    assert told == [
        ("store failed", "error", "disk full", 1),
        ("store failed", "error", "disk full", 3),
        ("store recovered", "info", None, None),
        ("store failed", "error", "gone", 1),
    ]
    assert [one.get("tables") for one in logged] == [2, 2, None, None]


async def gone(*_: Any) -> Any:
    raise StoreFailed("the database has gone")


@on_a_loop
async def test_whoever_asks_is_not_told_of_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(tmp_path, metrics=True) as one:
        for name in ("processes", "lobby", "new_player"):
            monkeypatch.setattr(one.hub.store, name, gone)
        with heard() as logged:
            for path in ("/api/ready", "/api/tables"):
                answer = await one.send("GET", path)
                assert answer.status_code == 503
                said = {"code": "store_away", "text": "The database does not answer."}
                assert said.items() <= answer.json()["error"].items()
            refused = await one.refused("POST", "/api/players", name="Ana")
            assert refused == (503, "try_again")
        assert [line["reason"] for line in logged] == ["the database has gone"]
        await until(lambda: b"\nfive211_bus_up 1.0\n" in one.hub.metrics.text())
        figures = (await one.send("GET", "/metrics")).text
        counted = re.search(r"(?m)^five211_store_failures_total (\S+)$", figures)
        assert counted is not None
        assert float(counted[1]) >= 3  # of several, each also looks out for the others
        assert "\nfive211_bus_up 1.0\n" in figures


@on_a_loop
async def test_sockets_and_commits_that_the_store_fails_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "CALM", 0.0)
    async with hall(tmp_path) as one:
        seat = await one.make()
        failures = one.hub.metrics.store_failures._value
        with heard() as logged, monkeypatch.context() as patched:
            patched.setattr(one.hub.store, "commit", gone)
            assert await one.refused("POST", "/api/tables", name="Ben") == (503, "try_again")
            assert failures.get() == 1.0
            one.hub.forget(one.hub.lives[seat["table"]])
            patched.setattr(one.hub.store, "load", gone)
            async with raw_seat(one, seat) as socket:
                await socket.socket.wait_closed()
                assert socket.socket.close_code == 1012
            assert failures.get() == 2.0
            patched.undo()
            await one.make()
        told = [line["event"] for line in logged if line["event"] != "table dropped"]
        assert told[0] == "store failed"
        assert told[-1] == "store recovered"
        assert logged[0]["tables"] == 1


@on_a_loop
async def test_processes_that_come_and_go_are_told(tmp_path: Path) -> None:
    wire = Wire()
    async with hall(tmp_path, bus=End(wire)) as stays:
        with heard() as logged:
            async with hall(tmp_path, bus=End(wire)) as goes:
                process = goes.hub.sharing.process
                await until(lambda: process in stays.hub.sharing.others)
            await until(lambda: process not in stays.hub.sharing.others)
    told = {(line["event"], line["process"]) for line in logged}
    expected = {
        (event, process) for event in ("started", "stopped", "process came", "process gone")
    }
    assert told == expected | {("process came", stays.hub.sharing.process)}


@on_a_loop
async def test_processes_with_different_buses_are_told_of_once(tmp_path: Path) -> None:
    class Other(End):
        kind = "other"

    wire = Wire()
    async with hall(tmp_path, bus=End(wire)) as one:
        with heard() as logged:
            for _ in range(2):
                async with hall(tmp_path, bus=End(wire)), hall(tmp_path, bus=Other(wire)) as other:
                    process = other.hub.sharing.process
                    await until(lambda: process in one.hub.sharing.others)  # noqa: B023
                await until(lambda: process not in one.hub.sharing.others)  # noqa: B023
        await one.hub.store.beat("older", one.hub.now, {})
        assert await one.hub.store.buses(1000.0) == {"wire"}
    told = [(line["ours"], line["theirs"]) for line in logged if line["event"] == "other bus"]
    assert told.count(("other", ["wire"])) == 2  # each of those that came
    assert ("wire", ["other"]) in told


@on_a_loop
async def test_however_many_ask_the_store_is_asked_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[float]()

    async def processes(dead: float) -> dict[str, dict[str, int]]:
        asked.append(dead)
        return {}

    async with hall(tmp_path) as one:
        monkeypatch.setattr(one.hub.store, "processes", processes)
        await asyncio.gather(*(one.hub.ask_store() for _ in range(5)))
        assert asked.count(0.0) == 1
        one.hub._ask_again = 0.0  # a second later
        await one.hub.ask_store()
        assert asked.count(0.0) == 2
