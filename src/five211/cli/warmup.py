"""`five211 warmup`: compiles all that the commands need of the fast engine, before they need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter

from five211 import texts
from five211.cli import common, waiting
from five211.errors import file_name
from five211.fast import machine
from five211.fast.policies import BUILT_IN, policy_address
from five211.fast.rollouts import TAKES
from five211.fast.search import compile_search
from five211.fast.simulate import prepare
from five211.rules import ASIDE, Rules
from five211.stats.gather import compile_for


def run(lang: str | None, as_json: bool) -> None:
    """Compile what is not there yet, and say where it is kept."""
    language, began, made = common.speak(lang), perf_counter(), list[str]()
    waiting.told_of_compiling()
    machine.tell(made.append)
    steps = list(needed())
    with waiting.bar(len(steps)) as advance:
        for step in steps:
            step()
            advance(1)
    seconds, folder = perf_counter() - began, machine.folder() / machine.stamp()
    kept = all((folder / f"{name}.o").exists() for name in made)
    if as_json:
        compiled = {"compiled": made, "seconds": round(seconds, 3)}
        common.print_json({**compiled, "folder": str(machine.folder()), "kept": kept})
        return
    key = "warm_already" if not made else "warm" if kept else "warm_unkept"
    fields = {"n": len(made), "seconds": f"{seconds:.1f}", "folder": file_name(str(folder.parent))}
    common.console().print(texts.say(language, f"cli.{key}", **fields))


def needed() -> Iterator[Callable[[], object]]:
    """What to do so that nothing is left to compile."""
    for name in BUILT_IN:
        yield partial(policy_address, name)
    yield compile_search
    for players in ASIDE:
        for name in ("random", "greedy"):  # random play alone has a kernel of its own
            yield partial(prepare, Rules.of(players), (name,) * players)
            yield partial(compile_for, Rules.of(players), name)
        yield partial(machine.kernel, "rollouts", TAKES, players)  # for bots that look ahead
