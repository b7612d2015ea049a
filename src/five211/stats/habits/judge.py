"""Rule 4 for many rounds at once, in NumPy; a test holds it to `five211.scoring`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from five211.fast.packed import ICONS, NOTHING
from five211.rules import Rules

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def judge(rules: Rules, icons: Numbers, colors: Numbers) -> Numbers:
    """What scores in each round: a colour's number, `ICONS` or `NOTHING`.

    Given are the icon cards on the table and, by colour along the last axis, the cards.
    """
    left = _below_limit(rules, colors)
    alike = (left[..., :, None] == left[..., None, :]).sum(axis=-1)
    alone = np.where(alike == 1, left, 0)  # rule 4.5
    color = np.where(alone.any(axis=-1), alone.argmax(axis=-1), NOTHING)  # rules 4.4, 4.6
    return np.where(icons == rules.exact, ICONS, color)  # rule 4.1


def tied(rules: Rules, colors: Numbers) -> Flags:
    """Whether colours below the limit share the most cards."""
    left = _below_limit(rules, colors)
    most = left.max(axis=-1, keepdims=True)
    return np.asarray(((left == most) & (left > 0)).sum(axis=-1) > 1)


def _below_limit(rules: Rules, colors: Numbers) -> Numbers:
    """The cards of each colour that is not struck out (rule 4.3)."""
    return np.where(colors < rules.limit, colors, 0)
