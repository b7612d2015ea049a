"""What Gymnasium's and PettingZoo's environments show and take, as Gymnasium's spaces."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from five211.env.encode import Numbers
from five211.fast.view import ACTIONS


def numbers_space(most: Numbers) -> spaces.Box:
    """Rows of small whole numbers, each of which has its highest."""
    return spaces.Box(np.zeros_like(most), most, dtype=np.uint8)


def seen_space(most: Numbers) -> spaces.Dict:
    """An observation and its mask."""
    mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict({"observation": numbers_space(most), "action_mask": mask})


def action_space() -> spaces.Discrete:
    """The fifteen actions."""
    return spaces.Discrete(ACTIONS)
