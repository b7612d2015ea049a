"""One device that is passed around: nobody's hand is anywhere in it while another looks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, WebSocket

from five211.cards import ALL_CARDS
from five211.editions import words
from tests.browser.conftest import Invite
from tests.browser.people import Person

NAMES = ("Ana", "Ben", "Cleo")

# What everybody has played, and all that the page holds beside it.
LOOK = """() => {
  const page = document.documentElement.cloneNode(true);
  const cards = page.querySelectorAll(".seats .slot svg[role=img]:not([aria-label='face down'])");
  const turns = [...page.querySelectorAll(".turns .past")].map((turn) => Number(turn.textContent));
  for (const one of page.querySelectorAll(".seats, [role=log], .story, .count, script, style"))
    one.remove();
  return {
    who: page.querySelector(".curtain .primary")?.textContent.replace("I am ", ""),
    hands: page.querySelectorAll(".hand").length,
    played: cards.length,
    turns: turns.reduce((sum, count) => sum + count, 0),
    rest: [page.outerHTML, ...Object.values(localStorage), ...Object.values(sessionStorage)].join(),
  };
}"""
A_CARD = re.compile("|".join(words("en").card_name(card) for card in ALL_CARDS))


class Device(Person):
    """The browser that goes around, with its connections."""

    sockets: list[WebSocket]

    def sit(self) -> None:
        """The three of them begin, with a bot."""
        self.sockets = []
        self.page.on("websocket", lambda socket: self.sockets.append(socket))
        self.go("/hotseat")
        self.press("Add a player")
        for n, name in enumerate(NAMES):
            self.page.locator(f"#player-{n}").fill(name)
        self.page.locator("#bots").select_option("1")
        self.press("Begin")

    def until(self, met: Callable[[], bool], what: str) -> None:
        for _ in range(500):
            if met():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(what)

    def curtain(self) -> str | None:
        """Whose curtain it is, after looking behind it; None when the game is over."""
        self.page.locator(".curtain .primary, section.over").first.wait_for()
        found = self.page.evaluate(LOOK)
        if not found["who"]:
            return None
        assert found["hands"] == 0
        assert found["played"] == 4 * found["turns"]
        shown = A_CARD.search(found["rest"])
        assert shown is None, shown
        return str(found["who"])

    def lift(self, name: str) -> None:
        # The button sleeps for a moment, so that nobody opens the next hand by pressing twice.
        self.page.locator(".curtain .primary[aria-disabled=false]").wait_for()
        self.press(f"I am {name}")
        self.cards.first.wait_for()

    def lower(self) -> None:
        self.page.locator(".hand").wait_for(state="detached")

    @property
    def dealt(self) -> list[str]:
        """The last hand that this device was sent."""
        hands = [json.loads(frame)["view"].get("hand") for frame in self.frames]
        return list([hand for hand in hands if hand][-1])

    def heap(self) -> dict[str, Any]:
        """Everything that the page's JavaScript still holds."""
        devtools = self.page.context.new_cdp_session(self.page)
        parts: list[str] = []
        devtools.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))
        devtools.send("HeapProfiler.collectGarbage")
        devtools.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        devtools.detach()
        return dict(json.loads("".join(parts)))


def known(heap: dict[str, Any], hand: list[str]) -> tuple[list[str], list[list[str]]]:
    """Where a heap knows a hand: in a text, and in a list of its cards."""
    meta, strings = heap["snapshot"]["meta"], heap["strings"]
    fields, nodes, edges = meta["node_fields"], heap["nodes"], heap["edges"]
    width, name, count = len(fields), fields.index("name"), fields.index("edge_count")
    element = meta["edge_types"][0].index("element")
    codes = {number for number, text in enumerate(strings) if text in hand}
    cards = {
        node: strings[nodes[node + name]]
        for node in range(0, len(nodes), width)
        if nodes[node + name] in codes
    }
    lists, at = [], 0
    for edge_count in nodes[count::width]:
        until = at + 3 * edge_count
        ends = zip(edges[at:until:3], edges[at + 2 : until : 3], strict=True)
        lists.append([cards[end] for kind, end in ends if kind == element and end in cards])
        at = until
    said = ",".join(f'"{card}"' for card in hand)
    texts = [text for text in strings if '"hand":[' in text or said in text]
    return texts, [found for found in lists if sorted(found) == sorted(hand)]


NOWHERE: tuple[list[str], list[list[str]]] = ([], [])


def come(invite: Invite, how: str = "mouse") -> Device:
    person = invite("Ana", how)
    person.__class__ = Device
    assert isinstance(person, Device)
    person.sit()
    return person


