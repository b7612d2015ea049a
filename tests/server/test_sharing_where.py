"""Who is connected to which of several processes: also with two tabs, and whoever was quicker."""

from __future__ import annotations

from pathlib import Path

from five211.commands import Away
from five211.server.codec import entry_bytes, read_row, row_bytes
from five211.server.entries import Kept, Opened
from five211.server.hub import Hub
from five211.server.room import apply
from five211.table import Options, Seat
from tests.server.helpers import on_a_loop, until
from tests.server.players import raw_seat
from tests.server.several import Wire, halls, overtaken_by, quick  # noqa: F401 - quick: around every test


@on_a_loop
async def test_whoever_has_two_tabs_is_here_until_the_last_is_closed(tmp_path: Path) -> None:
    async with halls(tmp_path, away_after=0.05) as served:
        made = await served[0].made(players=2, words=False)
        ben = await served[0].sat(made, "Ben", words=False)
        table, one, other = made["table"], served[0].hub, served[1].hub
        async with served[0].client(made) as ana:
            async with raw_seat(served[1], ben) as first:
                await first.frame()
                async with raw_seat(served[0], ben) as second:
                    await second.frame()
                    await until(lambda: {len(at) for at in _where(other, table)} == {1, 2})
                await until(lambda: (other.sharing.process,) in _where(one, table))
                assert await _away(one, table) == 0
            await ana.until(lambda seen: not seen["seats"][1]["present"])
            assert await _away(one, table) == 1
            assert len(_where(one, table)) == 1


def _where(hub: Hub, table: str) -> list[tuple[str, ...]]:
    return list(hub.lives[table].room.where.values())


async def _away(hub: Hub, table: str) -> int:
    """How often somebody went."""
    rows = [read_row(row.entries) for row in await hub.store.load(table)]
    return sum(isinstance(entry, Away) for row in rows for entry, _, _ in row)


@on_a_loop
async def test_where_somebody_is_stands_in_the_log_though_another_was_quicker(
    tmp_path: Path,
) -> None:
    async with halls(tmp_path, 2, Wire(1.0), away_after=0.05) as served:
        made = await served[0].made(players=2, words=False)
        ben = await served[0].sat(made, "Ben", words=False)
        table, one, other = made["table"], served[0].hub, served[1].hub
        async with raw_seat(served[0], ben) as old:
            await old.frame()
            await other.find(table)
            overtaken_by(other, one, table, b'"Here"')
            async with raw_seat(served[1], ben) as new:
                await new.frame()
                await until(lambda: other.sharing.process in str(_where(one, table)))
                await old.socket.close()
                await until(lambda: (other.sharing.process,) in _where(one, table))
                assert await _away(one, table) == 0


@on_a_loop
async def test_whoever_is_taken_for_away_by_mistake_is_back(tmp_path: Path) -> None:
    """Another process may have taken ours for dead."""
    async with halls(tmp_path) as served:
        made = await served[0].made(players=2, words=False)
        table, one, other = made["table"], served[0].hub, served[1].hub
        async with raw_seat(served[0], made) as ana:
            await ana.frame()
            live, there = one.lives[table], await other.find(table)
            person = live.room.table.seats[0].person
            assert person is not None
            await until(lambda: not live.busy)
            other.do(there, Away(person))
            assert await other.written(there)
            await until(lambda: _where(other, table) == [(one.sharing.process,)])
            assert there.room.table.seats[0].present
            assert await _away(one, table) == 1


def test_a_log_that_names_one_process_for_each_person_is_read() -> None:
    opened = Opened("t", "c", "w", "s", 2, "standard", Options())
    nobody = (Seat(), Seat())
    kept = Kept(opened, (), nobody, None, 0, {}, {}, (0, 0, 0), {}, {"a": "p", "b": ("q", "r")})
    again = read_row(row_bytes([entry_bytes(kept, 1.0, None)]))[0][0]
    assert apply(None, again, 1.0)[0].where == {"a": ("p",), "b": ("q", "r")}
