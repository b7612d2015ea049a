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
    fields,
    information_state,
    observation,
)
from five211.env.extras import MissingExtraError

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
    "MissingExtraError",
    "ParallelEnv",
    "SeatEnv",
    "action_mask",
    "action_of",
    "choice_of",
    "env",
    "fields",
    "information_state",
    "observation",
    "parallel_env",
    "raw_env",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(name)
    return getattr(import_module(f"five211.env.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
