"""The measurements: the same for both servers, each on a server that is new."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.server.processes import Failed, Generator, Server, generator, server
from five211 import Card, Rules
from five211.scoring import score_round

PLAYERS = 4
NAMES = {"five211": "five211", "boardgame": "boardgame.io"}


@dataclass(frozen=True, slots=True)
class Plan:
    """One measurement."""

    name: str
    tables: int
    rate: int | None = None
    """Moves a second in all; none for as many as the server can do."""


PLANS = (
    Plan("closed-20", 20),  # few tables, so that games end even in a short run
    Plan("closed-250", 250),
    Plan("open-250", 250, 2000),
    Plan("closed-1000", 1000),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is the same for all measurements."""

    folder: Path
    packages: Path
    seconds: float
    warm: float
    variant: str


@dataclass(frozen=True, slots=True)
class Figures:
    """What one server did in one measurement."""

    plan: str
    server: str
    moves_a_second: float
    p50_ms: float
    p99_ms: float
    rounds: int
    """Rounds that ended while it was measured."""
    games: int
    """Games that ended while it was measured."""
    games_in_all: int
    rounds_checked: int
    """Rounds of finished games that were scored again by five211, with the same points."""
    server_cpu: float
    """The share of its core that the server used."""
    moves_a_cpu_second: float
    """Moves for each second of the core: other work on the machine hardly changes it."""
    generator_busy: float
    trouble: dict[str, int]
    """Choices refused, sockets closed, choices never answered: nothing if all went well."""


def measure(plan: Plan, kind: str, setting: Setting) -> Figures:
    """One server, one measurement."""
    with (
        server(kind, setting.folder, setting.packages) as served,
        generator(kind, served.url, setting.folder, setting.packages) as load,
    ):
        play(load, plan.tables, setting.variant)
        began, used = time.monotonic(), served.busy
        times = {"seconds": setting.seconds, "warm": setting.warm}
        within = setting.seconds + setting.warm + 60
        if plan.rate is None:
            done = load.ask("closed", within, **times)
        else:
            done = load.ask("open", within, rate=plan.rate, **times)
        cpu, took = served.busy - used, time.monotonic() - began
        total = load.ask("sum")
    if not done["moves"]:
        raise Failed(f"{NAMES[kind]} acknowledged nothing in {plan.name}: {done['why']}")
    trouble = {name: done[name] for name in ("failed", "closed", "unanswered") if done[name]}
    return Figures(
        plan=plan.name,
        server=kind,
        moves_a_second=done["a_second"],
        p50_ms=done["p50"],
        p99_ms=done["p99"],
        rounds=done["rounds"],
        games=done["games"],
        games_in_all=total["games"],
        rounds_checked=check_games(total["kept"], setting.variant),
        server_cpu=cpu / took,
        moves_a_cpu_second=done["in_all"] / cpu,
        generator_busy=done["busy"],
        trouble={**trouble, **(done["why"] if trouble else {})},
    )


def play(load: Generator, tables: int, variant: str) -> None:
    """Tables with everyone at them, and games begun."""
    load.ask("make", count=tables, variant=variant)
    sockets = load.ask("attach", count=tables)["sockets"]
    ready = load.ask("start")["open"]
    if ready != sockets:
        raise Failed(f"only {ready} of {sockets} seats were asked to choose")


def check_games(games: Sequence[dict[str, Any]], variant: str) -> int:
    """Score finished games again: the two servers play the same game, and play it to its end."""
    rules, rounds = Rules.of(PLAYERS, variant), 0
    for game in games:
        totals = [0] * PLAYERS
        for turns, points in zip(game["rounds"], game["points"], strict=True):
            table = [[Card(code) for turn in turns for code in turn[s]] for s in range(PLAYERS)]
            if list(score_round(rules, table).points) != points:
                raise Failed(f"a round was scored wrongly: {turns} {points}")
            totals = [a + b for a, b in zip(totals, points, strict=True)]
            rounds += 1
        if totals != game["total"] or len(game["rounds"]) < rules.rounds:
            raise Failed(f"a game ended wrongly: {game}")
    return rounds


@dataclass(frozen=True, slots=True)
class Memory:
    """What our server keeps for a table and for a socket, in kB."""

    before: int
    with_tables: int
    with_sockets: int
    after_playing: int
    table: float
    """A table with four people seated and nobody connected."""
    socket: float
    """One of four sockets at such a table."""
    playing: float
    """What a table has more, with its four sockets, once games are played at it."""


MADE, JOINED, FIRST = 2000, 500, 50


def measure_memory(setting: Setting) -> Memory:
    """Ours alone."""
    with (
        server("five211", setting.folder, setting.packages) as served,
        generator("five211", served.url, setting.folder, setting.packages) as load,
    ):
        return memory_of(served, load, setting)


def memory_of(
    served: Server, load: Generator, setting: Setting, made: int = MADE, joined: int = JOINED
) -> Memory:
    """What is resident in a new server before and after."""
    # What the first requests load is no table's and no socket's.
    load.ask("make", count=FIRST, variant=setting.variant)
    load.ask("attach", count=FIRST)
    before = _settled(served)
    load.ask("make", count=made, variant=setting.variant)
    with_tables = _settled(served)
    load.ask("attach", count=joined)
    with_sockets = _settled(served)
    load.ask("start")
    load.ask("closed", setting.seconds + 60, seconds=setting.seconds, warm=0)
    after_playing = _settled(served)
    return Memory(
        before,
        with_tables,
        with_sockets,
        after_playing,
        table=(with_tables - before) / made,
        socket=(with_sockets - with_tables) / (joined * PLAYERS),
        playing=(after_playing - with_sockets) / (FIRST + joined),
    )


def _settled(served: Server) -> int:
    time.sleep(1)
    return served.resident
