"""The keys of the compiled engine's random streams (see `five211.fast.source.chance`)."""

from __future__ import annotations

from functools import cache

from five211.chance import stream


@cache
def key(seed: int | str, *label: int | str) -> int:
    """The 64-bit key of this label's streams."""
    return stream(seed, "fast", *label).getrandbits(64)
