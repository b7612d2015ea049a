"""How quick the compiled engine is, beside the same algorithm in C, in one run.

    make bench-fast

bench/limit.c is compiled with `gcc -O3 -march=native`; both play the same games, which is checked
before anything is timed. C and ours take turns, and each figure is the best of many short runs:
other work on a machine only ever makes one slower.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from five211 import Match, Rules, view
from five211.chance import shuffled, stream
from five211.fast import Batch, Games, rollouts, simulate
from five211.fast.streams import key

HERE = Path(__file__).parent
GAMES = 1 << 14
SECONDS = 0.5
TURNS = 8
SEED = 1


def compile_limit(players: int, folder: Path) -> Path:
    """The C program for so many players."""
    made = folder / f"limit{players}"
    source = str(HERE / "limit.c")
    flags = ["-O3", "-march=native", f"-DN={players}"]
    subprocess.run(["gcc", *flags, source, "-o", str(made)], check=True)
    return made


def limit(program: Path) -> tuple[int, float]:
    """What its games hash to, and its best games a second."""
    keys = [str(key(SEED, "deck")), str(key(SEED, "choices"))]
    done = subprocess.run(
        [str(program), *keys, str(GAMES), str(SECONDS)], capture_output=True, text=True, check=True
    )
    games, rate = done.stdout.split()
    return int(games), float(rate)


def fingerprint(games: Games) -> int:
    """The same hash as in C, of points, winners and outcomes."""
    found = games.winners.astype(np.uint64)
    for column in (*games.points.T, *games.outcomes.T):
        found = found * np.uint64(1009) + column.astype(np.uint64)
    return int(found.sum())


def ours(players: int, threads: int = 1, games: int = GAMES) -> float:
    """Our best games a second."""
    best, until = 0.0, perf_counter() + SECONDS
    while perf_counter() < until:
        began = perf_counter()
        simulate(players, games, seed=SEED, threads=threads)
        best = max(best, games / (perf_counter() - began))
    return best


def compare(players: int, folder: Path) -> None:
    """One line of the table."""
    program = compile_limit(players, folder)
    assert limit(program)[0] == fingerprint(simulate(players, GAMES, seed=SEED)), "other games"
    c = python = 0.0
    for _ in range(TURNS):
        c = max(c, limit(program)[1])
        python = max(python, ours(players))
    decisions = python * Rules.of(players).rounds * 3 * players
    print(
        f"{players} players: C {c / 1e6:.2f}, ours {python / 1e6:.2f} million games/s,"
        f" {python / c:.0%} of it; {decisions / 1e6:.0f} million decisions/s"
    )


def threads() -> None:
    """One thread and two, taking turns."""
    games = 40 * GAMES
    one = two = 0.0
    for _ in range(TURNS):
        one, two = max(one, ours(4, 1, games)), max(two, ours(4, 2, games))
    print(f"two threads: {two / one:.2f} times one, {two / 1e6:.2f} million games/s")


def batch(players: int, games: int = 4096, *, views: bool) -> None:
    """Joint steps a second, whole games of random legal places; the best run of each turn."""
    stepped = Batch(players, games, seed=SEED, views=views)
    rng = np.random.default_rng(SEED)
    pairs = rng.integers(5, 15, (games, players)).astype(np.uint8)
    singles = [rng.integers(0, held, (games, players)).astype(np.uint8) for held in (5, 5, 3, 2)]
    turns = [pairs, *singles[:2]] * (stepped.rules.rounds - 1) + [pairs, *singles[2:]]
    stepped.reset()
    best, until = [1.0] * len(turns), perf_counter() + 4 * SECONDS
    while perf_counter() < until:
        for turn, actions in enumerate(turns):
            began = perf_counter()
            stepped.step(actions)
            best[turn] = min(best[turn], perf_counter() - began)
    rate = games * len(turns) / sum(best)
    seen = "with views" if views else "without views"
    print(
        f"batch of {games} games, {players} players, {seen}: {rate / 1e6:.1f} million joint steps/s"
    )


def completions(players: int, policy: str, worlds: int = 500) -> None:
    """Rounds completed from a view at the beginning of a deal."""
    rules = Rules.of(players)
    seen = view(Match(rules).deal(shuffled(rules.deck, stream(SEED))), 0)
    rollouts(seen, 1, policy)
    best, until = 0.0, perf_counter() + 2 * SECONDS
    while perf_counter() < until:
        began = perf_counter()
        tried = rollouts(seen, worlds, policy)
        best = max(best, tried.gains[..., 0].size / (perf_counter() - began))
    print(f"roll-outs, {players} players, {policy}: {best / 1e3:,.0f} rounds a millisecond")


def start(folder: Path) -> None:
    """The command, from nothing to its result: three times cold, then warm."""
    command = [sys.executable, "-m", "five211", "simulate", "--games", "1", "--bots", "random"]
    took = []
    for turn in range(3 + TURNS):
        environment = {**os.environ, "FIVE211_CACHE": str(folder / f"cache{min(turn, 2)}")}
        began = perf_counter()
        subprocess.run(command, env=environment, capture_output=True, check=True)
        took.append(perf_counter() - began)
    print(f"one game from the command line: {min(took[:3]):.2f} s cold, {min(took[3:]):.2f} s warm")


def main() -> None:
    """Everything."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        start(Path(folder))
        for players in (2, 3, 4, 5):
            compare(players, Path(folder))
    threads()
    batch(4, views=False)
    batch(4, views=True)
    for policy in ("random", "greedy", "heuristic"):
        completions(4, policy)


if __name__ == "__main__":
    main()
