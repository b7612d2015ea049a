"""What only the operator may do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter

from five211.errors import GameError
from five211.server import shapes as sh
from five211.server.entries import Closed
from five211.server.live import Live
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

    def close(live: Live) -> Live:
        hub.do(live, Closed())
        return live

    hub.forget(await hub.settled(table, close))  # its clock and its bots stop, too


@get("/api/operator/bans", responses=ERRORS, include_in_schema=False)
async def bans(request: Asked, state: State) -> sh.Bans:
    """Who is kept out."""
    _check_operator(request, state)
    return sh.Bans([sh.BanShape(*ban) for ban in await the_hub(state).store.bans()])


@post("/api/operator/bans", responses=ERRORS, include_in_schema=False, status_code=204)
async def ban(request: Asked, state: State, data: JSONBody[sh.BanBody]) -> None:
    """Keep a player, an address or a network out, and close what they have open."""
    _check_operator(request, state)
    until = the_hub(state).now + data.days * 86400
    await the_guests(state).ban(data.what, until, data.reason)


@delete("/api/operator/bans/{what:path}", responses=ERRORS, include_in_schema=False)
async def unban(request: Asked, state: State, what: Annotated[Path, PathParameter()]) -> None:
    """Let somebody in again; a network has a slash in it."""
    _check_operator(request, state)
    await the_guests(state).unban(what.as_posix().lstrip("/"))


@delete("/api/operator/players/{player:str}", responses=ERRORS, include_in_schema=False)
async def forget_player(request: Asked, state: State, player: Id) -> None:
    """Delete a player's data."""
    _check_operator(request, state)
    await forget(state, player)


HANDLERS = (overview, close_table, bans, ban, unban, forget_player)
