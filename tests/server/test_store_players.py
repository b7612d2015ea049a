"""What any store does with players and games: keys, logins, ratings, and being forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from five211.server.store import Commit, StoreFailed
from tests.server.helpers import on_a_loop
from tests.server.stores import Opening, admitted, game, listing, player, row, standing


@on_a_loop
async def test_a_profile_is_opened_by_its_keys(kept: Opening) -> None:
    ana, ben = player("ana"), player("ben")
    async with kept() as store:
        await store.new_player(ana, "first")
        await store.new_player(ben, "other")
        await store.add_key("ana", "second", 2.0)
        assert [await store.player_with(key) for key in ("first", "second")] == [ana, ana]
        await store.drop_keys("ana", "second")
        assert await store.player_with("first") is None
        assert await store.player_with("second") == await store.player("ana") == ana
        assert await store.player_with("other") == ben
        assert await store.player("nobody") is None


@on_a_loop
async def test_no_two_profiles_have_one_id_or_one_key(kept: Opening) -> None:
    async with kept() as store:
        await store.new_player(player("ana"), "key")
        for twin, key in (("ana", "another"), ("ben", "key")):
            with pytest.raises(StoreFailed):
                await store.new_player(player(twin), key)
        assert await store.player("ben") is None
        assert await store.player_with("another") is None


@on_a_loop
async def test_a_login_belongs_to_one_profile(kept: Opening) -> None:
    async with kept() as store:
        for id_ in ("ana", "ben"):
            await store.new_player(player(id_), id_)
        assert await store.change_player("ana", login="a", password="p")
        assert not await store.change_player("ben", login="a", name="Bea")
        assert await store.change_player("ana", login="a", name="Anna")  # it is her own
        assert await store.player_named("a") == replace(
            player("ana"), name="Anna", login="a", password="p"
        )
        assert await store.player("ben") == player("ben")
        assert await store.player_named("b") is None


@on_a_loop
async def test_only_players_that_are_there_are_rated(kept: Opening) -> None:
    async with kept() as store:
        for id_ in ("ana", "ben"):
            await store.new_player(player(id_), f"key {id_}")
        gone = game("1", 1.0, standing("ana"), standing("gone", 1), rated=True)
        await store.commit(Commit((), (), (gone,)))
        assert await store.best_players(5) == []
        both = (standing("ana"), standing("ben"), standing(None, 2))
        await store.commit(Commit((), (), (game("2", 2.0, *both, rated=True),)))
        found = await store.best_players(5)
        assert sorted((one.id, one.games, one.wins, one.seen) for one in found) == [
            ("ana", 1, 0.5, 2.0),
            ("ben", 1, 0.5, 2.0),
        ]


@on_a_loop
async def test_the_best_are_those_who_surely_are(kept: Opening) -> None:
    async with kept() as store:
        for id_, mu, sigma, games in (
            ("sure", 25.0, 1.0, 9),
            ("lucky", 30.0, 8.0, 1),
            ("good", 35.0, 2.0, 9),
            ("new", 90.0, 1.0, 0),
        ):
            await store.new_player(player(id_, mu=mu, sigma=sigma, games=games), id_)
        assert [one.id for one in await store.best_players(9)] == ["good", "sure", "lucky"]
        assert [one.id for one in await store.best_players(1)] == ["good"]


@on_a_loop
async def test_games_are_found_by_id_and_by_player_the_latest_first(kept: Opening) -> None:
    async with kept() as store:
        old, new = game("old", 1.0, standing("ana")), game("new", 3.0, standing("ben"))
        both = game("both", 2.0, standing("ana"), standing("ben"), record='{"é": 1}')
        hidden = game("hidden", 4.0, standing("ana"), public=False)
        await store.commit(Commit((), (), (old, new, both, hidden)))
        assert await store.games(None, 9) == [new, both, old]
        assert await store.games("ana", 9) == [both, old]
        assert await store.games("ana", 1) == [both]
        assert await store.game("hidden") == hidden
        assert await store.game("nothing") is None


@on_a_loop
async def test_games_expire_by_time(kept: Opening) -> None:
    async with kept() as store:
        games = (game("old", 100.0, standing("ana")), game("new", 200.0, standing("ana")))
        await store.commit(Commit((), (), games))
        assert await store.expire_games(150.0) == 1
        assert await store.expire_games(150.0) == 0
        assert await store.game("old") is None
        assert [one.id for one in await store.games("ana", 10)] == ["new"]
        assert [one.id for one in await store.games(None, 10)] == ["new"]


@on_a_loop
async def test_whoever_is_forgotten_is_nowhere_and_others_stay(kept: Opening) -> None:
    record = '{"seats": [{"name": "ana"}, {"name": "ben"}]}'
    async with kept() as store:
        for id_ in ("ana", "ben"):
            await store.new_player(player(id_), id_)
        rows = (admitted("hers", "ana"), admitted("his", "ben"), row("other"))
        played = game("g", 1.0, standing("ana"), standing("ben"), record=record)
        await store.commit(Commit(rows, (listing("hers"), listing("his")), (played,)))
        assert await store.forget_player("ana") == ["hers"]
        assert await store.forget_player("ana") == []
        assert (await store.player("ana"), await store.player_with("ana")) == (None, None)
        assert await store.games("ana", 9) == []
        (left,) = await store.games("ben", 9)
        assert [one.player for one in left.standings] == [None, "ben"]
        assert "ana" not in left.record + left.standings[0].name
        assert b"ana" not in (await store.load("hers"))[0].entries
        assert await store.load("his") == [admitted("his", "ben")]
