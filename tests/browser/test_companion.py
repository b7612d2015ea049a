"""The table companion: real games tapped in, and the score sheet is that of the record."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from five211 import Card, Cards, Color, Match, Rules, parse_cards, score_round
from five211.state import Round
from tests.browser.conftest import Invite
from tests.browser.people import WORKING, Person
from tests.server.houses import server_process
from tests.tables import random_match

NAMES = ("Ana", "Ben", "Cleo")
TIED = 91  # three players; the cards decide; colours, Kododos and nobody score in it
SHARED = 84  # a shared victory
TOP = "key => key.getBoundingClientRect().top"
LONG = 18  # the longer game; it ends in the second round of its second deal


def hands_of(round_: Round) -> list[Cards]:
    """What lay in front of everybody, in the order in which it was played."""
    seats = range(len(round_.turns[0]))
    return [tuple(card for turn in round_.turns for card in turn[seat]) for seat in seats]


def key(person: Person, card: Card | str) -> Locator:
    text = str(card)
    place = f"{'YGOBV'.index(text[0])} {int(text[1]) - 1}"
    return person.page.locator(f".pad [data-place='{place}']")


def begin(person: Person, names: tuple[str, ...] = NAMES, long: bool = False) -> None:
    person.go("/companion")
    person.page.get_by_role("radio", name=str(len(names)), exact=True).check(force=True)
    for number, name in enumerate(names, 1):
        person.page.get_by_label(f"Player {number}").fill(name)
    if long:
        person.page.get_by_role("radio", name="to 50 points").check(force=True)
    person.press("Start")
    person.page.locator(".pad").wait_for()


def tap(person: Person, cards: Cards) -> None:
    """By the keypad: with its keys, or with letters and digits."""
    if person.how == "keyboard":
        person.page.locator(".pad [tabindex='0']").focus()
    for card in cards:
        if person.how == "keyboard":
            person.page.keyboard.press(str(card)[0].lower())
            person.page.keyboard.press(str(card)[1])
        else:
            person.act(key(person, card))


def gained(person: Person) -> tuple[int, ...]:
    texts = person.page.locator(".points li strong").all_inner_texts()
    return tuple(int(text.removeprefix("+")) for text in texts)


def next_round(person: Person) -> None:
    person.act(person.page.locator("button.next"))


def enter(person: Person, round_: Round) -> None:
    """A round card by card; what is said to score is what scored."""
    for cards in hands_of(round_):
        tap(person, cards)
    person.page.locator("button.next").wait_for()
    assert gained(person) == round_.score.points
    next_round(person)


def sheet(person: Person) -> list[tuple[int, ...]]:
    """The lines of the score sheet."""
    rows = person.page.locator(".sheet tbody tr", has=person.page.locator("td:not([colspan])"))
    return [
        tuple(map(int, row.split()))
        for row in ("\t".join(one.locator("td").all_text_contents()) for one in rows.all())
    ]


def foot(person: Person, name: str) -> tuple[int, ...]:
    cells = person.page.locator(f".sheet tfoot tr.{name} td").all_text_contents()
    return tuple(map(int, cells))


def kept(person: Person) -> Any:
    return person.page.evaluate("JSON.parse(localStorage.getItem('five211.companion'))")


def check_end(person: Person, match: Match) -> None:
    result = match.result
    assert result is not None
    person.page.get_by_role("heading", name="The game is over").wait_for()
    assert sheet(person) == [one.score.points for deal in match.deals for one in deal.rounds]
    assert foot(person, "total") == result.points
    assert foot(person, "piles") == result.cards
    won = person.page.locator("li.won .name").all_inner_texts()
    assert sorted(won) == [NAMES[seat] for seat in result.winners]


def refused(person: Person, doing: Any, sentence: str) -> None:
    """It is said why not, and nothing has changed or moved."""
    before = kept(person)
    button = person.page.locator(".main button").last
    top = button.evaluate(TOP)
    doing()
    expect(person.page.get_by_role("alert")).to_have_text(sentence)
    assert abs(button.evaluate(TOP) - top) < 1, "the keys move under the hand"
    after = kept(person)
    for one in (before, after):  # looking at a player is no change
        one.pop("seat")
    assert after == before


def whole_game(invite: Invite, how: str, seed: int) -> str:
    """A game from its first round to its result; why that one won."""
    match = random_match(Rules.of(3), seed)
    assert {one.score.outcome.value for one in match.state.rounds} == {"color", "kododo", "none"}
    ana = invite("Ana", how)
    begin(ana)
    for number, round_ in enumerate(match.state.rounds, 1):
        ana.page.get_by_role("heading", name=f"Round {number} of 7").wait_for()
        enter(ana, round_)
        assert sheet(ana) == [one.score.points for one in match.state.rounds[:number]]
    check_end(ana, match)
    return str(ana.page.locator(".why").inner_text())


def test_the_tally_says_what_leads_while_cards_come(invite: Invite) -> None:
    ana = invite("Ana", "touch")
    begin(ana, ("Ana", "Maximiliane-Charlotte", "Cleo"))
    words = ana.page.locator(".tally .word")
    first = key(ana, "Y1")
    top = first.evaluate(TOP)
    for cards, said in (
        ("Y2 Y3", ["leads", "", "", "", ""]),
        ("G2 G3", ["ties", "ties", "", "", ""]),
        ("B2 G1 G4 G5", ["4 to limit", "leads", "", "5 to limit", ""]),
        ("G2", ["leads", "out", "", "5 to limit", ""]),
    ):
        tap(ana, tuple(map(Card, cards.split())))
        assert words.all_inner_texts() == said
        assert abs(first.evaluate(TOP) - top) < 1, "the keys move under the thumb"


def test_a_whole_game(invite: Invite) -> None:
    assert "Then the cards in the score pile decide" in whole_game(invite, "keyboard", TIED)


def test_the_letters_of_the_keys_are_those_of_the_cards(invite: Invite) -> None:
    ana = invite("Ana", language="fr")
    ana.go("/companion")
    ana.press("C’est parti")
    expect(ana.page.locator("#keypad-hint")).to_contain_text("(J V O B)")
    ana.page.locator(".pad [tabindex='0']").focus()
    for letter, row in (("v", 1), ("v", 4), ("v", 1), ("j", 0)):  # vert, violet
        ana.page.keyboard.press(letter)
        expect(ana.page.locator(f".pad [data-place='{row} 0']")).to_be_focused()


@pytest.mark.soak
@pytest.mark.parametrize("how", ["touch", "mouse"])
def test_a_whole_game_with_fingers(invite: Invite, how: str) -> None:
    assert "they share the victory" in whole_game(invite, how, SHARED)


def test_only_counting(invite: Invite) -> None:
    every = random_match(Rules.of(3), SHARED).state.rounds
    rounds = {one.score.outcome.value: one for one in every}
    assert rounds.keys() == {"color", "kododo", "none"}
    ana = invite("Ana")
    begin(ana)
    ana.page.locator("select.way").select_option("count")
    lines = ana.page.locator(".counter .line")
    for round_ in rounds.values():
        table = [card for cards in hands_of(round_) for card in cards]
        counts = [sum(card.color is color for card in table) for color in Color]
        for line, count in enumerate([*counts, sum(card.value == 1 for card in table)]):
            for _ in range(count):
                lines.nth(line).get_by_role("button", name="One more").click()
        ana.press("What scores?")
        for seat, cards in enumerate(round_.score.cards):
            if not cards:
                continue
            ana.page.locator(".share .seats button").nth(seat).click()
            for card in cards:
                value = 1 if round_.score.outcome == "kododo" else card.value
                ana.page.locator(f".pad [data-place='0 {value - 1}']").press(str(value))
        ana.page.locator("button.next").wait_for()
        assert gained(ana) == round_.score.points
        next_round(ana)
    assert sheet(ana) == [one.score.points for one in rounds.values()]


def test_impossible_counts_are_refused(invite: Invite) -> None:
    ana = invite("Ana")
    begin(ana)
    ana.page.locator("select.way").select_option("count")
    more = ana.page.get_by_role("button", name="One more")
    for line, count in enumerate((4, 4, 3, 1)):
        for _ in range(count):
            more.nth(line).click()
    refused(
        ana, more.nth(0).click, "All 12 cards are counted. Take one away from another colour first."
    )
    for _ in range(12):
        more.nth(5).click()
    refused(ana, more.nth(5).click, "Of the cards counted here, at most 12 can be Kododos.")


def test_impossible_cards_are_refused(invite: Invite) -> None:
    ana = invite("Ana")
    begin(ana)
    tap(ana, parse_cards("Y6 G2 G2 G2"))
    y6 = key(ana, "Y6")
    name = y6.get_attribute("aria-label")
    refused(
        ana,
        lambda: y6.click(force=True),
        f"The deck has only 1 card “{name}”, and it lies on the table already.",
    )
    ana.page.locator(".seats button").first.click()
    refused(
        ana,
        key(ana, "B2").click,
        "Ana has four cards already. Tap one of them to take it away.",
    )
    ana.page.locator(".seats button").nth(1).click()
    tap(ana, parse_cards("O2 O2 O3 O3 B2 B3 B2 V2"))
    next_round(ana)
    refused(
        ana,
        lambda: y6.click(force=True),
        f"The deck has only 1 card “{name}”, and it was played already (round 1). "
        "If that was a slip, correct it on the score sheet.",
    )


def test_an_earlier_round_is_corrected(invite: Invite) -> None:
    rules = Rules.of(3)
    first, second, third = random_match(rules, TIED).state.rounds[:3]
    ana = invite("Ana")
    begin(ana)
    enter(ana, first)
    enter(ana, second)
    tap(ana, hands_of(third)[0])  # a round is under way
    hands = [list(cards) for cards in hands_of(first)]
    old = hands[2][-1]
    for new in (one for one in rules.deck if one.color is not old.color):
        table = [*hands[:2], [*hands[2][:-1], new]]
        wanted = score_round(rules, table).points
        if wanted != first.score.points:
            break

    def correct(before: Card, after: Card) -> None:
        ana.press("Open round 1 to look at it or correct it")
        ana.page.get_by_role("heading", name="Correct round 1").wait_for()
        ana.press("Change cards")
        ana.page.locator(".seats button").nth(2).click()
        name = key(ana, before).get_attribute("aria-label")
        ana.page.get_by_role("button", name=f"Take away: {name}", exact=True).last.click()
        tap(ana, (after,))
        ana.press("Keep the correction")

    correct(old, new)
    assert sheet(ana) == [wanted, second.score.points]
    assert foot(ana, "total") == tuple(
        a + b for a, b in zip(wanted, second.score.points, strict=True)
    )
    correct(new, old)
    assert sheet(ana) == [first.score.points, second.score.points]
    # Looking and leaving changes nothing, and the round under way is still there.
    before = kept(ana)
    ana.press("Open round 2 to look at it or correct it")
    ana.press("Leave it as it was")
    assert kept(ana) == before
    ana.page.get_by_role("heading", name="Round 3 of 7").wait_for()
    for cards in hands_of(third)[1:]:
        tap(ana, cards)
    assert gained(ana) == third.score.points


def test_the_longer_game(invite: Invite) -> None:
    match = random_match(Rules.of(3, "long"), LONG)
    assert len(match.deals) == 2
    assert not match.state.deal_over  # it ends as soon as somebody has 50 points
    ana = invite("Ana", "keyboard")
    begin(ana, long=True)
    for number, deal in enumerate(match.deals, 1):
        ana.page.get_by_role("heading", name=f"Deal {number}, round 1 of 7").wait_for()
        for round_ in deal.rounds:
            enter(ana, round_)
    check_end(ana, match)


def test_a_reload_loses_nothing(invite: Invite) -> None:
    first, second = random_match(Rules.of(3), TIED).state.rounds[:2]
    ana = invite("Ana", "touch")
    begin(ana)
    enter(ana, first)
    tap(ana, (*hands_of(second)[0], hands_of(second)[1][0]))
    before = kept(ana)
    ana.page.reload()
    ana.page.get_by_role("heading", name="Round 2 of 7").wait_for()
    assert kept(ana) == before
    assert sheet(ana) == [first.score.points]
    expect(ana.page.get_by_text("7 cards to go")).to_be_visible()
    expect(ana.page.locator(".seats [aria-pressed=true]")).to_have_text(re.compile("Ben"))
    tap(ana, (*hands_of(second)[1][1:], *hands_of(second)[2]))
    ana.page.reload()
    ana.page.locator("button.next").wait_for()
    assert gained(ana) == second.score.points


def test_it_works_with_the_server_gone(invite: Invite, tmp_path: Path) -> None:
    first, second = random_match(Rules.of(3), TIED).state.rounds[:2]
    with server_process(tmp_path) as server:
        ana = invite("Ana", url=server.url)
        begin(ana)
        ana.wait_until(WORKING)
        enter(ana, first)
        server.kill()
        tap(ana, hands_of(second)[0])
        ana.page.reload()
        for cards in hands_of(second)[1:]:
            tap(ana, cards)
        assert gained(ana) == second.score.points
        next_round(ana)
        assert sheet(ana) == [first.score.points, second.score.points]
