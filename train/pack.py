"""Puts trained networks where the package looks for them.

python -m train.pack TWO THREE FOUR FIVE

One file of weights for each number of players; `neural` and `expert` play by them from then on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from five211.bots.network import FILE, SIZE
from five211.rules import ASIDE


def pack(files: Sequence[Path], into: Path = FILE) -> None:
    """Four rows in one file."""
    rows = np.stack([np.load(file).astype(np.float32) for file in files])
    assert rows.shape == (len(ASIDE), SIZE), rows.shape
    np.save(into, rows)


if __name__ == "__main__":
    pack([Path(file) for file in sys.argv[1:]])
