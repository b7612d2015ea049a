"""Bots that take their time."""

from __future__ import annotations

from random import Random
from threading import Event

from five211 import Cards, View
from five211.bots import Entry, entry


class Slow:
    """Thinks until it is let go on."""

    go_on = Event()

    def choose(self, view: View, _rng: Random) -> Cards:
        self.go_on.wait(60)
        return view.choices[0]


def with_slow(name: str) -> Entry:
    return Entry("slow", Slow) if name == "slow" else entry(name)
