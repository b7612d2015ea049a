"""A page that is reloaded, a server that dies, a network that goes: nobody loses anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Invite
from tests.browser.people import Person, play_out
from tests.browser.test_games import table_of
from tests.server.houses import ServerProcess


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server for each test, since it is killed."""
    served = ServerProcess(tmp_path, away_after=0.2)
    served.start()
    try:
        yield served
    finally:
        served.kill()


def reload(ana: Person, _: ServerProcess) -> None:
    ana.page.reload()


def killed(ana: Person, server: ServerProcess) -> None:
    server.kill()
    ana.page.get_by_text("Connection lost").wait_for()
    server.start()
    ana.page.get_by_text("Connection lost").wait_for(state="detached")


def offline(ana: Person, _: ServerProcess) -> None:
    ana.page.context.set_offline(True)
    ana.page.wait_for_timeout(300)
    ana.page.context.set_offline(False)


BREAKS = [reload, killed, pytest.param(offline, marks=pytest.mark.soak)]


@pytest.mark.parametrize("interrupt", BREAKS)
def test_nothing_is_lost_in_any_phase(
    invite: Invite, server: ServerProcess, interrupt: Callable[[Person, ServerProcess], None]
) -> None:
    ana, ben = table_of(invite, 2, "en", "classic", ["mouse"])
    ana.cards.first.wait_for()
    hand = ana.hand
    interrupt(ana, server)  # nothing chosen yet
    ana.cards.first.wait_for()
    assert ana.hand == hand
    ana.choose([0, 2])
    ana.page.get_by_text("Face down.").wait_for()
    interrupt(ana, server)  # a choice lies face down
    ana.page.get_by_text("Face down.").wait_for()
    pressed = [card.get_attribute("aria-pressed") == "true" for card in ana.cards.all()]
    # Two that are alike are the same card, whichever of them was taken.
    names = [name.partition(", key")[0] for name in hand]
    down = [name for name, chosen in zip(names, pressed, strict=True) if chosen]
    assert down == [names[0], names[2]]
    ben.cards.first.wait_for()
    ben.choose()
    ana.page.locator(".turns [aria-current=step]", has_text="1").wait_for()
    interrupt(ana, server)  # a turn lies face up
    ana.page.locator(".seat.you .slot [role=img]").nth(1).wait_for()
    play_out([ana, ben])
    interrupt(ana, server)  # the game is over
    ana.page.locator("section.over").wait_for()
    ana.record()


def test_people_who_gather_find_their_seats_again(invite: Invite, server: ServerProcess) -> None:
    ana = invite("Ana")
    ana.go("/new")
    ana.press("Make the table")
    ana.page.locator(".code").wait_for()
    killed(ana, server)
    ana.page.locator(".code").wait_for()
    ana.page.reload()
    ana.page.locator(".code").wait_for()
    ana.page.goto(server.url)
    ana.act(ana.page.get_by_role("link", name="Back to the table"))
    ana.page.locator(".code").wait_for()


def test_a_choice_made_while_the_server_is_gone_arrives(
    invite: Invite, server: ServerProcess
) -> None:
    ana, ben = table_of(invite, 2, "en", "classic", ["mouse"])
    ana.cards.first.wait_for()
    server.kill()
    ana.page.get_by_text("Connection lost").wait_for()
    ana.choose([0, 1])
    server.start()
    ana.page.get_by_text("Face down.").wait_for()
    ben.page.get_by_text("chosen ✓").wait_for()
    ben.choose()
    ana.page.locator(".turns [aria-current=step]", has_text="1").wait_for()


def test_a_seat_moves_to_another_device(invite: Invite) -> None:
    ana, ben = table_of(invite, 2, "en", "classic", ["mouse"])
    ana.cards.first.wait_for()
    hand = ana.hand
    ana.press("Menu")
    ana.press("Move my seat to another device")
    link = ana.page.get_by_label("Open this on the other device").input_value()
    phone = invite("Ana", "touch")
    phone.page.goto(link)
    phone.cards.first.wait_for()
    assert "#" not in phone.page.url
    assert phone.hand == hand
    ana.page.get_by_text("moved to another device").wait_for()
    play_out([phone, ben])
