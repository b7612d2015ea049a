"""The first screen: what is chosen there, what is remembered, and the ways to a game."""

from __future__ import annotations

import json

from textual.widgets import Input

from five211.terminal.here import Here
from five211.terminal.replaying import ReplayScreen
from five211.terminal.saved import folder, games_file
from five211.terminal.settings import Settings, remember, remembered
from five211.terminal.start import Line, StartScreen
from tests.server.helpers import on_a_loop
from tests.terminal.screens import (
    kept_games,
    may_choose,
    play_out,
    play_turn,
    playing,
    settled,
    shown,
    table,
    text,
)


@on_a_loop
async def test_enter_plays_at_once() -> None:
    async with playing() as pilot:
        assert "▸ Play" in text(pilot)
        await pilot.press("enter")
        assert await may_choose(pilot)
        assert table(pilot).names == ["Player", "Maxi", "Maxi 2", "Maxi 3"]


@on_a_loop
async def test_everything_can_be_chosen_and_is_remembered() -> None:
    async with playing() as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StartScreen)
        await pilot.press("down", "left", "left")  # two players
        assert "‹ 2 ›" in text(pilot)
        assert "Opponent 2" not in text(pilot)
        await pilot.press("down", "right", "right")  # the hard one
        assert "hard: Saga ›" in text(pilot)
        assert "Saga has played a great many games" in text(pilot)
        for key, steps in (("variant", 1), ("edition", 1), ("language", 1), ("look", 1)):
            screen.line(key).focus()
            await pilot.press(*["right"] * steps)
        assert "Longue" in text(pilot) or "longue" in text(pilot)
        assert "Français" in text(pilot)
        screen.query_one("#people", Input).focus()
        await pilot.press(*"Zoé")
        await pilot.press("enter")
        assert await may_choose(pilot)
        assert table(pilot).names == ["Zoé", "Saga"]
        assert "Jouez 2 cartes" in text(pilot)
    kept = remembered()
    assert (kept.players, kept.bots, kept.people) == (2, ("hard",), ("Zoé",))
    assert (kept.variant, kept.edition, kept.language, kept.light) == ("long", "azul", "fr", True)
    async with playing(language="fr") as pilot:
        await pilot.press("down")
        await settled(pilot, lambda: "▸ Jouer" in text(pilot))
        assert "Saga" in text(pilot)


@on_a_loop
async def test_several_people_leave_fewer_bots() -> None:
    async with playing() as pilot:
        pilot.app.screen.query_one("#people", Input).focus()
        await pilot.press(*"Ana, Ben, Cleo")
        assert "Opponent 1" in text(pilot)
        assert "Opponent 2" not in text(pilot)
        await pilot.press("enter")
        await settled(pilot, lambda: "Ana, it is your turn" in text(pilot))


@on_a_loop
async def test_what_cannot_be_is_told_and_changes_nothing() -> None:
    async with playing() as pilot:
        pilot.app.screen.query_one("#people", Input).focus()
        await pilot.press(*"Ana, Ana", "enter")
        await settled(pilot, lambda: "called “Ana” already" in text(pilot))
        assert isinstance(pilot.app.screen, StartScreen)
        pilot.app.screen.query_one("#url", Input).focus()
        await pilot.press(*"nonsense", "enter")
        await settled(pilot, lambda: "no address of a table" in text(pilot))
    assert not list(folder().glob("*.game"))


