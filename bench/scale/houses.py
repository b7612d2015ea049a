"""A house: processes that serve the same tables, and the load that plays at them."""

from __future__ import annotations

import re
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.scale.services import Services
from bench.server.measure import Setting
from bench.server.processes import Generator, Server, free_port, generator, ours


@dataclass(frozen=True, slots=True)
class Plan:
    """One setting, and how it is played at."""

    store: str
    """`sqlite` (one process, nothing else) or `postgres` (with Redis)."""
    processes: int = 1
    by: str = "table"
    """Where connections go: all of a `table` to one process, as nginx sends them; each to the next
    in `turn`; or all to the `first`, while tables are made at the last, which only follows then."""
    steady: bool = False
    """Moves at fixed times, fewer than it could do, as people make them: each at a time of its own.
    In the closed loop all four choose at once, and what they chose is one row."""

    @property
    def key(self) -> str:
        """In short."""
        way = f"-{self.by}" if self.processes > 1 else ""
        return f"{self.store}-{self.processes}{way}{'-steady' if self.steady else ''}"

    @property
    def name(self) -> str:
        """In words."""
        what = {"sqlite": "SQLite", "postgres": "PostgreSQL, Redis"}[self.store]
        count = f"{self.processes} process{'es' if self.processes > 1 else ''}"
        ways = {"table": ", by table", "first": ", all at the first", "turn": ", in turn"}
        how = ways[self.by] if self.processes > 1 else ""
        return f"{what}, {count}{how}{', steady' if self.steady else ''}"


@dataclass(frozen=True, slots=True)
class House:
    """One that runs."""

    servers: list[Server]
    load: Generator
    file: Path | None
    """The SQLite file."""
    database: str | None
    """The name of the PostgreSQL database."""

    @property
    def busy(self) -> float:
        """Seconds of a core, of all server processes together."""
        return sum(server.busy for server in self.servers)

    @property
    def following(self) -> float:
        """The same of all but the first."""
        return sum(server.busy for server in self.servers[1:])

    @property
    def counts(self) -> Counter[str]:
        """What the processes count themselves: commits, rows, overtaken."""
        found: Counter[str] = Counter()
        for server in self.servers:
            with urllib.request.urlopen(f"{server.url}/metrics", timeout=30) as answer:
                text = answer.read().decode()
            for name, value in re.findall(r"^five211_(\w+)_total ([0-9.e+]+)$", text, re.M):
                found[name] += int(float(value))
        return found


@contextmanager
def house(plan: Plan, setting: Setting, shared: Services) -> Iterator[House]:
    """A new one. Nothing is pinned to a core: there are more processes than cores."""
    name = f"house_{free_port()}"
    file = setting.folder / f"{name}.sqlite" if plan.store == "sqlite" else None
    told = {"METRICS": "true"}
    if file is not None:
        told["DATABASE"] = str(file)
    else:
        told |= {"DATABASE": shared.new_database(name), "BUS": shared.redis.url}
    with ExitStack() as stack:
        if file is None:
            stack.callback(shared.drop_database, name)
        serve = (ours(setting.folder, None, **told) for _ in range(plan.processes))
        servers = [stack.enter_context(one) for one in serve]
        urls = ",".join(server.url for server in servers)
        load = stack.enter_context(
            generator("five211", urls, setting.folder, setting.packages, by=plan.by, where=None)
        )
        yield House(servers, load, file, None if file else name)
