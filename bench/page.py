"""How heavy and how quick the page is: bytes, first paint, long tasks, and what jumps.

Measured in Chromium on loopback with an empty cache, each figure the median of several loads on a
phone's screen; the second column with the processor four times slower, as on a cheap phone. The
last rows are each of one whole game against bots.

    make bench-page
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.conftest import DESKTOP, FLAGS, PHONE
from tests.browser.people import Person
from tests.server.houses import server_process

LOADS = 5
SLOWER = (1, 4)
PATIENCE = 150  # seconds for a game
LIMIT = 60  # kB of JavaScript, gzipped, on the first load

WATCH = """
(() => {
  const seen = { shift: 0, moved: 0, long: 0, blocking: 0, longest: 0, ready: 0, what: [] };
  window.seen = seen;
  const name = (node) => `${node?.nodeName} ${node?.className ?? ""}`;
  const watch = (type, each) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) each(entry);
  }).observe({ type, buffered: true });
  watch("layout-shift", (entry) => {
    seen.moved += entry.value;
    if (entry.hadRecentInput) return;
    seen.shift += entry.value;
    for (const { node } of entry.sources ?? [])
      seen.what.push(`${entry.value.toFixed(5)} ${name(node?.parentElement)} > ${name(node)}`);
  });
  watch("longtask", ({ duration }) => {
    seen.long += 1;
    seen.blocking += duration - 50;
    seen.longest = Math.max(seen.longest, duration);
  });
  const button = "main button.primary.big:not([disabled])";
  new MutationObserver((_, self) => {
    if (!document.querySelector(button)) return;
    seen.ready = performance.now();
    self.disconnect();
  }).observe(document, { subtree: true, childList: true });
})();
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
SCRIPTS = """performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  .map(({ startTime, encodedBodySize }) => [startTime, encodedBodySize])"""


