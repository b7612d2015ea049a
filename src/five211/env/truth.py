"""A ground truth: mini-5211 solved by OpenSpiel's own CFR+, and how far each bot is from that.

    python -m five211.env.truth        # or: make truth

The whole tree of `python_five211_mini` is written down once, as a game in Gambit's format, for
OpenSpiel's own C++ to read, so that Python is not asked at every node in every iteration. Hands
that differ only in the order in which their cards came are one, and forced moves are left out.
NashConv is what both players together could gain, knowing how the other plays: nothing, against
perfect play.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import pyspiel

from five211.bots.base import Bot, make
from five211.chance import stream
from five211.env.encode import action_of
from five211.env.imagine import Imagining
from five211.env.openspiel import MINI_NAME
from five211.view import View, view

BOTS: dict[str, tuple[Callable[[], Bot], int]] = {
    "random": (lambda: make("random"), 100),
    "greedy": (lambda: make("greedy"), 100),
    "heuristic": (lambda: make("heuristic"), 1),
    "montecarlo": (lambda: Imagining(1 / 6), 1),
}
"""Who plays, and how often each is asked at an information set: those who never vary, once.

`montecarlo` with a sixth of its worlds, and one answer for all: that is a player of its kind.
"""


@dataclass(slots=True)
class Tree:
    """The game as OpenSpiel's C++ reads it, and what its information sets look like to a bot."""

    lines: list[str] = field(default_factory=list)
    numbers: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: ({}, {}))
    """Each player's information sets, numbered from 1."""
    labels: dict[str, int] = field(default_factory=dict)
    """The reader's numbers of actions: in the order in which it meets their names."""
    views: dict[str, tuple[View, list[int]]] = field(default_factory=dict)
    """By the reader's name of an information set: what the player sees, and may do."""
    ends: int = 0

    @property
    def game(self) -> Any:
        """The game, read by OpenSpiel."""
        head = 'EFG 2 R "mini-5211" { "Pl0" "Pl1" }'
        return pyspiel.load_efg_game("\n".join([head, *self.lines, ""]))

    def grow(self, state: Any) -> None:
        """Write a node and all that follows from it."""
        if state.is_terminal():
            self.ends += 1
            returns = " ".join(map(repr, state.returns()))
            self.lines.append(f't "" {self.ends} "" {{ {returns} }}')
        elif state.is_chance_node():
            chances: dict[str, list[Any]] = {}
            for child, chance in dealt(state, 1.0):
                chances.setdefault(str(child), [child, 0.0])[1] += chance
            shares = " ".join(f'"{n}" {one[1]!r}' for n, one in enumerate(chances.values()))
            self.lines.append(f'c "" {len(self.lines) + 1} "" {{ {shares} }} 0')
            for child, _ in chances.values():
                self.grow(child)
        else:
            self._choice(state)

    def _choice(self, state: Any) -> None:
        player, actions = state.current_player(), state.legal_actions()
        if len(actions) == 1:  # nothing to choose
            return self.grow(state.child(actions[0]))
        numbers = self.numbers[player]
        number = numbers.setdefault(state.information_state_string(), len(numbers) + 1)
        name = f"{player}-{player}-{number}-"
        if name not in self.views:
            seen = view(state.simultaneous_game_state().course.match, player)
            self.views[name] = (seen, actions)
        for action in actions:
            self.labels.setdefault(str(action), len(self.labels))
        names = " ".join(f'"{action}"' for action in actions)
        self.lines.append(f'p "" {player + 1} {number} "" {{ {names} }} 0')
        for action in actions:
            self.grow(state.child(action))
        return None


def dealt(state: Any, chance: float) -> Iterator[tuple[Any, float]]:
    """Every way in which the cards to be dealt may come, and how likely it is."""
    if not state.is_chance_node():
        yield state, chance
        return
    for outcome, share in state.chance_outcomes():
        yield from dealt(state.child(outcome), chance * share)


def policy_of(tree: Tree, choose: Callable[[View], dict[int, float]]) -> Any:
    """A policy for the reader's game: by information set, how likely each action is."""
    table = {}
    for name, (seen, actions) in tree.views.items():
        shares = choose(seen)
        table[name] = [(tree.labels[str(action)], shares.get(action, 0.0)) for action in actions]
    return pyspiel.TabularPolicy(table)


def asked(bot: Bot, draws: int) -> Callable[[View], dict[int, float]]:
    """How likely a bot plays each action, by asking it so often."""

    def choose(seen: View) -> dict[int, float]:
        rng = stream("truth", repr(seen))
        found = Counter(action_of(seen, bot.choose(seen, rng)) for _ in range(draws))
        return {action: count / draws for action, count in found.items()}

    return choose


def solve(game: Any, iterations: int, tell: Callable[[int, float], None]) -> Any:
    """OpenSpiel's CFR+; tells its NashConv after 1, 2, 4, 8 ... iterations, and at the end."""
    solver = pyspiel.CFRPlusSolver(game)
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration & (iteration - 1) == 0 or iteration == iterations:
            tell(iteration, pyspiel.nash_conv(game, solver.tabular_average_policy()))
    return solver.tabular_average_policy()


def main(arguments: list[str] | None = None) -> None:
    """Print the figures of docs/research.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=MINI_NAME, help="of two players, registered in OpenSpiel")
    parser.add_argument("--iterations", type=int, default=256, help="of CFR+")
    parser.add_argument("--reward", default="win", help="win or margin")
    given = parser.parse_args(arguments)
    began = perf_counter()
    tree = Tree()
    played = pyspiel.load_game(given.game, {"reward": given.reward})
    tree.grow(pyspiel.convert_to_turn_based(played).new_initial_state())
    game = tree.game
    first, second = map(len, tree.numbers)
    print(
        f"{played}: {len(tree.lines):,} nodes, {tree.ends:,} ends, "
        f"{first:,} and {second:,} information sets ({perf_counter() - began:.0f} s)"
    )

    def tell(name: str, conv: float) -> None:
        print(f"{name:<16} NashConv {conv:.6f} ({perf_counter() - began:.0f} s)", flush=True)

    tell("uniform", pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))
    for name, (bot, draws) in BOTS.items():
        tell(name, pyspiel.nash_conv(game, policy_of(tree, asked(bot(), draws))))
    solve(game, given.iterations, lambda n, conv: tell(f"CFR+ {n}", conv))


if __name__ == "__main__":
    main()
