"""The page without a network, a new version of it, and what makes it an app."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

import five211
from tests.browser.conftest import Invite
from tests.browser.people import WORKING, Person
from tests.server.houses import ServerProcess, server_process

SCREENS = {
    "/companion": "Table companion",
    "/rules": "The rules of 5211",
    "/learn": "The cards",
    "/": "five211",
}
# To the last byte: a server that is killed in mid-answer is an error that the browser tells of.
ASK = """async (path) => {
  try {
    const answer = await fetch(path);
    await answer.arrayBuffer();
    return answer.status;
  } catch { return 0 }
}"""
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      found.push([name, new URL(url).pathname]);
  return found;
}"""


def visit(invite: Invite, url: str, path: str = "/") -> Person:
    """Somebody comes for the first time, and the worker takes up its work."""
    ana = invite("Ana", url=url)
    ana.go(path)
    ana.wait_until(WORKING)
    ana.page.wait_for_function("navigator.serviceWorker.controller !== null")
    return ana


def check_screens(ana: Person) -> None:
    for path, heading in SCREENS.items():
        answer = ana.page.goto(ana.url + path)
        assert answer is not None
        assert answer.from_service_worker
        expect(ana.page.get_by_role("heading", name=heading, level=1)).to_be_visible()


def test_screens_open_without_a_network(invite: Invite, server: ServerProcess) -> None:
    ana = visit(invite, server.url)
    asked = ana.page.evaluate(ASK, "/api/about")
    assert asked == 200
    ana.page.context.set_offline(True)
    check_screens(ana)
    assert ana.page.evaluate(ASK, "/api/about") == 0
    ana.press("Play now")
    ana.page.get_by_role("alert").wait_for()
    ana.page.context.set_offline(False)
    ana.press("Play now")
    ana.cards.first.wait_for()


def test_screens_open_when_the_server_is_gone(invite: Invite, tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        ana = visit(invite, server.url, "/rules")
        assert ana.page.evaluate(ASK, "/api/tables") == 200
        server.kill()
        check_screens(ana)
        for path in ("/api/tables", "/api/about", "/api/ready"):
            assert ana.page.evaluate(ASK, path) == 0, f"{path} was answered from a cache"
        every = ana.page.evaluate(KEPT)
        assert every
        assert not [path for _, path in every if path.startswith(("/api", "/socket"))]


def test_everything_that_the_page_needs_is_kept(invite: Invite, server: ServerProcess) -> None:
    """One visit to the first screen is enough for all of them."""
    ana = visit(invite, server.url)
    kept = {path for _, path in ana.page.evaluate(KEPT)}
    folder = Path(five211.__file__).parent / "server/page"
    built = {f"/{file.relative_to(folder).as_posix()}" for file in folder.rglob("*.*")}
    assert built - kept <= {"/sw.js", "/stamp.txt", "/robots.txt"}
    assert kept <= built


@pytest.fixture
def two_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ServerProcess]]:
    """The server, and the server with another build of the page, at the same address."""
    first, folder = tmp_path / "first", tmp_path / "next"
    page = folder / "five211/server/page"
    shutil.copytree(Path(five211.__file__).parent, first / "five211")
    shutil.copytree(first, folder)
    names = {
        file: f"{file.stem[:-8]}{file.stem[:-9:-1]}{file.suffix}" for file in page.glob("assets/*")
    }
    for file in [*page.rglob("*.js"), *page.rglob("*.css"), page / "index.html"]:
        text = file.read_text()
        for old, new in names.items():
            text = text.replace(old.name, new)
        if file == page / "index.html":
            text = text.replace("<title>", '<meta name="build" content="two"><title>')
        if file == page / "sw.js":
            text, swapped = re.subn(r'VERSION = "\w+"', 'VERSION = "0123456789abcdef"', text)
            assert swapped == 1
        file.write_text(text)
    for old, new in names.items():
        old.rename(old.with_name(new))
    servers: list[ServerProcess] = []
    for source in (first, folder):
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", str(source))
            port = servers[0].port if servers else None
            servers.append(ServerProcess(tmp_path, port=port))
    yield servers
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            server.stop()


WAITING = "(await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed'"
BUILD = "document.querySelector('meta[name=build]')?.content ?? 'one'"


@pytest.mark.soak  # Chromium now and then hangs in a load while the workers change places
def test_a_new_version_is_taken(invite: Invite, two_versions: list[ServerProcess]) -> None:
    one, two = two_versions
    one.start()
    ana = visit(invite, one.url)
    one.stop()
    two.start()
    assert 'name="build"' in httpx.get(two.url).text
    # A page of the old version goes on with the old files, though no server has them any more.
    ana.press("Table companion", "link")
    expect(ana.page.get_by_role("heading", name="Table companion")).to_be_visible()
    assert ana.page.evaluate(BUILD) == "one"
    # The next load is of the new one, at once.
    ana.page.reload()
    expect(ana.page.get_by_role("heading", name="Table companion")).to_be_visible()
    assert ana.page.evaluate(BUILD) == "two"
    ana.wait_until(WAITING)
    # When the last tab is closed, the new worker takes over, and the old files go.
    for _ in range(40):
        ana.page.goto("about:blank")
        ana.page.goto(two.url)
        if ana.page.evaluate("() => caches.keys()") == ["five211-0123456789abcdef"]:
            break
    else:
        raise AssertionError("the old version stays")
    two.kill()
    check_screens(ana)
    assert ana.page.evaluate(BUILD) == "two"


def test_it_can_be_installed(invite: Invite, server: ServerProcess) -> None:
    ana = visit(invite, server.url)
    session = ana.page.context.new_cdp_session(ana.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{server.url}/manifest.webmanifest"
    manifest = httpx.get(found["url"])
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    said = manifest.json()
    assert said["name"]
    assert said["short_name"]
    assert said["display"] == "standalone"
    assert httpx.get(server.url + said["start_url"]).status_code == 200
    sizes = set()
    for icon in said["icons"]:
        picture = httpx.get(server.url + icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
            width, height = struct.unpack(">II", picture.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            if icon.get("purpose", "any") == "any":
                sizes.add(width)
    assert {192, 512} <= sizes
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window without a history of its own is never offered an installation.
    assert [one["errorId"] for one in errors if one["errorId"] != "in-incognito"] == []
