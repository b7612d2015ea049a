"""The accessible text alone, without a pixel, is enough to play a game correctly."""

from __future__ import annotations

import re

from five211.cards import Color
from five211.editions import words
from five211.rules import Rules
from five211.state import lay
from five211.tally import tally
from tests.browser.conftest import Invite
from tests.browser.people import Person

W = words("en")
CODES = {W.card_name(card): card for card in Rules.of(2).deck}


def read(person: Person) -> str:
    """What a screen reader would find on the page, as text."""
    return str(person.page.locator("body").aria_snapshot())


def hand_in(text: str) -> list[str]:
    """The hand, from the names of the buttons."""
    return re.findall(r'button "([^"]+), key \d"', text)


def counts_in(text: str) -> dict[str, int]:
    """The count by colour, from its sentences."""
    found = re.findall(r'listitem: "?(\d+) (\w+),', text)
    return {name: int(count) for count, name in found}


def test_a_whole_game_by_text_alone(invite: Invite) -> None:
    ana = invite("Ana", "keyboard")
    ana.go("/")
    assert 'button "Play now"' in read(ana)
    ana.page.keyboard.press("Tab")
    while ana.page.evaluate("document.activeElement?.textContent?.trim()") != "Play now":
        ana.page.keyboard.press("Tab")
    ana.page.keyboard.press("Enter")
    ana.cards.first.wait_for()
    played: list[list[str]] = []
    tallies: list[dict[str, int]] = []
    for _ in range(2000):
        if ana.over:
            break
        if not ana.may_choose():
            ana.page.wait_for_timeout(15)
            continue
        text = read(ana)
        need = int(str(re.search(r'button "Play (\d) card', text)[1]))  # type: ignore[index]
        hand = hand_in(text)
        assert len(hand) == ana.cards.count()
        tallies.append(counts_in(text))
        # The most valuable cards, by their names: the text tells the value.
        order = sorted(range(len(hand)), key=lambda n: -CODES[hand[n]].value)[:need]
        played.append(sorted(hand[place] for place in order))
        ana.choose(order)
    record = ana.record()
    state = record.match.state
    turns = [turn for round_ in state.rounds for turn in round_.turns]
    mine = [sorted(W.card_name(card) for card in turn[0]) for turn in turns]
    assert mine == played
    # What was read of the count before each turn is what lay there.
    expected = []
    for round_ in state.rounds:
        for number in range(3):
            seen = tally(state.rules, lay(state.rules, round_.turns[:number]))
            expected.append(
                {W.color(Color(n)): c.count for n, c in enumerate(seen.colors) if c.count}
            )
    assert tallies == expected
    text = read(ana)
    result = record.match.result
    assert result is not None
    for player, points in zip(record.players, result.points, strict=True):
        assert re.search(rf'row "(★ )?{player.name}( \(you\))? {points} ', text)
    log = ana.page.get_by_role("log").inner_text()
    assert "Round 6, turn 3" in log or "scores" in log
