"""Every screen and every state of the page, one after the other: for axe, and for the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import TimeoutError  # noqa: A004

from tests.browser.people import Person, play_out

Come = Callable[..., Person]


def tour(come: Come, language: str, **look: Any) -> Iterator[tuple[str, Person]]:
    """The name of each state, and the person whose page shows it."""
    look = {"language": language, **look}
    ana = come("Ana", **look)
    yield from plain_screens(ana)
    yield from a_table(come, look)
    yield from a_story(come, look)
    yield from one_device(come, look)


def plain_screens(ana: Person) -> Iterator[tuple[str, Person]]:
    # What people open first, and forms of all kinds.
    for path in ("", "new", "join", "lobby", "settings", "learn", "rules", "companion"):
        ana.go(f"/{path}")
        ana.page.locator("main h1").first.wait_for()
        ana.page.wait_for_timeout(150)
        yield path or "home", ana
        if path == "new":
            ana.page.locator("summary").click()
            yield "new-more", ana
    for path in ("hotseat", "me"):
        ana.go(f"/{path}")
        ana.page.locator("main h1").first.wait_for()
        yield path, ana


def a_table(come: Come, look: dict[str, Any]) -> Iterator[tuple[str, Person]]:
    """Gathering, watching, playing, and the end."""
    ana, ben = come("Ana", **look), come("Ben", **look)
    ana.go("/new")
    ana.page.locator("#players").select_option("3")
    ana.page.locator("form .primary").click()
    ana.page.locator(".code").wait_for()
    link = ana.page.locator(".invite input").input_value()
    ana.page.locator(".invite svg").wait_for()
    yield "gathering", ana
    screen = come("Screen", **look)
    screen.go(str(ana.page.locator('a[href^="/tv#"]').get_attribute("href")))
    screen.page.locator(".qr svg").wait_for()
    yield "tv-gathering", screen
    ben.page.goto(link)
    ben.page.locator("#name").wait_for()
    yield "sit-down", ben
    ben.page.locator("form .primary").click()
    ben.page.locator("main ol li").first.wait_for()
    ana.page.locator("li", has_text="Ben").wait_for()
    yield "gathered", ben
    ana.page.locator("main > .primary").click()
    ana.cards.first.wait_for()
    yield "choosing", ana
    ana.act(ana.cards.nth(0))
    ana.act(ana.cards.nth(3))
    yield "picked", ana
    ana.act(ana.page.locator(".act .primary"))
    ana.page.locator(".act .quiet").wait_for()
    yield "chosen", ana
    ana.page.locator("button.menu").click()
    ana.page.locator("dialog").wait_for()
    yield "menu", ana
    watch = ana.page.locator("dialog .share input").input_value()
    ana.page.keyboard.press("Escape")
    fan = come("Fan", **look)
    fan.page.goto(watch)
    fan.page.locator(".watching").wait_for()
    yield "watching", fan
    screen.page.locator(".tally").wait_for()
    yield "tv-playing", screen
    play_out([ana, ben])
    yield "over", ana
    screen.page.locator(".rematch").wait_for()
    yield "tv-over", screen
    ana.page.locator('section.over a[href^="/game/"]').first.click()
    ana.page.locator("input[type=range]").wait_for()
    yield "replay", ana
    ana.go("/game/nothing-1")
    ana.page.locator("main").wait_for()
    ana.page.wait_for_timeout(300)
    yield "replay-missing", ana
    ana.go("/t/nothing")
    ana.page.locator("main").wait_for()
    yield "no-table", ana


def one_device(come: Come, look: dict[str, Any]) -> Iterator[tuple[str, Person]]:
    """The curtain, and a hand behind it."""
    ana = come("Ana", **look)
    ana.go("/hotseat")
    for number, name in enumerate(("Ana", "Ben")):
        ana.page.locator(f"#player-{number}").fill(name)
    ana.page.locator("form .primary").click()
    ana.page.locator(".curtain .primary").wait_for()
    yield "curtain", ana
    ana.page.locator(".curtain .primary").click()
    ana.cards.first.wait_for()
    yield "behind-the-curtain", ana


def a_story(come: Come, look: dict[str, Any]) -> Iterator[tuple[str, Person]]:
    """The reveal, and each step of a scoring."""
    settings = {**look.get("settings", {}), "speed": "slow"}
    ana = come("Ana", **{**look, "settings": settings})
    ana.go("/")
    ana.act(ana.page.locator("button.big.primary"))
    for turn in range(3):
        if turn:
            ana.page.locator(".turns .past").nth(turn - 1).wait_for()
        ana.page.locator(".hand .card[aria-disabled=false]").first.wait_for()
        while ana.sees["picked"]:
            ana.page.wait_for_timeout(50)
        ana.choose()
        if turn == 0:
            ana.page.locator(".turning").first.wait_for()
            yield "reveal", ana
    ana.page.locator("button.story:not(.quiet)").wait_for()
    for step in range(8):
        if ana.page.locator("button.story:not(.quiet)").count() == 0:
            break
        yield f"story-{step}", ana
        ana.page.keyboard.press("Escape")
        try:
            ana.page.locator("button.story:not(.quiet)").first.click(
                timeout=2000, no_wait_after=True
            )
        except TimeoutError:  # on a busy machine it may have gone on by itself meanwhile
            break
        ana.page.wait_for_timeout(60)
