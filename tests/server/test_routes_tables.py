"""Making tables, sitting down, the lobby, doors, and moving to another device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from five211 import texts
from five211.server.room import hashed
from tests.server.helpers import Clock, Hall, closed_with, code_of, hall, leaves, on_a_loop
from tests.server.players import raw, raw_seat

ANA = {"name": "Ana"}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": "Ana", "players": 1}, "players"),
    ({"name": "Ana", "players": 6}, "players"),
    ({"name": "Ana", "players": -1}, "players"),
    ({"name": "Ana", "players": 10**18}, "players"),
    ({"name": "Ana", "players": 10**30}, "players"),
    ({"name": "Ana", "players": 2.5}, "request"),
    ({"name": "Ana", "players": "four"}, "request"),
    ({"name": "Ana", "variant": "x"}, "variant"),
    ({"name": "Ana", "variant": "x" * 101}, "request"),
    ({"name": "Ana", "edition": "../classic"}, "edition"),
    ({"name": "Ana", "substitute": "nobody"}, "bot_unknown"),
    ({"name": "Ana", "substitute": ""}, "bot_unknown"),
    ({"name": "Ana", "bots": ["nobody"]}, "bot_unknown"),
    ({"name": "Ana", "bots": ["easy"] * 5}, "request"),
    ({"name": "Ana", "bots": ["easy", "easy"], "players": 2}, "table_full"),
    ({"name": "Ana", "bots": "easy"}, "request"),
    ({}, "request"),
    ({"name": 5}, "request"),
    ({"name": ""}, "name"),
    ({"name": " \t"}, "name"),
    ({"name": "x" * 25}, "name"),
    ({"name": "x" * 201}, "request"),
    ({"name": "A\u200bna"}, "name"),
    ({"name": "\u3164"}, "name"),
    ({"name": "Ana\u202e"}, "name"),
    ({"name": "Ana", "title": "x" * 25}, "name"),
    ({"name": "Ana", "title": "a\x00b"}, "name"),
    ({"name": "Ana", "clock": {"seconds": 4.9}}, "clock_range"),
    ({"name": "Ana", "clock": {"seconds": 0}}, "clock"),
    ({"name": "Ana", "clock": {"seconds": -5}}, "clock"),
    ({"name": "Ana", "clock": {"seconds": 30 * 86400 + 1}}, "clock_range"),
    ({"name": "Ana", "clock": {"seconds": 60, "reserve": 30 * 86400 + 1}}, "clock_range"),
    ({"name": "Ana", "clock": {"seconds": 60, "reserve": -1}}, "clock"),
    ({"name": "Ana", "clock": {"seconds": 86399, "correspondence": True}}, "clock_range"),
    ({"name": "Ana", "clock": {}}, "request"),
    ({"name": "Ana", "clock": 60}, "request"),
    ({"name": "Ana", "public": True, "chat": True}, "chat_public"),
    ({"name": "Ana", "start": "perhaps"}, "request"),
]


async def nothing_is_left(one: Hall) -> None:
    assert one.hub.lives == {}
    assert (await one.good("GET", "/api/tables"))["tables"] == []
    assert await one.hub.store.expire("gathering", 1e12) == []


@on_a_loop
async def test_bad_input_is_refused_in_a_sentence_and_makes_no_table(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for body, code in BAD:
            answer = await one.send("POST", "/api/tables", json=body)
            assert (answer.status_code, code_of(answer)) == (400, code), body
        await nothing_is_left(one)


@on_a_loop
async def test_the_sentence_is_in_the_language_that_was_asked_for(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for wanted, spoken in (("fr-CA,fr;q=0.9", "fr"), ("en", "en"), ("xx", "en"), ("", "en")):
            answer = await one.ask(
                "POST", "/api/tables", headers={"accept-language": wanted}, name="Ana", players=6
            )
            said = texts.say(spoken, "errors.players", players=6, least=2, most=5)
            assert answer.json() == {"error": {"code": "players", "text": said}}


@on_a_loop
async def test_what_is_no_json_is_refused_and_makes_no_table(tmp_path: Path) -> None:
    bodies = (b"", b"{", b"[]", b'"Ana"', b"null", b'{"name": "\\ud800"}', b"\xff")
    async with hall(tmp_path) as one:
        for body in bodies:
            answer = await one.send("POST", "/api/tables", content=body)
            assert (answer.status_code, code_of(answer)) == (400, "request"), body[:20]
        await nothing_is_left(one)


@on_a_loop
async def test_a_table_is_made_with_every_option(tmp_path: Path) -> None:
    async with hall(tmp_path, patience=77.0) as one:
        seat = await one.make(
            name="  Ana   B ",
            title="Friday",
            players=3,
            variant="long",
            edition="azul",
            clock={"seconds": 30, "reserve": 60},
            public=True,
            show_chosen=False,
            show_points=False,
            substitute="beginner",
            bots=["easy"],
            words=True,
        )
        assert seat["seat"] == 0
        (line,) = (await one.good("GET", "/api/tables"))["tables"]
        assert line["id"] == seat["table"]
        assert (line["name"], line["players"], line["variant"]) == ("Friday", 3, "long")
        assert (line["edition"], line["public"], line["rated"]) == ("azul", True, False)
        assert (line["clock"]["seconds"], line["clock"]["reserve"]) == (30, 60)
        assert line["phase"] == "gathering"
        assert [(one["name"], one["bot"], one["free"]) for one in line["seats"]] == [
            ("Ana B", None, False),
            ("Maxi", "hasty", False),
            ("", None, True),
        ]
        opened = one.hub.lives[seat["table"]].room.opened
        options = opened.options
        assert not opened.show_points
        assert (options.show_chosen, options.substitute, options.patience) == (False, "random", 77)
        assert not {seat["code"], seat["watch"], seat["screen"], seat["token"]} & set(str(line))


@on_a_loop
async def test_a_table_starts_at_once_if_that_is_wanted(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make(players=5, start=True, words=True, chat=True)
        room = one.hub.lives[seat["table"]].room
        assert room.opened.chat
        assert [one.bot for one in room.table.seats] == [None, *["hasty"] * 4]
        assert room.table.game == 1


@on_a_loop
async def test_playing_at_once_fills_the_table_with_bots(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.good("POST", "/api/play", players=3, level="beginner", words=True)
        table = one.hub.lives[seat["table"]].room.table
        assert [(one.name, one.bot) for one in table.seats] == [
            ("You", None),
            ("Kiwi", "random"),
            ("Kiwi 2", "random"),
        ]
        assert table.game == 1
        for body, code in (
            ({"players": 6}, "players"),
            ({"level": "x"}, "bot_unknown"),
            ({"name": ""}, "name"),
        ):
            assert await one.refused("POST", "/api/play", **body) == (400, code)
        assert list(one.hub.lives) == [seat["table"]]


@on_a_loop
async def test_a_name_that_looks_like_markup_is_only_text(tmp_path: Path) -> None:
    name = "<b>&amp;\"';--{{7*7}}"
    async with hall(tmp_path) as one:
        await one.make(name=name, title="<script>", public=True)
        answer = await one.ask("GET", "/api/tables")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        (line,) = answer.json()["tables"]
        assert (line["name"], line["seats"][0]["name"]) == ("<script>", name)


@on_a_loop
async def test_a_rated_table_is_public_and_made_by_somebody_with_a_profile(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        table: dict[str, Any] = {"name": "Ana", "rated": True}
        refused = (403, "rated")
        assert await one.refused("POST", "/api/tables", **table) == refused
        assert await one.refused("POST", "/api/tables", **table, public=True) == refused
        assert await one.refused("POST", "/api/tables", key, **table) == refused
        assert await one.refused("POST", "/api/tables", "x", **table, public=True) == (401, "key")
        await nothing_is_left(one)
        seat = await one.make(key, rated=True, public=True)
        path = f"/api/tables/{seat['table']}/seats"
        assert await one.refused("POST", path, name="Ben") == refused
        _, other = await one.profile("Ben")
        assert (await one.join(seat, other))["seat"] == 1


@on_a_loop
async def test_the_lobby_lists_public_tables_only_the_latest_first(tmp_path: Path) -> None:
    clock = Clock()
    async with hall(tmp_path, clock.sources) as one:
        made = []
        for public in (True, False, True):
            clock.now += 1
            made.append((await one.make(public=public))["table"])
        listed = (await one.good("GET", "/api/tables"))["tables"]
        assert [line["id"] for line in listed] == [made[2], made[0]]
        listed = (await one.good("GET", "/api/tables?limit=1"))["tables"]
        assert [line["id"] for line in listed] == [made[2]]
        for limit in ("0", "101", "-1", "x", "9" * 40):
            assert await one.refused("GET", f"/api/tables?limit={limit}") == (400, "request")


@on_a_loop
async def test_doors_open_by_code_in_any_case_and_by_links_as_they_are(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make()
        code = seat["code"]
        doors = [(code, "code"), (code.lower(), "code"), (f" {code} ", "code")]
        doors += [(seat["watch"], "watch"), (seat["screen"], "screen")]
        for door, kind in doors:
            found = await one.good("POST", "/api/doors", door=door)
            assert (found["kind"], found["table"]["id"]) == (kind, seat["table"])
            assert code not in str(found["table"])
            more = (seat["watch"], seat["screen"]) if kind == "code" else (None, None)
            assert (found["watch"], found["screen"]) == more
        for door in ("", "AAAAAA", seat["table"], seat["token"], seat["watch"].swapcase(), "%"):
            assert await one.refused("POST", "/api/doors", door=door) == (404, "table_unknown")


@on_a_loop
async def test_a_seat_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make()
        path, code = f"/api/tables/{seat['table']}/seats", seat["code"]
        before = one.hub.lives[seat["table"]].room
        for body, refused in (
            ({"name": "Ben"}, (403, "code")),
            ({"name": "Ben", "code": "AAAAAA"}, (403, "code")),
            ({"name": "Ben", "code": seat["watch"]}, (403, "code")),
            ({"name": "Ben", "code": code, "seat": 0}, (400, "seat_taken")),
            ({"name": "Ben", "code": code, "seat": 2}, (400, "seat")),
            ({"name": "Ben", "code": code, "seat": -1}, (400, "seat")),
            ({"name": "ANA", "code": code}, (400, "name_taken")),
            ({"name": "Ａna", "code": code}, (400, "name_taken")),
            ({"name": "", "code": code}, (400, "name")),
            ({"name": "Ben", "token": "x"}, (401, "token")),
            ({"name": "Ben", "token": seat["token"]}, (400, "already_seated")),
        ):
            assert await one.refused("POST", path, **body) == refused, body
        assert one.hub.lives[seat["table"]].room is before
        assert (await one.join(seat, code=code.lower()))["seat"] == 1
        full = await one.refused("POST", path, name="Cy", code=code)
        assert full == (400, "table_full")
        unknown = "/api/tables/nowhere/seats"
        assert await one.refused("POST", unknown, name="Cy") == (404, "table_unknown")
        too_long = f"/api/tables/{'x' * 101}/seats"
        assert (await one.refused("POST", too_long, name="Cy"))[0] == 400


@on_a_loop
async def test_at_a_public_table_nobody_needs_the_code(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make(public=True)
        assert (await one.join(seat, code=None))["seat"] == 1


@on_a_loop
async def test_whoever_left_comes_back_to_the_held_seat_only(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make(players=3, bots=["easy"])
        ben = await one.join(ana)
        path = f"/api/tables/{ana['table']}/seats"
        async with one.client(ana) as host:
            await host.do("start")
            await leaves(one, ben)
            back = {"name": "Ben", "token": ben["token"]}
            assert await one.refused("POST", path, **back, seat=1) == (400, "other_seat")
            assert await one.refused("POST", path, **back, seat=0) == (400, "other_seat")
            again = await one.good("POST", path, **back)
            assert (again["seat"], again["token"]) == (2, ben["token"])
            assert again["code"] == ana["code"]


@on_a_loop
async def test_a_profile_has_one_seat_at_a_table(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        _, key = await one.profile("Ana")
        seat = await one.make(key, players=3)
        path = f"/api/tables/{seat['table']}/seats"
        again = {"name": "Other", "code": seat["code"]}
        assert await one.refused("POST", path, key, **again) == (400, "already_seated")


@on_a_loop
async def test_a_device_code_moves_the_seat_once(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make()
        other = await one.join(seat)
        path = f"/api/tables/{seat['table']}/device"
        async with raw_seat(one, seat) as old, raw_seat(one, other) as guest:
            await guest.frame()
            answer = await old.answer(type="move_device", id="1")
            moved = await one.good("POST", path, code=answer["code"])
            assert moved["token"] != seat["token"]
            assert {**moved, "token": ""} == {**seat, "token": ""}
            assert await closed_with(old.socket) == 4001
            assert (await guest.answer(type="react", id="1", reaction="wow"))["done"]
        assert await one.refused("POST", path, code=answer["code"]) == (400, "device_code")
        assert await one.refused("POST", path, code="") == (400, "device_code")
        async with raw_seat(one, seat) as old:
            assert (await old.frame())["answers"][0]["error"]["code"] == "token"
        async with raw_seat(one, moved) as new:
            assert (await new.frame())["view"]["you"] == 0


@on_a_loop
async def test_a_device_code_is_good_for_a_while_and_for_its_table_only(tmp_path: Path) -> None:
    clock = Clock()
    async with hall(tmp_path, clock.sources) as one:
        seat, other = await one.make(), await one.make()
        path = f"/api/tables/{seat['table']}/device"
        async with raw_seat(one, seat) as old:
            answer = await old.answer(type="move_device", id="1")
            elsewhere = f"/api/tables/{other['table']}/device"
            refused = (400, "device_code")
            assert await one.refused("POST", elsewhere, code=answer["code"]) == refused
            clock.now = answer["until"]
            assert await one.refused("POST", path, code=answer["code"]) == refused
            assert (await old.answer(type="react", id="2", reaction="hello"))["done"]


@on_a_loop
async def test_whoever_has_left_moves_no_seat_and_keeps_the_token(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        ana = await one.make()
        ben = await one.join(ana)
        async with raw_seat(one, ben) as guest:
            answer = await guest.answer(type="move_device", id="1")
        await leaves(one, ben)
        path = f"/api/tables/{ana['table']}/device"
        assert await one.refused("POST", path, code=answer["code"]) == (400, "not_seated")
        assert hashed(ben["token"]) in one.hub.lives[ana["table"]].room.tokens


@on_a_loop
async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with hall(tmp_path, tables=1) as one:
        await one.make()
        assert await one.refused("POST", "/api/tables", **ANA) == (503, "server_full")


@pytest.mark.parametrize("link", ["watch", "screen"])
def test_only_the_screen_may_show_the_code(tmp_path: Path, link: str) -> None:
    @on_a_loop
    async def test() -> None:
        async with hall(tmp_path) as one:
            seat = await one.make()
            async with raw(one, watch=seat[link]) as socket:
                info = (await socket.frame())["view"]["info"]
                assert info["code"] == (seat["code"] if link == "screen" else None)

    test()
