"""What any store does with tables: their logs, doors and listings, and when they are forgotten."""

from __future__ import annotations

import asyncio

import pytest

from five211.server.codec import read_row
from five211.server.entries import Rewritten
from five211.server.store import GAPS, Commit, Conflict, Gap, Row
from tests.server.helpers import on_a_loop
from tests.server.stores import Opening, admitted, game, listing, row


@on_a_loop
async def test_a_conflict_names_its_table_and_writes_nothing(kept: Opening) -> None:
    async with kept() as store:
        await store.commit(Commit((row("old"),), (listing("old"),)))
        stale = Commit((row("new"), row("old")), (listing("new"),), (game("g"),))
        commits = (Commit((row("a"),)), stale, Commit((row("old", 2),)))
        found = await asyncio.gather(*map(store.commit, commits), return_exceptions=True)
        assert (found[0], found[2]) == (None, None)
        assert isinstance(found[1], Conflict)
        assert found[1].tables == {"old"}
        assert await store.load("new") == []
        assert await store.find_table("Cnew") is None
        assert await store.game("g") is None
        assert await store.load("a") == [row("a")]
        assert await store.load("old") == [row("old"), row("old", 2)]


@on_a_loop
async def test_a_row_follows_the_one_before_it_or_is_a_conflict(kept: Opening) -> None:
    async with kept() as store:
        await store.commit(Commit((row("t"),), (listing("t"),)))
        await store.expire("gathering", 1000.0)  # while the next move was on its way
        with pytest.raises(Conflict) as conflict:
            await store.commit(Commit((row("t", 2), row("other"))))
        assert conflict.value.tables == {"t"}
        assert (await store.load("t"), await store.load("other")) == ([], [])


@on_a_loop
async def test_a_log_begins_anew(kept: Opening) -> None:
    async with kept() as store:
        for version in (1, 2, 3):
            await store.commit(Commit((row("t", version), row("other", version))))
        anew = Row("t", 4, b"[1]", anew=True)
        await store.commit(Commit((anew,)))
        await store.commit(Commit((row("t", 5),)))
        assert [(one.version, one.entries) for one in await store.load("t")] == [
            (4, b"[1]"),
            (5, b"[]"),
        ]
        assert len(await store.load("other")) == 3
        for version in (1, 2, 3, 4, 5, 7):
            with pytest.raises(Conflict):
                await store.commit(Commit((row("t", version),)))


@pytest.mark.parametrize("door", ["code", "watch", "screen"])
@on_a_loop
async def test_a_new_table_never_takes_another_ones_door(kept: Opening, door: str) -> None:
    async with kept() as store:
        await store.commit(Commit((row("old"),), (listing("old"),)))
        twin = listing("twin", **{door: getattr(listing("old"), door)})
        with pytest.raises(Conflict) as conflict:
            await store.commit(Commit((row("twin"), row("fine")), (twin, listing("fine"))))
        assert conflict.value.tables == {"twin"}
        assert await store.find_table(getattr(twin, door)) == "old"
        assert await store.load("fine") == []
        await store.commit(Commit((row("old", 2),), (listing("old", phase="playing"),)))
        assert await store.expire("playing", 1e9) == ["old"]


@on_a_loop
async def test_the_lobby_shows_public_tables_the_latest_first(kept: Opening) -> None:
    async with kept() as store:
        lists = [
            listing(id_, touched=at, summary=id_.encode())
            for id_, at in (("a", 1.0), ("c", 3.0), ("b", 2.0))
        ]
        hidden = listing("hidden", touched=4.0, public=False)
        await store.commit(Commit((), (*lists, hidden)))
        assert await store.lobby(9) == [b"c", b"b", b"a"]
        assert await store.lobby(2) == [b"c", b"b"]
        await store.commit(Commit((), (listing("c", public=False),)))
        assert await store.lobby(9) == [b"b", b"a"]


@on_a_loop
async def test_people_who_wait_keep_their_table(kept: Opening) -> None:
    async with kept() as store:
        await store.commit(Commit((row("a"), row("b")), (listing("a"), listing("b"))))
        await store.touch(["a"], 200.0)
        assert await store.expire("gathering", 150.0) == ["b"]


@on_a_loop
async def test_tables_expire_by_phase_and_time_with_their_logs(kept: Opening) -> None:
    async with kept() as store:
        lists = (listing("old"), listing("new", touched=200.0), listing("over", phase="over"))
        await store.commit(Commit((admitted("old", "ana"), row("new"), row("over")), lists))
        assert await store.expire("gathering", 150.0) == ["old"]
        assert [len(await store.load(id_)) for id_ in ("old", "new", "over")] == [0, 1, 1]
        assert await store.find_table("Cold") is None
        assert await store.forget_player("ana") == []
        assert await store.lobby(10) == [lists[1].summary, lists[2].summary]


