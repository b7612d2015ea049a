"""The figures as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from bench.server.measure import FIRST, JOINED, MADE, NAMES, PLANS, Figures, Memory

HEADS = ("moves/s", "p50 ms", "p99 ms", "rounds", "games", "CPU", "moves/CPU-s", "generator")
KEEPS_UP = 0.98  # of the rate that was asked for
GOAL = 40  # kB for a table, and for a socket
BUSY = 0.9  # a generator that is busier may be what was measured
ALONE = 0.85  # of its core; a server under full load that used less shared it, or waited


def figures_lines(figures: Sequence[Figures]) -> list[str]:
    """One line for each measurement of each server."""
    lines = [f"{'':<28}" + "".join(f"{head:>13}" for head in HEADS)]
    for one in figures:
        cells = (
            f"{one.moves_a_second:,.0f}",
            f"{one.p50_ms:.1f}",
            f"{one.p99_ms:.1f}",
            f"{one.rounds:,}",
            f"{one.games:,}",
            f"{one.server_cpu:.0%}",
            f"{one.moves_a_cpu_second:,.0f}",
            f"{one.generator_busy:.0%}",
        )
        head = f"{one.plan:<14}{NAMES[one.server]:<14}"
        lines.append(head + "".join(f"{cell:>13}" for cell in cells))
    return lines


def ratio_lines(figures: Sequence[Figures]) -> list[str]:
    """Ours by theirs."""
    lines = []
    for plan in PLANS:
        both = {one.server: one for one in figures if one.plan == plan.name}
        if len(both) == 2:
            ours, theirs = both["five211"], both["boardgame"]
            speed = ours.moves_a_second / theirs.moves_a_second
            delay = ours.p99_ms / theirs.p99_ms
            work = ours.moves_a_cpu_second / theirs.moves_a_cpu_second
            lines.append(
                f"{plan.name}: ours/theirs moves/s {speed:.2f}, p99 {delay:.3f}, "
                f"moves a CPU second {work:.2f}"
            )
    return lines


def note_lines(figures: Sequence[Figures]) -> list[str]:
    """What a reader of the table must know."""
    rates = {plan.name: plan.rate for plan in PLANS}
    lines = []
    for one in figures:
        rate, head = rates[one.plan], f"{one.plan}, {NAMES[one.server]}:"
        if rate is not None and one.moves_a_second < rate * KEEPS_UP:
            lines.append(f"{head} could not keep up; {one.moves_a_second:,.0f} of {rate:,} moves/s")
        if one.trouble:
            lines.append(f"{head} TROUBLE {one.trouble}")
        if rate is None and one.server_cpu < ALONE:
            lines.append(
                f"{head} the server used only {one.server_cpu:.0%} of its core: shared, or waiting"
            )
        if one.generator_busy > BUSY:
            lines.append(f"{head} the generator was too busy for this to be the server's figure")
    for server, name in NAMES.items():
        mine = [one for one in figures if one.server == server]
        games = sum(one.games_in_all for one in mine)
        checked = sum(one.rounds_checked for one in mine)
        lines.append(f"{name}: {games:,} games played to the end; {checked:,} rounds scored again")
    return lines


def memory_lines(memory: Memory) -> list[str]:
    """What a table and a socket take."""

    def judged(size: float) -> str:
        return f"{size:6.1f} kB ({'within' if size < GOAL else 'OVER'} the goal of {GOAL})"

    return [
        f"five211's memory: {memory.before:,} kB with {FIRST} tables and their sockets",
        f"  a table     {judged(memory.table)}, of {MADE:,} more: {memory.with_tables:,} kB",
        f"  a socket    {judged(memory.socket)}, 4 at {JOINED} tables: {memory.with_sockets:,} kB",
        f"  in play     {memory.playing:6.1f} kB more a table: {memory.after_playing:,} kB",
    ]
