"""The game in lines of text at a server's table: coming together, waiting, words, lost lines."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import GameError
from five211.server.serve import set_up_log
from five211.terminal.away import Away
from five211.terminal.plain import Plain, Quit
from tests.server.helpers import Clock, hall, on_a_loop
from tests.server.houses import House, ServerProcess
from tests.terminal.aways import awaited, game_of, guest_of, host_of, play_on, until
from tests.terminal.people import Person, Typist, by_number, then


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("five211.client.PAUSE", (0.01, 0.1))
    set_up_log("error")


@on_a_loop
async def test_friends_come_the_host_starts_and_both_play_in_lines(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=3)
        host = await host_of(h, made)
        ana, ben = Typist(), Person(by_number)  # Ben is a script
        playing = asyncio.create_task(Plain(host, ana, "en").play())
        seen = await ana.until("Type go when everybody is here; bots take the free seats")
        assert f"Friends come by this address: {host.link}" in ana.heard
        assert "At the table: Ana. 2 seats are free." in ana.heard
        guest = await guest_of(h, made)
        following = asyncio.create_task(Plain(guest, ben, "en").play())
        seen = await ana.until("At the table: Ana and Ben. 1 seat is free.", seen)
        assert "Ben takes seat 2." in ana.heard
        assert "5211 for 3 players. You sit in seat 2 and are called Ben." in ben.heard
        for line in ("", "s", "1 2", "u"):  # nothing to choose yet
            ana.type(line)
            seen = await ana.until("Type go", seen)
        assert any("nothing to choose" in line for line in ana.heard)
        assert ben.asked == []
        ana.type("GO")
        while not (playing.done() and following.done()):
            await asyncio.sleep(0.01)
            if ana.all[-1].startswith("Play "):
                ana.type(by_number(ana))
                ana.all.append("typed")
        await playing
        await following
        for person in (ana, ben):
            assert person.heard.count("The game begins.") == 1
            assert sum("Final score" in line for line in person.heard) == 1
        told = [
            [line for line in person.heard if re.match(r"Round \d+, turn \d", line)]
            for person in (ana, ben)
        ]
        assert told[0] == told[1]
        assert len(told[0]) == 3 * 7
        assert any(re.search("Ana.* (chosen|choosing)", line) for line in ben.heard)
        await host.close()
        await guest.close()


async def waiting(h: Any, **more: Any) -> tuple[Away, Away, Typist, asyncio.Task[None], int]:
    """Ana has chosen, and waits for Ben."""
    made = await h.make(**more)
    host, guest = await host_of(h, made), await guest_of(h, made)
    ana = Typist()
    playing = asyncio.create_task(Plain(host, ana, "en").play())
    ana.type("go")
    await ana.until("Play 2 cards")
    ana.type("1 2")
    return host, guest, ana, playing, await ana.until("Waiting for Ben; u takes your cards back")


@on_a_loop
async def test_words_to_the_others_a_change_of_mind_and_a_substitute(tmp_path: Path) -> None:
    clock = Clock()
    async with hall(tmp_path, clock.sources) as h:
        host, guest, ana, playing, seen = await waiting(h)
        ana.type("!")
        seen = await ana.until("!thanks: ", seen)
        ana.type("!hello")
        seen = await ana.until("Ana: Hello!", seen)
        await guest.react("wow")
        seen = await ana.until("Ben: ", seen)
        ana.type("")
        seen = await ana.until("Ben is still choosing.", seen)
        assert "Ana has chosen." in ana.heard
        ana.type("u")
        seen = await ana.until("Play 2 cards", seen)
        assert "Your cards are back in your hand." in ana.heard
        ana.type("2 3")
        seen = await ana.until("Waiting for Ben", seen)
        ana.type("c")
        seen = await ana.until("before you call a substitute.", seen)
        await guest.close()
        seen = await ana.until("Ben is away.", seen)
        ana.type("")
        seen = await ana.until("Ben is away.", seen)
        clock.now += 200
        ana.type("c")
        seen = await ana.until("Maxi plays as a substitute until Ben is back.", seen)
        seen = await ana.until("Play 1 card", seen)
        ana.type("")
        await ana.until("Maxi plays on as a substitute for Ben.", seen)
        ana.type("q")
        with pytest.raises(Quit):
            await playing
        await host.close()


@on_a_loop
async def test_a_guest_at_a_terminal_waits_for_the_host_and_may_leave(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        host, guest = await host_of(h, made), await guest_of(h, made)
        ben = Typist()
        playing = asyncio.create_task(Plain(guest, ben, "fr").play())
        await ben.until("On attend que l’hôte commence")
        ben.type("quitter")
        with pytest.raises(Quit):
            await playing
        await guest.close()
        await host.close()


@on_a_loop
async def test_a_clock_is_told_and_hidden_points_are_not(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        host, guest, ana, playing, seen = await waiting(
            h, clock={"seconds": 3600, "reserve": 0}, show_points=False, show_chosen=True
        )
        assert any(re.fullmatch(r"Ana has 3\d\d\d seconds left\.", line) for line in ana.heard)
        assert not any(line.startswith("Points: ") for line in ana.heard)
        ana.type("s")
        await ana.until("The points of this table are shown at the end.", seen)
        ana.type(None)
        with pytest.raises(EOFError):
            await playing
        await host.close()
        await guest.close()


@on_a_loop
async def test_when_it_is_hidden_nobody_is_said_to_have_chosen(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(show_chosen=False)
        host, guest = await host_of(h, made), await guest_of(h, made)
        ana = Typist()
        playing = asyncio.create_task(Plain(host, ana, "en").play())
        ana.type("go")
        seen = await ana.until("Play 2 cards")
        await awaited(guest)
        await guest.choose(1, game_of(guest).choices[0])
        ana.type("")
        await ana.until("Ana is still choosing.", seen)
        assert not any("Ben has chosen" in line for line in ana.heard)
        ana.type("q")
        with pytest.raises(Quit):
            await playing
        await host.close()
        await guest.close()


@on_a_loop
async def test_a_rematch_gathers_the_same_people_again(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        host, guest = await host_of(h, made), await guest_of(h, made)
        ana = Person(lambda one: "go" if "go" in one.asked[-1] else by_number(one))
        game = Plain(host, ana, "en")
        await asyncio.gather(game.play(), play_on(guest, Random(1)))
        ana.answer = then("y")
        assert await game.another()
        await host.again()
        await until(guest, lambda: game_of(guest).result is None)
        ana.answer = by_number
        await asyncio.gather(game.play(), play_on(guest, Random(2)))
        assert ana.heard.count("The game begins.") == 2
        assert sum("Final score" in line for line in ana.heard) == 2
        await host.close()
        await guest.close()


@on_a_loop
async def test_a_connection_that_is_lost_and_found_is_told(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, away_after=0.2)
    await asyncio.to_thread(server.start)
    try:
        made = await House(server.url).made(players=2)
        host = await host_of(server, made)
        ana = Typist()
        playing = asyncio.create_task(Plain(host, ana, "en").play())
        ana.type("go")
        seen = await ana.until("Play 2 cards")
        await asyncio.to_thread(server.kill)
        seen = await ana.until("The connection is lost; trying again.", seen)
        await asyncio.to_thread(server.start)
        seen = await ana.until("The connection is back.", seen)
        seen = await ana.until("Play 2 cards", seen)
        ana.type("1 2")
        await ana.until("Play 1 card", seen)
        ana.type("q")
        with pytest.raises(Quit):
            await playing
        await host.close()
    finally:
        server.kill()


@on_a_loop
async def test_a_table_that_is_closed_ends_the_game_in_words(tmp_path: Path) -> None:
    async with hall(tmp_path, operator_token="op") as h:
        made = await h.make()
        host = await host_of(h, made)
        ana = Typist()
        playing = asyncio.create_task(Plain(host, ana, "en").play())
        await ana.until("Type go")
        await h.good("POST", f"/api/operator/tables/{made['table']}/close", "op")
        with pytest.raises(GameError) as caught:
            await playing
        assert caught.value == GameError("table_closed")
        await host.close()