@on_a_loop
async def test_a_game_that_was_left_is_offered_and_goes_on() -> None:
    async with playing(players=3, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
        await play_turn(pilot, 0, 1)
        await may_choose(pilot)
        before = table(pilot).look
        await pilot.press("q")
        assert "leave the game" in text(pilot).lower()
        await pilot.press("escape")
        assert await may_choose(pilot)
        await pilot.press("q", "enter")
        await pilot.pause()
    async with playing() as pilot:
        assert "Go on: round 1 of 7, Player 0, Maxi 0 and Maxi 2 0" in text(pilot)
        await pilot.press("enter")
        await may_choose(pilot)
        assert table(pilot).look.view == before.view
        await play_out(pilot)
    assert len(kept_games()) == 1
    assert not list(folder().glob("*.game"))


@on_a_loop
async def test_a_game_with_somebody_elses_bot_that_is_gone_is_not_offered() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
    (file,) = folder().glob("*.game")
    file.write_text(file.read_text().replace('"easy"', '"nobody"'))
    async with playing() as pilot:
        assert "Go on" not in text(pilot)
    assert file.exists()


@on_a_loop
async def test_a_game_that_another_has_taken_meanwhile() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await may_choose(pilot)
    (file,) = folder().glob("*.game")
    async with playing() as pilot:
        file.write_text("no game\n")
        await pilot.press("enter")
        await settled(pilot, lambda: "no game to go on with" in text(pilot))
        file.unlink()
        await pilot.press("right", "enter")  # there is nothing to change on this line
        await settled(pilot, lambda: "no game to go on with" in text(pilot))


@on_a_loop
async def test_a_bot_of_ones_own_is_no_level() -> None:
    remember(Settings(bots=("mine.py:Mine",), players=2))
    async with playing() as pilot:
        assert "easy: Maxi" in text(pilot)


@on_a_loop
async def test_the_last_game_can_be_seen_again() -> None:
    async with playing(players=2, bots=("easy",), seed="7") as pilot:
        await play_out(pilot)
        await pilot.press("r")
        assert isinstance(pilot.app.screen, ReplayScreen)
        await pilot.press("q")
        assert "The game is over" in text(pilot)
    async with playing() as pilot:
        assert "Replay the last game" in text(pilot)
        await pilot.press("up", "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert "(1 of 33)" in text(pilot)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, StartScreen)
        games_file().unlink()
        await pilot.press("enter")
        await settled(pilot, lambda: "no game has been finished" in text(pilot).lower())
        games_file().write_text("")
        await pilot.press("enter")
        games_file().write_bytes(b"\xff\n")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)


@on_a_loop
async def test_by_mouse() -> None:
    async with playing() as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StartScreen)
        await pilot.click(screen.line("players"), offset=(60, 0))
        assert "‹ 5 ›" in text(pilot)
        await pilot.click(screen.line("players"), offset=(22, 0))
        assert "‹ 4 ›" in text(pilot)
        await pilot.click(screen.line("play"))
        assert await may_choose(pilot)


@on_a_loop
async def test_leaving() -> None:
    async with playing() as pilot:
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running
    async with playing() as pilot:
        await pilot.click("#keys", offset=(44, 0))
        await pilot.pause()
        assert not pilot.app.is_running


@on_a_loop
async def test_another_game_with_the_same_people() -> None:
    async with playing(players=5, bots=("easy",), seed="7") as pilot:
        await play_out(pilot)
        await pilot.press("n")
        assert await may_choose(pilot)
        place = table(pilot).place
        assert isinstance(place, Here)
        assert place.table.match is not None
        assert not place.table.match.state.rounds
        await play_out(pilot)
    first, second = map(json.loads, kept_games())
    assert first["seats"] == second["seats"]
    assert first["deals"] != second["deals"]


@on_a_loop
async def test_day_and_night() -> None:
    async with playing() as pilot:
        await pilot.press("d")
        assert pilot.app.theme == "day"
        assert remembered().light
        await pilot.press("d")
        assert pilot.app.theme == "night"
        assert len(shown(pilot)) == 24


@on_a_loop
async def test_several_games_are_offered_and_one_is_forgotten() -> None:
    for players in (2, 3, 4, 5):
        async with playing(players=players, bots=("easy",), seed="7") as pilot:
            await may_choose(pilot)
    async with playing(new=True) as pilot:
        assert "Go on" not in text(pilot)
    async with playing() as pilot:
        assert text(pilot).count("Go on") == 3  # the newest
        await pilot.press("x")
        await settled(pilot, lambda: text(pilot).count("Go on") == 2)
        await pilot.press("down", "down", "x")  # nothing to forget on this line
        assert text(pilot).count("Go on") == 2
        assert len(list(folder().glob("*.game"))) == 3
        screen = pilot.app.screen
        assert isinstance(screen, StartScreen)
        screen.query(Line).first().focus()
        await pilot.press("down", "enter")  # the older of the two
        await may_choose(pilot)
        assert len(table(pilot).names) == 3


@on_a_loop
async def test_help_and_who_is_who() -> None:
    async with playing() as pilot:
        await pilot.press("question_mark")
        assert "exactly 6 Kododos" in text(pilot)
        await pilot.press("escape", "down", "down")
        await settled(pilot, lambda: "Maxi takes what would score" in text(pilot))
        await pilot.press("up")
        await settled(pilot, lambda: "takes what would score" not in text(pilot))


@on_a_loop
async def test_only_what_could_be_played_is_remembered() -> None:
    async with playing() as pilot:
        pilot.app.screen.query_one("#people", Input).focus()
        await pilot.press(*"Ana, Ana", "enter")
        await settled(pilot, lambda: "already" in text(pilot))
        assert pilot.app.focused is pilot.app.screen.query_one("#people", Input)
    assert remembered().people == ()


@on_a_loop
async def test_options_of_one_command_are_not_remembered() -> None:
    async with playing(players=2, bots=("easy",), edition="azul", speed="slow") as pilot:
        await may_choose(pilot)
        await pilot.press("d")
    kept = remembered()
    assert (kept.light, kept.players, kept.edition, kept.speed) == (True, 4, "classic", "normal")
