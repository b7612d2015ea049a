"""What the routes share: who asks, and what errors look like."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from five211.errors import GameError
from five211.server import shapes as sh
from five211.server.guests import Guests
from five211.server.hub import Hub
from five211.server.store import PlayerData

Id = Annotated[str, PathParameter(max_length=100)]
Word = Annotated[str, QueryParameter(max_length=100)]
MaybeWord = Annotated[str | None, QueryParameter(max_length=100)]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]
Asked: TypeAlias = Request[Any, Any, State]

ERRORS = {
    code: ResponseSpec(sh.ErrorBody, description=text)
    for code, text in {
        400: "It cannot be done; the text says why.",
        401: "A token or key is missing or wrong.",
        403: "Not allowed.",
        404: "There is no such thing.",
        429: "Too many requests.",
        503: "Not now; try again.",
    }.items()
}


def the_hub(state: State) -> Hub:
    """The live tables."""
    return state["hub"]  # type: ignore[no-any-return]


def the_guests(state: State) -> Guests:
    """The people."""
    return state["guests"]  # type: ignore[no-any-return]


def bearer(request: Asked) -> str | None:
    """The secret that a request carries."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" and secret.strip() else None


async def player_of(request: Asked, state: State) -> PlayerData | None:
    """Whose profile the request's key opens; none without a key."""
    key = bearer(request)
    return None if key is None else await the_guests(state).player_with(key)


async def own_player(request: Asked, state: State) -> PlayerData:
    """The same, for what needs a profile."""
    player = await player_of(request, state)
    if player is None:
        raise GameError("key")
    return player


async def check_address(request: Asked, state: State) -> None:
    """Keep out whoever comes from an address that is kept out."""
    if request.client is not None and await the_guests(state).banned(request.client.host):
        raise GameError("banned")


async def forget(state: State, player: str) -> None:
    """Delete a player's data; tables in memory come back without the name."""
    hub = the_hub(state)
    for live in list(hub.lives.values()):  # what is still to be written is to be found, too
        if player in live.room.players.values():
            await hub.written(live)
    # A commit that was under way may have written the name once more: hence the `while`.
    while tables := await hub.store.forget_player(player):
        for id_ in tables:
            old = hub.lives.get(id_)
            if old is not None:
                hub.forget(old)