def arrive(
    browser: Browser, url: str, slower: int, device: dict[str, Any], speed: str = "none"
) -> tuple[BrowserContext, Person, CDPSession]:
    """Somebody with an empty cache, who has not opened anything yet."""
    context = browser.new_context(locale="en", **device)
    context.set_default_timeout(60_000)
    context.add_init_script(WATCH)
    settings = json.dumps(json.dumps({"name": "Ana", "speed": speed}))
    context.add_init_script(f"localStorage.setItem('five211.settings', {settings})")
    how = "touch" if device.get("has_touch") else "mouse"
    ana = Person(context.new_page(), "Ana", how, url)
    session = context.new_cdp_session(ana.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return context, ana, session


def load(browser: Browser, url: str, slower: int) -> dict[str, float]:
    """One first visit to the first screen."""
    context, ana, session = arrive(browser, url, slower, PHONE)
    kinds: dict[str, dict[str, Any]] = {}
    sizes: dict[str, float] = {}
    session.on("Network.responseReceived", lambda one: kinds.update({one["requestId"]: one}))
    session.on(
        "Network.loadingFinished",
        lambda one: sizes.update({one["requestId"]: one["encodedDataLength"]}),
    )
    ana.page.goto(url, wait_until="networkidle")
    ana.page.wait_for_function("window.seen.ready > 0")
    ana.page.wait_for_timeout(500)  # for what comes late: a shift, or a long task
    seen = ana.page.evaluate("window.seen")
    scripts = ana.page.evaluate(SCRIPTS)
    found = {
        "js": sum(size for start, size in scripts if start < seen["ready"]) / 1000,
        "more": sum(size for start, size in scripts if start >= seen["ready"]) / 1000,
        "bytes": sum(sizes.values()) / 1000,
        "requests": len(kinds),
        "hosts": len({urlsplit(one["response"]["url"]).netloc for one in kinds.values()}),
        "paint": ana.page.evaluate(PAINT),
        **{name: seen[name] for name in ("ready", "long", "longest", "blocking", "shift")},
    }
    context.close()
    return found


STATE = """() => ({
  over: document.querySelector("section.over") !== null,
  waits: document.querySelector("button.story:not(.quiet), .act .quiet") !== null
    || document.querySelector(".hand .card[aria-disabled=false]") === null,
  ready: document.querySelector(".act .primary[aria-disabled=false]") !== null,
})"""


def play(ana: Person) -> None:
    """Card after card as somebody would who lets the story run, until the game is over."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        state = ana.page.evaluate(STATE)
        if state["over"]:
            return
        if state["waits"]:
            ana.page.wait_for_timeout(30)
            continue
        free = ana.page.locator(".hand .card[aria-pressed=false]")
        target = ana.page.locator(".act .primary") if state["ready"] else free.first
        try:
            if ana.how == "touch":
                target.tap(timeout=1000)
            else:
                target.click(timeout=1000)
        except TooLate:  # the turn ended meanwhile
            continue
    raise AssertionError("the game did not end")


def game(
    browser: Browser, url: str, slower: int, device: dict[str, Any], speed: str
) -> dict[str, Any]:
    """A whole game against three bots."""
    context, ana, _ = arrive(browser, url, slower, device, speed)
    ana.go("/")
    ana.press("Play now")
    ana.cards.first.wait_for()
    play(ana)
    ana.page.wait_for_timeout(500)
    seen = dict(ana.page.evaluate("window.seen"))
    context.close()
    return seen


ROWS = {
    "js": ("JavaScript, gzipped (limit 60)", "kB", 1),
    "more": ("the table, loaded once that works", "kB", 1),
    "bytes": ("all bytes with headers", "kB", 1),
    "requests": ("requests", "", 0),
    "hosts": ("hosts", "", 0),
    "paint": ("first contentful paint", "ms", 0),
    "ready": ("“Play now” can be pressed", "ms", 0),
    "long": ("long tasks", "", 0),
    "longest": ("the longest of them", "ms", 0),
    "blocking": ("total blocking time", "ms", 0),
    "shift": ("cumulative layout shift", "", 4),
}

GAMES: dict[str, tuple[dict[str, Any], str]] = {
    "phone, no motion": (PHONE, "none"),
    "phone, fast": (PHONE, "fast"),
    "desktop, fast": (DESKTOP, "fast"),
}


def line(name: str, figures: list[float], unit: str, digits: int) -> None:
    """A row of the table."""
    cells = "".join(f"{figure:>10.{digits}f}" for figure in figures)
    print(f"{name:<46}{cells} {unit}", flush=True)


def main() -> int:
    """Measure and print; 1 if there are too many bytes, or if anything jumps."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("This needs Chromium. On Debian: apt-get install chromium", file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        print(f"{'The first load of /':<46}" + "".join(f"{f'CPU/{one}':>10}" for one in SLOWER))
        loads = [[load(browser, server.url, slower) for _ in range(LOADS)] for slower in SLOWER]
        for key, (name, unit, digits) in ROWS.items():
            line(name, [median(one[key] for one in some) for some in loads], unit, digits)
        print("A whole game")
        jumped: list[str] = []
        for what, (device, speed) in GAMES.items():
            some = [game(browser, server.url, slower, device, speed) for slower in SLOWER]
            line(f"{what}: cumulative layout shift", [one["shift"] for one in some], "", 4)
            line(f"{what}: total blocking time", [one["blocking"] for one in some], "ms", 0)
            line(f"{what}: the longest task", [one["longest"] for one in some], "ms", 0)
            jumped += [f"{what}: {node}" for one in some for node in one["what"]]
        browser.close()
    for node in dict.fromkeys(jumped):
        print("jumped:", node)
    heavy = median(one["js"] for one in loads[0]) > LIMIT
    if heavy:
        print(f"The first load has more than {LIMIT} kB of JavaScript.", file=sys.stderr)
    return int(heavy or bool(jumped))


if __name__ == "__main__":
    sys.exit(main())
