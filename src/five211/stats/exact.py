"""Random play, exactly: no simulation, every way in which the cards of a round can fall.

Who plays any cards of the hand plays any cards of the deck: so the table at the end of a round is a
uniform choice of 4n of the 100 cards. There are few enough kinds of such a table to go through all
of them: how many cards of each colour (only sorted, since colours differ in name alone), and how
many of them are icons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod

from five211.rules import COLORS, COPIES, Rules
from five211.scoring import ColorScores, Outcome, StruckForLimit, StruckForTie, majority

A_COLOR = sum(COPIES)
ICONS = COPIES[0]
PLAIN = A_COLOR - ICONS
PLAIN_VALUE = Fraction(sum(value * n for value, n in enumerate(COPIES[1:], start=2)), PLAIN)
"""The mean value of a card that is no icon."""


@dataclass(frozen=True, slots=True)
class Exact:
    """What a round of random play comes to."""

    outcomes: dict[Outcome, Fraction]
    """How often each thing decides a round."""
    points: Fraction
    """What one seat scores in one round, in the mean."""
    biggest: dict[int, Fraction]
    """How often the biggest colour has so many cards."""
    biggest_scores: Fraction
    """How often the biggest colour scores."""
    busts: Fraction
    """How often some colour is struck for the limit; the icons do not decide then."""
    ties: Fraction
    """How often some colours are struck for a tie."""
    cascades: dict[int, Fraction]
    """How often a round has so many ties one after the other."""
    icons: dict[int, Fraction]
    """How often so many icons lie on the table."""
    plain: Fraction
    """How often a played card that is no icon scores; so a 6 brings six times as much."""
    icon: Fraction
    """How often a played icon scores, for its colour or as an icon."""
    as_icon: Fraction
    """How often it scores as an icon."""


@cache
def exact(players: int) -> Exact:
    """A round of random play among so many.

    >>> round(float(exact(4).outcomes[Outcome.ICONS]), 4)
    0.1091
    """
    rules = Rules.of(players)
    laid = players * sum(rules.plays)
    tables = comb(len(rules.deck), laid)
    outcomes: dict[Outcome, Fraction] = defaultdict(Fraction)
    biggest: dict[int, Fraction] = defaultdict(Fraction)
    cascades: dict[int, Fraction] = defaultdict(Fraction)
    found: dict[int, Fraction] = defaultdict(Fraction)
    scores = busts = plain = icon = as_icon = Fraction(0)
    for counts in partitions(laid, len(COLORS), A_COLOR):
        alike = Fraction(orders(counts), tables)
        ways = weights(counts)
        by_icons = alike * ways.get(rules.exact, 0)
        by_color = alike * sum(ways.values()) - by_icons
        biggest[counts[0]] += by_icons + by_color
        outcomes[Outcome.ICONS] += by_icons
        as_icon += by_icons * rules.exact
        for icons, n in ways.items():
            found[icons] += alike * n
        steps = majority(rules, counts)
        last = steps[-1]
        cascades[sum(isinstance(step, StruckForTie) for step in steps)] += by_color
        busts += by_color * any(isinstance(step, StruckForLimit) for step in steps)
        if not isinstance(last, ColorScores):
            outcomes[Outcome.NONE] += by_color
            continue
        outcomes[Outcome.COLOR] += by_color
        scores += by_color * (last.count == counts[0])
        for is_icon in (True, False):
            worth = weights(counts, last.color, icons=is_icon)
            cards = alike * (sum(worth.values()) - worth.get(rules.exact, 0))
            icon, plain = (icon + cards, plain) if is_icon else (icon, plain + cards)
    icon += as_icon
    laid_icons = Fraction(laid * ICONS, A_COLOR)
    return Exact(
        outcomes={kind: outcomes[kind] for kind in Outcome},
        points=(icon + plain * PLAIN_VALUE) / players,
        biggest=dict(sorted(biggest.items())),
        biggest_scores=scores,
        busts=busts,
        ties=sum((rate for depth, rate in cascades.items() if depth), Fraction(0)),
        cascades={depth: rate for depth, rate in sorted(cascades.items()) if depth},
        icons=dict(sorted(found.items())),
        plain=plain / (laid - laid_icons),
        icon=icon / laid_icons,
        as_icon=as_icon / laid_icons,
    )


def partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a total as so many numbers, the highest first."""
    if parts == 0:
        yield ()
        return
    for first in range(min(total, most), -1, -1):
        if first * parts < total:
            return
        for rest in partitions(total - first, parts - 1, first):
            yield (first, *rest)


def orders(counts: tuple[int, ...]) -> int:
    """In how many orders of the colours these counts can stand."""
    return factorial(len(counts)) // prod(factorial(n) for n in Counter(counts).values())


def weights(
    counts: tuple[int, ...], valued: int | None = None, *, icons: bool = False
) -> dict[int, Fraction]:
    """By the number of icons: in how many ways cards with these counts can lie on the table.

    With a colour to be valued, each way counts as often as that colour has cards, icons or others.
    """
    found = {0: Fraction(1)}
    for color, count in enumerate(counts):
        longer: dict[int, Fraction] = defaultdict(Fraction)
        for of_icons in range(min(count, ICONS) + 1):
            ways = Fraction(comb(ICONS, of_icons) * comb(PLAIN, count - of_icons))
            if color == valued:
                ways *= of_icons if icons else count - of_icons
            for before, n in found.items():
                longer[before + of_icons] += n * ways
        found = longer
    return found
