"""The figures as Markdown, to be put into docs/figures.md as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from bench.scale.idle import Idle
from bench.scale.playing import Figures
from bench.scale.sizing import Assumed, Sized
from bench.server.measure import Memory
from bench.server.report import KEEPS_UP

WIDTH = 110  # of lines in docs
AT_EASE = 100.0  # ms; who takes longer in the middle has a queue before it


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def machine_lines(here: Mapping[str, Any]) -> list[str]:
    """What it ran on."""
    return wrap(
        f"{here['date']}, {here['seconds']:g} s each, {here['tables']} tables of four; "
        f"{here['cores']} cores, which server processes, PostgreSQL, Redis and the load share; "
        f"Python {here['python']}, PostgreSQL {here['postgres']}, Redis {here['redis']}, "
        f"Node {here['node']}; a disk that keeps 4 kB in {here['sync_ms']:.1f} ms. "
        f"Load average before {here['load_before']:.1f}, after {here['load_after']:.1f}.",
        WIDTH,
    )


def speed_lines(figures: Sequence[Figures]) -> list[str]:
    """How quick, and whose time it took."""
    heads = (
        "setting",
        "moves/s",
        "p50 ms",
        "p99 ms",
        "moves a CPU second of server",
        "CPU ms a move: server",
        "PostgreSQL",
        "Redis",
        "load",
        "other work, cores",
    )
    rows = (
        (
            one.plan.name,
            f"{one.moves_a_second:,.0f}",
            f"{one.p50_ms:.0f}",
            f"{one.p99_ms:.0f}",
            f"{one.moves_a_cpu_second:,.0f}",
            f"{one.cpu['server']:.3f}",
            f"{one.cpu['postgres']:.3f}",
            f"{one.cpu['redis']:.3f}",
            f"{one.cpu['load']:.3f}",
            f"{one.others:.1f}",
        )
        for one in figures
    )
    return _table(heads, rows)


def game_lines(figures: Sequence[Figures]) -> list[str]:
    """What a whole game takes: time of cores, and commits."""
    heads = (
        "a game",
        "games seen",
        "moves",
        "CPU ms: server",
        "PostgreSQL",
        "Redis",
        "load",
        "commits",
        "rows",
        "rows too late",
        "Redis messages",
    )
    whose = ("server", "postgres", "redis", "load")
    what = ("commits", "rows", "overtaken", "published")
    rows = (
        (
            one.plan.name,
            f"{one.games:,}",
            f"{one.moves_a_game:.1f}",
            *(f"{one.cpu[who] * one.moves_a_game:.1f}" for who in whose),
            *(f"{one.counts[name] * one.moves_a_game:.1f}" for name in what),
        )
        for one in figures
    )
    return _table(heads, rows)


def bytes_lines(figures: Sequence[Figures]) -> list[str]:
    """What a whole game leaves on the disk and sends."""
    heads = (
        "a game, kB",
        "written (SQLite: file and log; PostgreSQL: log)",
        "stored, as it grew",
        "stored, packed",
        "to people",
        "in messages",
        "from people",
    )
    rows = []
    for one in figures:
        n = one.moves_a_game
        rows.append(
            (
                one.plan.name,
                f"{one.size['wal'] * n / 1000:.1f}",
                f"{one.size['grown'] * n / 1000:.1f}",
                f"{one.stored.game / 1000:.2f}",
                f"{one.size['to_people'] * n / 1000:.1f}",
                f"{one.counts['frames'] * n:.0f}",
                f"{one.size['from_people'] * n / 1000:.1f}",
            )
        )
    return _table(heads, rows)


def memory_lines(memory: Mapping[str, Memory]) -> list[str]:
    """What a process keeps in its memory."""
    heads = (
        "memory of a process",
        "at first MB",
        "an idle table kB",
        "a socket kB",
        "in play kB more",
    )
    return _table(
        heads,
        (
            (
                {"sqlite": "SQLite", "postgres": "PostgreSQL, Redis"}[store],
                f"{one.before / 1000:.0f}",
                f"{one.table:.1f}",
                f"{one.socket:.1f}",
                f"{one.playing:.1f}",
            )
            for store, one in memory.items()
        ),
    )


def idle_lines(idle: Idle) -> list[str]:
    """What costs though nobody plays."""
    rows = (
        ("a live table with four people who do nothing, each second: server", idle.server_table),
        ("the same: PostgreSQL", idle.postgres_table),
        ("a message of another process heard: server", idle.hear_message),
        ("and for each table in it", idle.hear_table),
        ("a message published: Redis", idle.publish),
        ("and for each process that hears it", idle.deliver),
    )
    return _table(("what", "CPU µs"), ((what, f"{ms * 1000:.1f}") for what, ms in rows))


def sizing_lines(sized: Sized, assumed: Assumed) -> list[str]:
    """What very many tables would take."""
    one = sized.house
    limits = sorted(sized.limits.items(), key=lambda pair: pair[1])
    limited = _table(
        ("one house ends at", "tables"), ((part, f"{most:,.0f}") for part, most in limits)
    )
    rows = (
        ("houses (a PostgreSQL, a channel)", f"{sized.houses:,}", "1"),
        ("tables", f"{assumed.tables:,}", f"{one.tables:,.0f}"),
        ("server processes", f"{sized.processes:,}", f"{one.processes:,}"),
        ("moves/s", f"{sized.moves_a_second:,.0f}", f"{one.moves_a_second:,.0f}"),
        ("PostgreSQL commits/s", f"{sized.commits_a_second:,.0f}", f"{one.commits_a_second:,.0f}"),
        (
            "the same, if no two moves shared one",
            f"{sized.rows_a_second:,.0f}",
            f"{sized.rows_a_second / sized.houses:,.0f}",
        ),
        (
            "PostgreSQL cores at work",
            f"{one.postgres_cores * sized.houses:,.1f}",
            f"{one.postgres_cores:,.1f}",
        ),
        ("log of writes MB/s", f"{sized.wal_mb_a_second:,.0f}", f"{one.wal_mb_a_second:,.1f}"),
        (
            "Redis messages/s published",
            f"{sized.messages_a_second:,.0f}",
            f"{one.commits_a_second:,.0f}",
        ),
        (
            "Redis messages/s sent",
            f"{one.heard_a_second * sized.houses:,.0f}",
            f"{one.heard_a_second:,.0f}",
        ),
        (
            "Redis cores at work",
            f"{one.redis_cores * sized.houses:,.2f}",
            f"{one.redis_cores:,.2f}",
        ),
        (
            "memory of server processes GB",
            f"{sized.memory_gb:,.0f}",
            f"{sized.memory_gb / sized.houses:,.1f}",
        ),
        (
            "to and from people MB/s",
            f"{sized.network_mb_a_second:,.0f}",
            f"{sized.network_mb_a_second / sized.houses:,.0f}",
        ),
        (
            "games/s that end",
            f"{sized.games_a_second:,.0f}",
            f"{sized.games_a_second / sized.houses:,.0f}",
        ),
        (
            "disk GB a day, kept",
            f"{sized.kept_gb_a_day:,.0f}",
            f"{sized.kept_gb_a_day / sized.houses:,.1f}",
        ),
        (
            "disk GB for tables in play",
            f"{sized.live_gb:,.1f}",
            f"{sized.live_gb / sized.houses:,.1f}",
        ),
    )
    head = (
        f"Assumed: {assumed.tables:,} tables at once, a move at each every "
        f"{assumed.seconds_a_move:g} s, in the memory of {assumed.copies:g} "
        f"process{'es' if assumed.copies != 1 else ''} and looked up every "
        f"{1 / assumed.looks_a_second:g} s by each, cores "
        f"{assumed.busy:.0%} busy, {assumed.postgres_cores} cores a PostgreSQL, "
        f"{assumed.wal_mb_a_second:g} MB/s of log a disk. "
        f"First at its end: {sized.first}."
    )
    return [
        *wrap(head, WIDTH),
        "",
        *limited,
        "",
        *_table(("on paper", "in all", "one house"), rows),
    ]


def note_lines(figures: Sequence[Figures]) -> list[str]:
    """What a reader must know besides."""
    lines = [f"{one.plan.name}: TROUBLE {dict(one.trouble)}" for one in figures if one.trouble]
    lines += [
        f"{one.plan.name}: could not keep up with {one.rate:,.0f} moves/s"
        for one in figures
        if one.rate is not None and one.moves_a_second < one.rate * KEEPS_UP
    ]
    lines += [
        f"{one.plan.name}: at its end, or others took its time; sizes on paper are too small"
        for one in figures
        if one.rate is not None and one.p50_ms > AT_EASE
    ]
    checked = sum(one.rounds_checked for one in figures)
    return [*lines, f"{checked:,} rounds of finished games scored again, with the same points."]
