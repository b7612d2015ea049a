"""No motion at all, for whoever's device or settings ask for that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Invite

MOVING = "document.getAnimations().length"
WANTED: dict[str, dict[str, Any]] = {
    "settings": {"settings": {"speed": "none"}},
    "device": {"settings": {"speed": "normal"}, "reduced_motion": "reduce"},
}


def animations(invite: Invite, **options: Any) -> int:
    """How much moves once a question of the tutorial is answered."""
    ana = invite("Ana", **options)
    ana.go("/learn#scores")
    ana.act(ana.page.locator(".answers button").first)
    ana.page.locator(".told li").first.wait_for(state="attached")
    return int(ana.page.evaluate(MOVING))


@pytest.mark.parametrize("who", WANTED)
def test_nothing_moves_where_nobody_wants_it(invite: Invite, who: str) -> None:
    assert animations(invite, **WANTED[who]) == 0


def test_other_people_see_it_move(invite: Invite) -> None:
    ana = invite("Ana", settings={"speed": "slow"})
    ana.go("/learn#scores")
    ana.page.evaluate(
        "addEventListener('animationstart', () => document.body.classList.add('moved'))"
    )
    ana.act(ana.page.locator(".answers button").first)
    ana.page.locator("body.moved").wait_for()


def test_the_settings_apply_at_once(invite: Invite) -> None:
    ana = invite("Ana", settings={"speed": "normal"})
    ana.go("/settings")
    root = ana.page.locator("html")
    assert root.get_attribute("data-still") is None
    ana.page.get_by_label("Speed of the story").select_option("none")
    ana.page.locator("html[data-still]").wait_for()
    ana.page.get_by_label("Speed of the story").select_option("normal")
    ana.page.locator("html:not([data-still])").wait_for()
    ana.page.emulate_media(reduced_motion="reduce")
    ana.page.locator("html[data-still]").wait_for()
