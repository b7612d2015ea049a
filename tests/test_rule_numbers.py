"""Every numbered rule is shown by at least one test."""

from __future__ import annotations

import ast
from pathlib import Path

from five211 import texts

HERE = Path(__file__).parent


def cited() -> dict[str, list[str]]:
    """The tests that cite each rule by `@pytest.mark.rule("4.5")`."""
    found: dict[str, list[str]] = {}
    for path in HERE.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                        number = ast.literal_eval(mark.args[0])
                        found.setdefault(number, []).append(f"{path.name}::{node.name}")
    return found


def test_every_rule_is_cited_by_a_test() -> None:
    numbers = set(texts.load("languages", "en")["rules"])
    assert len(numbers) == 30
    assert numbers - set(cited()) == set(), "rules that no test shows"
    assert set(cited()) - numbers == set(), "tests that cite a rule that there is not"
