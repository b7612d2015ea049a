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
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from math import isclose
from random import Random
from time import perf_counter
from typing import Any

from five211.bots.base import Bot, make
from five211.chance import stream
from five211.env.encode import action_of
from five211.env.extras import extra
from five211.env.given import given, whole
from five211.env.imagine import Imagining
from five211.errors import GameError
from five211.rules import TINY
from five211.view import View, view

with extra("openspiel"):
    import pyspiel

    from five211.env.openspiel import MINI_NAME, Five211Game

LOTS = (0.25, 0.75)
"""In one order and in the other: all that chance can say of two cards."""
REWARDS = ("win", "margin")
"""What a game of two is solved for; what both can gain at once is no measure."""
NEARLY = 1e-6
"""How far from 1 the shares of a policy may come to."""
STEP = 25_000
"""Nodes of a tree from one sign of life to the next."""


class Lots(Random):
    """Chance that says these numbers, over and over."""

    def __init__(self, numbers: Iterable[float]) -> None:
        super().__init__()
        self._numbers = cycle(numbers)

    def random(self) -> float:
        """The next number."""
        return next(self._numbers)


def shares(bot: Bot, seen: View) -> dict[int, float]:
    """How likely a bot plays each action, if chance only decides between two cards: exactly."""
    chosen = [action_of(seen, bot.choose(seen, Lots(one))) for one in (LOTS, LOTS[::-1])]
    return {action: chosen.count(action) / len(chosen) for action in chosen}


def answer(bot: Bot, seen: View) -> dict[int, float]:
    """What a bot plays that is asked once: one player of its kind."""
    return {action_of(seen, bot.choose(seen, stream("truth", repr(seen)))): 1.0}


BOTS: dict[str, tuple[Callable[[], Bot], Callable[[Bot, View], dict[int, float]]]] = {
    "random": (lambda: make("random"), shares),
    "hasty": (lambda: make("hasty"), shares),
    "greedy": (lambda: make("greedy"), shares),
    "heuristic": (lambda: make("heuristic"), shares),
    "montecarlo": (lambda: Imagining(1 / 6), answer),
}
"""Who plays, and how each is asked what it plays; `montecarlo` with a sixth of its worlds."""


def _nobody(*_told: object) -> None:
    """Whom to tell, if nobody wants to know."""


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
    tell: Callable[[int], None] = _nobody
    """Is told how many nodes there are, now and then: a tree takes its time."""
    told: int = 0
    """The nodes of which it was told last."""

    @classmethod
    def of(cls, game: Any, tell: Callable[[int], None] = _nobody) -> Tree:
        """The tree of a small game of 5211 for two, as OpenSpiel has loaded it."""
        small = isinstance(game, Five211Game) and game.num_players() == TINY.players
        most = len(TINY.deck)
        if not small or len(game.setup.rules.deck) > most:
            raise GameError("truth_game", game=str(game), most=most, mini=MINI_NAME)
        check_sum(game)
        found = cls(tell=tell)
        found.grow(pyspiel.convert_to_turn_based(game).new_initial_state())
        return found

    @property
    def game(self) -> Any:
        """The game, read by OpenSpiel."""
        head = 'EFG 2 R "mini-5211" { "Pl0" "Pl1" }'
        return pyspiel.load_efg_game("\n".join([head, *self.lines, ""]))

    def grow(self, state: Any) -> None:
        """Write a node and all that follows from it."""
        if len(self.lines) >= self.told + STEP:
            self.told += STEP
            self.tell(self.told)
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
        likely = choose(seen)
        check_likely(likely, actions)
        table[name] = [(tree.labels[str(action)], likely.get(action, 0.0)) for action in actions]
    return pyspiel.TabularPolicy(table)


def check_likely(likely: Any, actions: list[int]) -> None:
    """Refuse what does not say how likely each of these actions is: OpenSpiel would go on."""
    said = [*likely.values()] if isinstance(likely, Mapping) else []
    try:
        fine = min(said) >= 0 and isclose(sum(said), 1, abs_tol=NEARLY)
    except (TypeError, ValueError):  # no numbers, or none at all
        fine = False
    if not fine or any(share > 0 for action, share in likely.items() if action not in actions):
        known = tuple(map(str, actions))
        raise GameError("truth_policy", known=known, given=given(likely))


def check_sum(game: Any) -> None:
    """Refuse a game in which both can gain at once: then NashConv is no measure."""
    if game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM:
        raise GameError("truth_sum", game=str(game).partition("\n")[0], known=REWARDS)


def check_iterations(iterations: Any) -> int:
    """How many iterations, or an error if there cannot be so many."""
    if not whole(iterations) or iterations < 1:
        raise GameError("truth_iterations", given=given(iterations))
    return int(iterations)


def solve(game: Any, iterations: int, tell: Callable[[int, float], None] = _nobody) -> Any:
    """OpenSpiel's CFR+; tells its NashConv after 1, 2, 4, 8 ... iterations, and at the end."""
    check_sum(game)
    iterations = check_iterations(iterations)
    solver = pyspiel.CFRPlusSolver(game)
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration & (iteration - 1) == 0 or iteration == iterations:
            tell(iteration, pyspiel.nash_conv(game, solver.tabular_average_policy()))
    return solver.tabular_average_policy()


def main(arguments: list[str] | None = None) -> None:
    """Print the figures of docs/research.md."""
    parser = argparse.ArgumentParser(
        prog="python -m five211.env.truth",
        description="Solve mini-5211 by OpenSpiel's CFR+, and say how far each bot is from that.",
    )
    parser.add_argument("--game", default=MINI_NAME, help="its name; default: %(default)s")
    parser.add_argument("--iterations", type=int, default=256, help="of CFR+; default: %(default)s")
    parser.add_argument(
        "--reward", choices=REWARDS, default="win", help="what is played for; default: %(default)s"
    )
    asked = parser.parse_args(arguments)
    try:
        _measure(asked.game, asked.reward, asked.iterations)
    except (GameError, pyspiel.SpielError) as error:
        parser.error(str(error).partition("\n")[0])


def _measure(name: str, reward: str, iterations: int) -> None:
    check_iterations(iterations)  # before the tree, which takes its time
    if name not in pyspiel.registered_names():
        raise GameError("truth_game", game=name, most=len(TINY.deck), mini=MINI_NAME)
    began = perf_counter()

    def grown(nodes: int) -> None:
        print(f"{nodes:,} nodes ({perf_counter() - began:.0f} s)", file=sys.stderr, flush=True)

    played = pyspiel.load_game(name, {"reward": reward})
    tree = Tree.of(played, grown)
    game = tree.game
    first, second = map(len, tree.numbers)
    print(
        f"{played}: {len(tree.lines):,} nodes, {tree.ends:,} ends, "
        f"{first:,} and {second:,} information sets ({perf_counter() - began:.0f} s)",
        flush=True,
    )

    def tell(who: str, conv: float) -> None:
        print(f"{who:<16} NashConv {conv:.6f} ({perf_counter() - began:.0f} s)", flush=True)

    tell("uniform", pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))
    for who, (bot, asked) in BOTS.items():
        tell(who, pyspiel.nash_conv(game, policy_of(tree, partial(asked, bot()))))
    solve(game, iterations, lambda n, conv: tell(f"CFR+ {n}", conv))


if __name__ == "__main__":
    main()
