"""axe-core on every screen and state: nothing that it knows to be wrong."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DESKTOP, PHONE, Invite
from tests.browser.people import Person
from tests.browser.tour import tour

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
LOOKS = {"phone": ("touch", PHONE), "desktop": ("mouse", DESKTOP)}
SAMPLE = [("phone", "light", "classic", "en"), ("desktop", "dark", "azul", "fr")]
MATRIX = [
    look
    for look in product(LOOKS, ("light", "dark"), ("classic", "azul"), ("en", "fr"))
    if look not in SAMPLE
]


def violations(person: Person) -> list[str]:
    person.page.evaluate(AXE.read_text())
    found = person.page.evaluate(
        "() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', "
        "'wcag22aa', 'best-practice'] })"
    )
    return [
        f"{one['id']}: {node['html'][:150]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def check(invite: Invite, device: str, theme: str, edition: str, language: str) -> None:
    how, size = LOOKS[device]
    wrong: dict[str, list[str]] = {}
    seen = 0
    options: dict[str, Any] = {"how": how, "device": size, "color_scheme": theme}
    options["settings"] = {"edition": edition}
    for name, person in tour(invite, language, **options):
        seen += 1
        found = violations(person)
        if found:
            wrong[name] = found
        wide = person.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, f"{name} is wider than the screen"
    assert "\n".join(f"{name}: {one}" for name, all_ in wrong.items() for one in all_) == ""
    assert seen > 20


@pytest.mark.parametrize(("device", "theme", "edition", "language"), SAMPLE)
def test_nothing_is_wrong(
    invite: Invite, device: str, theme: str, edition: str, language: str
) -> None:
    check(invite, device, theme, edition, language)


@pytest.mark.soak
@pytest.mark.parametrize(("device", "theme", "edition", "language"), MATRIX)
def test_nothing_is_wrong_anywhere(
    invite: Invite, device: str, theme: str, edition: str, language: str
) -> None:
    check(invite, device, theme, edition, language)
