"""The bots: `make("hasty")` or `make("easy")` gives one; `choose(view, rng)` is all it does."""

from five211.bots.base import (
    LEVELS,
    Bot,
    Entry,
    checked_bot,
    entries,
    entry,
    make,
    prepare,
    register,
)
from five211.bots.determinize import determinize
from five211.bots.expert import ExpertBot
from five211.bots.greedy import GreedyBot
from five211.bots.hasty import HastyBot
from five211.bots.heuristic import HeuristicBot
from five211.bots.montecarlo import MonteCarloBot
from five211.bots.neural import NeuralBot
from five211.bots.packages import packaged
from five211.bots.random import RandomBot

__all__ = [
    "LEVELS",
    "Bot",
    "Entry",
    "checked_bot",
    "determinize",
    "entries",
    "entry",
    "make",
    "packaged",
    "prepare",
    "register",
]

register("random", RandomBot, level="beginner")
register("greedy", GreedyBot)
register("hasty", HastyBot, level="easy")
register("heuristic", HeuristicBot, level="medium")
register("montecarlo", MonteCarloBot)
register("neural", NeuralBot, level="hard")
register("expert", ExpertBot, level="expert")
