"""The docs are tested: examples run, pages are not stale, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from typer.testing import CliRunner

import five211
from five211.cli import app
from five211.cli.rules import to_markdown
from five211.editions import words
from five211.rules import ASIDE, Rules

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
MODULES = [m.name for m in pkgutil.walk_packages(five211.__path__, "five211.")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.REPORT_NDIFF)
    assert result.failed == 0
    if page.name in ("README.md", "record.md"):
        assert result.attempted > 5


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_some_modules_have_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [
        t for name in MODULES for t in finder.find(importlib.import_module(name)) if t.examples
    ]
    assert len(found) > 8


def test_the_readmes_scoring_is_what_the_command_prints() -> None:
    readme = (ROOT / "README.md").read_text()
    shown = re.search(r"\$ (five211 score .*)\n((?:.+\n)+)```", readme)
    assert shown is not None
    result = CliRunner().invoke(app, shlex.split(shown[1])[1:], env={"LANG": "C", "LC_ALL": "C"})
    assert [line.rstrip() for line in result.output.splitlines()] == shown[2].splitlines()


def test_the_readmes_game_is_what_the_command_prints(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    shown = re.search(r"`five211 (play --seed 7)`.*?```text\n(.*?)\n```", readme, re.DOTALL)
    assert shown is not None
    environment = {"LANG": "C", "LC_ALL": "C", "XDG_DATA_HOME": str(tmp_path)}
    result = CliRunner().invoke(app, shown[1].split(), input="1 2\n1\n", env=environment)
    assert shown[2] in result.output


def test_every_command_of_the_readme_is_there() -> None:
    readme = (ROOT / "README.md").read_text()
    named = set(re.findall(r"(?:\$ |`)five211 ([a-z]+)", readme))
    commands = {
        command.callback.__name__ for command in app.registered_commands if command.callback
    }
    assert named <= commands
    assert commands == {
        "play",
        "serve",
        "bot",
        "score",
        "simulate",
        "stats",
        "habits",
        "arena",
        "verify",
        "replay",
        "rules",
        "warmup",
    }


def test_the_rules_page_is_what_the_command_prints() -> None:
    games = [Rules.of(players) for players in sorted(ASIDE)]
    page = (ROOT / "docs" / "rules.md").read_text()
    assert page == to_markdown(games, words()), "run: five211 rules --markdown > docs/rules.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_make_target_of_the_docs_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = {n for page in PAGES for n in re.findall(r"[`$] ?make ([a-z-]+)", page.read_text())}
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    assert named <= targets
    assert {"play", "test", "check", "bench", "soak", "mutants"} <= named | {"soak"}


def test_no_file_names_a_registry_or_this_machine() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert not re.search(r"https?://|--index-url|--find-links|file:", path.read_text()), (
            path.name
        )


def test_no_page_is_empty() -> None:
    assert all(len(page.read_text()) > 200 for page in PAGES)


def test_the_locked_versions_are_those_that_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = (ROOT / "requirements" / "run.in").read_text().splitlines()[1:]
    assert asked == project["dependencies"]
    optional = project["optional-dependencies"]
    extras = optional["cluster"] + optional["gymnasium"] + optional["pettingzoo"]
    assert {*extras} <= {*(ROOT / "requirements" / "dev.in").read_text().splitlines()}
    for name in ("run.txt", "dev.txt"):
        locked = dict(
            re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements" / name).read_text(), re.M)
        )
        for line in asked:
            requirement = Requirement(line)
            assert locked[requirement.name] in requirement.specifier


def test_versions_agree() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    assert f'version = "{five211.__version__}"' in project
