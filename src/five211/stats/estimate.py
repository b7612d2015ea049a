"""How sure a figure is: an interval that holds the true one in 95 of 100 such runs.

The unit is the game, since the rounds of one game share a deck. A figure is a ratio of two counts
of each game (`five211.fast.digest`), and its error follows from their sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import pi, sqrt, tan

SURE = 1.959964
"""Standard errors on either side that hold 95 %."""
FLAGGED = 4.0
"""An exact value so many standard errors away is no chance any more."""
RARE = 100
"""What is to happen less often than this in all games is too rare to be compared."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its standard error and its interval."""

    value: float
    error: float
    low: float
    high: float
    among: int
    """How many rounds, cards or games it is a mean of; of none, nothing is known."""

    @property
    def half(self) -> float:
        """The longer half of the interval, to stand after ±: a share's has not its value amid."""
        return max(self.high - self.value, self.value - self.low)


UNKNOWN = Estimate(0.0, 0.0, 0.0, 0.0, 0)
"""What can be said of something that never came up."""


def mean(sums: Sequence[int], games: int, scale: float = 1) -> Estimate:
    """The ratio of two counts, times a scale: Student's interval, wider if the games are few."""
    value, error = ratio(sums, games, scale)
    off = student(games - 1) * error
    return Estimate(value, error, value - off, value + off, int(sums[1]))


def student(freedom: int) -> float:
    """Standard errors on either side that hold 95 %, if the error itself is from a few games.

    Of one and two degrees of freedom there is a formula; for more, the expansion of Cornish and
    Fisher, which is right to 0.2 % at three and soon to far more.

    >>> [round(student(n), 2) for n in (1, 2, 5, 30)]
    [12.71, 4.3, 2.57, 2.04]
    """
    if freedom < 3:
        return 0.95 / sqrt(2 * 0.975 * 0.025) if freedom == 2 else tan(0.475 * pi)
    z, n = SURE, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def share(sums: Sequence[int], games: int, scale: float = 1) -> Estimate:
    """The ratio of two counts if it is a share: Wilson's interval, which stays within 0 and 1.

    It takes a number of independent trials: as many as would have this error.
    """
    if not sums[1]:
        return UNKNOWN
    value, error = ratio(sums, games, scale)
    trials = value * (1 - value) / error**2 if error else min(games, int(sums[1]))
    off = SURE**2 / trials
    center = (value + off / 2) / (1 + off)
    half = SURE * sqrt(value * (1 - value) / trials + off / (4 * trials)) / (1 + off)
    return Estimate(value, error, max(0.0, center - half), min(1.0, center + half), int(sums[1]))


def ratio(sums: Sequence[int], games: int, scale: float) -> tuple[float, float]:
    """a / b, and its standard error: the sums of a, b, aa, ab and bb over the games say how far."""
    a, b, aa, ab, bb = map(int, sums)  # Python's own, which know no largest number
    if not b:
        return 0.0, 0.0
    off = aa * b * b - 2 * ab * a * b + bb * a * a  # sum of (a - b * ratio)², times b²
    return scale * a / b, scale * sqrt(off * games / (games - 1)) / b**2


def distance(seen: Estimate, exact: Fraction, *, of_share: bool) -> float | None:
    """How many standard errors a figure is from its exact value; none if that is too rare.

    A share's error is the one that it has if the exact value is true: what is rarer than expected
    would else seem surer than it is.
    """
    if seen.among < RARE:
        return None
    if not of_share:
        return (seen.value - float(exact)) / seen.error if seen.error else None
    if min(exact, 1 - exact) * seen.among < RARE:
        return None
    spread = seen.value * (1 - seen.value)
    together = seen.error**2 / spread if spread else 1 / seen.among
    return (seen.value - float(exact)) / sqrt(float(exact * (1 - exact)) * together)
