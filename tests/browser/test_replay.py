"""A game that is over, seen again: by oneself, and by whoever was given the link."""

from __future__ import annotations

import re
from pathlib import Path

from five211.editions import words
from five211.proof import check_proof
from five211.record import parse
from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out


def step(person: Person) -> tuple[int, str]:
    """Which step is shown, and what it says of itself."""
    return int(person.page.locator("#step").input_value()), person.page.locator(
        "h2"
    ).first.inner_text()


def hands(person: Person) -> list[list[str | None]]:
    """Every hand on the page."""
    people = person.page.locator("ol[aria-label^='Hand of']").all()
    return [
        [card.get_attribute("aria-label") for card in hand.locator("svg[role=img]").all()]
        for hand in people
    ]


def test_a_game_is_seen_again(invite: Invite, tmp_path: Path) -> None:
    ana = invite("Ana")
    ana.go("/")
    ana.press("Play now")
    ana.cards.first.wait_for()
    play_out([ana])
    record, game = ana.record(), ana.game
    ana.press("Replay", "link")
    ana.page.locator("#step").wait_for()
    assert step(ana) == (0, "The cards are dealt")
    name = words("en", record.edition).card_name
    rules, deck = record.match.rules, record.match.state.deck
    places = range(rules.aside, rules.aside + 4 * rules.hand, rules.hand)
    dealt = [sorted(name(card) for card in deck[at : at + rules.hand]) for at in places]
    assert [sorted(map(str, hand)) for hand in hands(ana)] == dealt

    slider = ana.page.locator("#step")
    slider.focus()
    ana.page.keyboard.press("ArrowRight")
    ana.page.get_by_role("heading", name="Round 1, turn 1").wait_for()
    turns = record.match.state.rounds[0].turns
    picked = ana.page.locator("ol[aria-label='Hand of Ana'] .picked svg[role=img]")
    labels = [card.get_attribute("aria-label") for card in picked.all()]
    assert sorted(map(str, labels)) == sorted(name(card) for card in turns[0][0])
    ana.page.keyboard.press("End")
    ana.page.locator(".won").wait_for()
    result = record.match.result
    assert result is not None
    rows = ana.page.locator("tr.sum td").all_inner_texts()
    assert rows == [str(points) for points in result.points]
    ana.page.keyboard.press("Home")
    ana.page.get_by_role("heading", name="The cards are dealt").wait_for()
    slider.blur()
    for _ in range(4):  # anywhere on the page
        ana.page.keyboard.press("ArrowRight")
    ana.page.keyboard.press("ArrowLeft")
    ana.page.get_by_role("heading", name="Round 1, turn 3").wait_for()
    ana.page.wait_for_url(re.compile(r"#4$"))
    assert step(ana)[0] == 3
    ana.press("Check the deal")
    ana.page.get_by_text("nobody chose or changed them").wait_for()
    with ana.page.expect_download() as download:
        ana.press("Download the record", "link")
    assert download.value.suggested_filename == f"five211-{game}.json"
    kept = tmp_path / "record.json"
    download.value.save_as(kept)
    again = parse(kept.read_text("utf-8"))
    check_proof(again)
    assert again.match == record.match

    link = ana.page.get_by_label("Link to this step").input_value()
    ben = invite("Ben", "touch")
    ben.page.goto(link)
    ben.page.get_by_role("heading", name="Round 1, turn 3").wait_for()
    assert step(ben) == step(ana)
    assert hands(ben) == hands(ana)
    assert len(hands(ben)) == 4
    ben.press("Check the deal")
    ben.page.get_by_text("consistent with its proof").wait_for()
    ben.press("Step forward")
    ben.page.get_by_role("heading", name="Round 1 is scored").wait_for()
    ben.press("Step back")
    ben.page.locator("#speed").select_option("fast")
    ben.press("Play")
    ben.page.get_by_role("heading", name="Round 2, turn 1").wait_for()
    ben.press("Pause")
    ben.page.goto(f"{ben.url}/game/{game}#99999")  # there are fewer: the last one
    ben.page.locator(".won").wait_for()


def test_a_game_that_is_not_there(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/game/nothing-1")
    ana.page.get_by_role("alert").get_by_text("This game is not here").wait_for()
    ana.press("Public tables", "link")
    ana.page.wait_for_url("**/lobby")
