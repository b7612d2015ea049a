"""The network: what it is told of a choice, and what it makes of it, with NumPy alone.

A choice is judged by what it leaves behind. For each colour some numbers say how the table and the
hand stand once the cards are laid; others tell of the icons, the points and the moment. Each colour
goes through the same small layer, and what comes out is added up: so no colour is liked, and
whatever the network learns of one it knows of all. Two more layers make one number of it, the
choice's worth. A second network of the same shape values what one sees before any choice: the
share of the victory to come, and the lead.

There is a pair of networks for two players and one for three to five, made by `train/`; the file
has a row for each number of players. The same is compiled in `five211.fast.source.network`; a test
holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from five211.bots.heuristic import binomial
from five211.cards import Card, Cards
from five211.rules import ASIDE, COLORS, COPIES, HAND, Rules, check_compiled
from five211.view import View

Floats: TypeAlias = NDArray[np.float32]

FILE = Path(__file__).parents[1] / "data" / "networks.npy"
CF, GF = 26, 31
"""Numbers told of each colour, and of everything else."""
H1, H2, H3 = 48, 64, 32
"""Units of the layers."""
OF_COLORS = len(COLORS) * CF
VALUES_OUT = 2
"""What the second network says: share of the victory, and lead in points by `LEAD`."""
LEAD = 20.0
SCALES = np.array(
    [0, *(1 / (3 * left**0.5) for left in range(1, max(Rules.of(n).rounds for n in ASIDE) + 1))],
    np.float32,
)
"""What a point of lead weighs with so many rounds to go: more when there are fewer."""


def _sizes(out: int) -> tuple[int, ...]:
    """The weights of each layer, then its biases."""
    return (CF * H1, H1, (H1 + GF) * H2, H2, H2 * H3, H3, H3 * out, out)


POLICY_AT = (0, *accumulate(_sizes(1)))
"""Where each part of the first network begins, and where it ends."""
VALUE_AT = tuple(POLICY_AT[-1] + at for at in (0, *accumulate(_sizes(VALUES_OUT))))
SIZE = VALUE_AT[-1]
"""All numbers of a pair of networks."""


@cache
def weights(players: int) -> Floats:
    """The pair of networks for so many players, in a row."""
    row: Floats = np.load(FILE)[players - min(ASIDE)].astype(np.float32)
    row.flags.writeable = False
    return row


def shares(view: View) -> Floats:
    """How likely the network plays each of the view's choices."""
    worth = judged(weights(view.rules.players), POLICY_AT, told(view, view.choices))[:, 0]
    powers = np.exp(worth - worth.max())
    return np.asarray(powers / powers.sum(), np.float32)


def values(view: View) -> Floats:
    """What a view is worth before any choice: the share of the victory, and the lead by `LEAD`."""
    both = judged(weights(view.rules.players), VALUE_AT, told(view, [()]))
    return np.asarray(both[0], np.float32)


def judged(row: Floats, at: Sequence[int], rows: Floats) -> Floats:
    """What one of the networks makes of each row that it is told."""
    parts = [row[begin:end] for begin, end in pairwise(at)]
    layers = [
        (weight.reshape(-1, len(bias)), bias)
        for weight, bias in zip(parts[::2], parts[1::2], strict=True)
    ]
    (color, bias), *others = layers
    by_color = np.maximum(rows[:, :OF_COLORS].reshape(-1, CF) @ color + bias, 0)
    pooled = by_color.reshape(-1, len(COLORS), H1).sum(1)
    found = np.concatenate([pooled, rows[:, OF_COLORS:]], 1)
    for number, (weight, bias) in enumerate(others):
        found = (np.maximum(found, 0) if number else found) @ weight + bias
    return np.asarray(found, np.float32)


