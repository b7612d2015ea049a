"""How quickly the terminal’s screen is there, and answers a key: `make bench-terminal`.

A real process on a real pseudo-terminal: from its start to the first screen, and from a key to the
first change that it makes, while bots think. The times hold the terminal's own share, too.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pexpect

COMMAND = str(Path(sys.executable).parent / "five211")
RUNS, KEYS = 10, 60


def started(*args: str, folder: str) -> pexpect.spawn[str]:
    """`five211 play` on a terminal of its own."""
    surroundings = {
        **os.environ,
        "XDG_DATA_HOME": folder,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
    }
    child = pexpect.spawn(
        COMMAND,
        ["play", *args],
        dimensions=(24, 80),
        encoding="utf-8",
        env=surroundings,
        timeout=60,
    )
    child.delaybeforesend = None  # it would wait for 50 ms before each key
    return child


def to_first_screen(folder: str) -> float:
    """Seconds until the first screen has been written."""
    began = time.perf_counter()
    child = started(folder=folder)
    child.expect("Play")
    taken = time.perf_counter() - began
    child.send("q")
    child.expect(pexpect.EOF)
    return taken


def to_answer(level: str, folder: str) -> list[float]:
    """Seconds from a key to what it changes, most of them while bots of a level think."""
    child = started(
        "--players", "5", "--bots", level, "--seed", "7", "--no-animation", folder=folder
    )
    child.expect("Play 2 cards")
    taken = []
    for number in range(KEYS):
        if number % 6 == 5:  # a turn is played, and the bots begin to think about the next
            child.send("\x1b[C 12\r" if number % 18 == 5 else " \r")
        while True:  # what is still to be written is not the answer
            try:
                child.read_nonblocking(100_000, timeout=0.002)
            except pexpect.TIMEOUT:
                break
        began = time.perf_counter()
        child.send("\x1b[C")  # to the card beside: its mark moves
        child.expect("‹")
        taken.append(time.perf_counter() - began)
    child.send("q")
    child.send("\r")
    child.expect(pexpect.EOF)
    return taken


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        starts = [to_first_screen(folder) for _ in range(RUNS)]
        best, middle = min(starts), statistics.median(starts)
        print(f"start to first screen: best {best:.2f} s, middle {middle:.2f} s of {RUNS}")
        for level in ("easy", "hard", "expert"):
            taken = sorted(to_answer(level, folder))
            worst = f"95 % within {taken[int(len(taken) * 0.95)] * 1000:.0f} ms"
            print(
                f"a key against {level} bots: middle {statistics.median(taken) * 1000:.0f} ms,"
                f" {worst}, worst {taken[-1] * 1000:.0f} ms of {KEYS}"
            )


if __name__ == "__main__":
    main()
