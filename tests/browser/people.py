"""People who play in a browser: by mouse, by touch, or by the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import ConsoleMessage, Page, Request, WebSocket

from five211.proof import check_proof
from five211.record import Record, parse

QUIET = re.compile(
    r"ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|status of 404"
)


SEES = """() => ({
  over: document.querySelector("section.over") !== null,
  open: document.querySelectorAll(".hand .card[aria-disabled=false]").length > 0,
  picked: document.querySelectorAll(".hand .card[aria-pressed=true]").length,
  plays: Number(document.querySelector(".turns [aria-current=step]")?.textContent ?? 0),
})"""

WORKING = "(await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'"


class Person:
    """One browser, and what it was sent."""

    def __init__(self, page: Page, name: str, how: str, url: str) -> None:
        self.page, self.name, self.how, self.url = page, name, how, url
        self.rng = Random(name)
        self.troubles: list[str] = []
        self.frames: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", self._asked)
        page.on("websocket", self._listened)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not QUIET.search(message.text):
            self.troubles.append(f"{message.type}: {message.text} {message.location}")

    def _asked(self, request: Request) -> None:
        if request.url.startswith(("data:", "blob:")):
            return
        if urlsplit(request.url).netloc != urlsplit(self.url).netloc:
            self.troubles.append(f"asked another host: {request.url}")

    def _listened(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.frames.append(str(data)))

    # Doing things

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def press(self, name: str | re.Pattern[str], role: Any = "button") -> None:
        """Press a button by its name, as this person would."""
        self.act(self.page.get_by_role(role, name=name, exact=isinstance(name, str)).first)

    def wait_until(self, true: str) -> None:
        """Wait for something of which only a promise tells."""
        for _ in range(600):
            if self.page.evaluate(f"async () => {true}"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {true}")

    def act(self, target: Any) -> None:
        if self.how == "touch":
            target.tap()
        elif self.how == "keyboard":
            target.focus()
            self.page.keyboard.press("Enter")
        else:
            target.click()

    # A game

    @property
    def cards(self) -> Any:
        return self.page.locator(".hand .card")

    @property
    def hand(self) -> list[str]:
        """The names of the cards in the hand."""
        return list(self.page.locator(".hand .card .ears").all_inner_texts())

    @property
    def sees(self) -> dict[str, Any]:
        """Where the game is, as the page shows it."""
        return dict(self.page.evaluate(SEES))

    @property
    def over(self) -> bool:
        return bool(self.sees["over"])

    @property
    def chosen(self) -> bool:
        return bool(self.sees["picked"])

    def may_choose(self) -> bool:
        """Whether this turn awaits this person."""
        sees = self.sees
        return bool(sees["open"] and not sees["picked"])

    def choose(self, places: Sequence[int] | None = None) -> None:
        """Put cards face down; first, on to the table as it is, if a round is still told."""
        onward = self.page.locator(".act .onward")
        if onward.count():
            self.act(onward)
        count = self.sees["plays"]  # as the page says
        if places is None:
            places = self.rng.sample(range(self.cards.count()), count)
        for place in places:
            if self.how == "keyboard":
                self.page.keyboard.press(str(place + 1))
            else:
                self.act(self.cards.nth(place))
        if self.how == "keyboard":
            self.page.keyboard.press("Enter")
        else:
            self.act(self.page.locator(".act .primary"))

    @property
    def game(self) -> str:
        """The id of the game that is over."""
        href = self.page.locator('section.over a[href^="/game/"]').first.get_attribute("href")
        assert href is not None
        return href.removeprefix("/game/")

    def record(self) -> Record:
        """The record of the game that is over, verified with its proof."""
        answer = httpx.get(
            f"{self.url.replace('table.test', '127.0.0.1')}/api/games/{self.game}/record"
        )
        record = parse(answer.text)
        check_proof(record)
        assert record.finished
        return record


def play_out(people: Iterable[Person], patience: int = 2000) -> None:
    """Everyone chooses whenever they may, until the game is over for all."""
    people = list(people)
    for _ in range(patience):
        for person in people:
            if person.may_choose():
                person.choose()
        if all(person.over for person in people):
            return
        people[0].page.wait_for_timeout(15)
    raise AssertionError("the game did not end")
