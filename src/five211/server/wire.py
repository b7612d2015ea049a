"""What a viewer may know, as the JSON that is sent (docs/protocol.md).

A client keeps one object, its view. Every frame carries the parts of it that have changed, each
under its own key and whole, and the events that led there. All parts are made from `View` and
`seat_views`, never from the table itself; what is the same for everyone is made from a spectator's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

from five211.cards import Cards
from five211.editions import Words
from five211.events import Event, RoundScored
from five211.match import Match
from five211.sentences import describe_tally, snake_name
from five211.server.codec import encode
from five211.server.room import Room
from five211.shapes import as_json, event_json, score_json
from five211.state import Round
from five211.table import Table
from five211.tableview import SeatView, call_from, own_choice, seat_views
from five211.tally import Tally
from five211.view import SPECTATOR, Viewer, view

Parts: TypeAlias = dict[str, bytes]
Rounds: TypeAlias = dict[tuple[int, Words | None], tuple[Round, bytes]]

NULL = b"null"


def encode_event(event: Event, names: Sequence[str], words: Words | None) -> bytes:
    """An event, with its sentence if there are words for it; the same as `event_json`, quicker."""
    if words is not None or isinstance(event, RoundScored):
        return encode(event_json(event, names, words))
    fields = encode(event)[1:]
    return _head(type(event)) + (fields if fields == b"}" else b"," + fields)


@cache
def _head(kind: type[Event]) -> bytes:
    return b'{"event":"%b"' % snake_name(kind.__name__).encode()


# The parts that are the same for everyone


def game_parts(match: Match | None, words: Words | None, rounds: Rounds) -> Parts:
    """The game, as a spectator sees it; rounds that were encoded before are remembered."""
    if match is None:
        return dict.fromkeys(GAME, NULL)
    seen = view(match, SPECTATOR)
    return {
        "deal": encode(len(seen.earlier)),
        "round": encode(seen.round),
        "turn": encode(seen.turn),
        "plays": encode(seen.plays if seen.dealt else 0),
        "pile": encode(seen.pile),
        "last_round": encode(seen.last_round),
        "turns": encode(seen.turns),
        "tally": _tally(seen.tally, words),
        "rounds": _rounds(seen.rounds, words, rounds),
        "earlier": b"[" + b",".join(_rounds(one, words, rounds) for one in seen.earlier) + b"]",
        "points": encode(seen.points),
        "piles": encode([len(pile) for pile in seen.score_piles]),
        "result": encode(seen.result),
    }


GAME = (
    "deal",
    "round",
    "turn",
    "plays",
    "pile",
    "last_round",
    "turns",
    "tally",
    "rounds",
    "earlier",
    "points",
    "piles",
    "result",
)


@lru_cache(maxsize=4096)  # the same few lie on many tables
def _tally(tally: Tally, words: Words | None) -> bytes:
    shape = as_json(tally)
    if words is not None:
        shape["text"] = describe_tally(tally, words)
    return encode(shape)


def _rounds(played: Iterable[Round], words: Words | None, known: Rounds) -> bytes:
    texts = []
    for one in played:
        key = (id(one), words)
        found = known.get(key)
        if found is None:
            text = encode({"turns": one.turns, "score": score_json(one.score, words)})
            found = known[key] = (one, text)  # keeps the round too, so that its id stays its own
        texts.append(found[1])
    return b"[" + b",".join(texts) + b"]"


# The parts that are a viewer's own


HAND = ("hand", "choices")


def hand_parts(match: Match | None, seat: int) -> Parts:
    """One's own cards, and what may be done with them."""
    if match is None:
        return {"hand": b"[]", "choices": b"[]"}
    seen = view(match, seat)
    return {"hand": encode(seen.hand), "choices": _choices(seen.choices)}


@lru_cache(maxsize=4096)
def _choices(choices: tuple[Cards, ...]) -> bytes:
    return encode(choices)


def seat_parts(table: Table, viewer: Viewer) -> Parts:
    """Who sits where, who has chosen, and how long everyone has."""
    seats = seat_views(table, viewer)
    return {
        "seats": _seats(tuple([_sitting(seat) for seat in seats])),
        "chosen": encode([seat.chosen for seat in seats]),
        "deadlines": encode([seat.deadline for seat in seats]),
        "call_from": encode(call_from(table)),
        "paused": encode(table.paused_at is not None),
        "moment": encode(table.moment),
        "phase": encode(phase(table)),
    }


def choice_parts(table: Table, seat: int) -> Parts:
    """One's own face-down choice."""
    return {"choice": encode(own_choice(table, seat))}


def phase(table: Table) -> str:
    """What the table is about just now."""
    if table.match is None:
        return "gathering"
    if table.match.over:
        return "over"
    return "dealing" if table.awaits_deck else "choosing"


def _sitting(seat: SeatView) -> tuple[Any, ...]:
    return (seat.name, seat.bot, seat.substitute, seat.free, seat.present, seat.host)


@lru_cache(maxsize=4096)
def _seats(seats: tuple[tuple[Any, ...], ...]) -> bytes:
    names = ("name", "bot", "substitute", "free", "present", "host")
    return encode([dict(zip(names, seat, strict=True)) for seat in seats])


# The parts of the house


def house_parts(room: Room) -> Parts:
    """The proof of the deal, as far as it is public."""
    dealing = room.dealing
    if dealing is None:
        return {"proof": NULL}
    shape = {
        "table": f"{room.id}/{room.table.game}",
        "commitment": room.commitment,
        "hashes": dealing.hashes if dealing.opened else None,
        "asked": dealing.asked,
        "stage": "dealt" if dealing.ready else ("words" if dealing.opened else "hashes"),
    }
    return {"proof": encode(shape)}


def info_parts(room: Room, viewer: Viewer, knows_code: bool) -> Parts:
    """What never changes about a table; its code only for those who sit at it."""
    opened, rules = room.opened, room.table.rules
    seated = isinstance(viewer, int)
    shape = {
        "id": room.id,
        "name": opened.name,
        "players": rules.players,
        "variant": str(rules.variant),
        "edition": opened.options.edition,
        "rounds": rules.rounds,
        "limit": rules.limit,
        "exact": rules.exact,
        "turns": rules.plays,
        "goal": rules.goal,
        "clock": opened.options.clock,
        "show_chosen": opened.options.show_chosen,
        "show_points": opened.show_points,
        "public": opened.public,
        "chat": opened.chat,
        "rated": opened.rated,
        "code": opened.code if knows_code else None,
        "watch": opened.watch if seated else None,
        "screen": opened.screen if seated else None,
    }
    return {"info": encode(shape), "you": encode(viewer if seated else None)}


def join_parts(parts: Parts) -> bytes:
    """Parts as the inside of one object."""
    return b",".join([b'"%b":%b' % (key.encode(), part) for key, part in parts.items()])


def changed_parts(shown: Parts, parts: Parts) -> bytes:
    """Those parts that are not as they were shown before."""
    return join_parts({key: part for key, part in parts.items() if shown.get(key) != part})


def answers_only(answers: list[bytes]) -> bytes:
    """A frame for somebody who may see nothing."""
    return b'{"n":0,"events":[],"view":{},"answers":[%b]}' % b",".join(answers)
