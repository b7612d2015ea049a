"""Profiles, accounts, ratings, and being forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

from five211 import texts
from five211.proof import check_proof
from five211.record import parse
from five211.server.guests import Guests
from five211.server.ratings import MU, SIGMA, shown
from five211.server.room import hashed
from tests.server.helpers import (
    Hall,
    code_of,
    everything_in,
    hall,
    leaves,
    on_a_loop,
    pinned,
    until,
)
from tests.server.players import play_on, raw_seat

NAME = "Zebedee"
PASSWORD = "correct horse"


async def rating(one: Hall, player: str) -> tuple[float, float, int]:
    found = await one.hub.store.player(player)
    assert found is not None
    return found.mu, found.sigma, found.games


@on_a_loop
async def test_a_profile_has_a_key_that_is_shown_once_and_kept_as_a_hash(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        made = await one.good("POST", "/api/players", name=" Ana  B ")
        key, id_ = made["key"], made["player"]["id"]
        assert made["player"] == {
            "id": id_,
            "name": "Ana B",
            "rating": shown(MU, SIGMA),
            "games": 0,
            "wins": 0.0,
        }
        assert await one.good("GET", "/api/me", key) == {**made, "key": None}
        assert await one.good("GET", f"/api/players/{id_}") == made["player"]
        kept = everything_in(tmp_path)
        assert hashed(key) in kept
        assert key not in kept


@on_a_loop
async def test_without_a_good_key_there_is_no_me(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        for header in ("", "Bearer", key, f"Basic {key}", f"Bearer {key}x", "Bearer \xff"):
            for method, path in (("GET", "/api/me"), ("DELETE", "/api/me")):
                headers = [(b"authorization", header.encode("latin-1"))]
                answer = await one.send(method, path, headers=headers)
                assert (answer.status_code, code_of(answer)) == (401, "key"), header
        assert (await one.send("GET", "/api/me", headers={"authorization": f"bearer {key}"})).json()


@on_a_loop
async def test_a_profile_is_renamed_and_a_bad_name_changes_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        id_, key = await one.profile("Ana")
        assert (await one.good("PUT", "/api/me/name", key, name="Bea"))["player"]["name"] == "Bea"
        for name in ("", "x" * 25, "a\x07b"):
            assert await one.refused("PUT", "/api/me/name", key, name=name) == (400, "name")
            assert await one.refused("POST", "/api/players", name=name) == (400, "name")
        assert await one.refused("PUT", "/api/me/name", name="Cy") == (401, "key")
        assert (await one.good("GET", f"/api/players/{id_}"))["name"] == "Bea"
        assert await one.refused("GET", "/api/players/nobody") == (404, "player_unknown")


@on_a_loop
async def test_an_account_opens_the_profile_elsewhere(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        id_, key = await one.profile("Ana")
        account = {"login": " Zoé ", "password": PASSWORD}
        own = await one.good("PUT", "/api/me/password", key, **account)
        assert (own["login"], own["key"]) == ("zoé", None)
        decomposed = {"login": "ZOE\u0301", "password": PASSWORD}
        there = await one.good("POST", "/api/login", **decomposed)
        assert there["player"]["id"] == id_
        assert there["key"] != key
        assert (await one.good("GET", "/api/me", there["key"]))["login"] == "zoé"
        assert PASSWORD not in everything_in(tmp_path)


@on_a_loop
async def test_a_wrong_login_and_a_wrong_password_are_the_same_error(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        await one.good("PUT", "/api/me/password", key, login="ana", password=PASSWORD)
        answers = [
            await one.ask("POST", "/api/login", login=login, password=password)
            for login, password in (
                ("ana", "wrong horse"),
                ("bob", PASSWORD),
                ("ana", ""),
                ("ana", PASSWORD + "x" * 900),
                ("", "nobody"),
                ("bob", "nobody"),
            )
        ]
        said = {"error": {"code": "login", "text": texts.say("en", "errors.login")}}
        assert [(one.status_code, one.json()) for one in answers] == [(401, said)] * 6


@on_a_loop
async def test_login_and_password_have_their_sizes_and_a_login_is_one_profile(
    tmp_path: Path,
) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        _, other = await one.profile("Ben")
        for login, password, code in (
            ("an", PASSWORD, "login_text"),
            ("a" * 33, PASSWORD, "login_text"),
            ("a na", PASSWORD, "login_text"),
            ("an\x00a", PASSWORD, "login_text"),
            ("ana", "x" * 7, "password_text"),
            ("ana", "x" * 201, "password_text"),
        ):
            body = {"login": login, "password": password}
            assert await one.refused("PUT", "/api/me/password", key, **body) == (400, code)
        assert (await one.good("GET", "/api/me", key))["login"] is None
        account = {"login": "ana", "password": PASSWORD}
        await one.good("PUT", "/api/me/password", key, **account)
        taken = await one.refused("PUT", "/api/me/password", other, **account)
        assert taken == (400, "login_taken")
        assert (await one.good("GET", "/api/me", other))["login"] is None


@on_a_loop
async def test_with_a_new_password_the_other_keys_are_worth_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        _, stranger = await one.profile("Ben")
        account = {"login": "ana", "password": PASSWORD}
        await one.good("PUT", "/api/me/password", key, **account)
        second = (await one.good("POST", "/api/login", **account))["key"]
        third = (await one.good("POST", "/api/login", **account))["key"]
        new = {"login": "ana", "password": "battery staple"}
        await one.good("PUT", "/api/me/password", second, **new)
        for old in (key, third):
            assert await one.refused("GET", "/api/me", old) == (401, "key")
        assert await one.refused("POST", "/api/login", **account) == (401, "login")
        for good in (second, stranger):
            await one.good("GET", "/api/me", good)
        await one.good("POST", "/api/login", **new)


@on_a_loop
async def test_a_rated_game_of_two_people_moves_their_ratings(tmp_path: Path) -> None:
    async with hall(tmp_path, pinned(5)) as one:
        (ana, key), (ben, other) = await one.profile("Ana"), await one.profile("Ben")
        table = await one.make(key, public=True, rated=True)
        await one.play(table, await one.join(table, other))
        (game,) = (await one.good("GET", "/api/games"))["games"]
        assert game["rated"]
        assert [standing["player"] for standing in game["standings"]] == [ana, ben]
        ranks = [standing["rank"] for standing in game["standings"]]
        assert sorted(ranks) == [0, 1]
        found = [await rating(one, ana), await rating(one, ben)]
        winner = ranks.index(0)
        assert found[winner][0] > MU > found[1 - winner][0]
        assert [games for *_, games in found] == [1, 1]
        listed = (await one.good("GET", "/api/players"))["players"]
        assert [one["id"] for one in listed] == [[ana, ben][winner], [ana, ben][1 - winner]]
        assert [one["wins"] for one in listed] == [1.0, 0.0]
        best = (await one.good("GET", "/api/players?limit=1"))["players"]
        assert best == listed[:1]
        assert await one.refused("GET", "/api/players?limit=0") == (400, "request")


@on_a_loop
async def test_an_unrated_game_moves_no_rating(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        (ana, key), (ben, other) = await one.profile("Ana"), await one.profile("Ben")
        table = await one.make(key, public=True)
        await one.play(table, await one.join(table, other))
        for player in (ana, ben):
            assert await rating(one, player) == (MU, SIGMA, 0)
            games = (await one.good("GET", f"/api/games?player={player}"))["games"]
            assert len(games) == 1
        assert (await one.good("GET", "/api/players"))["players"] == []


@on_a_loop
async def test_a_rated_table_with_bots_only_besides_moves_no_rating(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana, key = await one.profile("Ana")
        table = await one.make(key, public=True, rated=True, bots=["beginner"])
        async with one.client(table) as client:
            await client.do("start")
            await play_on(client, Random(1))
        assert len((await one.good("GET", "/api/games"))["games"]) == 1
        assert await rating(one, ana) == (MU, SIGMA, 0)


@on_a_loop
async def test_whoever_left_and_came_back_has_the_seats_rating(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        people = [await one.profile(name) for name in ("Ana", "Ben", "Cy")]
        (ana, key), (ben, other), (cy, third) = people
        table = await one.make(key, public=True, rated=True)
        seat = await one.join(table, other)
        async with one.client(table) as host:
            await host.do("start")
            await leaves(one, seat)
            await leaves(one, await one.join(table, third, name="Cy", seat=1))
            again = await one.join(table, token=seat["token"])
            async with one.client(again) as back:
                await asyncio.gather(play_on(host, Random(1)), play_on(back, Random(2)))
        (game,) = (await one.good("GET", "/api/games"))["games"]
        assert [standing["player"] for standing in game["standings"]] == [ana, ben]
        assert await rating(one, cy) == (MU, SIGMA, 0)


async def _busy_life(one: Hall, key: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A finished game, and one that runs, of somebody who is to be forgotten."""
    over = await one.make(key, name=NAME, title=f"{NAME}s", public=True)
    await one.play(over, await one.join(over))
    ana = await one.make(name="Ana", chat=True)
    own = await one.join(ana, key, name=NAME)
    async with one.client(ana) as host, raw_seat(one, own) as socket:
        await host.do("start")
        for message in (
            {"type": "say", "id": "1", "text": f"it is me, {NAME}"},
            {"type": "alert", "id": "2", "kind": "webhook", "target": f"http://x.org/{NAME}"},
        ):
            assert (await socket.answer(**message))["done"]
    return over, ana, own


