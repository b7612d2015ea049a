"""Policies by name, or the user's own functions: where their machine code is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from five211.bots import entries
from five211.errors import GameError, short, shown
from five211.fast import machine
from five211.fast.view import RANDOM

Policy: TypeAlias = str | Callable[[Any, Any], int]

BUILT_IN = ("random", "greedy", "hasty", "heuristic", "neural")
_own: list[Any] = []  # what was compiled must not be collected


@cache
def policy_address(policy: Policy) -> int:
    """Where a kernel can call this policy."""
    if not isinstance(policy, str):
        return _compile(policy)
    name = next((one.name for one in entries() if policy in (one.name, one.level)), policy)
    if name not in BUILT_IN:
        raise GameError("bot_unknown", bot=shown(policy), known=BUILT_IN)
    if name == "random":
        return RANDOM
    return machine.address(f"policy_{name}", lambda: _built_in(name))


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

    try:
        made = policy_entry(jitted(policy), may_fail=True)
    except Exception as error:  # Numba has many, and some are Python's own
        name = getattr(policy, "__name__", type(policy).__name__)
        said = [line for line in str(error).splitlines() if line.strip()]
        reason = short(said[0]) if said else type(error).__name__
        raise GameError("policy_compile", name=shown(name), reason=reason) from error
    _own.append(made)
    return int(made.address)
