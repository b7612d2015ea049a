"""5211 as an environment for research: one file a framework, and `encode`, which all of them share.

A framework is imported only when its environment is asked for: `five211.env.parallel_env` needs
`five211[pettingzoo]`; `SeatEnv` and `BatchEnv` need `five211[gymnasium]`.
"""

from importlib import import_module
from typing import Any

from five211.env.encode import (
    HISTORY,
    OBSERVATION,
    action_mask,
    action_of,
    choice_of,
    information_state,
    observation,
)
from five211.errors import GameError

_LATER = {
    "BatchEnv": "vector",
    "ParallelEnv": "pettingzoo",
    "SeatEnv": "gymnasium",
    "env": "pettingzoo",
    "parallel_env": "pettingzoo",
    "raw_env": "pettingzoo",
}

__all__ = [
    "HISTORY",
    "OBSERVATION",
    "BatchEnv",
    "ParallelEnv",
    "SeatEnv",
    "action_mask",
    "action_of",
    "choice_of",
    "env",
    "information_state",
    "observation",
    "parallel_env",
    "raw_env",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(name)
    extra = "gymnasium" if _LATER[name] == "vector" else _LATER[name]
    try:
        module = import_module(f"five211.env.{_LATER[name]}")
    except ModuleNotFoundError as error:
        raise GameError("env_missing", package=error.name, extra=extra) from error
    return getattr(module, name)
