"""The two networks in PyTorch: the same that `five211.fast.source.network` has compiled."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from five211.bots.network import CF, GF, H1, H2, H3, SIZE, VALUES_OUT
from five211.fast.view import COLORS


class Network(nn.Module):
    """Each colour through one layer, added up, and two layers more."""

    def __init__(self, out: int) -> None:
        super().__init__()
        self.color = nn.Linear(CF, H1)
        self.second = nn.Linear(H1 + GF, H2)
        self.third = nn.Linear(H2, H3)
        self.last = nn.Linear(H3, out)
        with torch.no_grad():  # at first every choice is worth about the same
            self.last.weight *= 0.1

    def forward(self, told: Tensor) -> Tensor:
        """What it makes of each row."""
        colors = told[:, : COLORS * CF].reshape(-1, CF)
        pooled = torch.relu(self.color(colors)).reshape(-1, COLORS, H1).sum(1)
        hidden = torch.relu(self.second(torch.cat([pooled, told[:, COLORS * CF :]], 1)))
        found: Tensor = self.last(torch.relu(self.third(hidden)))
        return found

    def layers(self) -> tuple[nn.Linear, ...]:
        """In the order of their weights."""
        return self.color, self.second, self.third, self.last


class Pair(nn.Module):
    """The network that chooses, and the one that values."""

    def __init__(self) -> None:
        super().__init__()
        self.policy, self.value = Network(1), Network(VALUES_OUT)

    def parts(self) -> list[Tensor]:
        """All weights, as `five211.bots.network` has them in a row."""
        both = (*self.policy.layers(), *self.value.layers())
        return [part for layer in both for part in (layer.weight, layer.bias)]

    def flat(self) -> NDArray[np.float32]:
        """All weights in a row; a layer's stand by input, then output."""
        with torch.no_grad():
            parts = [part.T.reshape(-1) if part.dim() == 2 else part for part in self.parts()]
            row: NDArray[np.float32] = torch.cat(parts).numpy().astype(np.float32)
        assert row.shape == (SIZE,)
        return np.ascontiguousarray(row)

    def load(self, row: NDArray[np.float32]) -> None:
        """Take on weights in a row."""
        at = 0
        with torch.no_grad():
            for part in self.parts():
                some = torch.from_numpy(np.array(row[at : at + part.numel()], np.float32))
                part.copy_(some.reshape(part.T.shape).T if part.dim() == 2 else some)
                at += part.numel()
