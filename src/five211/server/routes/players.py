"""Profiles, accounts and ratings."""

from __future__ import annotations

from litestar import delete, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody

from five211.errors import GameError
from five211.gathering import checked_name
from five211.server import shapes as sh
from five211.server.ratings import shown
from five211.server.room import hashed
from five211.server.routes.common import (
    ERRORS,
    Asked,
    Id,
    Limit,
    bearer,
    check_address,
    forget,
    own_player,
    the_guests,
    the_hub,
)
from five211.server.store import PlayerData


def _player_shape(player: PlayerData) -> sh.PlayerShape:
    rating = shown(player.mu, player.sigma)
    return sh.PlayerShape(player.id, player.name, rating, player.games, player.wins)


@post("/api/players", responses=ERRORS, status_code=201)
async def make_player(request: Asked, state: State, data: JSONBody[sh.PlayerBody]) -> sh.OwnPlayer:
    """A profile without a password: keep its key, it is shown only now."""
    await check_address(request, state)
    player, key = await the_guests(state).make_player(data.name)
    return sh.OwnPlayer(_player_shape(player), None, key)


@get("/api/players", responses=ERRORS)
async def players(state: State, limit: Limit = 50) -> sh.Players:
    """The players with the highest ratings."""
    return sh.Players(
        [_player_shape(one) for one in await the_hub(state).store.best_players(limit)]
    )


@get("/api/players/{player:str}", responses=ERRORS)
async def player(state: State, player: Id) -> sh.PlayerShape:
    """A player's profile."""
    found = await the_hub(state).store.player(player)
    if found is None:
        raise GameError("player_unknown")
    return _player_shape(found)


@get("/api/me", responses=ERRORS)
async def me(request: Asked, state: State) -> sh.OwnPlayer:
    """One's own profile."""
    return await _me(request, state)


async def _me(request: Asked, state: State) -> sh.OwnPlayer:
    own = await own_player(request, state)
    return sh.OwnPlayer(_player_shape(own), own.login)


@put("/api/me/name", responses=ERRORS)
async def rename(request: Asked, state: State, data: JSONBody[sh.PlayerBody]) -> sh.OwnPlayer:
    """Another name for one's profile."""
    own = await own_player(request, state)
    await the_hub(state).store.change_player(own.id, name=checked_name(data.name))
    return await _me(request, state)


@put("/api/me/password", responses=ERRORS)
async def set_password(request: Asked, state: State, data: JSONBody[sh.LoginBody]) -> sh.OwnPlayer:
    """Make one's profile an account, or change its password; other keys are worth nothing then."""
    own = await own_player(request, state)
    await the_guests(state).set_password(own, data.login, data.password)
    await the_hub(state).store.drop_keys(own.id, hashed(bearer(request) or ""))
    return await _me(request, state)


@post("/api/login", responses=ERRORS, status_code=201)
async def log_in(request: Asked, state: State, data: JSONBody[sh.LoginBody]) -> sh.OwnPlayer:
    """A new key for one's account."""
    await check_address(request, state)
    own, key = await the_guests(state).log_in(data.login, data.password)
    return sh.OwnPlayer(_player_shape(own), own.login, key)


@delete("/api/me", responses=ERRORS)
async def forget_me(request: Asked, state: State) -> None:
    """Delete one's profile, and one's name in everything that is kept."""
    own = await own_player(request, state)
    await forget(state, own.id)


HANDLERS = (make_player, players, player, me, rename, set_password, log_in, forget_me)