def test_three_people_and_a_bot_pass_one_device_around(invite: Invite) -> None:
    device = come(invite, "keyboard")
    passed = []
    while (name := device.curtain()) is not None:
        passed.append(name)
        device.lift(name)
        device.choose()
        device.lower()
    record = device.record()
    assert [player.name for player in record.players[:3]] == list(NAMES)
    assert record.players[3].bot is not None
    turns = sum(len(round_.turns) for round_ in record.match.state.rounds)
    assert passed == list(NAMES) * turns
    assert record.played_by == ()
    result = record.match.result
    assert result is not None
    told = device.page.locator("section.over table").inner_text()
    for name, points in zip(NAMES, result.points, strict=False):
        assert f"{name}\t{points}\t" in told
    device.press("Play again")
    device.page.locator("section.over").wait_for(state="detached")
    assert device.curtain() == "Ana"
    device.lift("Ana")
    again = [json.loads(frame)["view"].get("proof") for frame in device.frames]
    assert [proof for proof in again if proof][-1]["table"].endswith("/2")


def test_a_closed_hand_is_gone_from_the_page(invite: Invite) -> None:
    device = come(invite)
    assert device.curtain() == "Ana"
    device.lift("Ana")
    hand = device.dealt
    assert len(hand) == 5
    assert all(known(device.heap(), hand))  # so this would be noticed
    device.choose()
    device.lower()
    assert device.curtain() == "Ben"
    assert known(device.heap(), hand) == NOWHERE
    device.until(
        lambda: sum(not socket.is_closed() for socket in device.sockets) == 1,
        "a closed hand's connection is still open",
    )
    device.lift("Ben")
    other = device.dealt
    device.press("Hide")  # without a choice
    device.lower()
    assert device.curtain() == "Ben"
    assert known(device.heap(), other) == NOWHERE


def test_somebody_looks_again_and_changes_the_choice(invite: Invite) -> None:
    device = come(invite, "touch")
    assert device.curtain() == "Ana"
    device.lift("Ana")
    device.choose([0, 1])
    device.lower()
    assert device.curtain() == "Ben"

    def look() -> list[str]:
        device.press("Ana: look again or change")
        device.page.locator(".hand [aria-pressed=true]").first.wait_for()
        return [name(card) for card in device.page.locator(".hand [aria-pressed=true] .ears").all()]

    def name(card: Locator) -> str:  # there are cards that look alike
        return card.inner_text().split(",")[0]

    first = look()
    hand = [name(card) for card in device.page.locator(".hand .card .ears").all()]
    assert first == hand[:2]
    device.act(device.cards.nth(3))
    device.act(device.cards.nth(4))
    device.press("Change")
    device.lower()
    assert device.curtain() == "Ben"
    assert look() == hand[3:]
    device.page.keyboard.press("Escape")
    device.lower()
    assert look() == hand[3:]
    device.press("Take back")
    device.page.get_by_role("button", name="Take back").wait_for(state="detached")
    device.press("Hide")
    for who, places in (("Ben", None), ("Cleo", None), ("Ana", [2, 3])):
        assert device.curtain() == who
        device.lift(who)
        device.choose(places)
        device.lower()
    device.page.locator(".turns .past").wait_for()
    assert device.curtain() == "Ana"
    shown = device.page.locator(".seats [data-seat='0'] .slot svg[role=img]")
    labels = [shown.nth(n).get_attribute("aria-label") for n in range(2)]
    assert labels == hand[2:4]


def test_a_reload_comes_back_to_a_curtain(invite: Invite) -> None:
    device = come(invite)
    assert device.curtain() == "Ana"
    device.lift("Ana")
    device.choose([0, 1])
    device.lower()
    device.lift("Ben")
    hand = device.hand
    device.page.reload()
    assert device.curtain() == "Ben"
    device.lift("Ben")
    assert device.hand == hand
    device.choose()
    device.lower()
    assert device.curtain() == "Cleo"


def test_pressing_twice_does_not_open_the_next_hand(invite: Invite) -> None:
    device = come(invite)
    assert device.curtain() == "Ana"
    device.lift("Ana")
    device.choose()
    device.page.locator(".curtain .primary").wait_for()
    for _ in range(3):
        device.page.keyboard.press("Enter")
    assert device.cards.count() == 0
    assert device.curtain() == "Ben"


def test_ending_the_game_gets_everybody_up(invite: Invite) -> None:
    device = come(invite)
    device.curtain()
    held = json.loads(device.page.evaluate("localStorage.getItem('five211.seats')"))
    ((table, (first, *_)),) = held.items()
    beside = invite("Zoe")
    beside.go(f"/watch#{first['watch']}")
    beside.page.get_by_text("thinking").first.wait_for()
    device.press("End this game")
    device.page.get_by_role("dialog").get_by_role("button", name="End this game").click()
    device.page.get_by_role("button", name="Play now").wait_for()
    assert table not in device.page.evaluate("localStorage.getItem('five211.seats')")
    beside.page.get_by_text("plays for them").nth(2).wait_for()
