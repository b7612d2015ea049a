"""What an operator can watch: sums only, never a table, a name or a card."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    disable_created_metrics,
    generate_latest,
)

disable_created_metrics()  # type: ignore[no-untyped-call]  # when the server was started is nobody's business


class Metrics:
    """The server's figures for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("five211_tables", "Tables in memory", registry=self.registry)
        self.sockets = Gauge("five211_sockets", "Connections at tables", registry=self.registry)
        self.commands = Counter("five211_commands", "Commands done", registry=self.registry)
        self.refused = Counter("five211_refused", "Commands refused", registry=self.registry)
        self.commits = Counter("five211_commits", "Commits of the log", registry=self.registry)
        self.rows = Counter("five211_rows", "Rows of the log", registry=self.registry)
        self.overtaken = Counter(
            "five211_overtaken",
            "Commits that another process was quicker with",
            registry=self.registry,
        )
        self.games = Counter("five211_games", "Games finished", registry=self.registry)
        self.store_failures = Counter(
            "five211_store_failures", "Failures of the store", registry=self.registry
        )
        self.bus_up = Gauge(
            "five211_bus_up", "Whether the bus answers; 1 without one", registry=self.registry
        )
        self.slow = Counter(
            "five211_slow_sockets", "Connections closed for not reading", registry=self.registry
        )

    def text(self) -> bytes:
        """As Prometheus reads them."""
        return generate_latest(self.registry)
