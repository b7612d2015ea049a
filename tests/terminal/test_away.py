"""A seat at a server's table: whole games against real servers, and everything around them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from five211 import GameError, parse_cards
from five211.client import Client, read_table_view
from five211.editions import words
from five211.server.serve import set_up_log
from five211.terminal.away import Away, ServerRefusal, join
from five211.view import SPECTATOR, view
from tests.server.helpers import Clock, hall, leaves, on_a_loop
from tests.server.helpers import until as eventually
from tests.server.houses import House, ServerProcess
from tests.terminal.aways import (
    VIEW,
    awaited,
    frame,
    game_of,
    guest_of,
    host_of,
    is_over,
    odd_server,
    play_on,
    record_of,
    seen_by,
    table_of,
    told,
    until,
)


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("five211.client.PAUSE", (0.01, 0.1))
    set_up_log("error")


# Whole games


@pytest.mark.parametrize(
    ("variant", "edition", "language"), [("standard", "classic", "en"), ("long", "azul", "fr")]
)
@on_a_loop
async def test_a_game_against_bots_of_the_server(
    tmp_path: Path, variant: str, edition: str, language: str
) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=3, variant=variant, edition=edition, words=True)
        away = await host_of(h, made, language)
        assert (away.people, away.host, away.connected) == ((0,), True, True)
        assert (seen_by(away).view, seen_by(away).game) == (None, 0)
        await away.start()
        assert seen_by(away).game == 1
        assert [seat.bot for seat in seen_by(away).seats] == [None, "hasty", "hasty"]
        assert seen_by(away).options.edition == edition
        await away.start()  # it has begun: nothing is left to do
        await play_on(away, Random(1))
        record = await record_of(away)
        assert game_of(away) == view(record.match, 0)
        assert str(record.match.rules.variant) == variant
        await away.close()


@on_a_loop
async def test_two_people_see_what_the_server_lets_each_of_them_see(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        clock = {"seconds": 3600, "reserve": 60}
        made = await h.make(players=3, bots=["easy"], clock=clock, show_chosen=False)
        ana, ben = await host_of(h, made), await guest_of(h, made)
        assert ben.people == (2,)

        async def compare(away: Away) -> None:
            """Nothing but one's own: it is equal to what the white list of the table gives."""
            table = await table_of(h, made)
            match = table.match
            assert match is not None
            (seat,) = away.people
            now = seen_by(away)
            if now.moment == table.moment:  # else the server is ahead
                assert now.seats[3 - 1 - seat].chosen is None
                assert now.seats == told(table, seat).seats
                assert game_of(away).hand == match.state.hands[seat]
            for other in {0, 1, 2} - {seat}:
                with pytest.raises(GameError, match="no seat"):
                    away.look(other)

        await ana.start()
        await asyncio.gather(*(play_on(one, Random(2), compare) for one in (ana, ben)))
        table = await table_of(h, made)
        assert [seen_by(one) for one in (ana, ben)] == [told(table, 0), told(table, 2)]
        record = await record_of(ben)
        assert game_of(ben) == view(record.match, 2)
        assert ana.record_url == ben.record_url
        await ana.close()
        await ben.close()


