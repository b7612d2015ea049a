"""Mutation testing: would the tests notice if the rules were wrong?

Cosmic Ray's operators change one thing in scoring, state, match or view (a comparison, a number,
a boolean ...); the tests are run against each such mutant, and one that no test notices survives.
Each mutant lives in a copy of the package, so the project's own files are never touched.

    make mutants               all of them; survivors must be explained in docs/mutants.md
    python tests/mutants.py --sample 8 --seed 5211
"""

from __future__ import annotations

import argparse
import ast
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import MutationVisitor
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "five211"
MODULES = ("scoring", "state", "match", "view")
# Quick ones first, since most mutants die at once; the long ones only see who is left.
OF_SCORING = (
    ("test_rulebooks", "test_scoring", "test_tally", "test_values"),
    ("test_state", "test_match", "test_sentences", "test_oracle"),
)
OF_THE_REST = (
    ("test_state", "test_match", "test_view", "test_values"),
    ("test_leaks", "test_match_machine", "test_tableview", "test_simulate"),
)
LEFT_OUT = (
    # these two want the name of a variable
    r"Variable(Inserter|Replacer)",
    # `==` made `is`: the same for the small numbers of this game, in CPython
    r"Comparison.*_(Eq|NotEq|Lt|LtE|Gt|GtE)_(Is|IsNot)",
)
TIMEOUT = 90  # seconds; a mutant that runs for ever is noticed too


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    operator: str
    line: int
    before: str
    after: str
    code: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line} `{self.before}` -> `{self.after}`"


def mutants(module: str) -> Iterator[Mutant]:
    """Every different mutant of a module, those left out that only change an annotation."""
    source = (PACKAGE / f"{module}.py").read_text()
    tree = get_ast(source)
    nodes = list(ast_nodes(tree))
    kept = pickle.dumps(tree)  # a change is made in the tree itself; to parse anew takes long
    seen = {_essence(source)}
    for name in sorted(operator_names()):
        if any(re.search(pattern, name) for pattern in LEFT_OUT):
            continue
        operator = get_operator(name)()
        places = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        for place in range(places):
            code = MutationVisitor(place, operator).walk(pickle.loads(kept)).get_code()
            essence = _essence(code)
            if essence in seen:
                continue
            seen.add(essence)
            old, new = source.splitlines(), code.splitlines()
            line = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
            yield Mutant(module, name, line + 1, old[line].strip(), new[line].strip(), code)


def _essence(code: str) -> str:
    """What a module does: its code without annotations."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return ""  # no mutant at all
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.unparse(tree)


def survives(mutant: Mutant, copy: Path) -> bool:
    """Whether no test notices a mutant, the quick ones or the long ones."""
    path = copy / "five211" / f"{mutant.module}.py"
    path.write_text(mutant.code)
    try:
        return all(_passes(tests, copy) for tests in rounds(mutant.module))
    finally:
        shutil.copy(PACKAGE / path.name, path)


def _passes(tests: tuple[str, ...], copy: Path) -> bool:
    files = [str(ROOT / "tests" / f"{name}.py") for name in tests]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-xq",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "pytest_cov",  # whose marker no_cover is
        *files,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # all the others take longer than the tests
    }
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in (0, 1, 2):  # passed, failed, or a mutant that cannot be imported
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return done.returncode == 0


def rounds(module: str) -> tuple[tuple[str, ...], ...]:
    """The tests that are to notice a module's mutants, first the quick ones."""
    return OF_SCORING if module == "scoring" else OF_THE_REST


def survivors(chosen: list[Mutant], workers: int) -> list[Mutant]:
    """Those that no test notices."""
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(workers):
            copy = Path(folder) / str(number)
            shutil.copytree(PACKAGE, copy / "five211", ignore=shutil.ignore_patterns("__pycache__"))
            copies.put(copy)
        if not all(_passes(tests, copy) for m in {m.module for m in chosen} for tests in rounds(m)):
            raise RuntimeError("the tests fail without any mutant: mend them first")

        def check(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                alive = survives(mutant, copy)
            finally:
                copies.put(copy)
            if alive:
                print(f"SURVIVED {mutant}", flush=True)
            return alive

        with ThreadPoolExecutor(workers) as pool:
            alive = list(pool.map(check, chosen))
    return [mutant for mutant, lives in zip(chosen, alive, strict=True) if lives]


def choose(modules: tuple[str, ...], sample: int | None, seed: int) -> list[Mutant]:
    """All mutants, or some by chance."""
    found = [mutant for module in modules for mutant in mutants(module)]
    return found if sample is None else random.Random(seed).sample(found, sample)


def main() -> None:
    """Run them and print who is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = choose(tuple(options.modules), options.sample, options.seed)
    print(f"{len(chosen)} mutants of {', '.join(options.modules)}", flush=True)
    left = survivors(chosen, options.workers)
    for module in options.modules:
        total = sum(mutant.module == module for mutant in chosen)
        print(f"{module}: {total} mutants, {sum(m.module == module for m in left)} survived")


if __name__ == "__main__":
    main()