@on_a_loop
async def test_a_store_is_there_again_after_it_was_closed(kept: Opening) -> None:
    async with kept() as store:
        assert await store.arrive("p", 4.0, 10.0) == []
        await store.beat("p", 5.0, {})
        await store.commit(Commit((row("t"),), (listing("t", due=7.0, public=False),)))
        await store.ban("x", 8.0, "first")
        await store.ban("x", 9.0, "why")
    async with kept() as store:
        assert await store.arrive("q", 6.0, 10.0) == []  # p is alive
        assert await store.arrive("r", 7.0, 0.0) == [Gap(6.0, 7.0)]
        assert (await store.due(7.0), await store.due(7.5)) == ({}, {"t": 7.0})
        assert await store.lobby(5) == []
        assert await store.bans() == [("x", 9.0, "why")]
        await store.unban("x")
        assert await store.bans() == []


@on_a_loop
async def test_nobody_writes_on_from_a_name_that_is_forgotten(kept: Opening) -> None:
    async with kept() as one, kept() as other:
        await one.commit(Commit((admitted("t", "ana"),), (listing("t"),)))
        assert await one.forget_player("ana") == ["t"]
        with pytest.raises(Conflict):
            await other.commit(Commit((row("t", 2),)))
        log = await other.load("t")
        assert [one.version for one in log] == [1, 2]
        assert [entry for entry, _, _ in read_row(log[1].entries)] == [Rewritten()]
        await other.commit(Commit((row("t", 3),)))


@on_a_loop
async def test_what_others_wrote_is_found(kept: Opening) -> None:
    async with kept() as store:
        await store.commit(Commit(tuple(row(table) for table in ("a", "b", "c"))))
        await store.commit(Commit((row("a", 2), row("b", 2))))
        await store.commit(Commit((row("b", 3),)))
        asked = {"a": 1, "b": 1, "c": 1, "gone": 1}
        assert await store.newer(asked) == {
            "a": [row("a", 2)],
            "b": [row("b", 2), row("b", 3)],
            "gone": [],
        }
        assert await store.newer({"b": 3}) == {}


@on_a_loop
async def test_processes_say_what_bus_they_have(kept: Opening) -> None:
    async with kept() as store:
        await store.arrive("p", 100.0, 8.0)  # it does not say yet, nor does an older version
        assert await store.buses(60.0) == set()
        for process, bus in (("p", "redis"), ("q", ""), ("r", "redis"), ("s", None)):
            await store.beat(process, 100.0, {}, bus)
        assert await store.buses(60.0) == {"redis", ""}
        assert await store.buses(-60.0) == set()
        await store.leave("q", 101.0)
        assert await store.buses(60.0) == {"redis"}


@on_a_loop
async def test_processes_are_known_as_long_as_they_show_signs_of_life(kept: Opening) -> None:
    async with kept() as store:
        assert await store.processes(60.0) == {}
        await store.beat("p", 1000.0, {"1.2.3.4": 20})
        await store.beat("q", -5.0, {})  # whatever its clock says
        await store.beat("p", 1020.0, {"1.2.3.4": 30})
        assert await store.processes(60.0) == {"p": {"1.2.3.4": 30}, "q": {}}
        assert await store.processes(-60.0) == {}
        await store.leave("q", 1000.0)
        await store.beat("q", 1001.0, {})  # was on its way
        assert await store.processes(60.0) == {"p": {"1.2.3.4": 30}}
        await store.beat("r", 1030.0, {})


@on_a_loop
async def test_when_nobody_was_there_is_known_to_all_who_come(
    kept: Opening,
) -> None:
    async with kept() as store:
        assert await store.arrive("p", 1000.0, 10.0) == []
        await store.leave("p", 1005.0)
        gaps = [Gap(1005.0, 1100.0)]
        assert await store.arrive("q", 1100.0, 10.0) == gaps
        assert await store.arrive("r", 1100.5, 10.0) == gaps  # somebody was there
        await store.leave("q", 1101.0)
        await store.leave("r", 1200.0)
        assert await store.arrive("s", 1150.0, 10.0) == gaps  # by its clock it is not over yet
    async with kept() as store:
        assert await store.arrive("t", 1300.0, 10.0) == gaps
        later = 1101.0 + GAPS
        assert await store.arrive("u", later, 0.0) == [Gap(1300.0, later)]
        assert await store.arrive("v", later - 100.0, 0.0) == []  # one of the two clocks is wrong


@on_a_loop
async def test_a_log_that_began_anew_has_no_first_row_any_more(kept: Opening) -> None:
    async with kept() as store:
        await store.commit(Commit((row("t"),)))
        await store.commit(Commit((Row("t", 2, b"[]", anew=True),)))
        with pytest.raises(Conflict):
            await store.commit(Commit((row("t"),)))
        assert [one.version for one in await store.load("t")] == [2]
