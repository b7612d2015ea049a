"""Imports point down only, and the core knows nothing but Python's standard library."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import five211

SOURCE = Path(five211.__file__).parent

# From the bottom up. A module may import what stands above its own line here, and nothing else.
LAYERS = (
    ("texts",),
    ("characters", "errors"),
    ("cards",),
    ("chance", "rules"),
    ("scoring",),
    ("tally",),
    ("state",),
    ("events",),
    ("match",),
    ("view",),
    ("record",),
    ("proof",),
    ("commands", "happenings"),
    ("table",),
    ("change", "tableview"),
    ("gathering", "playing"),
    ("conduct",),
    ("editions",),
    ("sentences",),
    ("shapes",),
    ("folders", "interrupts", "summary"),
    ("",),  # five211 itself: what it re-exports
    (
        "bots.base",
        "bots.determinize",
        "bots.greedy",
        "bots.hasty",
        "bots.heuristic",
        "bots.network",
        "bots.neural",
        "bots.packages",
        "bots.random",
        "bots",
    ),
    ("fast.machine", "fast.packed", "fast.streams", "fast.work"),
    ("fast.cluster", "fast.view"),
    ("fast.network", "fast.seen"),
    ("fast.source.part",),
    (
        "fast.source.chance",
        "fast.source.entry",
        "fast.source.hands",
        "fast.source.scoring",
    ),
    ("fast.source.dealing", "fast.source.totals"),
    ("fast.source.views",),
    ("fast.source.network", "fast.source.turns"),
    (
        "fast.source.policies",
        "fast.source.policy_choose",
        "fast.source.policy_games",
        "fast.source.random_games",
        "fast.source.rollouts",
    ),
    ("fast.source.network_choose", "fast.source.network_tell"),
    ("fast.policies",),
    ("fast.choosing", "fast.search"),
    ("fast.source.manners",),
    ("fast.source.search",),
    ("fast.simulate",),
    ("fast.batch", "fast.digest", "fast.rollouts"),
    ("fast.source.stepping",),
    (
        "fast.source.batch_answer",
        "fast.source.batch_numbers",
        "fast.source.batch_reset",
        "fast.source.batch_step",
        "fast.source.digest",
    ),
    ("fast.source",),
    ("fast",),
    ("bots.expert", "bots.montecarlo"),
    ("stats.estimate", "stats.exact", "stats.gather", "stats.style"),
    ("stats.book",),
    ("stats.plots", "stats.words"),
    ("stats.leads",),
    ("stats.sheet",),
    ("stats.page",),
    ("stats",),
    ("simulate",),
    ("stats.habits.judge",),
    ("stats.habits.rounds",),
    ("stats.habits.counts",),
    ("stats.habits.chapters",),
    ("stats.habits.gather", "stats.habits.report"),
    ("stats.habits.words",),
    ("stats.habits.leads",),
    ("stats.habits.page",),
    ("stats.habits",),
    ("env.extras", "env.font", "env.given"),
    ("env.encode", "env.imagine", "env.pens", "env.rewards"),
    ("env.opponents", "env.scene", "env.spaces"),
    ("env.game",),
    ("env.gymnasium", "env.pettingzoo", "env.vector"),
    ("env.five211_v0",),
    ("env.openspiel.course",),
    ("env.openspiel.worlds",),
    ("env.openspiel.state",),
    ("env.openspiel.observer",),
    ("env.openspiel.game",),
    ("env.openspiel",),
    ("env.truth",),
    ("env",),
    ("arena.crew", "arena.sums"),
    ("arena.ratings", "arena.work"),
    ("arena.report",),
    ("arena.words",),
    ("arena.plots",),
    ("arena.page",),
    ("arena",),
    ("client",),
    ("joining",),
    (
        "terminal",
        "terminal.aloud",
        "terminal.app",
        "terminal.asked",
        "terminal.away",
        "terminal.draw",
        "terminal.hand",
        "terminal.here",
        "terminal.lines",
        "terminal.pace",
        "terminal.pages",
        "terminal.paint",
        "terminal.place",
        "terminal.plain",
        "terminal.replaying",
        "terminal.saved",
        "terminal.seats",
        "terminal.settings",
        "terminal.showing",
        "terminal.start",
        "terminal.story",
        "terminal.table",
        "terminal.telling",
        "terminal.told",
    ),
    (
        "server.bans",
        "server.entries",
        "server.metrics",
        "server.network",
        "server.settings",
        "server.store",
    ),
    ("server.faults",),
    ("server.ratings",),
    ("server.protocol", "server.room", "server.thinking"),
    ("server.codec", "server.lobby", "server.replays"),
    ("server.redact", "server.wire"),
    ("server.live", "server.packing", "server.postgres.schema", "server.sqlite.file"),
    ("server.moving", "server.postgres.pool", "server.sqlite.threads"),
    (
        "server.postgres.games",
        "server.postgres.house",
        "server.postgres.players",
        "server.postgres.tables",
        "server.sqlite.games",
        "server.sqlite.house",
        "server.sqlite.players",
        "server.sqlite.tables",
    ),
    ("server.postgres.moving", "server.sqlite.moving"),
    ("server.postgres", "server.sqlite"),
    ("server.bus", "server.databases"),
    ("server.bus.news", "server.bus.remote"),
    ("server.bus.postgres", "server.bus.redis"),
    ("server.limits",),
    ("server.alerts", "server.bus.choosing", "server.sharing"),
    ("server.commits",),
    ("server.hub",),
    ("server.guests",),
    ("server.docs", "server.gate", "server.pages", "server.shapes", "server.socket"),
    ("server.frames",),
    ("server.routes.common",),
    (
        "server.routes.games",
        "server.routes.house",
        "server.routes.operator",
        "server.routes.players",
        "server.routes.tables",
    ),
    ("server.routes",),
    ("server.app",),
    ("server.serve",),
    ("server",),
    ("cli.common",),
    ("cli.visiting",),
    ("cli.own", "cli.waiting"),
    ("cli.bot", "cli.serve"),
    ("cli.db",),
    ("cli.play", "cli.replay", "cli.rules", "cli.score", "cli.simulate", "cli.verify"),
    ("cli.stats", "cli.warmup"),
    ("cli.arena",),
    ("cli.habits", "cli"),
    ("__main__",),
)
RANKS = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}
CORE = {module for layer in LAYERS[: LAYERS.index(("editions",))] for module in layer}
NO_IO = {"time", "datetime", "os", "io", "sys", "socket", "pathlib", "tomllib", "secrets", "random"}


def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            for alias in node.names:
                longer = f"{node.module}.{alias.name}".removeprefix("five211.")
                is_module = longer in RANKS and str(node.module).startswith("five211")
                found.add(f"five211.{longer}" if is_module else str(node.module))
    return found


def ours(names: set[str]) -> set[str]:
    return {n.removeprefix("five211").removeprefix(".") for n in names if n.startswith("five211")}


def test_every_module_has_its_layer() -> None:
    assert set(modules()) == set(RANKS)


@pytest.mark.parametrize("module", sorted(RANKS))
def test_imports_point_down(module: str) -> None:
    inside = {"bots", "cli", "terminal"}  # within a package, its own files may know each other
    for name in ours(imports(modules()[module])):
        same = module.split(".")[0] in inside and name.split(".")[0] == module.split(".")[0]
        assert same or RANKS[name] < RANKS[module], f"{module} imports {name}"


@pytest.mark.parametrize("module", sorted(CORE))
def test_the_core_is_pure(module: str) -> None:
    names = {name for name in imports(modules()[module]) if not name.startswith("five211")}
    roots = {name.split(".")[0] for name in names}
    assert roots <= sys.stdlib_module_names
    allowed = {"texts": {"pathlib", "tomllib"}, "chance": {"random"}}.get(module, set())
    assert not roots & NO_IO - allowed


def fresh(code: str) -> str:
    """What a new Python prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_import_is_quick_and_takes_nothing_from_others() -> None:
    loaded = fresh("import sys, five211; print(*sys.modules)").split()
    roots = {name.split(".")[0] for name in loaded} - {"five211"}
    others = {r for r in roots if r not in sys.stdlib_module_names and not r.startswith("_")}
    # what the environment itself loads at start, without us
    others -= {name.split(".")[0] for name in fresh("import sys; print(*sys.modules)").split()}
    assert not others
    clock = "import time; t = time.process_time(); import five211; print(time.process_time() - t)"
    best = min(float(fresh(clock)) for _ in range(10))  # a busy machine only makes it slower
    assert best < 0.1


def test_the_table_is_loaded_when_it_is_wanted() -> None:
    code = "import sys, five211; a = 'five211.table' in sys.modules; five211.Table; print(a)"
    assert fresh(code).strip() == "False"


def test_help_needs_nothing_slow() -> None:
    loaded = fresh("import sys; import five211.cli; print(*sys.modules)").split()
    assert not {"rich", "rich.console", "five211.conduct"} & set(loaded)


def test_public_names_are_there_and_say_what_they_are() -> None:
    for name in five211.__all__:
        value = getattr(five211, name)
        plain = ("MINI", "SPECTATOR", "Cards", "Command", "Event", "Step", "Viewer")
        assert name in plain or value.__doc__, name
    assert five211.__all__ == sorted(five211.__all__, key=_like_ruff)
    with pytest.raises(AttributeError):
        _ = five211.nothing


def _like_ruff(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_later_names_are_the_type_checkers_names() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    block = next(n for n in tree.body if isinstance(n, ast.If))
    told = {
        str(node.module).removeprefix("five211."): tuple(alias.name for alias in node.names)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    }
    assert told == five211._LATER
