"""The short form of `make mutants`: a few mutants by chance, all of which the tests must notice."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from tests.mutants import (
    MODULES,
    OF_SCORING,
    PACKAGE,
    Mutant,
    choose,
    mutants,
    rounds,
    survives,
    survivors,
)

MANY = 60


def test_the_tests_notice_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick ones alone do, and none of these is a survivor that docs/mutants.md explains."""
    monkeypatch.setattr("tests.mutants.OF_SCORING", OF_SCORING[:1])
    assert survivors(choose(("scoring",), sample=4, seed=5211), workers=2) == []


@pytest.mark.parametrize("module", MODULES)
def test_there_are_mutants_of_every_module(module: str) -> None:
    assert len({mutant.code for mutant in islice(mutants(module), MANY)}) == MANY


def test_a_mutant_that_changes_nothing_survives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above could not fail if no mutant ever survived."""
    monkeypatch.setattr("tests.mutants.OF_SCORING", (("test_rulebooks",),))
    assert rounds("scoring") == (("test_rulebooks",),)
    shutil.copytree(PACKAGE, tmp_path / "five211")
    same = Mutant("scoring", "none", 1, "", "", (PACKAGE / "scoring.py").read_text())
    assert survives(same, tmp_path)
