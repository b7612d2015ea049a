"""What is known of a table from outside, and what is kept of a game that is over."""

from __future__ import annotations

from typing import Any

import msgspec

from five211.server.room import Room
from five211.server.store import Game, Listing, Standing


def summary(room: Room) -> dict[str, Any]:
    """A table's line in the lobby: what anybody may know who could sit down or watch."""
    table, opened = room.table, room.opened
    match = table.match
    return {
        "id": room.id,
        "name": opened.name,
        "players": table.rules.players,
        "variant": str(table.rules.variant),
        "edition": opened.options.edition,
        "clock": opened.options.clock,
        "rated": opened.rated,
        "public": opened.public,
        "phase": phase(room),
        "seats": [
            {"name": seat.name, "bot": seat.bot, "free": seat.free, "present": seat.present}
            for seat in table.seats
        ],
        "round": None if match is None or not match.deals else match.state.round,
        "rounds": table.rules.rounds,
    }


def phase(room: Room) -> str:
    """How far a table is, for the lobby and for how long it is kept."""
    if room.closed:
        return "closed"
    match = room.table.match
    if match is None:
        return "gathering"
    return "over" if match.over else "playing"


def listing(room: Room, touched: float) -> Listing:
    """A table as the store finds it."""
    opened = room.opened
    return Listing(
        id=room.id,
        code=opened.code,
        watch=opened.watch,
        screen=opened.screen,
        public=opened.public and not room.closed,
        phase=phase(room),
        summary=msgspec.json.encode(summary(room)),
        touched=touched,
        due=due(room),
    )


def due(room: Room) -> float | None:
    """When a table has something to do though nobody is there: only games by correspondence do.

    At once, too, if somebody who is here would have to be told of their turn: the process that
    they are connected to may be killed.
    """
    clock = room.opened.options.clock
    if room.closed or clock is None or not clock.correspondence:
        return None
    at_once = room.table.bots_awaited or room.deck_is_due or room.untold
    return 0.0 if at_once else room.wakes_at


def game_id(room: Room) -> str:
    """What a game is called in addresses: the table's id and the game's number."""
    return f"{room.id}-{room.table.game}"


def finished_game(room: Room, record: str, ended: float) -> Game:
    """A game that is over, with who came where."""
    table = room.table
    assert table.match is not None
    assert table.match.result is not None
    result = table.match.result
    ranks = list(zip(result.points, result.cards, strict=True))
    persons = {seat: person for person, seat in table.held.items()}
    sitting = {n: seat.person for n, seat in enumerate(table.seats) if seat.person is not None}
    persons.update(sitting)  # whoever left and came back is not whoever sat there in between
    return Game(
        id=game_id(room),
        table=room.id,
        ended=ended,
        public=room.opened.public,
        rated=room.opened.rated,
        record=record,
        standings=tuple(
            Standing(
                player=room.players.get(persons.get(number, "")),
                name=seat.name,
                bot=seat.bot,
                points=result.points[number],
                rank=sum(other > ranks[number] for other in ranks),
            )
            for number, seat in enumerate(table.seats)
        ),
    )
