"""Policies by name, or the user's own functions: where their machine code is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from five211.errors import GameError, shown
from five211.fast import machine
from five211.fast.view import RANDOM

Policy: TypeAlias = str | Callable[[Any, Any], int]

BUILT_IN = ("random", "greedy", "heuristic")
_own: list[Any] = []  # what was compiled must not be collected


@cache
def policy_address(policy: Policy) -> int:
    """Where a kernel can call this policy."""
    if not isinstance(policy, str):
        return _compile(policy)
    if policy not in BUILT_IN:
        raise GameError("bot_unknown", bot=shown(policy), known=BUILT_IN)
    if policy == "random":
        return RANDOM
    return machine.address(f"policy_{policy}", lambda: _built_in(policy))


@cache
def jitted(policy: Callable[[Any, Any], int]) -> Any:
    """The user's own as Numba's, which stays the same one when it is sent, time after time."""
    from numba import njit
    from numba.extending import is_jitted

    return policy if is_jitted(policy) else njit(policy)


def _built_in(name: str) -> str:
    from five211.fast.source.policies import make

    return make(name)


def _compile(policy: Callable[[Any, Any], int]) -> int:
    """The user's own, compiled here and now."""
    from five211.fast.source.policies import policy_entry

    made = policy_entry(jitted(policy), may_fail=True)
    _own.append(made)
    return int(made.address)
