"""The algorithm of `montecarlo` in the readable engine, for games that are not 5211.

Worlds, company, self, reserve and the lead that counts are those of `bots.montecarlo`, which plays
its roll-outs compiled and knows 5211 alone.
"""

from __future__ import annotations

from random import Random

from five211.bots import Bot, determinize, make
from five211.bots.heuristic import RESERVE
from five211.bots.montecarlo import SELF, WORLDS
from five211.cards import Cards
from five211.match import Match
from five211.state import State, play
from five211.view import View, view


class Sure:
    """A bot that leaves nothing to chance, and remembers what it chose."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._chosen: dict[View, Cards] = {}

    def choose(self, view: View, rng: Random) -> Cards:
        """What it chooses whenever it sees this."""
        if view not in self._chosen:
            self._chosen[view] = self._bot.choose(view, rng)
        return self._chosen[view]


class Imagining:
    """Imagines what the others hold, and how they will play it, a round ahead."""

    def __init__(self, share: float = 1.0) -> None:
        self._worlds = {name: max(1, round(n * share)) for name, n in WORLDS.items()}
        self._self = Sure(make(SELF))
        self._models = {name: make(name) for name in WORLDS} | {SELF: self._self}

    def choose(self, view: View, rng: Random) -> Cards:
        """The choice that leads by most in the mean; of equal ones the first."""
        share = 0.0 if view.last_round else RESERVE
        hopes = [-share * sum(card.value for card in choice) for choice in view.choices]
        worlds = sum(self._worlds.values())
        for name, count in self._worlds.items():
            for _ in range(count):
                world = determinize(view, rng)
                for place, choice in enumerate(view.choices):
                    hopes[place] += self._lead(world, view, choice, name, rng) / worlds
        return view.choices[hopes.index(max(hopes))]

    def _lead(self, world: State, seen: View, choice: Cards, name: str, rng: Random) -> int:
        """By how much one leads at the round's end in a world, if one begins with this choice."""
        rules, seat, first, round_ = seen.rules, seen.seat, True, seen.round
        while world.round == round_:
            match = Match(rules, (world,))
            played = [
                choice
                if first and one == seat
                else (self._self if one == seat else self._models[name]).choose(
                    view(match, one), rng
                )
                for one in range(rules.players)
            ]
            world, first = play(world, played), False
        gains = world.rounds[-1].score.points
        points = [had + gain for had, gain in zip(seen.points, gains, strict=True)]
        own = points.pop(seat)
        return own - max(points)
