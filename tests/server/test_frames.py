"""`frames` tells the truth: everything that is sent in whole games has its shapes, key by key."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from five211 import Rules, cards, parse_cards, score_round, words
from five211.cards import Card, Cards
from five211.client import Client
from five211.events import Result
from five211.scoring import Score
from five211.sentences import snake_name
from five211.server import frames, wire
from five211.shapes import score_json
from tests.server.helpers import Hall, hall, on_a_loop
from tests.server.players import Raw, play_on, raw, raw_seat

LANGUAGES = (None, "fr")


def has_shape(value: Any, shape: Any) -> bool:
    """Whether a value is read as the shape, and written again is the same: no key more or less."""
    read = msgspec.convert(value, shape, dec_hook=lambda kind, one: kind(one))
    text = msgspec.json.encode(read, enc_hook=str)
    return bool(json.loads(text) == value)


# Whole games


class Listener:
    """A socket that only listens; every frame that comes is held against its shape."""

    def __init__(self, socket: Raw, language: str | None) -> None:
        self.socket, self.language = socket, language
        self.events: set[str] = set()
        self.phases: set[str] = set()

    async def hear(self) -> None:
        first = not self.socket.view
        frame = await self.socket.frame()
        assert has_shape(frame, frames.Frame)
        assert has_shape(self.socket.view, frames.View)
        assert ("now" in frame) == first
        if first:
            assert frame["view"] == self.socket.view
        own = {"hand", "choice", "choices"} & set(self.socket.view)
        assert len(own) == (0 if self.socket.view["you"] is None else 3)
        for event in frame["events"]:
            assert ("text" in event) == (self.language is not None)
            self.events.add(event["event"])
        self.phases.add(frame["view"].get("phase"))

    async def hear_until_over(self) -> None:
        while self.socket.view.get("phase") != "over":
            await self.hear()


async def listen(stack: AsyncExitStack, one: Hall, seats: list[Any]) -> list[Listener]:
    """Somebody who listens in each seat and beside the table, in each language."""
    found = []
    for language in LANGUAGES:
        sockets = [raw_seat(one, seat, language=language) for seat in seats]
        sockets.append(raw(one, watch=seats[0]["watch"], language=language))
        for socket in sockets:
            listener = Listener(await stack.enter_async_context(socket), language)
            await listener.hear()
            found.append(listener)
    return found


async def busy(ana: Client, ben: Client) -> None:
    """All that people do besides playing."""
    await ana.do("seat_bot", bot="random", seat=2)
    await ana.do("remove", seat=2)
    await ana.do("react", reaction="wow")
    await ben.do("say", text="Good luck!")
    await ana.do("start", fill="random")


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("standard", {"chat": True, "words": True, "show_chosen": False, "show_points": False}),
        ("long", {"chat": True, "clock": {"seconds": 600, "reserve": 5}}),
    ],
)
def test_every_frame_of_a_game_has_its_shape(
    tmp_path: Path, variant: str, options: dict[str, Any]
) -> None:
    @on_a_loop
    async def scene() -> None:
        async with hall(tmp_path) as one, AsyncExitStack() as stack:
            ana = await one.make(players=3, variant=variant, **options)
            ben = await one.join(ana, words=bool(options.get("words")))
            listeners = await listen(stack, one, [ana, ben])
            clients = [await stack.enter_async_context(one.client(seat)) for seat in (ana, ben)]
            async with asyncio.TaskGroup() as group:
                for listener in listeners:
                    group.create_task(listener.hear_until_over())
                await busy(*clients)
                for number, client in enumerate(clients):
                    group.create_task(play_on(client, Random(number), fickle=True))
            heard = set.union(*[listener.events for listener in listeners])
            assert {"hand_dealt", "drew", "chose", "took_back", "message", "last_round"} <= heard
            assert {"round_scored", "game_ended", "deal_bound", "hashes_in", "reaction"} <= heard
            assert ("deal_ended" in heard) == (variant == "long")
            assert {"gathering", "choosing", "over"} <= listeners[0].phases
            info = listeners[0].socket.view["info"]
            assert info["show_points"] == options.get("show_points", True)
            for language in ("en", "fr"):
                path = f"/api/games/{ana['table']}-1/replay?lang={language}"
                assert has_shape(await one.good("GET", path), frames.Replay)

    scene()


@on_a_loop
async def test_answers_and_the_lobby_have_their_shapes(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make(public=True, clock={"seconds": 60})
        (line,) = (await one.good("GET", "/api/tables"))["tables"]
        assert has_shape(line, frames.Summary)
        door = await one.good("POST", "/api/doors", door=seat["code"])
        assert has_shape(door["table"], frames.Summary)
        async with raw_seat(one, seat, language="fr") as socket:
            done = await socket.answer(type="react", id="a", reaction="wow")
            refused = await socket.answer(type="react", id="b", reaction="none")
            moved = await socket.answer(type="move_device", id="c")
            unread = await socket.answer(type="nothing", id=None)
            assert all(has_shape(frame, frames.Frame) for frame in map(json.loads, socket.frames))
        assert [answer["done"] for answer in (done, refused, moved, unread)] == [1, 0, 1, 0]
        assert set(moved) == {"id", "done", "code", "until"}
        async with raw(one, table=seat["table"], token="wrong") as socket:
            frame = json.loads(await socket.socket.recv())
            assert has_shape(frame, frames.Frame)
            assert frame["view"] == {}


# What seldom happens


def made(kind: type[Any]) -> Any:
    """Some event of a kind."""
    table = [parse_cards("G2 G3 Y1 B2"), parse_cards("G4 O2 Y2 V1")]
    some = {
        int: 1,
        bool: True,
        float: 1.5,
        str: "some",
        str | None: None,
        Cards: table[0],
        tuple[Cards, ...]: tuple(table),
        tuple[int, ...]: (0, 1),
        tuple[str | None, ...]: ("some", None),
        Score: score_round(Rules.of(2), table),
        Result: Result((3, 1), (2, 1), (0,)),
    }
    hints = get_type_hints(kind)
    values = {one.name: some[hints[one.name]] for one in fields(kind)}
    return kind(**{**values, **({"why": "time"} if "why" in values else {})})


EVENTS = [(kind, language) for kind in frames.EVENTS for language in LANGUAGES]


@pytest.mark.parametrize(("kind", "language"), EVENTS)
def test_every_event_has_its_shape(kind: type[Any], language: str | None) -> None:
    event, spoken = made(kind), None if language is None else words(language)
    sent = json.loads(wire.encode_event(event, ("Ana", "Ben"), spoken))
    assert sent["event"] == snake_name(kind.__name__)
    assert has_shape(sent, frames.GameEvent)


@pytest.mark.parametrize(
    "table",
    [
        ("G1 G2 Y1 B2", "G4 O2 Y1 V1"),  # exactly four icons
        ("G2 G3 Y2 B2", "G4 O2 Y2 V1"),
        ("G2 G3 G2 G4", "G5 Y2 Y3 O2"),  # over the limit
        ("G2 G3 Y2 Y3", "B2 B3 O2 O3"),  # nothing but a tie
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_shape(table: tuple[str, ...], language: str | None) -> None:
    score = score_round(Rules.of(2), [parse_cards(line) for line in table])
    sent = score_json(score, None if language is None else words(language))
    assert has_shape(json.loads(json.dumps(sent)), frames.Score)


# The shapes themselves


def test_a_key_too_many_or_too_few_is_noticed() -> None:
    seat = {"name": "Ana", "bot": None, "substitute": None, "free": False, "present": True}
    assert has_shape({**seat, "host": True}, frames.Seat)
    assert not has_shape({**seat, "host": True, "person": "secret"}, frames.Seat)
    with pytest.raises(msgspec.ValidationError):
        has_shape(seat, frames.Seat)


def test_the_colours_are_those_of_the_game() -> None:
    letters = [color.name for color in cards.Color]
    assert [str(color) for color in frames.Color] == letters
    assert list(frames.ByColor.__struct_fields__) == letters


def test_events_and_steps_have_different_names() -> None:
    shaped = [kind.__name__ for kind in (*get_args(frames.GameEvent), *get_args(frames.Step))]
    assert len(set(shaped)) == len(shaped)
    assert len(get_args(frames.GameEvent)) == len(frames.EVENTS)


def test_a_card_that_is_none_has_no_shape() -> None:
    assert has_shape(["G2"], list[Card])
    with pytest.raises(msgspec.ValidationError):
        has_shape([12], list[Card])
