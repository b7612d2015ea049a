"""Goes over the log of many games and adds all that is counted to sums (`five211.fast.digest`)."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.digest import (
    A_VICTORY,
    AS_ICON,
    BIGGEST,
    BROUGHT,
    BUST,
    CASCADE,
    CHANCE,
    FOUND,
    LENGTH,
    MOST_POINTS,
    OUTCOME,
    POINTS,
    ROWS,
    SCORES,
    SHAPES,
    SHARE,
    SUMS,
    TIE,
    TOTAL,
    TURNS,
    VICTORY,
)
from five211.fast.packed import ICONS, KINDS, NOTHING, VALUES, WORDS
from five211.fast.source.entry import entry
from five211.fast.source.part import part
from five211.fast.source.scoring import counted, scoring_byte
from five211.fast.source.totals import kind_of
from five211.rules import Rules

u64 = np.uint64
COLOR_OF = np.arange(KINDS, dtype=np.uint64) // u64(VALUES)
VALUE_OF = np.arange(KINDS, dtype=np.uint64) % u64(VALUES)
TURN_OF = np.array([1, 1, 2, 3], np.uint64)  # of a seat's four cards; 0 is all turns
OUTCOME_0, BIGGEST_0, FOUND_0, CASCADE_0 = (
    u64(rows.start) for rows in (OUTCOME, BIGGEST, FOUND, CASCADE)
)
SCORES_0, BUST_0, TIE_0, POINTS_0 = (u64(rows.start) for rows in (SCORES, BUST, TIE, POINTS))
CHANCE_0, AS_ICON_0, BROUGHT_0 = (u64(rows.start) for rows in (CHANCE, AS_ICON, BROUGHT))
SHARE_0, VICTORY_0, TOTAL_0, LENGTH_0 = (
    u64(rows.start) for rows in (SHARE, VICTORY, TOTAL, LENGTH)
)


@part
def tell_round(a, counts, scoring, limit):
    """What happened to the colours and the icons of a round."""
    a[OUTCOME_0 + kind_of(scoring)] += u64(1)
    a[FOUND_0 + ((counts >> u64(8 * ICONS)) & u64(0xFF))] += u64(1)
    biggest, once, twice = u64(0), u64(0), u64(0)
    for color in range(ICONS):
        n = (counts >> u64(8 * color)) & u64(0xFF)
        biggest = max(biggest, n)
        twice |= once & (u64(1) << n)
        once |= u64(1) << n
    a[BIGGEST_0 + biggest] += u64(1)
    if scoring == u64(ICONS):  # rule 4.1: the colours do not matter
        return
    a[BUST_0] += u64(biggest >= limit)
    least = u64(0)
    if scoring != u64(NOTHING):
        least = (counts >> (scoring << u64(3))) & u64(0xFF)
        a[SCORES_0] += u64(least == biggest)
    ties = u64(0)
    for n in range(least + u64(1), limit):  # those struck out before a colour scored
        ties += (twice >> u64(n)) & u64(1)
    if ties:
        a[TIE_0] += u64(1)
        a[CASCADE_0 + ties - u64(1)] += u64(1)


@part
def tell_cards(a, b, log, at, players, scoring):
    """Which of the cards on the table scored."""
    for place in range(4 * players):
        card = u64(log[at + u64(place)])
        color, value, turn = COLOR_OF[card], VALUE_OF[card], TURN_OF[u64(place & 3)]
        as_icon = u64(scoring == u64(ICONS)) & u64(value == u64(0))
        hit = as_icon | u64(color == scoring)
        row = CHANCE_0 + turn * u64(VALUES) + value
        b[row] += u64(1)
        a[row] += hit
        a[AS_ICON_0 + turn] += as_icon


@part
def tell_game(players, a, shapes, points, at, won):
    """How the game ended."""
    most, second, leaders, winners = u64(0), u64(0), u64(0), u64(0)
    for seat in range(players):
        p = u64(points[at + u64(seat)])
        a[TOTAL_0] += p
        if p > most:
            most, second, leaders = p, most, u64(0)
        elif p > second:
            second = p
        leaders += u64(p == most)
        winners += (won >> u64(seat)) & u64(1)
        p = min(p, u64(MOST_POINTS - 1))
        shapes[p] += u64(1)
        for other in range(seat):
            q = min(u64(points[at + u64(other)]), u64(MOST_POINTS - 1))
            shapes[u64(MOST_POINTS) + p] += u64(p == q)
    if leaders > u64(1):
        second = most
    shapes[u64(2 * MOST_POINTS) + min(most, u64(MOST_POINTS - 1))] += u64(1)
    shapes[u64(3 * MOST_POINTS) + min(most - second, u64(MOST_POINTS - 1))] += u64(1)
    for seat in range(players):
        a[SHARE_0 + u64(seat)] = ((won >> u64(seat)) & u64(1)) * (u64(A_VICTORY) // winners)
    kind = u64(2) if winners > u64(1) else u64(leaders > u64(1))
    a[VICTORY_0 + kind] = u64(1)


@part
def complete(a, b, rounds):
    """What follows from a whole game's counts: all turns together, points, what is by what."""
    for turn in range(1, TURNS):
        t = u64(turn)
        for value in range(VALUES):
            v = u64(value)
            row = CHANCE_0 + t * u64(VALUES) + v
            a[CHANCE_0 + v] += a[row]
            b[CHANCE_0 + v] += b[row]
            a[BROUGHT_0 + t] += a[row] * (v + u64(1))
            b[BROUGHT_0 + t] += b[row]
        a[AS_ICON_0] += a[AS_ICON_0 + t]
        a[BROUGHT_0] += a[BROUGHT_0 + t]
        b[BROUGHT_0] += b[BROUGHT_0 + t]
    for turn in range(TURNS):
        b[AS_ICON_0 + u64(turn)] = b[CHANCE_0 + u64(turn * VALUES)]
    a[POINTS_0], a[LENGTH_0] = a[BROUGHT_0], rounds
    for row in range(CHANCE_0):
        b[u64(row)] = rounds
    for row in range(SHARE_0, ROWS):
        b[u64(row)] = u64(1)


