"""A part of a kernel: only compiled code calls it, so it needs no way in for Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

u64 = np.uint64
part = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)


@part
def copy(into: Any, words: Any) -> None:
    """Words into as many others."""
    for word in range(into.size):
        into[u64(word)] = words[u64(word)]
