"""What only the operator may do."""

from __future__ import annotations

from pathlib import Path

from five211.server.guests import Guests
from tests.server.helpers import (
    Clock,
    closed_with,
    code_of,
    everything_in,
    hall,
    on_a_loop,
)
from tests.server.players import raw, raw_seat

TOKEN = "operator's own"
HOME = "127.0.0.1"


@on_a_loop
async def test_the_operators_commands_need_the_operators_token(tmp_path: Path) -> None:
    routes = [
        ("GET", "/api/operator/tables"),
        ("POST", "/api/operator/tables/x/close"),
        ("GET", "/api/operator/bans"),
        ("DELETE", "/api/operator/bans/x"),
        ("DELETE", "/api/operator/players/x"),
    ]
    async with hall(tmp_path, operator_token=TOKEN) as one:
        seat = await one.make()
        _, key = await one.profile("Ana")
        for wrong in (None, "x", f"{TOKEN}x", seat["token"], key):
            for method, path in routes:
                assert await one.refused(method, path, wrong) == (401, "operator"), path
            ban = await one.refused("POST", "/api/operator/bans", wrong, what=HOME)
            assert ban == (401, "operator")
        assert (await one.good("GET", "/api/operator/bans", TOKEN))["bans"] == []


@on_a_loop
async def test_without_a_token_in_the_settings_nobody_is_the_operator(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for header in ({}, {"authorization": "Bearer"}):
            answer = await one.send("GET", "/api/operator/tables", headers=header)
            assert (answer.status_code, code_of(answer)) == (401, "operator")


@on_a_loop
async def test_the_overview_has_no_codes_tokens_or_cards(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        ana = await one.make()
        ben = await one.join(ana)
        async with one.client(ana) as host, one.client(ben):
            await host.do("start")
            await host.until(lambda view: view["phase"] == "choosing")
            answer = await one.ask("GET", "/api/operator/tables", TOKEN)
            found = answer.json()
            assert (found["tables"], found["sockets"]) == (1, 2)
            (line,) = found["memory"]
            assert (line["id"], line["phase"]) == (ana["table"], "playing")
            for secret in ("code", "watch", "screen", "token"):
                assert ana[secret] not in answer.text
            assert not {"hand", "hands", "choice", "deck", "pile"} & set(line)
            assert [set(seat) for seat in line["seats"]] == [{"name", "bot", "free", "present"}] * 2


@on_a_loop
async def test_a_closed_table_is_gone_for_good(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        one.hub._janitor.cancel()  # it would delete what is closed
        ana = await one.make(public=True)
        path = f"/api/operator/tables/{ana['table']}/close"
        async with raw_seat(one, ana) as host, raw(one, watch=ana["watch"]) as watcher:
            await host.frame()
            await watcher.frame()
            assert (await one.ask("POST", path, TOKEN)).status_code == 204
            assert await closed_with(host.socket) == 4004
            assert await closed_with(watcher.socket) == 4004
        assert await one.refused("POST", path, TOKEN) == (400, "table_closed")
        seats = f"/api/tables/{ana['table']}/seats"
        assert await one.refused("POST", seats, name="Ben") == (400, "table_closed")
        door = {"door": ana["code"]}
        assert await one.refused("POST", "/api/doors", **door) == (400, "table_closed")
        assert (await one.good("GET", "/api/tables"))["tables"] == []
        async with raw_seat(one, ana) as host:
            assert (await host.frame())["answers"][0]["error"]["code"] == "table_closed"
        nowhere = "/api/operator/tables/nowhere/close"
        assert await one.refused("POST", nowhere, TOKEN) == (404, "table_unknown")
    async with hall(tmp_path) as one:
        gone = [(400, "table_closed"), (404, "table_unknown")]  # it is deleted by and by
        assert await one.refused("POST", "/api/doors", **door) in gone


@on_a_loop
async def test_the_bots_and_the_clock_of_a_closed_table_stop(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN, bot_pace=1000) as one:
        seat = await one.make(players=3, start=True, clock={"seconds": 30})
        live = one.hub.lives[seat["table"]]
        assert live.bots
        assert live.timer is not None
        await one.ask("POST", f"/api/operator/tables/{seat['table']}/close", TOKEN)
        assert live.gone
        assert live.timer.cancelled()
        assert await one.hub.store.due(1e12) == {}


@on_a_loop
async def test_a_banned_player_is_closed_out_and_let_in_again(tmp_path: Path) -> None:
    clock = Clock()
    async with hall(tmp_path, clock.sources, operator_token=TOKEN) as one:
        player, key = await one.profile("Ana")
        account = {"login": "ana", "password": "correct horse"}
        await one.good("PUT", "/api/me/password", key, **account)
        ana = await one.make(key)
        ben = await one.join(ana)
        seats = f"/api/tables/{ana['table']}/seats"
        async with raw_seat(one, ana) as host, raw_seat(one, ben) as guest:
            await host.frame()
            await guest.frame()
            moving = await host.answer(type="move_device", id="1")
            ban = {"what": player, "days": 1, "reason": "rude"}
            await one.good("POST", "/api/operator/bans", TOKEN, **ban)
            assert await closed_with(host.socket) == 4003
            assert (await guest.answer(type="react", id="1", reaction="wow"))["done"]
        (kept,) = (await one.good("GET", "/api/operator/bans", TOKEN))["bans"]
        assert kept == {"what": player, "until": clock.now + 86400, "reason": "rude"}
        banned = (403, "banned")
        assert await one.refused("GET", "/api/me", key) == banned
        assert await one.refused("POST", "/api/tables", key, name="Ana") == banned
        assert await one.refused("POST", "/api/login", **account) == banned
        token = {"name": "Ana", "token": ana["token"]}
        assert await one.refused("POST", seats, **token) == banned
        device = f"/api/tables/{ana['table']}/device"
        assert await one.refused("POST", device, code=moving["code"]) == banned
        await one.good("DELETE", f"/api/operator/bans/{player}", TOKEN)
        await one.good("GET", "/api/me", key)
        await one.good("POST", "/api/operator/bans", TOKEN, **ban)
        clock.now += 86401
        await one.good("GET", "/api/me", key)


@on_a_loop
async def test_a_banned_address_makes_nothing_and_gets_no_socket(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        seat = await one.make(public=True)
        await one.good("POST", "/api/operator/bans", TOKEN, what=HOME)
        banned = (403, "banned")
        seats = f"/api/tables/{seat['table']}/seats"
        account = {"login": "ana", "password": "correct horse"}
        for path, body in (
            ("/api/tables", {"name": "Ben"}),
            ("/api/play", {"name": "Ben"}),
            (seats, {"name": "Ben"}),
            ("/api/players", {"name": "Ben"}),
            ("/api/login", account),
        ):
            assert await one.refused("POST", path, **body) == banned, path
        assert list(one.hub.lives) == [seat["table"]]
        await one.good("DELETE", f"/api/operator/bans/{HOME}", TOKEN)
        assert (await one.join(seat))["seat"] == 1


@on_a_loop
async def test_a_network_is_kept_out_and_let_in_again(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        for what, kept in (
            ("127.9.9.9/8", "127.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("::ffff:127.0.0.1", HOME),
        ):
            await one.good("POST", "/api/operator/bans", TOKEN, what=what)
            (ban,) = (await one.good("GET", "/api/operator/bans", TOKEN))["bans"]
            assert ban["what"] == kept
            assert await one.refused("POST", "/api/tables", name="Ben") == (403, "banned")
            assert (await one.good("GET", "/api/tables")) == {"tables": []}  # open to everybody
            await one.good("DELETE", f"/api/operator/bans/{what}", TOKEN)
            await one.make()
        await one.good("POST", "/api/operator/bans", TOKEN, what="2001:DB8::/32")
        await one.make()
        await one.hub.store.ban("nonsense!!", 1e12, "")  # of an older version
        for what in ("2001:db8::/32", "nonsense!!"):
            await one.good("DELETE", f"/api/operator/bans/{what}", TOKEN)
        assert (await one.good("GET", "/api/operator/bans", TOKEN))["bans"] == []


@on_a_loop
async def test_what_nobody_is_cannot_be_kept_out(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        for what in ("nonsense!!", "10.0.0.0/33", "10.0.0", "", "example.org", "::/129"):
            refused = await one.ask("POST", "/api/operator/bans", TOKEN, what=what)
            assert (refused.status_code, code_of(refused)) == (400, "ban_what")
            said = refused.json()["error"]["text"]
            assert (
                said
                == f"“{what}” is neither an address, nor a network, nor the id of a player here."
            )
        assert (await one.good("GET", "/api/operator/bans", TOKEN))["bans"] == []


@on_a_loop
async def test_the_operator_forgets_a_player_and_one_that_is_unknown(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token=TOKEN) as one:
        player, key = await one.profile("Zebedee")
        await one.make(key, name="Zebedee")
        for id_ in (player, player, 'x" OR 1'):
            await one.good("DELETE", f"/api/operator/players/{id_}", TOKEN)
        assert "Zebedee" not in everything_in(tmp_path)
        assert await one.refused("GET", "/api/me", key) == (401, "key")


@on_a_loop
async def test_an_address_has_so_many_sockets(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        guests = Guests(one.hub)
        assert [guests.let_in("x", 2) for _ in range(3)] == [True, True, False]
        assert guests.let_in("y", 2)
        for _ in range(2):
            guests.let_out("x")
        assert dict(one.hub.sharing.inside) == {"y": 1}
