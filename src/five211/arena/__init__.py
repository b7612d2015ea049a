"""Who plays best: `compare(["heuristic", "greedy"])` plays, counts and says how sure it is."""

from five211.arena.crew import processes
from five211.arena.report import Contest, Matrix, Report, compare
from five211.arena.work import Arena

__all__ = ["Arena", "Contest", "Matrix", "Report", "compare", "processes"]
