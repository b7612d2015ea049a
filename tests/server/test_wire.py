"""What goes over the wire is what a viewer may know, and says the same in every form."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from five211 import SPECTATOR, Rules, happened, view, words
from five211.client import read_view
from five211.events import Event
from five211.happenings import Chose, Paused, SubstituteCame
from five211.server import wire
from five211.server.room import DealBound, Reaction, TableClosed
from five211.shapes import event_json
from tests.tables import random_match, replayed

NAMES = ("Ana", "Bob", "Cleo")


def some_events() -> list[Event]:
    matches = replayed(random_match(Rules.of(3), 5))
    found: list[Event] = [Paused(), Chose(1), SubstituteCame(0, "greedy", "time")]
    found += [DealBound("ab", (0, 2)), Reaction(1, "wow"), TableClosed()]
    for before, after in pairwise(matches):
        found += happened(before, after)
    return found


@pytest.mark.parametrize("language", [None, "en", "fr"])
def test_the_quick_way_to_encode_an_event_is_the_plain_one(language: str | None) -> None:
    spoken = None if language is None else words(language)
    kinds = set()
    for event in some_events():
        kinds.add(type(event).__name__)
        text = wire.encode_event(event, NAMES, spoken)
        assert json.loads(text) == json.loads(json.dumps(event_json(event, NAMES, spoken)))
    assert {"HandDealt", "Drew", "Revealed", "RoundScored", "LastRound", "GameEnded"} <= kinds


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("turns", [0, 1, 5, 7, 60])
def test_a_view_survives_the_wire(players: int, turns: int) -> None:
    match = random_match(Rules.of(players), players, turns)
    info = {"players": players, "variant": "standard"}
    for viewer in (SPECTATOR, *range(players)):
        parts = wire.game_parts(match, None, {})
        if isinstance(viewer, int):
            parts.update(wire.hand_parts(match, viewer))
        sent = json.loads(b"{" + wire.join_parts(parts) + b"}")
        you = viewer if isinstance(viewer, int) else None
        phase = "choosing" if view(match, SPECTATOR).dealt else "over"
        seen = read_view({**sent, "info": info, "you": you, "phase": phase})
        assert seen == view(match, viewer)
        if isinstance(viewer, int):
            choices = [[card.code for card in choice] for choice in seen.choices]
            assert sent["choices"] == choices


def test_only_what_changed_is_sent() -> None:
    shown = {"a": b"1", "b": b"2"}
    assert wire.changed_parts(shown, shown) == b""
    assert wire.changed_parts(shown, {"a": b"1", "b": b"3", "c": b"4"}) == b'"b":3,"c":4'
    assert wire.changed_parts({}, shown) == b'"a":1,"b":2'
