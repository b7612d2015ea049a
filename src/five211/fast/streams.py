"""The keys of the compiled engine's random streams (see `five211.fast.source.chance`)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from five211.chance import stream
from five211.errors import GameError, shown


def key(seed: object, *label: int | str) -> int:
    """The 64-bit key of this label's streams; a seed is a whole number or a text."""
    if isinstance(seed, np.integer):
        seed = int(seed)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise GameError("seed", text=shown(seed))
    return _key(seed, *label)


@lru_cache(1024, typed=True)
def _key(seed: int | str, *label: int | str) -> int:
    return stream(seed, "fast", *label).getrandbits(64)
