"""Bots of somebody's own, good and bad, for the tests of the arena; also named by this file."""

# ruff: noqa: ARG002

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from five211 import Card
from five211.view import View

Cards = tuple[Card, ...]


class Low:
    """Plays its lowest cards."""

    def choose(self, view: View, rng: Random) -> Cards:
        return min(view.choices, key=lambda cards: sum(card.value for card in cards))


class Follower:
    """Follows the colour that leads."""

    def choose(self, view: View, rng: Random) -> Cards:
        count = {one.color: one.count for one in view.tally.colors}
        return max(view.choices, key=lambda cards: sum(count[card.color] for card in cards))


class Searcher(Low):
    searches = True


class Remembers:
    """A bot with a memory: its choices depend on how many it has made."""

    def __init__(self) -> None:
        self.made = 0

    def choose(self, view: View, rng: Random) -> Cards:
        self.made += 1
        return view.choices[self.made % len(view.choices)]


class Peeks:
    """Remembers all that it has seen, for whenever the same cards are dealt again."""

    def __init__(self) -> None:
        self.dealt: list[Cards] = []

    def choose(self, view: View, rng: Random) -> Cards:
        if view.round == view.turn == 0:
            self.dealt.append(view.hand)
        assert len(self.dealt) == 1
        return view.choices[0]


class Talks(Low):
    """Says what it thinks."""

    def choose(self, view: View, rng: Random) -> Cards:
        print("hm")
        return super().choose(view, rng)


class Stops:
    """As though somebody had stopped it."""

    def choose(self, view: View, rng: Random) -> Cards:
        raise KeyboardInterrupt


class Prepared(Low):
    """Plays only if it was prepared, and once."""

    prepared = 0

    def prepare(self) -> None:
        self.prepared += 1

    def choose(self, view: View, rng: Random) -> Cards:
        assert self.prepared == 1
        return super().choose(view, rng)


class Fails:
    def choose(self, view: View, rng: Random) -> Cards:
        raise RuntimeError("no idea")


class Cheats:
    def choose(self, view: View, rng: Random) -> Cards:
        return view.choices[0] * 2


class Ends:
    """Takes its process with it."""

    def choose(self, view: View, rng: Random) -> Cards:
        os._exit(3)


class Marks(Low):
    """Says in a file that it has made many choices."""

    made = 0

    def choose(self, view: View, rng: Random) -> Cards:
        Marks.made += 1
        if Marks.made == 12_000:  # several tasks, so that the first has long been told of
            Path(os.environ["MARK"]).touch()
        return super().choose(view, rng)


class Hangs:
    """Says in a file that it has begun to think, and never ends."""

    def choose(self, view: View, rng: Random) -> Cards:
        Path(os.environ["MARK"]).touch()
        while True:
            time.sleep(60)
