"""A profile: made, taken to other browsers, renamed, protected, deleted."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browser.conftest import Invite
from tests.browser.people import Person

KEY = "() => JSON.parse(localStorage.getItem('five211.key') ?? 'null')"


def refused(person: Person) -> None:
    """The browser notes an answer that says no; that was meant."""
    assert all("status of 40" in trouble for trouble in person.troubles), person.troubles
    person.troubles.clear()


def called(person: Person, name: str) -> None:
    person.page.locator(".who h2", has_text=name).wait_for()


def says(person: Person, text: str) -> None:
    person.page.locator(".said").get_by_text(text).wait_for()


def out(person: Person) -> None:
    person.page.get_by_role("heading", name="Make a profile").wait_for()


def log_in(person: Person, password: str) -> None:
    person.page.get_by_label("Login", exact=True).fill("ana-maria")
    person.page.get_by_label("Password", exact=True).fill(password)
    person.press("Log in")


def test_a_profile_from_its_beginning_to_its_end(invite: Invite, tmp_path: Path) -> None:
    laptop = invite("Ana")
    laptop.go("/me")
    laptop.press("Make a profile")
    says(laptop, "Your profile is made.")
    called(laptop, "Ana")
    laptop.press("Show the key")
    key = laptop.page.get_by_label("Your key").input_value()
    assert key == laptop.page.evaluate(KEY)
    with laptop.page.expect_download() as download:
        laptop.press("Save as a file")
    download.value.save_as(tmp_path / "key.txt")
    assert (tmp_path / "key.txt").read_text() == f"{key}\n"

    phone = invite("Somebody", "touch")
    phone.go("/me")
    phone.page.get_by_label("Key from another device").fill("not-a-key")
    phone.press("Use this key")
    phone.page.get_by_role("alert").wait_for()
    assert phone.page.evaluate(KEY) is None  # it has not taken the place of anything
    refused(phone)
    phone.page.get_by_label("Key from another device").fill(f" {key} ")
    phone.press("Use this key")
    says(phone, "This browser has your profile now.")
    called(phone, "Ana")
    phone.page.get_by_label("Name", exact=True).fill("Ana Maria")
    phone.press("Change the name")
    says(phone, "Your name is Ana Maria now.")
    laptop.page.reload()
    called(laptop, "Ana Maria")

    laptop.page.get_by_text("Login and password", exact=True).click()
    laptop.page.get_by_label("Login", exact=True).fill("ana-maria")
    laptop.page.get_by_label("Password", exact=True).fill("a long enough password")
    laptop.press("Set login and password")
    says(laptop, "You can log in as ana-maria")
    laptop.page.reload()
    called(laptop, "Ana Maria")
    phone.page.reload()
    called(phone, "Ana Maria")  # it was given this key

    tablet = invite("Ana")
    tablet.go("/me")
    log_in(tablet, "another password")
    tablet.page.get_by_role("alert").wait_for()
    refused(tablet)
    log_in(tablet, "a long enough password")
    says(tablet, "You are logged in.")
    called(tablet, "Ana Maria")
    assert tablet.page.evaluate(KEY) not in (key, None)
    laptop.page.get_by_text("Login and password", exact=True).click()
    laptop.page.get_by_label("Password", exact=True).fill("a newer, longer password")
    laptop.press("Change login or password")
    says(laptop, "You can log in as ana-maria")
    tablet.page.reload()  # it was logged in with the old one
    out(tablet)
    refused(tablet)
    log_in(tablet, "a newer, longer password")
    called(tablet, "Ana Maria")
    tablet.press("Delete my data")
    question = tablet.page.get_by_role("dialog", name="Really delete everything?")
    question.wait_for()
    tablet.press("No, keep it")
    question.wait_for(state="hidden")
    tablet.page.reload()
    called(tablet, "Ana Maria")
    tablet.press("Delete my data")
    tablet.press("Yes, delete it")
    says(tablet, "Your profile and your name are deleted.")
    out(tablet)
    assert tablet.page.evaluate(KEY) is None
    assert "Ana Maria" not in tablet.page.locator("main").inner_text()
    assert "ana-maria" not in json.dumps(tablet.page.evaluate("({...localStorage})"))
    laptop.page.reload()
    out(laptop)
    refused(laptop)


def test_a_browser_forgets_a_profile_only_when_asked_twice(invite: Invite) -> None:
    ana = invite("Ana")
    ana.go("/me")
    ana.press("Make a profile")
    called(ana, "Ana")
    ana.press("Show the key")
    key = ana.page.get_by_label("Your key").input_value()
    ana.press("Forget the profile in this browser")
    assert ana.page.evaluate(KEY) == key
    ana.press("You will need the key to come back. Tap again to forget it here")
    says(ana, "This browser has no profile any more.")
    out(ana)
    assert ana.page.evaluate(KEY) is None
    ana.page.get_by_label("Key from another device").fill(key)
    ana.press("Use this key")
    called(ana, "Ana")
