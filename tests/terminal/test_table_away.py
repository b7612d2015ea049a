"""The whole screen at a server's table: a real server, and the same keys."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from textual.widgets import Input
from websockets.asyncio.server import ServerConnection

from five211.errors import GameError
from five211.terminal.app import FiveApp
from five211.terminal.asked import Asked
from five211.terminal.start import StartScreen
from five211.terminal.told import Choice
from tests.server.helpers import hall, on_a_loop
from tests.terminal.aways import VIEW, frame, guest_of, host_of, odd_server, play_on, seen_by
from tests.terminal.screens import may_choose, play_out, play_turn, playing, settled, table, text


@on_a_loop
async def test_the_host_starts_and_plays_to_the_end(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=3)
        async with playing(join=h.url, table=made["table"], token=made["token"]) as pilot:
            await settled(pilot, lambda: "At this table" in text(pilot))
            assert "Free seats: 2" in text(pilot)
            assert f"/t/{made['table']}#{made['code']}" in text(pilot)
            await pilot.press(
                "l", "escape", "g", "escape", "u", "n", "1", "right", "enter"
            )  # nothing
            await pilot.press("s")
            await may_choose(pilot)
            await play_out(pilot)
            assert "/record" in text(pilot)
            await pilot.press("r")  # there is nothing here to replay
            await pilot.press("n")
            assert await may_choose(pilot)
            assert table(pilot).look.game == 2


@on_a_loop
async def test_a_guest_comes_by_the_first_screen_and_talks(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(clock={"seconds": 3600}, show_points=False)
        ana = await guest_of(h, made, "Cleo")
        async with playing() as pilot:
            assert isinstance(pilot.app.screen, StartScreen)
            field = pilot.app.screen.query_one("#url", Input)
            field.focus()
            field.value = f"{h.url}/t/{made['table']}#{made['code']}"
            await pilot.press("enter")
            await settled(pilot, lambda: "no seat is free" in text(pilot).lower())
        await ana.close()
        made = await h.make(clock={"seconds": 3600}, show_points=False)
        async with playing(join=f"{h.url}/t/{made['table']}#{made['code']}") as pilot:
            await settled(pilot, lambda: "the host starts" in text(pilot).lower())
            ana = await host_of(h, made)
            await ana.start()
            await may_choose(pilot)
            assert " s left" in text(pilot)
            assert "?" in text(pilot)  # nobody's points
            await play_turn(pilot, 0, 1)
            await settled(pilot, lambda: "Waiting for" in text(pilot))
            await pilot.press("c")  # there is a clock
            await settled(pilot, lambda: "has a clock" in text(pilot))
            await pilot.press("t")
            assert isinstance(pilot.app.screen, Choice)
            await pilot.press("9", "1")
            await settled(pilot, lambda: any("Player" in said for said in ana.said))
            await pilot.press("t", "escape")
            await ana.react(next(iter(ana.reactions)))
            await settled(pilot, lambda: len(table(pilot).place.said) > 1)
            other = asyncio.create_task(play_on(ana, Random(1)))
            await play_out(pilot)
            await other
        assert seen_by(ana).view is not None
        await ana.close()


@on_a_loop
async def test_what_a_server_refuses_ends_the_command_with_a_sentence() -> None:
    app = FiveApp(Asked(join="http://127.0.0.1:9/t/nobody#CODE"), lambda _: None, "en")  # type: ignore[arg-type,return-value]
    async with app.run_test() as pilot:
        await settled(pilot, lambda: not app.is_running)
    assert isinstance(app.return_value, GameError)
    assert "no game server answers" in app.return_value.say("en").lower()


@pytest.mark.parametrize("url", ["nonsense", "http://"])
@on_a_loop
async def test_no_address_of_a_table(url: str) -> None:
    app = FiveApp(Asked(join=url), lambda _: None, "en")  # type: ignore[arg-type,return-value]
    async with app.run_test() as pilot:
        await settled(pilot, lambda: not app.is_running)
    assert isinstance(app.return_value, GameError)


@on_a_loop
async def test_a_seat_that_is_lost_is_told(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make()
        ana = await host_of(h, made)
        async with playing(join=f"{h.url}/t/{made['table']}#{made['code']}") as pilot:
            await settled(pilot, lambda: "the host starts" in text(pilot).lower())
            await ana._do("remove", seat=1)
            await settled(pilot, lambda: table(pilot).trouble != "")
            assert "seat" in text(pilot)
        await ana.close()


@on_a_loop
async def test_a_public_table_that_hides_who_has_chosen(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(public=True, show_chosen=False)
        ana = await host_of(h, made)
        async with playing(join=f"{h.url}/t/{made['table']}") as pilot:
            await settled(pilot, lambda: "the host starts" in text(pilot).lower())
            await ana.start()
            await may_choose(pilot)
            await play_turn(pilot, 0, 1)
            await settled(pilot, lambda: "face down" in text(pilot))
            assert "Waiting" not in text(pilot)
            assert "…" not in text(pilot)
            await ana.close()
            await settled(pilot, lambda: re.search(r"Ana +0 +0 -", text(pilot)) is not None)


@on_a_loop
async def test_somebody_calls_a_rematch_while_the_end_is_still_told(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=2)
        ana = await host_of(h, made)
        async with playing(
            join=f"{h.url}/t/{made['table']}#{made['code']}", speed="normal"
        ) as pilot:
            await settled(pilot, lambda: "the host starts" in text(pilot).lower())
            await ana.start()
            other = asyncio.create_task(play_on(ana, Random(1)))
            for _turn in range(33):
                await settled(pilot, lambda: table(pilot).look.moment is not None)
                await settled(
                    pilot, lambda: table(pilot).can_choose or table(pilot).telling is not None
                )
                view = table(pilot).look.view
                assert view is not None
                await pilot.press("escape")
                while table(pilot).telling is not None:
                    await pilot.press("escape", "enter")
                    await pilot.pause()
                await settled(pilot, lambda: table(pilot).can_choose)
                await play_turn(pilot, *range(view.plays))
                await settled(pilot, lambda: table(pilot).telling is not None)
            await other
            await settled(pilot, lambda: table(pilot).telling is not None)
            await ana.again()  # here the last round is still being told
            await settled(pilot, lambda: table(pilot).look.game == 2)
            for _step in range(12):
                await pilot.press("enter")
                await pilot.pause()
            await settled(pilot, lambda: table(pilot).telling is None)
            assert table(pilot).trouble == ""
            await settled(pilot, lambda: "Round 1 of 11" in text(pilot))
        await ana.close()


@on_a_loop
async def test_two_enters_take_one_seat(tmp_path: Path) -> None:
    async with hall(tmp_path) as h:
        made = await h.make(players=3)
        async with playing() as pilot:
            field = pilot.app.screen.query_one("#url", Input)
            field.focus()
            field.value = f"{h.url}/t/{made['table']}#{made['code']}"
            await pilot.press("enter", "enter")
            assert isinstance(pilot.app, FiveApp)
            pilot.app.join(field.value, "en")
            pilot.app.join(field.value, "en")
            await settled(pilot, lambda: "Free seats: 1" in text(pilot))


@pytest.mark.parametrize("strange", [frame(2, chosen=[None]), frame(2, ({"odd": 1},))])
@on_a_loop
async def test_what_cannot_be_read_is_told(strange: str) -> None:
    seen = asyncio.Event()

    async def talk(socket: ServerConnection) -> None:
        await socket.send(frame(**VIEW))
        await seen.wait()
        await socket.send(strange)
        await socket.wait_closed()

    async with odd_server(talk) as url, playing(join=f"{url}/t/odd#CODE", token="t") as pilot:
        await settled(pilot, lambda: "the host starts" in text(pilot).lower())
        seen.set()
        await settled(pilot, lambda: table(pilot).trouble != "")
        await settled(pilot, lambda: "s start" not in text(pilot))
        assert "q leave" in text(pilot)