@on_a_loop
async def test_a_forgotten_players_name_is_nowhere(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        player, key = await one.profile(NAME)
        account = {"login": NAME, "password": PASSWORD}
        await one.good("PUT", "/api/me/password", key, **account)
        over, _, _ = await _busy_life(one, key)
        assert NAME in everything_in(tmp_path)
        assert (await one.ask("DELETE", "/api/me", key)).status_code == 204
        kept = everything_in(tmp_path)
        assert NAME.lower() not in kept.lower()
        assert player not in kept
        assert hashed(key) not in kept
        for path in ("/api/games", "/api/tables", f"/api/games/{over['table']}-1/replay"):
            answer = await one.ask("GET", path)
            assert answer.status_code == 200
            assert "Ben" in answer.text
            assert NAME not in answer.text
        assert await one.refused("GET", "/api/me", key) == (401, "key")
        assert await one.refused("GET", f"/api/players/{player}") == (404, "player_unknown")
        assert await one.refused("POST", "/api/login", **account) == (401, "login")
        record = parse((await one.ask("GET", f"/api/games/{over['table']}-1/record")).text)
        check_proof(record)
        assert [seat.name for seat in record.players] == ["?", "Ben"]


@on_a_loop
async def test_a_running_table_comes_back_without_the_name_and_goes_on(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile(NAME)
        _, ana, own = await _busy_life(one, key)
        async with one.client(ana) as host:
            await one.ask("DELETE", "/api/me", key)
            seen = await host.until(lambda view: NAME not in str(view["seats"]))
            assert seen["seats"][1]["name"].startswith("? ")
        await one.play(ana, own)
        text = (await one.ask("GET", f"/api/games/{ana['table']}-1/record")).text
        record = parse(text)
        check_proof(record)
        assert record.players[1].name.startswith("? ")
        assert NAME not in everything_in(tmp_path)


@on_a_loop
async def test_whoever_waits_at_a_table_while_a_name_goes_is_told_to_try_again(
    tmp_path: Path,
) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile(NAME)
        table = await one.make(key, name=NAME)
        forget = one.hub.store.forget_player

        async def slowly(id_: str) -> list[str]:
            found = await forget(id_)
            live = one.hub.lives.get(table["table"])
            if live is None:
                return found
            futures = [asyncio.get_running_loop().create_future() for _ in range(2)]
            futures[0].set_result(None)
            live.waiters += futures
            waiting.extend(futures)
            return found

        waiting: list[asyncio.Future[None]] = []
        one.hub.store.forget_player = slowly  # type: ignore[method-assign]
        await one.good("DELETE", "/api/me", key)
        assert str(waiting[1].exception()) == texts.say("en", "errors.try_again")


@on_a_loop
async def test_a_table_that_is_not_in_memory_forgets_the_name_too(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile(NAME)
        table = await one.make(key, name=NAME, title=NAME, public=True)
        await one.hub.written(one.hub.lives[table["table"]])
        one.hub.forget(one.hub.lives[table["table"]])
        await one.good("DELETE", "/api/me", key)
        assert one.hub.lives == {}
        (line,) = (await one.good("GET", "/api/tables"))["tables"]
        assert line["name"] == ""
        assert NAME not in everything_in(tmp_path)


@on_a_loop
async def test_tables_of_others_stay_when_a_name_goes(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile(NAME)
        others = await one.make(name="Ben")
        table = await one.make(key, name=NAME)
        last = await one.make(name="Cy")
        assert table["table"] in one.hub.lives
        await one.good("DELETE", "/api/me", key)
        assert set(one.hub.lives) == {others["table"], last["table"]}


@on_a_loop
async def test_a_ban_that_comes_while_bans_are_looked_up_counts(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        store, guests = one.hub.store, Guests(one.hub)
        look = store.bans
        asked = asyncio.Event()

        async def late() -> list[tuple[str, float, str]]:
            found = await look()
            if not asked.is_set():
                asked.set()
                await until(lambda: guests._bans_changed > 0)
            return found

        store.bans = late  # type: ignore[method-assign]
        asking = asyncio.create_task(guests.banned("Ana"))
        await asked.wait()
        await store.ban("Ana", one.hub.now + 100, "")
        await guests.look_out()
        assert await asking