@on_a_loop
async def test_who_watches_has_no_seat_in_the_view(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        away = await host_of(h, made)
        await away.start()
        async with Client(h.url, made["table"], watch=made["watch"]) as client:
            await client.until(lambda seen: seen["chosen"] == [False, True])
            assert read_table_view(client.view) == told(await table_of(h, made), SPECTATOR)
        await away.close()


@on_a_loop
async def test_a_choice_is_changed_and_taken_back(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        ana, ben = await host_of(h, made), await guest_of(h, made)
        with pytest.raises(GameError, match="nothing to choose"):
            await ana.choose(0, parse_cards("G1 G2"))
        with pytest.raises(GameError, match="nothing to choose"):
            await ana.take_back(0)
        await ana.start()
        await awaited(ana)
        first, *_, last = game_of(ana).choices
        for cards in (first, last):
            await ana.choose(0, cards)
            assert seen_by(ana).choice == cards
        await until(ben, lambda: seen_by(ben).seats[0].chosen is True)
        assert seen_by(ben) == told(await table_of(h, made), 1)
        await ana.take_back(0)
        assert seen_by(ana).choice is None
        with pytest.raises(GameError, match="not chosen yet"):
            await ana.take_back(0)
        for seat in (ana.choose(1, first), ana.take_back(1)):  # another's seat
            with pytest.raises(GameError, match="no seat"):
                await seat
        await ana.choose(0, first)
        await ben.choose(1, game_of(ben).choices[0])
        await until(ana, lambda: len(game_of(ana).turns) == 1)
        assert game_of(ana).turns[0][0] == first
        await ana.close()
        await ben.close()


@on_a_loop
async def test_what_the_server_refuses_keeps_its_code_and_its_sentence(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        away = await host_of(h, made, "fr")
        await away.start()
        await awaited(away)
        with pytest.raises(ServerRefusal) as error:
            await away.choose(0, game_of(away).hand)
        assert error.value.code == "choice_size"
        assert error.value.say("fr").startswith("Au tour 1, chacun joue exactement 2 cartes")
        assert words("fr").told(error.value) == error.value
        with pytest.raises(ServerRefusal) as error:
            await away.react("bravo")
        assert error.value.code == "reaction"
        with pytest.raises(ServerRefusal) as error:
            await away.call_substitute(1)
        assert error.value.code == "too_soon"
        await away.close()


# Another one


@on_a_loop
async def test_a_rematch_is_called_by_anybody_and_started_by_the_host(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        ana, ben = await host_of(h, made), await guest_of(h, made)
        assert not ben.host
        await ben.start()  # not his to do
        assert seen_by(ben).view is None
        await asyncio.gather(ana.start(), ana.start())  # the second finds it done
        await asyncio.gather(play_on(ana, Random(3)), play_on(ben, Random(4)))
        first = ana.record_url

        await ben.again()
        assert (seen_by(ben).view, seen_by(ben).game, ben.record_url) == (None, 1, None)
        await until(ana, lambda: seen_by(ana).view is None)
        await ana.again()
        await asyncio.gather(play_on(ana, Random(5)), play_on(ben, Random(6)))
        assert ana.record_url != first
        assert (await record_of(ana)).finished

        await asyncio.gather(ana.again(), ben.again())  # both at once
        assert seen_by(ana).game == 3
        for away in (ana, ben):
            await away.close()


@on_a_loop
async def test_while_the_host_is_away_anybody_starts(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        ana, ben = await host_of(h, made), await guest_of(h, made)
        await ana.close()
        assert not ana.connected
        await until(ben, lambda: ben.host)
        assert "Ana is away." in ben.said
        await ben.start()
        assert seen_by(ben).game == 1
        assert seen_by(ben).seats[0].name == "Ana"  # the seat stayed hers
        await ben.close()


# What happens around the game


@on_a_loop
async def test_what_people_do_is_told_in_the_language_of_each(tmp_path: Path) -> None:
    async with hall(tmp_path, patience=0.0) as h:
        made = await h.make(players=3, chat=True)
        ana, ben = await host_of(h, made), await guest_of(h, made, language="fr")
        assert ben.reactions["well_played"] == "Bien joué\N{NO-BREAK SPACE}!"
        assert next(iter(ana.reactions)) == "hello"
        await ben.react("well_played")
        await until(ana, lambda: "Ben: Well played!" in ana.said)
        await until(ben, lambda: "Ben : Bien joué !" in ben.said)
        async with h.client(made) as other:  # the host again, at another screen
            await other.do("say", text="Good luck!")
        await until(ben, lambda: "Ana : Good luck!" in ben.said)
        await ana.start()
        await awaited(ana)
        assert seen_by(ana).call_from is not None
        await ana.call_substitute(1)
        await until(ana, lambda: seen_by(ana).seats[1].substitute == "hasty")
        await ana.choose(0, game_of(ana).choices[0])
        await until(ana, lambda: len(game_of(ana).turns) == 1)
        assert ana.said[0] == "Ben takes seat 2."
        assert any("plays as a substitute until Ben is back" in one for one in ana.said)
        assert not [one for one in ana.said if "chosen" in one or "your hand" in one.lower()]
        await leaves(h, made)
        with pytest.raises(GameError, match="no seat at this table any more"):
            await until(ana, lambda: False)
        await until(ben, lambda: ben.host)
        assert any("Ben" in one and "hôte" in one for one in ben.said)
        await ben.close()
        await ana.close()


@on_a_loop
async def test_the_link_leads_where_others_find_the_server(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        away = await host_of(h, made)
        assert away.link == f"{h.url}/t/{made['table']}#{made['code']}"
        assert away.show_points
        await away.close()
    async with hall(tmp_path, url="https://cards.example/") as h:
        made = await h.make(show_points=False)
        away = await host_of(h, made)
        assert away.link == f"https://cards.example/t/{made['table']}#{made['code']}"
        assert not away.show_points
        await away.close()


@on_a_loop
async def test_times_are_the_servers(tmp_path: Path) -> None:
    clock = Clock(1_800_000_000.0)
    async with hall(tmp_path, clock.sources) as h:
        made = await h.make(clock={"seconds": 3600})
        away = await host_of(h, made)
        await away.start()
        await awaited(away)
        deadline = seen_by(away).seats[0].deadline
        assert deadline == clock.now + 3600
        assert 0 < deadline - away.now() <= 3600
        await away.close()


# What goes wrong


@on_a_loop
async def test_a_server_that_is_killed_and_started_again(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, away_after=0.2)
    await asyncio.to_thread(server.start)
    try:
        made = await House(server.url).made(players=2)
        away = await host_of(server, made)
        await away.start()
        await awaited(away)
        await away.choose(0, game_of(away).choices[0])
        await awaited(away)
        await asyncio.to_thread(server.kill)
        await until(away, lambda: not away.connected)
        cards = game_of(away).choices[0]
        choosing = asyncio.create_task(away.choose(0, cards))  # it waits until somebody answers
        await asyncio.to_thread(server.start)
        await until(away, lambda: away.connected)
        await choosing
        await play_on(away, Random(7))
        record = await record_of(away)
        assert record.match.state.rounds[0].turns[1][0] == cards
        assert game_of(away) == view(record.match, 0)
        await away.close()
    finally:
        server.kill()


@on_a_loop
async def test_a_table_that_the_operator_closes(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token="op") as h:
        made = await h.make()
        away = await host_of(h, made)
        await h.good("POST", f"/api/operator/tables/{made['table']}/close", "op")
        with pytest.raises(GameError) as error:
            await until(away, lambda: False)
        assert error.value == GameError("table_closed")
        assert away.said[-1] == "The operator closed this table."
        with pytest.raises(GameError) as error:
            await away.react("hello")
        assert error.value == GameError("table_closed")
        assert not away.connected
        await away.close()


@on_a_loop
async def test_a_server_that_ends_it_without_a_word() -> None:
    async def talk(socket: ServerConnection) -> None:
        await socket.send(frame(**VIEW))
        await socket.close(1000, "enough")

    async with odd_server(talk) as url:
        away = await join(url, "odd", None, None, "token", "en")
        with pytest.raises(GameError) as error:
            await until(away, lambda: False)
        assert str(error.value) == "The server has ended the connection (1000 enough)."
        await away.close()


@on_a_loop
async def test_what_another_server_says_is_shown_as_far_as_it_is_understood() -> None:
    async def talk(socket: ServerConnection) -> None:
        await socket.send(frame(**VIEW))
        events = (
            {"event": "reaction", "seat": 0, "reaction": "zap"},
            {"event": "storm", "text": "a\n\x1b[2Jstorm"},
        )
        await socket.send(frame(2, events, paused=True))
        await socket.wait_closed()

    async with odd_server(talk) as url:
        away = await join(url, "odd", None, None, "token", "en")
        await until(away, lambda: len(away.said) == 2)
        assert away.said == ["Ana�[2J: zap", "a �[2Jstorm"]
        assert away.reactions == {"hello": "Hello!", "zap": "zap"}
        assert seen_by(away).seats[0].name == "Ana�[2J"
        assert (away.link, away.show_points, away.host) == (None, False, False)
        await away.close()


ODD = [{"phase": "choosing"}, {"seats": [1]}, {"info": {"players": 9}}]


@pytest.mark.parametrize("change", ODD)
@on_a_loop
async def test_a_server_that_cannot_be_understood(change: dict[str, Any]) -> None:
    seen = asyncio.Event()

    async def first(socket: ServerConnection) -> None:
        await socket.send(frame(**{**VIEW, **change}))
        await socket.wait_closed()

    async def later(socket: ServerConnection) -> None:
        await socket.send(frame(**VIEW))
        await seen.wait()
        await socket.send(frame(2, **change))
        await socket.wait_closed()

    async with odd_server(first) as url:
        with pytest.raises(GameError) as error:
            await join(url, "odd", None, None, "token", "en")
        assert error.value.code == "join_strange"
    async with odd_server(later) as url:
        away = await join(url, "odd", None, None, "token", "en")
        seen.set()
        with pytest.raises(GameError) as error:
            await until(away, lambda: False)
        assert error.value.code == "join_strange"
        assert url in str(error.value)
        assert seen_by(away).view is None  # the last that could be read
        await away.close()


@on_a_loop
async def test_whoever_does_not_want_to_wait_leaves_nothing_behind() -> None:
    asked = asyncio.Event()

    async def talk(socket: ServerConnection) -> None:
        asked.set()
        await socket.wait_closed()

    async with odd_server(talk) as url:
        joining = asyncio.create_task(join(url, "odd", None, None, "token", "en"))
        await asked.wait()
        joining.cancel()
        await asyncio.wait([joining])
        assert joining.cancelled()


# Coming back


@on_a_loop
async def test_the_same_address_leads_back_to_the_seat(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=5)
        ben = await guest_of(h, made)
        cleo = await guest_of(h, made, "Cleo")
        with pytest.raises(GameError, match="called “Ben” already"):
            await guest_of(h, made)  # the seat is held by the first one, who plays there
        await ben.close()
        ben = await guest_of(h, made)
        assert (ben.people, cleo.people) == ((1,), (2,))
        await ben.close()
        await cleo.close()
        some = await guest_of(h, made, None)  # any of them
        assert some.people in ((1,), (2,))
        await some.close()
        host = await host_of(h, made)
        await host.close()
        host = await host_of(h, made)
        assert host.people == (0,)
        await host.close()
        seats = list((tmp_path / "data" / "five211" / "terminal").iterdir())
        assert len(seats) == 3
        assert {path.stat().st_mode & 0o777 for path in seats} == {0o600}


@on_a_loop
async def test_a_seat_that_is_lost_is_looked_for_no_more(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=4)
        ben = await guest_of(h, made, None)
        await ben.close()
        async with h.client(made) as host:
            await host.do("remove", seat=1)
        ben = await guest_of(h, made, None, "fr")
        assert seen_by(ben).seats[1].name == "Joueur"
        other = await guest_of(h, made, None, "fr")
        await eventually(lambda: seen_by(ben).seats[2].name == "Joueur 2")
        async with h.client(made) as host:
            await host.do("remove", seat=1)
        with pytest.raises(GameError) as error:
            await until(ben, lambda: False)
        assert error.value == GameError("seat_lost")
        await ben.close()
        await other.close()
        assert len(list((tmp_path / "data" / "five211" / "terminal").iterdir())) == 1


@pytest.mark.parametrize(
    ("url", "table", "code", "said"),
    [
        ("nowhere", None, None, "is no address of a table"),
        ("http://127.0.0.1:1", "abc", None, "no game server answers"),
        (None, None, None, "which table"),
        (None, "abc", "WRONG2", "There is no such table"),
        (None, None, "WRONG2", "There is no such table"),
    ],
)
@on_a_loop
async def test_a_table_that_is_not_found(
    tmp_path: Path, url: str | None, table: str | None, code: str | None, said: str
) -> None:
    async with hall(tmp_path) as h:
        with pytest.raises(GameError) as error:
            await join(url or h.url, table, code, "Ana", None, "en")
        assert said.lower() in str(error.value).lower()


@on_a_loop
async def test_a_token_that_opens_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        with pytest.raises(ServerRefusal) as error:
            await host_of(h, {**made, "token": "wrong"}, "fr")
        assert error.value.code == "token"
        assert not list((tmp_path / "data" / "five211" / "terminal").iterdir())
        found = await join(h.url, None, made["code"], "Ben", None, "en")  # a code alone is enough
        assert found.people == (1,)
        assert not is_over(found)
        await found.close()
