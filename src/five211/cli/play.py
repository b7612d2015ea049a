"""`five211 play`: a game in the terminal, on the whole screen or in lines of text."""

from __future__ import annotations

import asyncio
import json
import sys
from functools import cache

from five211 import texts
from five211.cli import common, loading, waiting
from five211.cli.own import load
from five211.errors import GameError, file_name
from five211.terminal.aloud import where_it_stands
from five211.terminal.asked import Asked
from five211.terminal.here import Here, Load
from five211.terminal.lines import Talk
from five211.terminal.place import Place
from five211.terminal.plain import Plain, Quit, meant
from five211.terminal.saved import Setup, games_file, interrupted
from five211.terminal.settings import Settings, remembered


def run(asked: Asked, plain: bool, as_json: bool) -> None:
    """Play until it is enough."""
    screen = not plain and not as_json and common.has_screen()
    wanted = asked.language or (remembered().language if screen else None)
    language = common.speak(wanted or None)
    asked.check()
    if as_json and asked.join is not None:
        raise GameError("join_alone", options=("--json",))
    if not screen:
        Evening(asked, language, as_json).spend()
        return
    with loading():
        from five211.terminal.app import run_app
    if asked.at_once and asked.join is None:  # better to know before the screen is full
        _ready(asked, asked.setup(remembered(), language), load)
    for record in run_app(asked, load, language):
        _add(asked.record, record)


def _ready(asked: Asked, setup: Setup, load: Load) -> None:
    """Find every fault, and compile what bots need, before the game begins."""
    waiting.prepared([load(bot) for bot in setup.bots])
    if asked.record is not None:
        common.check_writable(asked.record)


def _add(file: str | None, record: str) -> None:
    """To the file that was asked for, after the games that are there already."""
    if file is not None:
        with common.opened(file, "a") as stream:
            stream.write(record + "\n")


class Evening:
    """One game or more in lines of text, from the first question to the last goodbye."""

    def __init__(self, asked: Asked, language: str, as_json: bool) -> None:
        self._asked, self._language, self._as_json = asked, language, as_json
        console = common.console(stderr=as_json)
        self._talk = Talk(console, sys.stdin)
        self._asks = self._talk.terminal and console.is_terminal and not as_json
        """Whether somebody is there to be asked what no script expects."""
        self._load = cache(load)

    def spend(self) -> None:
        """Play, and say goodbye however it ends."""
        asyncio.run(self._spend())

    async def _spend(self) -> None:
        try:
            place, resumed = await self._arrive()
        except (EOFError, Quit, asyncio.CancelledError):
            self._talk.say()
            return
        try:
            await self._stay(place, resumed)
        finally:
            await place.close()

    # Where

    async def _arrive(self) -> tuple[Place, bool]:
        """A table, and whether its game was begun another day."""
        asked, language = self._asked, self._language
        if asked.join is not None:
            from five211.terminal.away import join

            door = asked.table, asked.code, asked.name, asked.token
            return await join(asked.join, *door, language), False
        if self._asks and not asked.at_once and not asked.new:
            place = await self._offer()
            if place is not None:
                return place, True
        setup = asked.setup(Settings(), language)
        _ready(asked, setup, self._load)
        return Here.begin(setup, self._load), False

    async def _offer(self) -> Here | None:
        """The newest game that was interrupted, if it is wanted."""
        found = (Here.resume(log, self._load) for log in interrupted())
        place = next((one for one in found if one is not None), None)
        if place is None:
            return None
        wanted = False
        try:
            wanted = await self._wanted(place)
        finally:
            if not wanted:
                await place.close()
        return place if wanted else None

    async def _wanted(self, place: Here) -> bool:
        where = where_it_stands(place.look(0), self._language)
        said = texts.say(self._language, "play.offer", where=where)
        while True:
            self._talk.ask(said)
            line = await self._talk.hear()
            if not line or meant(self._language, line, ("yes",)):
                return True
            if meant(self._language, line, ("no",)):
                return False
            if meant(self._language, line, ("quit",)):
                raise Quit

    # Games

    async def _stay(self, place: Place, resumed: bool) -> None:
        opponents = place.opponents if isinstance(place, Here) else ()
        game = Plain(place, self._talk, self._language, opponents)
        if resumed:
            game.go_on()
        try:
            await game.play()
            self._keep(place)
            while self._asks and await game.another():
                await place.again()
                await game.play()
                self._keep(place)
        except (EOFError, Quit):
            self._leave(place)
        except asyncio.CancelledError:  # Ctrl-C
            self._talk.say()
            self._leave(place)

    def _leave(self, place: Place) -> None:
        """In mid-game; the game stays where it is."""
        now = place.look(place.people[0])
        if now.view is None or now.view.result is None:
            self._say("play.bye")
            self._write(place)

    def _keep(self, place: Place) -> None:
        """After the end: say where the game can be found."""
        if place.record_url is not None:
            self._say("play.record_url", url=place.record_url)
        if isinstance(place, Here):
            kept = texts.say(self._language, "play.kept", name=file_name(str(games_file())))
            self._talk.say(kept if place.unkept is None else place.unkept.say(self._language))
        self._write(place)

    def _write(self, place: Place) -> None:
        """The record, finished or not, for whoever asked for it."""
        if not isinstance(place, Here):
            return
        _add(self._asked.record, place.record)
        if self._asked.record is not None:
            self._say("cli.saved", name=file_name(self._asked.record))
        if self._as_json:
            common.print_json(json.loads(place.record))

    def _say(self, key: str, **fields: object) -> None:
        self._talk.say(texts.say(self._language, key, **fields))
