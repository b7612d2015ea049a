"""How long a bot thinks: milliseconds of processor time a choice, on one core, at every table.

Bots of a kind play whole games among themselves. Processor time, all threads together, because
other work on a machine makes everybody wait; on a core of its own a bot takes just that long.

    make bench-bots
    make bench-bots ARGS="expert 40"        one bot, so many games for each number of players
"""

from __future__ import annotations

import platform
import sys
from random import Random
from statistics import fmean, quantiles
from time import process_time_ns

from five211 import Cards, Rules
from five211.bots import make
from five211.bots.base import Bot
from five211.simulate import play_match
from five211.view import View

BOTS = ("expert", "neural", "montecarlo", "heuristic", "hasty", "greedy", "random")
GAMES = 12
COUNTS = (2, 3, 4, 5)


class Timed:
    """A bot with a watch on the processor."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.taken: list[float] = []

    def choose(self, view: View, rng: Random) -> Cards:
        """What the bot chooses."""
        began = process_time_ns()
        chosen = self.bot.choose(view, rng)
        self.taken.append((process_time_ns() - began) / 1e6)
        return chosen


def measure(bot: str, players: int, games: int) -> tuple[int, float, float, float]:
    """Choices, and their times: the mean, what 95 of 100 keep to, and the longest."""
    seats = [Timed(make(bot)) for _ in range(players)]
    for game in range(-1, games):
        play_match(Rules.of(players), seats, "bench", game)
        if game < 0:  # the first game loads, or compiles
            for seat in seats:
                seat.taken.clear()
    taken = [each for seat in seats for each in seat.taken]
    return len(taken), fmean(taken), quantiles(taken, n=20)[-1], max(taken)


def main(bots: tuple[str, ...] = BOTS, games: int = GAMES) -> None:
    """Print the table."""
    print(f"Python {platform.python_version()}; milliseconds of processor time a choice")
    print(f"{'':<12}{'players':>8}{'choices':>9}{'mean':>9}{'95 %':>9}{'longest':>9}")
    for bot in bots:
        for players in COUNTS:
            choices, mean, most, longest = measure(bot, players, games)
            print(f"{bot:<12}{players:>8}{choices:>9}{mean:>9.3f}{most:>9.3f}{longest:>9.3f}")


if __name__ == "__main__":
    main(
        (sys.argv[1],) if sys.argv[1:] else BOTS,
        int(sys.argv[2]) if sys.argv[2:] else GAMES,
    )
