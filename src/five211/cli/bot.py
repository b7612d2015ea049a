"""`five211 bot`: a bot of one's own, or one of five211's, sits down at a server's table."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from five211 import texts
from five211.bots import Bot
from five211.chance import stream
from five211.characters import called
from five211.cli import common
from five211.cli.own import load
from five211.client import Client, Left, Refused, read_view
from five211.errors import GameError, in_a_line, short
from five211.joining import namesakes, read_address, take_seat

Tell: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], None]
Duty: TypeAlias = tuple[str, Any]

OF_A_GAME = ("deal_bound", "game_ended")  # told with the game's id
TOLD = (*OF_A_GAME, "round_scored", "deal_ended")
GOODBYE = 5.0  # seconds to leave a table whose server does not answer


def run(
    bot: str,
    join: str,
    table: str | None,
    code: str | None,
    name: str | None,
    token: str | None,
    seat: int | None,
    games: int | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Sit down and play until it is enough."""
    language = common.speak(lang)
    player = load(bot)
    address = read_address(join, table, code)
    ready = player.ready()  # before anybody waits for it
    names = namesakes(called(player.name)) if name is None else [name]
    found, token = take_seat(address, names, token, seat, language)
    tell = _tell_json if as_json else partial(_tell, language, address.server)
    client = Client(address.server, found, token, language=None if as_json else language)
    asyncio.run(attend(client, ready, games, tell))


# Playing


async def attend(client: Client, bot: Bot, games: int | None, tell: Tell) -> None:
    """Play at the table, and leave it politely, whatever happens."""
    try:
        async with client:
            try:
                await Sitting(client, bot, games, tell).play()
            except (Left, Refused) as gone:
                tell({"event": "gone", "reason": str(gone)}, client.view)
            except asyncio.CancelledError:  # Ctrl-C
                pass
            finally:
                await _leave(client)
    except (Left, Refused) as refused:  # nobody was let in
        raise GameError("join_refused", text=short(str(refused))) from None


async def _leave(client: Client) -> None:
    with suppress(Left, Refused, TimeoutError):
        async with asyncio.timeout(GOODBYE):
            await client.do("leave")


class Sitting:
    """A bot at a table, through any number of games."""

    def __init__(self, client: Client, bot: Bot, games: int | None, tell: Tell) -> None:
        self._client = client
        self._bot = bot
        self._games = games
        """How many games are left; none if there is no end."""
        self._tell = tell
        self._rng = stream(secrets.token_hex(16), "bot")
        self._done: Duty | None = None
        self._game = ""
        """The game's id; it stays while people gather for the next one."""

    async def play(self) -> None:
        """Do what the table awaits, until all games are played."""
        client = self._client
        if client.view["phase"] == "over":
            self._tell({"event": "waiting"}, client.view)
        while True:
            self._catch_up()
            if self._games == 0:
                return
            now = duty(client.view)
            if now is not None and now != self._done:
                self._done = now
                await self._fulfil(now)
            await client.until(self._has_news)

    def _has_news(self, view: dict[str, Any]) -> bool:
        return not self._client.events.empty() or duty(view) not in (None, self._done)

    def _catch_up(self) -> None:
        """Hear what has happened, each event in its own game; the view is that after all of it."""
        waiting = self._client.events
        events = [waiting.get_nowait() for _ in range(waiting.qsize())]
        starts = [event["game"] for event in events if event["event"] == "game_started"]
        if starts:
            self._set_game(starts[0] - 1)
        else:
            self._note_game()
        for event in events:
            self._hear(event)

    def _set_game(self, number: int) -> None:
        self._game = f"{self._client.view['info']['id']}-{number}"

    def _note_game(self) -> None:
        """A game whose start was not heard. What it is bound to is told only before its deal:
        whoever hears it later cannot know that it was not another one then.
        """
        proof = self._client.view["proof"]
        game = self._game if proof is None else proof["table"].replace("/", "-")
        if game == self._game:
            return
        self._game = game
        if proof["stage"] != "dealt":
            bound = {"commitment": proof["commitment"], "asked": proof["asked"], "game": game}
            self._tell({"event": "deal_bound", **bound}, self._client.view)

    def _hear(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "game_started":
            self._set_game(event["game"])
        if kind in TOLD:
            game = {"game": self._game} if kind in OF_A_GAME else {}
            self._tell({**event, **game}, self._client.view)
        if kind == "game_ended" and self._games is not None:
            self._games -= 1

    async def _fulfil(self, now: Duty) -> None:
        kind, what = now
        fields: dict[str, Any] = {}
        if kind == "choose":
            view = read_view(self._client.view)
            # In a thread, so that a bot that thinks for long does not lose the connection.
            cards = await asyncio.to_thread(self._bot.choose, view, self._rng)
            fields = {"moment": what, "cards": [card.code for card in cards]}
        with suppress(Refused):  # the table has gone on meanwhile: the view says what is next
            await self._client.do(kind, **fields)


def duty(view: dict[str, Any]) -> Duty | None:
    """What a table awaits of this seat: cards, or that its host starts when everyone is here."""
    if view["moment"] is not None and view["choice"] is None:
        return "choose", view["moment"]
    seats = view["seats"]
    here = all(seat["bot"] or seat["present"] for seat in seats)
    if view["phase"] == "gathering" and here and seats[view["you"]]["host"]:
        return "start", seats
    return None


# What it says


def _tell_json(event: dict[str, Any], _view: dict[str, Any]) -> None:
    print(json.dumps(event), flush=True)


def _tell(language: str, server: str, event: dict[str, Any], view: dict[str, Any]) -> None:
    """What the server is bound to, a line a round, the end of a deal or game and its record."""
    if event["event"] == "deal_bound":
        game, commitment = event["game"], event["commitment"]
        said = texts.say(language, "cli.bot_bound", game=game, commitment=commitment)
    elif event["event"] == "waiting":
        said = texts.say(language, "cli.bot_waiting")
    elif event["event"] == "gone":
        said = texts.say(language, "cli.bot_gone", reason=event["reason"].rstrip("."))
    elif event["event"] == "round_scored":
        points = zip(view["seats"], event["score"]["points"], strict=True)
        totals = tuple(f"{seat['name']} {won}" for seat, won in points)
        said = texts.say(language, "cli.bot_round", round=event["round"] + 1, totals=totals)
    else:
        said = event["text"]
    print(in_a_line(said), flush=True)
    if event["event"] == "game_ended":
        url = f"{server}/api/games/{event['game']}/record"
        said = texts.say(language, "cli.bot_record", game=event["game"], url=url)
        print(in_a_line(said), flush=True)
