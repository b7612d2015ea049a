"""What all tests share: hypothesis profiles, the soak marker, and that CI skips nothing."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

SOAK = bool(os.environ.get("TEST_SOAK"))

# In a shell's background (`make test &`) Ctrl-C is unheard, and so it would be by what tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "quick", max_examples=60, deadline=None, derandomize=True, print_blob=True
)
settings.register_profile(
    "soak",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("soak" if SOAK else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long forms to `make soak`: deselected, not skipped."""
    if SOAK:
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def _must_not_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, and in CI that is a failure"


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """In CI a skipped file is a failure."""
    outcome = yield
    _must_not_skip(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """In CI a skipped test is a failure."""
    outcome = yield
    _must_not_skip(outcome.get_result())
