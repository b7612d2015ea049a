"""Games that are over: how they ended, their records, their replays."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get
from litestar.datastructures import State

from five211 import texts
from five211.errors import GameError
from five211.record import parse
from five211.server import shapes as sh
from five211.server.replays import replay_json
from five211.server.routes.common import (
    ERRORS,
    Id,
    Limit,
    MaybeWord,
    Word,
    the_hub,
)
from five211.server.store import Game


def _game_shape(game: Game) -> sh.GameShape:
    standings = [
        sh.StandingShape(one.name, one.bot, one.player, one.points, one.rank)
        for one in game.standings
    ]
    return sh.GameShape(game.id, game.ended, game.rated, standings)


@get("/api/games", responses=ERRORS)
async def games(state: State, limit: Limit = 20, player: MaybeWord = None) -> sh.Games:
    """The last public games, or those of one player."""
    found = await the_hub(state).store.games(player, limit)
    return sh.Games([_game_shape(one) for one in found])


async def _game(state: State, id_: str) -> Game:
    game = await the_hub(state).store.game(id_)
    if game is None:
        raise GameError("game_unknown")
    return game


@get("/api/games/{game:str}", responses=ERRORS)
async def game(state: State, game: Id) -> sh.GameShape:
    """How a game ended."""
    return _game_shape(await _game(state, game))


@get("/api/games/{game:str}/record", responses=ERRORS)
async def record(state: State, game: Id) -> Response[bytes]:
    """The record of a game that is over, with the proof of its deal."""
    found = await _game(state, game)
    headers = {"content-disposition": f'attachment; filename="five211-{found.id}.json"'}
    return Response(found.record.encode(), media_type="application/json", headers=headers)


@get("/api/games/{game:str}/replay", responses=ERRORS)
async def replay(state: State, game: Id, lang: Word = "en") -> dict[str, Any]:
    """A game that is over, step by step, every hand included."""
    if lang not in texts.language_names():
        lang = texts.DEFAULT_LANGUAGE
    found = await _game(state, game)
    return await asyncio.to_thread(lambda: replay_json(parse(found.record), lang))


HANDLERS = (games, game, record, replay)
