"""Whole games in the browser, from the first page to the result."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out

WORDS = {
    "en": {
        "friends": "With friends",
        "make": "Make the table",
        "sit": "Sit down",
        "start": "Start",
    },
    "fr": {
        "friends": "Entre amis",
        "make": "Créer la table",
        "sit": "S’asseoir",
        "start": "Commencer",
    },
}
NAMES = ("Ana", "Ben", "Cléo", "Dov", "Eve")


def table_of(
    invite: Invite,
    players: int,
    language: str,
    edition: str,
    hows: list[str],
    variant: str = "standard",
) -> list[Person]:
    """Friends around a table that the first of them made, everyone by the link."""
    words = WORDS[language]
    settings = {"edition": edition}
    host = invite(NAMES[0], hows[0], language=language, settings=settings)
    host.go("/")
    host.press(words["friends"], "link")
    host.page.locator("#players").select_option(str(players))
    host.page.locator("#variant").select_option(variant)
    host.press(words["make"])
    host.page.locator(".code").wait_for()
    link = host.page.locator(".invite input").input_value()
    people = [host]
    for number in range(1, players):
        guest = invite(
            NAMES[number], hows[number % len(hows)], language=language, settings=settings
        )
        guest.page.goto(link)
        guest.press(words["sit"])
        guest.page.locator("main ol li").first.wait_for()
        assert "#" not in guest.page.url  # a code in the address would be passed on by accident
        people.append(guest)
    host.press(words["start"])
    return people


# Every way to play, both languages and both editions in as few games as that takes.
SAMPLE = [
    (2, "fr", "classic", ["mouse", "touch"]),
    (3, "en", "azul", ["keyboard"]),
]
MATRIX = [
    (players, language, edition, [how])
    for players, language, edition, how in product(
        (2, 3, 4, 5), ("en", "fr"), ("classic", "azul"), ("mouse", "touch", "keyboard")
    )
]
MATRIX.append((5, "fr", "azul", ["mouse", "keyboard", "touch"]))


def play_and_check(people: list[Person]) -> None:
    play_out(people)
    record = people[0].record()
    assert [player.name for player in record.players] == [person.name for person in people]
    result = record.match.result
    assert result is not None
    for person in people:
        text = person.page.locator("section.over table").inner_text()
        for name, points in zip(NAMES, result.points, strict=False):
            you = r" \((you|toi)\)" if name == person.name else ""
            assert re.search(rf"{name}{you}\t{points}\t", text)


@pytest.mark.parametrize(("players", "language", "edition", "hows"), SAMPLE)
def test_friends_play_a_whole_game(
    invite: Invite, players: int, language: str, edition: str, hows: list[str]
) -> None:
    play_and_check(table_of(invite, players, language, edition, hows))


@pytest.mark.soak
@pytest.mark.parametrize(("players", "language", "edition", "hows"), MATRIX)
def test_everybody_plays_everywhere(
    invite: Invite, players: int, language: str, edition: str, hows: list[str]
) -> None:
    play_and_check(table_of(invite, players, language, edition, hows))


@pytest.mark.soak
def test_the_longer_game(invite: Invite) -> None:
    play_and_check(table_of(invite, 2, "en", "classic", ["mouse"], variant="long"))


def test_one_tap_to_a_game_against_bots(invite: Invite) -> None:
    ana = invite("Ana", "touch")
    ana.go("/")
    ana.press("Play now")
    ana.cards.first.wait_for()
    play_out([ana])
    assert len(ana.record().players) == 4
    ana.press("Check the deal")
    ana.page.get_by_text("nobody chose or changed them").wait_for()
    ana.press("Rematch")
    ana.page.locator("main ol li").first.wait_for()
    ana.press("Start")
    ana.cards.first.wait_for()
    play_out([ana])
    assert ana.game.endswith("-2")


def test_a_choice_is_changed_and_taken_back(invite: Invite) -> None:
    ana, ben = table_of(invite, 2, "en", "classic", ["mouse"])
    ana.cards.first.wait_for()
    ana.choose([0, 1])
    ana.page.get_by_role("button", name="Take back").wait_for()
    before = ana.hand
    ana.act(ana.cards.nth(2))
    ana.act(ana.cards.nth(3))
    ana.press("Change")
    ana.page.get_by_text("Face down.").wait_for()
    ana.press("Take back")
    ana.page.get_by_role("button", name="Take back").wait_for(state="detached")
    assert not ana.chosen
    ana.choose([1, 4])
    ben.page.get_by_text("chosen ✓").wait_for()
    ben.choose()
    ana.page.locator(".turns [aria-current=step]", has_text="1").wait_for()
    mine = ana.page.locator(".seat.you .slot [role=img]")
    assert mine.count() >= 2
    shown = [mine.nth(n).get_attribute("aria-label") for n in range(2)]
    assert shown == [before[n].split(",")[0] for n in (1, 4)]


def test_a_spectator_sees_the_table_and_no_hand(invite: Invite) -> None:
    people = table_of(invite, 2, "en", "classic", ["mouse"])
    people[0].cards.first.wait_for()
    people[0].press("Menu")
    link = people[0].page.get_by_label("Link for people who only watch").input_value()
    people[0].press("Close")
    fan = invite("Fan")
    fan.page.goto(link)
    fan.page.get_by_text("You are watching").wait_for()
    play_out(people)
    fan.page.locator("section.over").wait_for()
    assert fan.cards.count() == 0
    assert not any(
        '"hand"' in frame or '"choices"' in frame
        for frame in fan.frames
        if '"revealed"' not in frame
    )


TURNING = """() => {
  window.turning = [];
  new MutationObserver(() => {
    if (window.turning.length || !document.querySelector(".act .onward")) return;
    const told = document.querySelector("button.story:not(.quiet)") !== null;
    window.turning.push(told, document.querySelector("main .count .story")?.textContent ?? "");
  }).observe(document.body, { subtree: true, childList: true });
}"""
"""Notes in the page itself, where nothing is late, what is told while the cards are turned over."""


@pytest.mark.parametrize("how", ["touch", "keyboard"])
def test_nobody_picks_over_a_round_that_is_still_told(invite: Invite, how: str) -> None:
    ana = invite("Ana", how, settings={"speed": "slow"})
    ana.go("/")
    ana.press("Play now")
    ana.cards.first.wait_for()
    told = ana.page.locator("button.story:not(.quiet)")
    where = ana.page.locator("h1.where")
    onward = ana.page.get_by_role("button", name="Go to round 2")
    for turn in range(3):
        ana.page.locator(".turns [aria-current=step]").nth(0).wait_for()
        if turn == 2:
            ana.page.evaluate(TURNING)
        ana.choose(range(2 if turn == 0 else 1))
        if turn < 2:
            ana.page.locator(".turns li").nth(turn + 1).and_(
                ana.page.locator("[aria-current=step]")
            ).wait_for()
    onward.wait_for()
    told_already, text = ana.page.evaluate("window.turning")
    assert not told_already  # the cards are being turned over: the end is not told yet
    assert "most" not in text
    told.wait_for()
    assert "Round 1/6" in where.inner_text()
    assert ana.page.get_by_text("thinking").count() == 0
    assert not ana.chosen
    if how == "keyboard":
        ana.page.keyboard.press("1")
    else:
        ana.act(ana.cards.first)
    told.wait_for(state="detached")
    assert "Round 2/6" in where.inner_text()
    assert ana.sees["picked"] == 1
    ana.page.get_by_role("button", name="Play 2 cards").wait_for()
    # Told again, the picked card waits below.
    ana.act(ana.page.locator("button.story.quiet"))
    onward.wait_for()
    assert ana.sees["picked"] == 0
    ana.act(onward)
    ana.page.locator(".hand .card[aria-pressed=true]").wait_for()
