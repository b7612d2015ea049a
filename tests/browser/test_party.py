"""A television and a phone each, at home: plain HTTP, and no hand on the large screen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from five211.editions import words
from five211.record import Record, replay
from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out
from tests.server.houses import ServerProcess

NAMES = ("Ana", "Ben", "Cleo", "Dov")
SMALL, LARGE = (
    {"width": 1280, "height": 720},
    {"width": 1920, "height": 1080},
)

# The whole story, told four times as quickly as "fast".
HURRY = "{ const wait = setTimeout; window.setTimeout = (then, ms) => wait(then, ms / 4); }"

# Everything that the television has ever shown: the cards of each seat, and whatever hung over.
WATCH = """(secret) => {
  window.shown = new Set();
  window.troubles = new Set();
  const look = () => {
    const seats = [...document.querySelectorAll("[data-seat]")].sort(
      (a, b) => a.dataset.seat - b.dataset.seat,
    );
    const cards = (seat) =>
      [...seat.querySelectorAll(".slot svg[role=img]")]
        .map((card) => card.getAttribute("aria-label"))
        .filter((label) => label && label !== "face down");
    window.shown.add(JSON.stringify(seats.map(cards)));
    const size = `${innerWidth}x${innerHeight}`;
    for (const one of [document.documentElement, document.querySelector("main")]) {
      if (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
        window.troubles.add(`${one.tagName} scrolls at ${size}: ${one.innerText}`);
    }
    for (const one of document.querySelectorAll("main h1, main p, main li, main td, main svg")) {
      const { right, bottom, top, left } = one.getBoundingClientRect();
      if (right > innerWidth + 1 || bottom > innerHeight + 1 || top < -1 || left < -1)
        window.troubles.add(`outside at ${size}: ${one.outerHTML.slice(0, 200)}`);
    }
    if (document.documentElement.outerHTML.includes(secret) || location.href.includes(secret))
      window.troubles.add("the secret is to be seen");
  };
  look();
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  addEventListener("resize", look);
}"""


@pytest.fixture
def home(server: ServerProcess) -> str:
    """The server's address as a phone at home knows it."""
    return server.url.replace("127.0.0.1", "table.test")


def reveals(record: Record) -> list[list[list[str]]]:
    """What lies on the table after each turn, seat by seat."""
    name = words("en", record.edition).card_name
    found: list[list[list[str]]] = []
    for _, after in replay(record.match):
        state = after.state
        turns = state.turns or (state.rounds[-1].turns if state.rounds else ())
        if turns:
            laid = [[name(card) for turn in turns for card in turn[seat]] for seat in range(4)]
            found.append(laid)
    return found


def gather(invite: Invite, home: str) -> tuple[Person, list[Person]]:
    """The television, and everybody around it."""
    host = invite(NAMES[0], "touch", home)
    host.go("/new")
    host.page.locator("#players").select_option("4")
    host.press("Make the table")
    address = host.page.locator(".invite input").input_value()
    assert address.startswith(home)
    tv = invite("TV", url=home, device={"viewport": SMALL}, settings={"speed": "fast"})
    tv.page.add_init_script(HURRY)
    screen = host.page.get_by_role("link", name="Use this device as the big screen")
    path = screen.get_attribute("href")
    assert path is not None
    tv.go(path)
    code = tv.page.locator("main .code").inner_text()
    tv.page.evaluate(WATCH, path.split("#")[1])
    square = host.page.locator(".invite svg path").get_attribute("d")
    assert tv.page.locator(".qr svg path").get_attribute("d") == square  # it is the same address
    phones = [host]
    for number, name in enumerate(NAMES[1:]):
        phone = invite(name, "touch", home)
        if number == 0:
            phone.page.goto(address)
        else:
            phone.go("/join")
            phone.page.locator("#code").fill(code.lower())
            phone.press("Join a table")
        phone.press("Sit down")
        tv.page.locator(".seats li", has_text=name).wait_for()
        phones.append(phone)
    return tv, phones


def test_a_television_and_four_phones(invite: Invite, home: str) -> None:
    tv, phones = gather(invite, home)
    for phone in phones:
        assert phone.page.evaluate("window.isSecureContext") is False
    tv.page.get_by_text("Everybody is here.").wait_for()
    phones[0].press("Start")
    for phone in phones:
        phone.cards.first.wait_for()
        phone.choose()
    for phone in phones[1:]:
        phone.how = "keyboard"  # all have tapped once; a tap takes the test long
    tv.page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    play_out(phones)
    tv.page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    tv.page.locator("div.over").wait_for(timeout=90_000)
    record = phones[0].record()
    assert [player.name for player in record.players] == list(NAMES)
    shown = {str(json.loads(one)) for one in tv.page.evaluate("[...window.shown]")}
    missed = [laid for laid in reveals(record) if str(laid) not in shown]
    assert missed == []
    result = record.match.result
    assert result is not None
    told = tv.page.locator("div.over table").inner_text()
    for name, points in zip(NAMES, result.points, strict=True):
        assert f"{name}\t{points}\t" in told
    tv.page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    tv.page.wait_for_function("innerHeight === 1080")
    assert tv.page.evaluate("[...window.troubles]") == []
    for frame in tv.frames:
        assert '"hand"' not in frame
        view: dict[str, Any] = json.loads(frame)["view"]
        assert not {"hand", "choice", "choices"} & view.keys()


def test_a_link_is_shared_without_a_clipboard(invite: Invite, home: str) -> None:
    ana = invite("Ana", "touch", home)
    ana.go("/new")
    ana.press("Make the table")
    link = ana.page.locator(".invite input")
    address = link.input_value()
    assert ana.page.evaluate("navigator.clipboard === undefined && !navigator.share")
    ana.press("Share")
    ana.page.locator(".share [role=status]", has_text="Cop").wait_for()
    marked = link.evaluate("node => node.value.slice(node.selectionStart, node.selectionEnd)")
    assert marked == address
    ana.go("/join")
    ana.page.locator("#code").focus()
    ana.page.keyboard.press("Control+V")
    assert ana.page.locator("#code").input_value() == address[:40]


def test_a_television_without_a_table_says_what_to_do(invite: Invite, home: str) -> None:
    tv = invite("TV", url=home, device={"viewport": SMALL})
    tv.go("/tv")
    tv.page.get_by_role("alert").get_by_text("does not know its table yet").wait_for()
    tv.press("Show the table")
    tv.page.get_by_role("alert").get_by_text("Type the table’s code.").wait_for()


def test_a_television_is_told_the_code_and_takes_no_seat(invite: Invite, home: str) -> None:
    ana = invite("Ana", "touch", home)
    ana.go("/new")
    ana.page.locator("#players").select_option("2")
    ana.press("Make the table")
    address = ana.page.locator(".invite input").input_value()
    code = address.split("#")[1]
    host = home.removeprefix("http://")
    ana.page.get_by_text(f"On the television, open {host}/tv and type {code}.").wait_for()
    tv = invite("TV", url=home, device={"viewport": SMALL})
    tv.go("/tv")
    tv.page.locator("#code").fill(code.lower())
    tv.press("Show the table")
    assert tv.page.locator("main .code").inner_text() == code
    assert tv.page.url == f"{home}/tv"  # its secret does not stay in the address
    tv.page.reload()
    tv.page.locator("main .code").wait_for()
    ben = invite("", "touch", home)
    ben.page.goto(address)
    ben.page.get_by_text("At this table: Ana · 2 players · 1 seat free").wait_for()
    ben.press("Sit down")
    ben.page.get_by_role("alert").get_by_text("Type your name.").wait_for()
    ben.page.locator("#name").fill("Ben")
    ben.press("Sit down")
    tv.page.get_by_text("Everybody is here.").wait_for()
    ana.page.locator(".invite").wait_for(state="detached")
    ana.page.get_by_text(f"open {host}/tv and type {code}.").wait_for()
    cleo = invite("Cleo", "touch", home)
    cleo.page.goto(address)
    cleo.page.get_by_role("alert").get_by_text("No seat is free at this table.").wait_for()
    cleo.press("Just watch")
    cleo.page.locator(".seats li", has_text="Ben").wait_for()


def test_an_invitation_that_only_this_computer_can_open_says_so(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/new")
    ana.press("Make the table")
    ana.page.locator(".share").get_by_text("Only this computer can open this link.").wait_for()
