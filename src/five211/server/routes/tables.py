"""Making a table, sitting down, the lobby. Answers go out only after they are written."""

from __future__ import annotations

import msgspec
from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from five211.commands import SeatBot, Sit, Start
from five211.errors import GameError
from five211.server import shapes as sh
from five211.server.entries import Admitted, Moved, Opened
from five211.server.guests import Guests
from five211.server.hub import Hub, checked_bot
from five211.server.live import Live
from five211.server.lobby import summary
from five211.server.room import Room, hashed
from five211.server.routes.common import (
    ERRORS,
    Asked,
    Id,
    Limit,
    check_address,
    player_of,
    the_guests,
    the_hub,
)
from five211.server.store import PlayerData
from five211.table import Options

CODE = 6  # characters of a table's code
CORRESPONDENCE = 86400.0  # seconds of a turn by correspondence, at least
LONGEST_TURN = 30 * CORRESPONDENCE
SHORTEST_TURN = 5.0


@post("/api/play", responses=ERRORS, status_code=201)
async def play(request: Asked, state: State, data: JSONBody[sh.PlayBody]) -> sh.Seated:
    """Play at once: a table of one's own with bots in the other seats."""
    body = sh.TableBody(
        name=data.name,
        players=data.players,
        variant=data.variant,
        edition=data.edition,
        substitute=data.level,
        words=data.words,
        start=True,
    )
    return await _make(request, state, body)


@post("/api/tables", responses=ERRORS, status_code=201)
async def make_table(request: Asked, state: State, data: JSONBody[sh.TableBody]) -> sh.Seated:
    """Make a table and sit down at it."""
    return await _make(request, state, data)


async def _make(request: Asked, state: State, body: sh.TableBody) -> sh.Seated:
    hub, guests = the_hub(state), the_guests(state)
    await check_address(request, state)
    player = await player_of(request, state)
    if body.rated and (player is None or not body.public):
        raise GameError("rated")
    clock = sh.clock_of(body.clock)
    if clock is not None:
        least = CORRESPONDENCE if clock.correspondence else SHORTEST_TURN
        if not least <= clock.seconds <= LONGEST_TURN or clock.reserve > LONGEST_TURN:
            raise GameError("clock_range", least=round(least), most=round(LONGEST_TURN))
    opened = Opened(
        id=guests.code(10).lower(),
        code=guests.code(CODE),
        watch=guests.secret(12),
        screen=guests.secret(12),
        players=body.players,
        variant=body.variant,
        options=Options(
            edition=body.edition,
            clock=clock,
            show_chosen=body.show_chosen,
            substitute=checked_bot(body.substitute),
            patience=hub.settings.patience,
        ),
        name=body.title,
        public=body.public,
        chat=body.chat,
        rated=body.rated,
        show_points=body.show_points,
    )
    bots = [checked_bot(bot) for bot in body.bots]
    live = hub.open_table(opened)
    try:
        seated = _sit(hub, guests, live, sh.SitBody(name=body.name, words=body.words), player)
        person = live.room.person_with(seated.token)
        for bot in bots:
            hub.do(live, SeatBot(person, bot))
        if body.start:
            hub.command(live, Start(person, opened.options.substitute))
    except GameError:
        hub.forget(live)
        raise
    await hub.written(live)
    return seated


def _sit(
    hub: Hub, guests: Guests, live: Live, body: sh.SitBody, player: PlayerData | None
) -> sh.Seated:
    """Sit down, with the token that was there before or a new one."""
    room, token = live.room, body.token
    if token is None:
        if room.opened.rated and player is None:
            raise GameError("rated")
        person = guests.secret(9)
        if player is not None:
            known = (one for one, profile in room.players.items() if profile == player.id)
            person = next(known, person)
        token = guests.secret(24)
        hub.do(live, Sit(person, body.name, body.seat))
        profile = None if player is None else player.id
        hub.do(live, Admitted(person, hashed(token), profile, body.words))
    else:
        person = room.person_with(token)
        hub.do(live, Sit(person, body.name, body.seat))
    hub.here(live, person)
    hub.expect(live, person)
    hub.follow(live)
    return _seated(live.room, person, token)


def _seated(room: Room, person: str, token: str) -> sh.Seated:
    """What somebody who has a seat needs to know."""
    opened = room.opened
    return sh.Seated(
        table=room.id,
        seat=room.table.seat_of(person),
        token=token,
        code=opened.code,
        watch=opened.watch,
        screen=opened.screen,
    )


@get("/api/tables", responses=ERRORS)
async def lobby(state: State, limit: Limit = 50) -> sh.Tables:
    """The lobby: public tables where one can sit down or watch."""
    found = await the_hub(state).store.lobby(limit)
    return sh.Tables([msgspec.json.decode(one) for one in found])


@post("/api/doors", responses=ERRORS, status_code=200)
async def door(state: State, data: JSONBody[sh.DoorBody]) -> sh.Door:
    """What a code or a watch link opens; a secret never stands in an address."""
    hub, found = the_hub(state), data.door.strip()
    found = found.upper() if len(found) == CODE else found
    id_ = await hub.store.find_table(found)
    live = await hub.find(id_ or "")
    if live.room.closed:
        raise GameError("table_closed")
    opened = live.room.opened
    kinds = {opened.code: "code", opened.watch: "watch", opened.screen: "screen"}
    kind, table = kinds[found], msgspec.to_builtins(summary(live.room))
    if kind == "code":
        return sh.Door(kind, table, opened.watch, opened.screen)
    return sh.Door(kind, table)


@post("/api/tables/{table:str}/seats", responses=ERRORS, status_code=201)
async def sit(request: Asked, state: State, table: Id, data: JSONBody[sh.SitBody]) -> sh.Seated:
    """Sit down at a table."""
    hub, guests = the_hub(state), the_guests(state)
    await check_address(request, state)
    player = await player_of(request, state)
    live = await hub.find(table)
    _check_door(live.room, data)
    if data.token is not None:
        person = live.room.person_with(data.token)
        if await guests.banned(live.room.players.get(person)):
            raise GameError("banned")
    return await hub.settled(table, lambda live: _sit(hub, guests, live, data, player))


def _check_door(room: Room, body: sh.SitBody) -> None:
    if room.closed:
        raise GameError("table_closed")
    if room.opened.public or body.token is not None:
        return
    if (body.code or "").strip().upper() != room.opened.code:
        raise GameError("code")


@post("/api/tables/{table:str}/device", responses=ERRORS, status_code=201)
async def move_here(state: State, table: Id, data: JSONBody[sh.DeviceBody]) -> sh.Seated:
    """Take a seat over on this device, with the code that the other one shows."""
    hub, guests = the_hub(state), the_guests(state)
    live = await hub.find(table)
    token = guests.secret(24)
    person, _ = live.room.moving.get(hashed(data.code), ("", 0.0))
    if await guests.banned(live.room.players.get(person)):
        raise GameError("banned")
    if person:
        live.room.table.seat_of(person)  # whoever has left has nothing to move

    def move(live: Live) -> sh.Seated:
        hub.do(live, Moved(hashed(data.code), hashed(token)))
        return _seated(live.room, person, token)

    return await hub.settled(table, move)


HANDLERS = (play, make_table, lobby, door, sit, move_here)
