"""A real server and Debian's Chromium; what the tests of the page share."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from threading import Timer
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.people import Person
from tests.server.houses import ServerProcess, server_process

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not localhost, so that a page there is no secure context: phones at home.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
)

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
TABLET: dict[str, Any] = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    chromium = shutil.which("chromium")
    assert chromium, "these tests need Debian's chromium: `make test` installs it"
    return {"executable_path": chromium, "args": list(FLAGS)}


PATIENCE = float(os.environ.get("TEST_PATIENCE", 600))  # seconds; the longest test takes 100


def _kill_browser() -> None:
    """Ends whatever waits for the browser without a limit: the test fails, and says where."""
    for process in psutil.Process().children(recursive=True):
        if process.name().startswith("chrom"):
            process.kill()


@pytest.fixture(scope="session")
def _browsers(launch_browser: Callable[[], Browser]) -> Iterator[list[Browser]]:
    browsers = [launch_browser()]
    yield browsers
    browsers[-1].close()


@pytest.fixture
def browser(_browsers: list[Browser], launch_browser: Callable[[], Browser]) -> Iterator[Browser]:
    """One browser for all tests, and another if it dies."""
    if not _browsers[-1].is_connected():
        _browsers.append(launch_browser())
    watch = Timer(PATIENCE, _kill_browser)
    watch.start()
    yield _browsers[-1]
    watch.cancel()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of one's own, quick and without limits."""
    folder = tmp_path_factory.mktemp("server")
    with server_process(folder, hosts="table.test") as served:
        yield served


Invite = Callable[..., Person]


@pytest.fixture
def invite(browser: Browser, server: ServerProcess) -> Iterator[Invite]:
    """People with a browser of their own each; at the end nothing may have gone wrong in any."""
    contexts: list[BrowserContext] = []
    people: list[Person] = []

    def come(name: str = "Ana", how: str = "mouse", url: str = "", **options: Any) -> Person:
        device = options.pop("device", PHONE if how == "touch" else DESKTOP)
        settings = {"name": name, "speed": "none", **options.pop("settings", {})}
        language = options.pop("language", "en")
        context = browser.new_context(locale=language, **{**device, **options})
        context.set_default_timeout(30_000)
        kept = json.dumps(json.dumps(settings))
        context.add_init_script(
            "try { localStorage.getItem('five211.settings') ?? "
            f"localStorage.setItem('five211.settings', {kept}) }} catch {{}}"
        )
        contexts.append(context)
        person = Person(context.new_page(), name, how, url or server.url)
        people.append(person)
        return person

    yield come
    troubles = [trouble for person in people for trouble in person.troubles]
    for context in contexts:
        if browser.is_connected():
            context.close()
    assert troubles == []


@pytest.fixture(scope="session", autouse=True)
def _no_other_host() -> None:
    """Traffic goes to loopback only."""
    os.environ["NO_PROXY"] = "*"
