"""The package of the environments: nothing of a framework is loaded before it is wanted."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import five211.env
from five211 import GameError
from five211.bots.expert import ExpertBot
from five211.env import five211_v0
from five211.env.game import OPTIONS, Options
from five211.env.given import LONGEST, given
from five211.env.opponents import each


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**64, "18446744073709551616"),
        (-(10**30), "-10000000000000000000000…"),
        (list("abcdefghijklmnop"), "['a', 'b', 'c', 'd', 'e', 'f', ...]"),
        ({"key": "x" * 50, "more": "y" * 50}, "{'key': '" + "x" * 50 + "'…"),
    ],
)
def test_what_is_cut_off_has_an_ellipsis(value: object, text: str) -> None:
    assert given(value) == text
    assert len(text) <= LONGEST + 1


def test_a_number_that_python_does_not_write_is_cut_off_whole() -> None:
    assert given(10**5000) == given(-(10**5000)) == "…"


def test_options_have_a_type_each() -> None:
    assert {*Options.__annotations__} == {*OPTIONS}


def test_an_opponent_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[object] = []
    monkeypatch.setattr(ExpertBot, "prepare", lambda self: prepared.append(self))
    assert [one.bot for one in each("expert", 2)] == prepared


def test_frameworks_are_loaded_when_they_are_wanted() -> None:
    code = "import sys, five211.env; print('gymnasium' in sys.modules, 'pettingzoo' in sys.modules)"
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


def test_every_name_is_there() -> None:
    for name in five211.env.__all__:
        assert getattr(five211.env, name)
    assert {*five211.env.__all__} <= {*dir(five211.env)}
    with pytest.raises(AttributeError):
        _ = five211.env.nothing


@pytest.mark.parametrize(
    ("module", "name", "missing", "extra"),
    [
        ("pettingzoo", "parallel_env", "pettingzoo", "pettingzoo"),
        ("gymnasium", "SeatEnv", "gymnasium", "gymnasium"),
        ("vector", "BatchEnv", "gymnasium", "gymnasium"),
        ("openspiel", None, "pyspiel", "openspiel"),
        ("truth", None, "pyspiel", "openspiel"),
    ],
)
def test_a_missing_framework_is_told_in_a_sentence(
    module: str, name: str | None, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [*sys.modules]:
        if loaded == f"five211.env.{module}" or loaded.startswith(f"{missing}."):
            monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, missing, None)
    said = f"This environment needs {missing}: install five211[{extra}]."
    with pytest.raises(ImportError) as error:
        import_module(f"five211.env.{module}")
    assert isinstance(error.value, GameError)
    assert str(error.value) == said
    if name:
        with pytest.raises(GameError) as other:
            getattr(five211.env, name)
        assert str(other.value) == said


def test_pettingzoos_name_is_a_module() -> None:
    assert five211_v0.env is five211.env.env
    assert five211_v0.raw_env is five211.env.raw_env
    assert five211_v0.parallel_env is five211.env.parallel_env
    assert five211_v0.parallel_env().metadata["name"] == five211_v0.__name__.split(".")[-1]