def told(view: View, choices: Sequence[Cards]) -> Floats:
    """What the network is told of each choice: a row each. The empty choice is none at all."""
    rules = view.rules
    check_compiled(rules)
    n, limit, seat = rules.players, rules.limit, view.seat
    now = view.plays if choices and choices[0] else 0
    later = n * sum(rules.plays[view.turn + 1 :])
    coming = later + (n - 1 if now else n) * view.plays
    unseen, total = _by_color(view.unseen), len(view.unseen)
    laid = np.array([_by_color(cards) for cards in view.table])  # seats x colours x values
    values = np.arange(1, len(COPIES) + 1)
    worth, icons = laid @ values, laid[:, :, 0].sum(1)
    others = np.arange(n) != seat
    kinds = np.array([_by_color(cards) for cards in choices])  # choices x colours x values
    kept = _by_color(view.hand) - kinds
    count = laid.sum((0, 2)) + kinds.sum(2)  # choices x colours
    mine = worth[seat] + kinds @ values
    lead = mine - worth[others].mean(0)
    spreads = np.array([binomial(coming, some / total) for some in unseen.sum(1)])
    scores, over = _scores(count, spreads, limit)
    live = np.where(count < limit, count, 0)
    ranked = np.sort(live, 1)
    most, second = ranked[:, -1:], ranked[:, -2:-1]
    held = kept @ values
    row = np.zeros((len(choices), len(COLORS), CF), np.float32)
    row[..., 0] = count / limit
    steps = np.clip(limit - count, 0, 4)
    np.put_along_axis(row, 1 + steps[..., None], 1, 2)
    row[..., 6], row[..., 7] = scores, over
    row[..., 8], row[..., 9] = mine * 0.1, (laid[seat].sum(1) + kinds.sum(2)) * 0.25
    row[..., 10], row[..., 11] = worth[others].mean(0) * 0.1, worth[others].max(0) * 0.1
    row[..., 12], row[..., 13] = kept.sum(2) / 3, held * 0.1
    row[..., 14] = ((kept > 0) * values).max(2) / 6
    some = unseen.sum(1)
    row[..., 15] = 5 * some / total - 1
    row[..., 16] = np.where(some > 0, unseen @ values / (3 * np.maximum(some, 1)) - 0.8, 0)
    row[..., 17], row[..., 18] = scores * lead * 0.2, scores * held * 0.1
    row[..., 19], row[..., 20] = view.turn == 0, view.turn == 1
    row[..., 21], row[..., 22] = coming * 0.1, view.pile == 0
    row[..., 23] = (count == most) & (second < most) & (count > 0)
    row[..., 24] = (count - np.where(count == most, second, most)) * 0.25
    row[..., 25] = over * lead * 0.2
    g = np.zeros((len(choices), GF), np.float32)
    g[:, view.turn], g[:, 3] = 1, view.pile == 0
    left = rules.rounds - len(view.rounds)
    g[:, 4] = left / rules.rounds
    if n > 2:
        g[:, 2 + n] = 1
    played = kinds[:, :, 0].sum(1)
    missing = rules.exact - icons.sum() - played
    g[np.arange(len(g)), 8 + np.clip(missing + 1, 0, 5)] = 1
    chance = np.array([*binomial(coming, unseen[:, 0].sum() / total), 0])
    by_icons = chance[np.where((missing >= 0) & (missing <= coming), missing, -1)]
    g[:, 14] = by_icons
    my_icons = icons[seat] + played
    g[:, 15], g[:, 16] = my_icons / 3, icons[others].mean() / 3
    g[:, 17], g[:, 18] = icons[others].max() / 3, kept[:, :, 0].sum(1) / 3
    g[:, 19] = 4 * unseen[:, 0].sum() / total - 1
    points = np.array(view.points)
    over_best = points[seat] - points[others].max()
    over_mean = points[seat] - points[others].mean()
    g[:, 20], g[:, 21] = over_best * 0.05, over_mean * 0.05
    g[:, 22] = np.clip(over_best * SCALES[left], -3, 3) * 0.5
    g[:, 23] = np.clip(over_mean * SCALES[left], -3, 3) * 0.5
    g[:, 24], g[:, 25] = held.sum(1) / 15, coming * 0.1
    g[:, 26] = (scores * lead).sum(1) * (1 - by_icons) * 0.2
    g[:, 27] = by_icons * (my_icons - icons[others].mean()) * 0.5
    g[:, 28], g[:, 29] = 1 - scores.sum(1), kept.sum((1, 2)) / HAND
    g[:, 30] = (points[others] > points[seat]).mean()
    return np.concatenate([row.reshape(len(choices), OF_COLORS), g], 1)


def _by_color(cards: Sequence[Card]) -> NDArray[np.int64]:
    """How many there are of each card: colours x values."""
    found = np.zeros((len(COLORS), len(COPIES)), np.int64)
    for card in cards:
        found[card.color, card.value - 1] += 1
    return found


def _scores(
    count: NDArray[np.int64], spreads: NDArray[np.float64], limit: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How likely each colour scores, and how likely it is out, if each goes on by itself.

    As `heuristic` has it: choices x colours.
    """
    extra = np.arange(limit) - count[..., None]  # cards that bring a colour to n: ... x n
    within = (extra >= 0) & (extra < spreads.shape[1])
    reach = np.where(
        within,
        np.take_along_axis(
            np.broadcast_to(spreads, (*count.shape[:1], *spreads.shape)),
            np.where(within, extra, 0),
            2,
        ),
        0,
    )
    over = 1 - reach.sum(2)
    clear = np.cumsum(reach, 2) - reach + over[..., None]
    found = np.zeros(count.shape)
    for color in range(count.shape[1]):
        alone = reach[:, color, 1:] * np.delete(clear, color, 1)[..., 1:].prod(1)
        found[:, color] = alone.sum(1)
    return found, np.maximum(over, 0)
