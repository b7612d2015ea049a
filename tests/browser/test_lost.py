"""Whoever is somewhere where nothing is, or where their key opens nothing, is told where to go."""

from __future__ import annotations

from tests.browser.conftest import Invite
from tests.browser.people import Person


def refused(person: Person, status: int) -> None:
    """The browser notes an answer that says no; that was meant."""
    assert all(f"status of {status}" in trouble for trouble in person.troubles), person.troubles
    person.troubles.clear()


def test_an_address_that_leads_nowhere(invite: Invite) -> None:
    ana = invite("Ana")
    for path in ("/nowhere", "/t", "/new/table"):
        ana.go(path)
        ana.page.get_by_role("heading", name="There is nothing here").wait_for()
        refused(ana, 404)
    ana.page.get_by_role("main").get_by_role("link").click()
    ana.page.get_by_role("button", name="Play now").wait_for()


def test_a_key_that_opens_nothing_any_more(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/")
    ana.page.evaluate("localStorage.setItem('five211.key', '\"old\"')")
    ana.press("Play now")
    ana.page.get_by_role("alert").filter(has_text="log in again").wait_for()
    assert ana.page.url.endswith("/")  # nothing that was filled in is lost
    ana.page.get_by_role("alert").get_by_role("link").click()
    ana.page.get_by_role("button", name="Log in").wait_for()
    refused(ana, 401)
    ana.press("Forget the profile in this browser")
    ana.go("/")
    ana.press("Play now")
    ana.page.wait_for_url("**/t/*")
