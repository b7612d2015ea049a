"""The eavesdropper: two games that differ in nothing but what a viewer may not know.

Clock, ids, tokens and scripts are pinned, and the decks and face-down choices are other ones (the
worlds of tests/test_leaks.py). Every byte that the viewer is sent is the same until the next
reveal: frames, their order and sizes, refusals, what comes after a reconnection, and whatever can
be asked over HTTP while the game runs. So are the log and the metrics, which are for the operator.
The published commitment alone differs, since the seed does.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack, redirect_stderr
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import SPECTATOR, Cards, Match, Rules, Viewer, stream
from five211.proof import SEED, Proof
from five211.server.hub import Sources
from five211.server.serve import set_up_log
from tests.server.houses import House, house
from tests.server.players import Raw, raw, raw_seat
from tests.tables import choices_of, other_worlds, random_choices, random_match, replayed

World = Sequence[Cards]
HIDDEN = ("date", "ratelimit-reset")  # headers that tell the time


class Pinned:
    """Time and chance that are the same in both worlds; only the seed of the deck is not."""

    def __init__(self, world: int) -> None:
        self.time = 1000.0
        self._world = world
        self._count = 0

    def now(self) -> float:
        return self.time

    def secret(self, size: int) -> bytes:
        self._count += 1
        world = self._world if size == SEED else 0
        return hashlib.shake_256(f"{self._count} {world}".encode()).digest(size)


class Stage:
    """A table with everybody on raw sockets, and somebody who listens."""

    def __init__(self, h: House, pinned: Pinned, viewer: Viewer) -> None:
        self.house, self.pinned, self.viewer = h, pinned, viewer
        self.seats: list[Raw] = []
        self.listener: Raw
        self.heard: list[str] = []
        self.commitments: set[str] = set()

    async def do(self, who: int, kind: str, **fields: Any) -> None:
        """One command; the listener hears all of it before the next."""
        self.pinned.time += 1.0
        await self.seats[who].answer(type=kind, id=f"i{self.pinned.time}", **fields)
        await self.sync()

    async def sync(self) -> None:
        await self.listener.answer(type="take_back", id=f"s{self.pinned.time}", moment=NO_MOMENT)
        proof = self.listener.view.get("proof")
        if proof:
            self.commitments.add(proof["commitment"])

    async def choose(self, seat: int, cards: Cards) -> None:
        codes = [card.code for card in cards]
        await self.do(seat, "choose", moment=self.listener.view["moment"], cards=codes)

    def texts(self) -> list[str]:
        told = [*self.heard, *self.listener.frames]
        for commitment in self.commitments:
            told = [text.replace(commitment, "commitment") for text in told]
        return told


NO_MOMENT = {"game": 0, "deal": 0, "round": 0, "turn": 0}


async def scene(
    folder: Path, match: Match, viewer: Viewer, decks: World, world: int, options: dict[str, Any]
) -> tuple[list[str], int]:
    """Everything that the viewer is sent in one world, and how many positions that were."""
    pinned, positions = Pinned(world), 0
    rng = stream(world, "face down")
    sources = Sources(pinned.now, pinned.secret)
    async with house(folder, sources, metrics=True, **QUIET) as h, AsyncExitStack() as stack:
        made = await h.made(players=match.rules.players, words=False, **options)
        others = range(1, match.rules.players)
        seats = [made, *[await h.sat(made, f"Player {one}", words=False) for one in others]]
        stage = Stage(h, pinned, viewer)
        for seat in seats:
            stage.seats.append(await stack.enter_async_context(raw_seat(h, seat)))
            await stage.seats[-1].frame()
        hello: dict[str, Any] = {"watch": made["watch"]}
        if isinstance(viewer, int):
            hello = {"table": made["table"], "token": seats[viewer]["token"]}
        hello["language"] = "fr"
        stage.listener = await stack.enter_async_context(raw(h, **hello))
        await stage.listener.frame()
        await stage.do(0, "start")
        for state in match.deals:
            for turn in choices_of(state):
                positions += 1
                for who in sorted(range(len(turn)), key=lambda who: (who == viewer, who)):
                    await stage.choose(who, turn[who])
        positions += 1
        await face_down(stage, match, decks, rng)
        await reconnect(stage, stack, hello)
        await ask_around(stage, made["table"], made)
        return stage.texts(), positions


QUIET: dict[str, Any] = {"away_after": 3600.0}


async def face_down(stage: Stage, match: Match, decks: World, rng: Random) -> None:
    """The turn in which everybody chooses otherwise in each world, and nobody may notice."""
    if match.over or match.awaits_deck:
        return
    world = replayed(match, decks)[-1]
    others = [seat for seat in range(match.rules.players) if seat != stage.viewer]
    choosers = others[:-1] if stage.viewer is SPECTATOR else others  # somebody is still awaited
    for _ in range(2):
        cards = random_choices(world, rng)
        for seat in choosers:
            await stage.choose(seat, cards[seat])
    moment = stage.listener.view["moment"]
    await stage.do(choosers[-1], "take_back", moment=moment)
    await stage.do(choosers[0], "choose", moment=moment, cards=["Y9"])  # refused
    await stage.do(choosers[0], "react", reaction="thinking")
    await stage.do(choosers[0], "call_substitute", seat=choosers[-1])
    await stage.listener.answer(type="choose", id="mine", moment=moment, cards=["Y1"] * 9)


async def reconnect(stage: Stage, stack: AsyncExitStack, hello: dict[str, Any]) -> None:
    """Whoever comes back, or looks from a second device, learns no more."""
    stage.heard += stage.listener.frames
    for seen in (None, 0, stage.listener.n - 2, 10**6):
        stage.listener = await stack.enter_async_context(raw(stage.house, seen=seen, **hello))
        await stage.listener.frame()
        await stage.sync()
        stage.heard += stage.listener.frames
        stage.listener.frames = []


async def ask_around(stage: Stage, table: str, made: dict[str, Any]) -> None:
    """Whatever can be asked over HTTP while the game runs."""
    for path in (
        "/api/tables",
        "/api/games",
        f"/api/games/{table}-1",
        f"/api/games/{table}-1/record",
        f"/api/games/{table}-1/replay",
        f"/api/games/{table}-0/record",
        "/api/about",
        "/api/ready",
        "/metrics",
    ):
        answer = await stage.house.get(path)
        headers = sorted((k, v) for k, v in answer.headers.items() if k not in HIDDEN)
        stage.heard.append(f"{path} {answer.status_code} {headers} {answer.text}")
    for secret in ("code", "watch", "screen"):
        answer = await stage.house.post("/api/doors", door=made[secret])
        stage.heard.append(answer.text)


def events(log: str) -> list[dict[str, Any]]:
    """What the log says, but for when, and the names of processes."""
    own = ("timestamp", "process")
    lines = [json.loads(line) for line in log.splitlines()]
    return [{key: value for key, value in line.items() if key not in own} for line in lines]


def overheard(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    match: Match,
    viewer: Viewer,
    options: dict[str, Any],
) -> int:
    """Compare two worlds; how many positions that were."""
    own = tuple(state.deck for state in match.deals)
    worlds = (own, other_worlds(match, viewer, stream(1, "other world")))
    told, logs, positions = [], [], 0
    for number, decks in enumerate(worlds):
        monkeypatch.setattr(Proof, "deck", lambda _proof, _rules, deal, d=decks: d[deal])
        place = folder / f"{number}"
        place.mkdir()
        log = io.StringIO()
        with redirect_stderr(log):
            set_up_log("debug")
            texts, positions = asyncio.run(scene(place, match, viewer, decks, number, options))
        told.append(texts)
        logs.append(log.getvalue())
    for mine, theirs in zip(*told, strict=True):
        assert mine == theirs
    assert events(logs[0]) == events(logs[1])
    assert any("commitment" in text for text in told[0])
    return positions


CASES = [
    (players, viewer, turns)
    for players, turns in ((2, 4), (3, 5), (4, 7), (5, 8), (2, 12))
    for viewer in (SPECTATOR, 0, players - 1)
]
# Every number of players and every kind of viewer, with choices shown and not, public and not.
SAMPLE = [(2, 0, 12), (3, SPECTATOR, 5), (4, 3, 7), (5, SPECTATOR, 8)]


@pytest.mark.parametrize(
    ("players", "viewer", "turns"),
    [pytest.param(*case, marks=[] if case in SAMPLE else [pytest.mark.soak]) for case in CASES],
)
def test_nobody_hears_what_is_not_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, viewer: Viewer, turns: int
) -> None:
    match = random_match(Rules.of(players), turns, turns)
    options: dict[str, Any] = {"show_chosen": turns % 2 == 0, "public": turns % 3 == 0}
    assert overheard(tmp_path, monkeypatch, match, viewer, options) == turns + 1


@pytest.mark.soak
@pytest.mark.parametrize("number", range(60))
def test_nobody_hears_it_in_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    rng = stream(number, "eavesdropper")
    players = rng.randrange(2, 6)
    rules = Rules.of(players, rng.choice(["standard", "long"]))
    turns = rng.randrange(1, 3 * rules.rounds * (2 if rules.goal else 1))
    match = random_match(rules, number, turns)
    while match.over or match.awaits_deck:  # a record is everybody's; a next deck is not pinned
        turns -= 1
        match = random_match(rules, number, turns)
    viewer: Viewer = rng.choice([SPECTATOR, *range(players)])
    options: dict[str, Any] = {"show_chosen": rng.random() < 0.5, "public": rng.random() < 0.5}
    options["variant"] = str(rules.variant)
    assert overheard(tmp_path, monkeypatch, match, viewer, options)


def test_the_eavesdropper_would_hear_a_leak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests above can fail: here the server tells everybody everything."""
    from five211.server import live

    monkeypatch.setattr(live, "shares", lambda events, viewers: dict.fromkeys(viewers, events))
    match = random_match(Rules.of(3), 3, 4)
    with pytest.raises(AssertionError):
        overheard(tmp_path, monkeypatch, match, 1, {})
