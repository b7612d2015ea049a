"""What any store does with tables: their logs, doors and listings, and when they are forgotten."""

from __future__ import annotations

import asyncio

import pytest

from five211.server.store import Commit, Conflict, Row
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
        assert await store.last_alive() is None
        await store.beat(4.0)
        await store.beat(5.0)
        await store.commit(Commit((row("t"),), (listing("t", due=7.0, public=False),)))
        await store.ban("x", 8.0, "first")
        await store.ban("x", 9.0, "why")
    async with kept() as store:
        assert await store.last_alive() == 5.0
        assert (await store.due(7.0), await store.due(7.5)) == ([], ["t"])
        assert await store.lobby(5) == []
        assert await store.bans() == [("x", 9.0, "why")]
        await store.unban("x")
        assert await store.bans() == []
