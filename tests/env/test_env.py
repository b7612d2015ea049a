"""The package of the environments: nothing of a framework is loaded before it is wanted."""

from __future__ import annotations

import subprocess
import sys

import pytest

import five211.env
from five211 import GameError


def test_frameworks_are_loaded_when_they_are_wanted() -> None:
    code = "import sys, five211.env; print('gymnasium' in sys.modules, 'pettingzoo' in sys.modules)"
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


def test_every_name_is_there() -> None:
    for name in five211.env.__all__:
        assert getattr(five211.env, name)
    with pytest.raises(AttributeError):
        _ = five211.env.nothing


@pytest.mark.parametrize(
    ("name", "module", "missing", "extra"),
    [
        ("parallel_env", "pettingzoo", "pettingzoo", "pettingzoo"),
        ("SeatEnv", "gymnasium", "gymnasium", "gymnasium"),
        ("BatchEnv", "vector", "gymnasium", "gymnasium"),
    ],
)
def test_a_missing_framework_is_told_in_a_sentence(
    name: str, module: str, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"five211.env.{module}", raising=False)
    with pytest.raises(GameError) as error:
        getattr(five211.env, name)
    assert str(error.value) == f"This environment needs {missing}: install five211[{extra}]."
