"""Pictures of every screen and state, for the eye: `make screenshots`.

Phone, tablet and desktop, light and dark, both editions, English and French in turn; the names say
which: `phone-light-classic-en-07-picked.png`. It starts a server and a browser of its own.

    .venv/bin/python -m tests.browser.screens OUT [--only phone] [--minutes 25]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from playwright.sync_api import Error as BrowserError

from tests.browser.conftest import DESKTOP, FLAGS, PHONE, TABLET
from tests.browser.people import Person
from tests.browser.tour import Come, tour
from tests.server.houses import server_process

SIZES = {"phone": ("touch", PHONE), "tablet": ("touch", TABLET), "desktop": ("mouse", DESKTOP)}
# English and French in turn; each size begins with the other one.
LOOKS = [
    (size, theme, edition, ("en", "fr")[(number + number // 4) % 2])
    for number, (size, theme, edition) in enumerate(
        product(SIZES, ("light", "dark"), ("classic", "azul"))
    )
]
KEYS = ("0 0", "0 1", "1 2", "1 1", "2 1", "2 2", "3 1", "3 2", "1 1", "1 2", "4 1", "4 2")


def more(come: Come, language: str, **look: Any) -> Iterator[tuple[str, Person]]:
    """States that the tour does not stop at: lessons, a search, the companion at work."""
    ana = come("Ana", language=language, **look)
    yield from lessons(ana)
    yield from companion(ana)


def lessons(ana: Person) -> Iterator[tuple[str, Person]]:
    for lesson in ("cards-2", "round", "scores", "icons", "last", "end", "finish"):
        ana.go(f"/learn#{lesson}")
        ana.page.locator(".lesson").wait_for()
        yield f"learn-{lesson}", ana
        options = ana.page.locator(".answers button, .options button")
        if options.count():
            ana.act(options.first)
            ana.page.locator(".told .verdict").wait_for()
            yield f"learn-{lesson}-answered", ana
    ana.go("/rules")
    ana.page.locator("#query").fill("4")
    ana.page.locator("mark").first.wait_for()
    yield "rules-search", ana


def companion(ana: Person) -> Iterator[tuple[str, Person]]:
    ana.go("/companion")
    ana.page.locator("form .primary").click()
    ana.page.locator(".pad").wait_for()
    yield "companion-empty", ana
    for number, place in enumerate(KEYS):
        ana.act(ana.page.locator(f".pad [data-place='{place}']"))
        if number == 5:
            yield "companion-half", ana
            ana.page.locator(".seats button").first.click()
            ana.act(ana.page.locator(".pad [data-place='4 1']"))
            ana.page.locator(".refusal").wait_for()
            yield "companion-refused", ana
            ana.page.locator(".seats button").nth(1).click()
    ana.page.locator("button.next").wait_for()
    yield "companion-result", ana
    ana.act(ana.page.locator("button.next"))
    ana.page.locator("select.way").select_option("count")
    ana.page.locator(".counter").wait_for()
    yield "companion-count", ana
    turn = ana.page.locator("button.turn")
    if turn.is_visible():
        ana.act(turn)
        yield "companion-sheet", ana


class Guests:
    """Whoever comes gets a browser of their own, all with the same look."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.contexts: list[BrowserContext] = []

    def __call__(self, name: str = "Ana", how: str = "mouse", **options: Any) -> Person:
        device = options.pop("device", DESKTOP)
        settings = {"name": name, "speed": "none", **options.pop("settings", {})}
        context = self.browser.new_context(
            locale=options.pop("language", "en"), **{**device, **options}
        )
        context.set_default_timeout(15_000)
        kept = json.dumps(json.dumps(settings))
        context.add_init_script(
            "localStorage.getItem('five211.settings') ?? "
            f"localStorage.setItem('five211.settings', {kept})"
        )
        self.contexts.append(context)
        return Person(context.new_page(), name, how, self.url)

    def leave(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts = []


def take(come: Guests, out: Path, look: tuple[str, str, str, str], end: float) -> str:
    """All pictures of one look; what went wrong, or nothing."""
    size, theme, edition, language = look
    how, device = SIZES[size]
    options: dict[str, Any] = {"how": how, "device": device, "color_scheme": theme}
    options["settings"] = {"edition": edition}
    number, trouble = 0, ""
    for part in (more, tour):
        try:
            for name, person in part(come, language, **options):
                number += 1
                file = out / f"{'-'.join(look)}-{number:02}-{name}.png"
                person.page.screenshot(path=file, full_page=not name.startswith("story"))
                if monotonic() > end:
                    return "there was no time left"
        except (
            BrowserError,
            AssertionError,
        ) as error:  # the other pictures are wanted all the same
            trouble = f"after {number} pictures: {str(error).splitlines()[0]}"
    return trouble


def main() -> int:
    """Take the pictures; 1 if some are missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="looks whose name contains this")
    parser.add_argument("--minutes", type=float, default=25)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    looks = [one for one in LOOKS if asked.only in "-".join(one)]
    for look in looks:
        for old in asked.out.glob(f"{'-'.join(look)}-*.png"):
            old.unlink()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("This needs Chromium. On Debian: apt-get install chromium", file=sys.stderr)
        return 1
    end, missing = monotonic() + 60 * asked.minutes, 0
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        come = Guests(browser, server.url)
        for look in looks:
            began = monotonic()
            trouble = take(come, asked.out, look, end)
            come.leave()
            missing += bool(trouble)
            count = len(list(asked.out.glob(f"{'-'.join(look)}-*.png")))
            took = f"{count} pictures in {monotonic() - began:.0f} s"
            print(f"{'-'.join(look)}: {took} {trouble}".rstrip(), flush=True)
            if monotonic() > end:
                print("The time is over; looks that come later have no pictures.", file=sys.stderr)
                missing += 1
                break
        browser.close()
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
