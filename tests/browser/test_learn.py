"""The tutorial from its first screen to a game, and the rules to look things up in."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from five211 import Rules, parse_cards, score_round
from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out

GENERATED = Path(__file__).parents[2] / "web/src/generated"
LESSONS = json.loads((GENERATED / "lessons.json").read_text())
PLACES = "YGOBV"
SITUATIONS = {
    "scores": "count",
    "limit": "limit",
    "limit-2": "limit_of_four",
    "ties": "tie",
    "cascade": "cascade",
    "nothing": "nothing",
    "icons": "icons",
    "icons-2": "icons_too_many",
    "color": "icon_color",
}
ORDER = (
    *("cards", "cards-2", "round", "scores", "scores-2", "limit", "limit-2", "ties", "cascade"),
    *("nothing", "icons", "icons-2", "color", "last", "end", "finish"),
)
WORDS = {
    "en": {
        "next": "Next →",
        "back": "← Back",
        "play": "Play your first game",
        "none": "You saw 0 of 12 at once.",
        "cheers": {"Exactly!", "Well seen!", "Yes!", "That is it!"},
    },
    "fr": json.loads((GENERATED.parent / "strings/learn.fr.json").read_text()),
}
FR = WORDS["fr"]
WORDS["fr"] = {
    "next": f"{FR['next']} →",
    "back": f"← {FR['back']}",
    "play": FR["play_first"],
    "none": FR["score_line"].format(right=0, asked=12),
    "cheers": {FR[f"right_{n}"] for n in range(1, 5)},
}


def scored(situation: str) -> Any:
    """What the game itself says of a situation."""
    table = [parse_cards(" ".join(cards)) for cards in LESSONS["situations"][situation]["table"]]
    return score_round(Rules.of(len(table)), table)


def right_place(address: str) -> int:
    """Where the right answer of a question stands."""
    if address == "scores-2":
        return int(LESSONS["points"]["options"].index(scored("points").points[0]))
    if address == "last":  # rule 5.1: the fifth card is discarded
        return sorted(["discarded", "scores", "kept"], reverse=True).index("discarded")
    if address == "end":  # rule 5.2: 39 and 39 points, 13 and 15 cards
        return 1
    score = scored(SITUATIONS[address])
    if score.outcome == "kododo":
        return len(PLACES)
    return len(PLACES) + 1 if score.color is None else PLACES.index(score.color.name)


def tab_to(person: Person, target: Any) -> None:
    """With the Tab key alone, to where somebody wants to be."""
    wanted = target.element_handle()
    for _ in range(70):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {target}")


def go_on(person: Person, target: Any) -> None:
    if person.how == "keyboard":
        tab_to(person, target)
        person.page.keyboard.press("Enter")
    else:
        person.act(target)


def at(person: Person, address: str) -> None:
    person.page.wait_for_function("where => location.hash === '#' + where", arg=address)


def answer(person: Person, address: str, right: bool, words: dict[str, Any]) -> None:
    options = person.page.locator(".answers button, .options button")
    place = right_place(address)
    names = [text.strip() for text in options.all_inner_texts()]
    wanted = options.nth(place if right else (place + 1) % len(names))
    go_on(person, wanted)
    told = person.page.locator(".told .verdict")
    told.wait_for()
    marked = person.page.locator(".answers button.right, .options button.right")
    expect(marked).to_have_count(1)
    assert names[place] in marked.inner_text(), address
    wrong = person.page.locator(".answers button.wrong, .options button.wrong")
    assert wrong.count() == (0 if right else 1), address
    assert (told.inner_text().lstrip("✓→ \n") in words["cheers"]) is right, address
    if address in SITUATIONS:
        points = re.findall(r"\d+", person.page.locator(".told .gets").inner_text())
        assert tuple(map(int, points)) == scored(SITUATIONS[address]).points


def play_a_round(person: Person) -> None:
    """Two cards, one, one; every choice is real."""
    for plays in (2, 1, 1):
        expect(person.cards).to_have_count(5)
        if person.how == "keyboard":
            for place in range(plays):
                person.page.keyboard.press(str(place + 1))
            expect(person.page.locator(".hand [aria-pressed=true]")).to_have_count(plays)
            person.page.keyboard.press("Enter")
        else:
            for place in range(plays):
                person.act(person.cards.nth(place))
            person.act(person.page.locator(".act .primary"))
        expect(person.page.locator(".hand [aria-pressed=true]")).to_have_count(0)


def learn(person: Person, language: str) -> None:
    words = WORDS[language]
    onward = person.page.get_by_role("button", name=words["next"], exact=True)
    back = person.page.get_by_role("button", name=words["back"], exact=True)
    person.go("/learn")
    for address, then in pairwise(ORDER):
        if address != ORDER[0]:
            at(person, address)
        if address == "round":
            play_a_round(person)
        elif not address.startswith("cards"):
            answer(person, address, False, words)
            if person.how == "keyboard":  # the way on is where the answer left the focus
                expect(onward).to_be_focused()
            go_on(person, onward)
            at(person, then)
            go_on(person, back)
            at(person, address)
            answer(person, address, True, words)
        go_on(person, onward)
    at(person, "finish")
    # Only the first answers count.
    person.page.get_by_text(words["none"]).wait_for()
    go_on(person, person.page.get_by_role("button", name=words["play"], exact=True))
    person.cards.first.wait_for()
    assert "/t/" in person.page.url


def test_the_tutorial_by_keyboard_alone(invite: Invite) -> None:
    ana = invite("Ana", "keyboard")
    learn(ana, "en")
    play_out([ana])
    assert len(ana.record().players) == 4


@pytest.mark.soak
@pytest.mark.parametrize("edition", ["classic", "azul"])
def test_the_tutorial_by_touch_in_french(invite: Invite, edition: str) -> None:
    ana = invite("Ana", "touch", language="fr", settings={"edition": edition})
    learn(ana, "fr")
    play_out([ana])
    assert len(ana.record().players) == 4


def test_the_tutorial_is_taken_up_where_it_was_left(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/learn#ties")
    ana.act(ana.page.locator(".answers button").nth(right_place("ties")))
    ana.page.locator(".told .verdict.right").wait_for()
    ana.press("Next →")
    at(ana, "cascade")
    ana.go("/")
    ana.press("Learn to play", "link")
    at(ana, "cascade")
    ana.page.locator("details.all summary").click()
    done = ana.page.locator("details.all li", has=ana.page.locator(".tick"))
    assert done.count() == 1
    assert "Ties" in done.inner_text()


def test_a_search_finds_rules(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/rules")
    rules = ana.page.locator(".part li[id]")
    expect(rules.first).to_be_visible()
    every = rules.count()
    ana.page.get_by_label("Search the rules").fill("TIE")
    ana.page.get_by_role("status").get_by_text("rules mention").wait_for()
    found = rules.count()
    assert 0 < found < every
    said = ana.page.get_by_role("status").inner_text()
    assert said.startswith(f"{found} rules mention")
    assert ana.page.locator("[id='rule-4.5']").is_visible()
    for rule in rules.all():
        marks = [text.lower() for text in rule.locator("mark").all_inner_texts()]
        assert marks, rule.inner_text()
        assert set(marks) == {"tie"}
    ana.page.get_by_label("Search the rules").fill("xylophone")
    ana.page.get_by_text("No rule mentions “xylophone”").wait_for()
    assert rules.count() == 0
    ana.press("Show all rules")
    expect(rules).to_have_count(every)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_figures_are_those_of_so_many_players(invite: Invite, players: int) -> None:
    rules = Rules.of(players)
    ana = invite("Ana", "keyboard")
    ana.go("/rules")
    ana.page.get_by_role("radio", name=str(players)).check()
    said = {
        "2.2": (f"{len(rules.deck) - rules.aside - 5 * players} cards", f"{rules.rounds} rounds"),
        "4.1": (str(rules.exact),),
        "4.3": (str(rules.limit),),
    }
    for number, figures in said.items():
        text = ana.page.locator(f"[id='rule-{number}'] .text p").first.inner_text()
        for figure in figures:
            assert re.search(rf"\b{figure}\b", text), (number, text)
    cells = ana.page.locator("table .on").all_inner_texts()
    assert [int(cell) for cell in cells] == [
        players,
        rules.exact,
        rules.limit,
        rules.rounds,
        rules.aside,
    ]
    ana.page.reload()
    expect(ana.page.get_by_role("radio", name=str(players))).to_be_checked()


def test_a_link_leads_to_a_rule(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/rules#rule-6.4")
    expect(ana.page.locator("[id='rule-6.4']")).to_be_in_viewport()
    expect(ana.page.locator("[id='rule-6.4']")).to_be_focused()
    ana.press("Rule 1.2, link to this rule", "link")
    assert ana.page.url.endswith("#rule-1.2")
    expect(ana.page.locator("[id='rule-1.2']")).to_have_class(re.compile("target"))
    ana.page.go_back()
    expect(ana.page.locator("[id='rule-6.4']")).to_have_class(re.compile("target"))
    # Out of a search that does not show the other one, too.
    ana.page.get_by_label("Search the rules").fill("exact")
    expect(ana.page.locator("[id='rule-3.1']")).to_have_count(0)
    ana.page.locator(".misread").get_by_role("link", name="3.1").click()
    expect(ana.page.locator("[id='rule-3.1']")).to_be_in_viewport()


def test_choosing_the_players_does_not_jump_to_the_linked_rule(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/rules#rule-6.4")
    expect(ana.page.locator("[id='rule-6.4']")).to_be_focused()
    ana.page.get_by_role("radio", name="2").focus()
    ana.page.keyboard.press("ArrowRight")
    ana.page.locator("th.on", has_text="3").wait_for()
    expect(ana.page.get_by_role("radio", name="3")).to_be_focused()
    expect(ana.page.get_by_role("radio", name="3")).to_be_in_viewport()


def test_an_example_leads_to_its_lesson(invite: Invite) -> None:
    ana = invite("Ana", "touch")
    ana.go("/rules#rule-4.5")
    rule = ana.page.locator("[id='rule-4.5']")
    ana.act(rule.locator("summary"))
    ana.act(rule.get_by_role("link", name="Try it yourself"))
    at(ana, "cascade")
    expect(ana.page.locator(".answers button").first).to_be_visible()
