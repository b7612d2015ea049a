"""From the smallest phone to the largest screen, upright, sideways and zoomed: all of it fits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Invite
from tests.browser.people import Person

SIZES = {
    "small phone": (320, 568),
    "phone sideways": (740, 360),
    "desktop at 200 %": (720, 450),
    "4K": (3840, 2160),
}

# Whatever can be pressed is at least 44 px in both directions; a tick counts with its label.
SMALL = """() => [...document.querySelectorAll("button, a.button, input, select, summary")]
  .map((one) => one.closest("label") ?? one)
  .filter((one) => one.checkVisibility() && !one.closest(".ears"))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
  .map(([what, box]) => `${what} ${Math.round(box.width)}x${Math.round(box.height)}`)"""

WIDE = "() => document.documentElement.scrollWidth - innerWidth"


def check(person: Person, where: str) -> None:
    assert person.page.evaluate(WIDE) <= 0, where
    assert person.page.evaluate(SMALL) == [], where


SAMPLE = ("small phone", "4K")


@pytest.mark.parametrize(
    "size", [pytest.param(one, marks=[] if one in SAMPLE else [pytest.mark.soak]) for one in SIZES]
)
def test_everything_fits_and_can_be_hit(invite: Invite, size: str) -> None:
    width, height = SIZES[size]
    device: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    ana = invite("Anastasia", "mouse", device=device, language="fr")
    for path in (
        "",
        "new",
        "join",
        "lobby",
        "settings",
        "learn",
        "rules",
        "companion",
        "hotseat",
        "me",
    ):
        ana.go(f"/{path}")
        ana.page.locator("main h1").first.wait_for()
        check(ana, path or "home")
    ana.go("/new")
    ana.page.locator("#players").select_option("5")
    ana.press("Créer la table")
    ana.page.locator(".code").wait_for()
    check(ana, "gathering")
    ana.page.locator("main > .primary").click()
    ana.cards.first.wait_for()
    check(ana, "choosing")
    ana.choose()
    ana.page.locator(".turns [aria-current=step]", has_text="1").wait_for()
    check(ana, "second turn")
    ana.page.locator("button.menu").click()
    check(ana, "menu")


def test_five_players_fit_a_phone_without_scrolling(invite: Invite) -> None:
    ana = invite("Ana", "touch", language="fr")
    ana.go("/new")
    ana.page.locator("#players").select_option("5")
    ana.press("Créer la table")
    ana.page.locator(".code").wait_for()
    ana.act(ana.page.locator("main > .primary"))
    ana.cards.first.wait_for()
    for turn in range(3):
        ana.page.locator(".hand .card[aria-disabled=false][aria-pressed=false]").nth(2).wait_for()
        high = ana.page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert high <= 0
        before = ana.sees["plays"], ana.hand
        ana.choose()
        while turn < 2 and (ana.sees["plays"], ana.hand) == before:
            ana.page.wait_for_timeout(20)
    ana.page.locator("button.story").wait_for()
    assert ana.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_a_card_is_dragged_onto_the_table(invite: Invite) -> None:
    ana = invite("Ana", "mouse")
    ana.go("/")
    ana.press("Play now")
    ana.cards.first.wait_for()
    for place in (1, 3):
        box = ana.cards.nth(place).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        ana.page.mouse.move(x, y)
        ana.page.mouse.down()
        ana.page.mouse.move(x, y - 60, steps=4)
        ana.page.mouse.move(x, y - 200, steps=4)
        ana.page.mouse.up()
    ana.page.locator(".turns [aria-current=step]", has_text="1").wait_for()
