"""Seen from the browser: nothing in memory, storage or network tells more than the view."""

from __future__ import annotations

import json
from typing import Any

from five211.server.frames import Frame
from five211.view import view as view_of
from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out
from tests.browser.test_games import table_of
from tests.server.test_frames import has_shape

MINE = {"hand", "choice", "choices"}
PRIVATE = {"hand_dealt", "drew", "choice_kept"}


def memory(person: Person) -> str:
    """Every string in the page's heap, after all rubbish has been collected."""
    session = person.page.context.new_cdp_session(person.page)
    chunks: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda found: chunks.append(found["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    return "\n".join(json.loads("".join(chunks))["strings"])


def storage(person: Person) -> str:
    kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"
    return str(person.page.evaluate(kept))


def check_frames(person: Person, seat: int) -> None:
    """Every frame is what docs/protocol.md says, and what is private is one's own."""
    for text in person.frames:
        frame: dict[str, Any] = json.loads(text)
        assert has_shape(frame, Frame)
        for event in frame["events"]:
            if event["event"] in PRIVATE:
                assert event["seat"] == seat


def test_a_page_knows_what_its_person_may_know(invite: Invite) -> None:
    people = table_of(invite, 3, "en", "classic", ["mouse"])
    secrets: list[dict[str, Any]] = []
    for person in people:
        person.cards.first.wait_for()
        secrets.append(json.loads(json.loads(storage(person))[0]["five211.seats"]))
    tokens = [next(iter(one.values()))[0]["token"] for one in secrets]
    for person in people:
        person.choose()
        if person is not people[-1]:
            person.page.get_by_text("Face down.").wait_for()
    people[0].page.locator(".turns [aria-current=step]", has_text="1").wait_for()
    people[1].choose()
    people[1].page.get_by_text("Face down.").wait_for()
    heaps = [memory(person) + storage(person) + person.page.content() for person in people]
    for seat, heap in enumerate(heaps):
        assert tokens[seat] in heap  # the test can see what is there
        assert not [token for other, token in enumerate(tokens) if other != seat and token in heap]
    kept = [json.loads(json.loads(storage(person))[0]["five211.proofs"]) for person in people]
    words = [next(iter(one.values()))["words"] for one in kept]
    play_out(people)
    record = people[0].record()
    proof = record.extra["proof"]
    assert proof["words"] == words  # everybody took part in the deal
    for seat, (person, heap) in enumerate(zip(people, heaps, strict=True)):
        check_frames(person, seat)
        assert words[seat] in heap
        assert proof["seed"] not in heap
        assert proof["seed"] not in "".join(person.frames)
        hands = [
            frame["view"]["hand"]
            for frame in map(json.loads, person.frames)
            if "hand" in frame["view"]
        ]
        own = [card.code for card in view_of(record.match, seat).hand]
        assert hands[-1] == own
        others = [h for other in people if other is not person for h in all_hands(other)]
        assert not [hand for hand in others if hand in hands and hand not in all_hands(person)]


def all_hands(person: Person) -> list[list[str]]:
    frames = map(json.loads, person.frames)
    return [frame["view"]["hand"] for frame in frames if frame["view"].get("hand")]