@part
def add_up(a, b, sums):
    """A game's counts to the sums."""
    for row in range(ROWS):
        r = u64(row)
        sums[r] += a[r]
        sums[u64(ROWS) + r] += b[r]
        sums[u64(2 * ROWS) + r] += a[r] * a[r]
        sums[u64(3 * ROWS) + r] += a[r] * b[r]
        sums[u64(4 * ROWS) + r] += b[r] * b[r]


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    limit, exact, row = u64(rules.limit), u64(rules.exact), u64(4 * players)

    def digest(games, kept, points, winners, log, sums, shapes, counts):
        points, winners = carray(points, games * u64(players)), carray(winners, games)
        log = carray(log, games * kept * row)
        sums, shapes = carray(sums, len(SUMS) * ROWS), carray(shapes, SHAPES * MOST_POINTS)
        space = carray(counts, 2 * ROWS)
        a, b = space[0:ROWS], space[ROWS : 2 * ROWS]
        differ = 0
        for index in range(games):
            for r in range(2 * ROWS):
                space[u64(r)] = u64(0)
            rounds = u64(0)
            while rounds < kept:
                at = (u64(index) * kept + rounds) * row
                if log[at] >= KINDS:  # not played any more
                    break
                table = u64(0)
                for place in range(4 * players):
                    table += counted(WORDS[u64(log[at + u64(place)])])
                scoring = scoring_byte(table, limit, exact)
                tell_round(a, table, scoring, limit)
                tell_cards(a, b, log, at, players, scoring)
                rounds += u64(1)
            complete(a, b, rounds)
            tell_game(players, a, shapes, points, u64(index) * u64(players), u64(winners[index]))
            differ += a[POINTS_0] != a[TOTAL_0]
            add_up(a, b, sums)
        return differ

    return entry(takes, digest)
