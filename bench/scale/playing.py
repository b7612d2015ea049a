"""One setting under load: whole games by sockets, and what they cost each part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from time import monotonic
from typing import Any

import psutil

from bench.scale.houses import House, Plan, house
from bench.scale.services import SIZE, Services
from bench.scale.stored import Stored, stored_in_postgres, stored_in_sqlite
from bench.server.measure import PLAYERS, Setting, check_games, play
from bench.server.processes import Failed
from five211 import Rules

WHO = ("server", "postgres", "redis", "load")
CPU = ("user", "nice", "system", "idle", "iowait", "irq", "softirq")  # the rest is told twice


@dataclass(frozen=True, slots=True)
class Figures:
    """What one setting did."""

    plan: Plan
    rate: float | None
    """Moves a second that were asked for; none for as many as it can do."""
    moves: int
    """All that were acknowledged, also those of the warm-up, to which all costs belong."""
    moves_a_second: float
    p50_ms: float
    p99_ms: float
    games: int
    """Games that ended meanwhile."""
    moves_a_game: float
    rounds_checked: int
    cpu: Mapping[str, float]
    """Milliseconds of a core for a move, by who used it; `following` is the part of the server that
    all processes but the first used."""
    others: float
    """Cores that all else on the machine used."""
    counts: Mapping[str, float]
    """For a move: commits, rows, rows that came too late, messages by Redis, messages to people."""
    size: Mapping[str, float]
    """Bytes for a move: log of writes, growth of what is stored, to people, from people."""
    stored: Stored
    trouble: Mapping[str, int]

    @property
    def moves_a_cpu_second(self) -> float:
        """Of the server processes: what other work on the machine hardly changes."""
        return 1000 / self.cpu["server"]


def measure(
    plan: Plan, tables: int, rate: float | None, setting: Setting, shared: Services
) -> Figures:
    """A new house, games begun at all of its tables, then the load."""
    with house(plan, setting, shared) as one:
        play(one.load, tables, setting.variant)
        if one.database is not None:
            shared.look_at(one.database)
        before, began = _read(one, shared), monotonic()
        within = setting.seconds + setting.warm + 60
        asked = {"seconds": setting.seconds, "warm": setting.warm}
        if rate is None:
            done = one.load.ask("closed", within, **asked)
        else:
            done = one.load.ask("open", within, rate=rate, **asked)
        after, took = _read(one, shared), monotonic() - began
        kept = one.load.ask("sum")["kept"]
        if one.database is not None:
            stored = stored_in_postgres(shared, one.database)
        file = one.file
    if file is not None:
        stored = stored_in_sqlite(file)
    moves = done["in_all"]
    if not done["moves"]:
        raise Failed(f"{plan.name} acknowledged nothing: {done['why']}")
    spent = {name: after[name] - before[name] for name in before}
    wire = done["wire"]
    return Figures(
        plan=plan,
        rate=rate,
        moves=moves,
        moves_a_second=done["a_second"],
        p50_ms=done["p50"],
        p99_ms=done["p99"],
        games=done["games_in_all"],
        moves_a_game=_moves_a_game(kept, setting.variant),
        rounds_checked=check_games(kept, setting.variant),
        cpu={who: spent[who] * 1000 / moves for who in (*WHO, "following")},
        others=max(0.0, spent["machine"] - sum(spent[who] for who in WHO)) / took,
        counts={
            **{name: spent[name] / moves for name in ("commits", "rows", "overtaken", "published")},
            "frames": wire["heard"] / moves,
        },
        size={
            **{name: spent[name] / moves for name in ("wal", "grown")},
            "to_people": wire["heard_bytes"] / moves,
            "from_people": wire["said_bytes"] / moves,
        },
        stored=stored,
        trouble={
            **{name: done[name] for name in ("failed", "closed", "unanswered") if done[name]},
            **done["why"],
        },
    )


def _read(one: House, shared: Services) -> dict[str, float]:
    """Everything that only grows, as it stands now."""
    times = psutil.cpu_times()
    found = {
        **dict.fromkeys(("postgres", "redis", "published"), 0.0),
        **one.counts,
        "server": one.busy,
        "following": one.following,
        "load": one.load.busy,
        "machine": sum(times[: len(CPU)]) - times.idle - times.iowait,
    }
    if one.file is not None:
        found["wal"] = _written(one.servers[0].process.pid)
        found["grown"] = one.file.stat().st_size
    elif one.database is not None:
        found["postgres"], found["redis"] = shared.postgres_busy, shared.redis_busy
        found["published"], found["wal"] = shared.published, shared.wal
        found["grown"] = shared.number(one.database, SIZE)
    return found


def _written(pid: int) -> int:
    """Bytes that a process had written to the disk: SQLite's log of writes, and its file."""
    text = Path(f"/proc/{pid}/io").read_text()
    return int(text.partition("\nwrite_bytes: ")[2].split()[0])


def _moves_a_game(games: Sequence[Mapping[str, Any]], variant: str) -> float:
    """Of the games that ended; of one without a tie, if none did."""
    turns = [sum(map(len, game["rounds"])) for game in games]
    rules = Rules.of(PLAYERS, variant)
    return PLAYERS * (mean(turns) if turns else rules.rounds * len(rules.plays))
