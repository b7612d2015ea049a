"""What only the operator may do."""

from __future__ import annotations

import msgspec
from litestar import delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from five211.errors import GameError
from five211.server import shapes as sh
from five211.server.entries import Closed
from five211.server.lobby import summary
from five211.server.room import hashed
from five211.server.routes.common import (
    ERRORS,
    Asked,
    Id,
    bearer,
    forget,
    the_guests,
    the_hub,
)


def _check_operator(request: Asked, state: State) -> None:
    token = the_hub(state).settings.operator_token
    if not token or hashed(bearer(request) or "") != hashed(token):
        raise GameError("operator")


@get("/api/operator/tables", responses=ERRORS, include_in_schema=False)
async def overview(request: Asked, state: State) -> sh.Overview:
    """What is in memory: sums and tables, without codes, hands or choices."""
    _check_operator(request, state)
    hub = the_hub(state)
    found = [msgspec.to_builtins(summary(live.room)) for live in list(hub.lives.values())[:1000]]
    sockets = sum(len(live.connections) for live in hub.lives.values())
    return sh.Overview(len(hub.lives), sockets, found)


@post(
    "/api/operator/tables/{table:str}/close",
    responses=ERRORS,
    include_in_schema=False,
    status_code=204,
)
async def close_table(request: Asked, state: State, table: Id) -> None:
    """Close a table for good."""
    _check_operator(request, state)
    hub = the_hub(state)
    live = await hub.find(table)
    hub.do(live, Closed())
    await hub.written(live)
    hub.forget(live)  # its clock and its bots stop, too


@get("/api/operator/bans", responses=ERRORS, include_in_schema=False)
async def bans(request: Asked, state: State) -> sh.Bans:
    """Who is kept out."""
    _check_operator(request, state)
    return sh.Bans([sh.BanShape(*ban) for ban in await the_hub(state).store.bans()])


@post("/api/operator/bans", responses=ERRORS, include_in_schema=False, status_code=204)
async def ban(request: Asked, state: State, data: JSONBody[sh.BanBody]) -> None:
    """Keep a player or an address out, and close what they have open."""
    _check_operator(request, state)
    hub = the_hub(state)
    await hub.store.ban(data.what, hub.now + data.days * 86400, data.reason)
    the_guests(state).bans_changed()
    for live in list(hub.lives.values()):
        for connection in list(live.connections):
            profile = live.room.players.get(connection.person or "")
            if data.what in (profile, connection.address):
                connection.close(4003, "banned")


@delete("/api/operator/bans/{what:str}", responses=ERRORS, include_in_schema=False)
async def unban(request: Asked, state: State, what: Id) -> None:
    """Let somebody in again."""
    _check_operator(request, state)
    await the_hub(state).store.unban(what)
    the_guests(state).bans_changed()


@delete("/api/operator/players/{player:str}", responses=ERRORS, include_in_schema=False)
async def forget_player(request: Asked, state: State, player: Id) -> None:
    """Delete a player's data."""
    _check_operator(request, state)
    await forget(state, player)


HANDLERS = (overview, close_table, bans, ban, unban, forget_player)
