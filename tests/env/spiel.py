"""Help for the tests of OpenSpiel: the smallest game, and the core's games played there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyspiel

from five211 import Cards, Match, Rules
from five211.cards import Color
from five211.env.openspiel import Five211Game
from five211.env.openspiel.game import MINI_PARAMETERS, game_type
from five211.fast.seen import action_of
from tests.tables import choices_of

SMALLEST = Rules(
    players=2,
    colors=(Color.Y, Color.G),
    copies=(2, 1),
    hand=2,
    plays=(1,),
    aside=0,
    exact=2,
    limit=3,
)
SMALLEST_NAME = "python_five211_smallest"


class SmallestGame(Five211Game):
    """Six cards and two rounds of one turn: every state of it can be visited in a test."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**MINI_PARAMETERS, **(params or {})}
        self._begin(SMALLEST_NAME, "the smallest", SMALLEST, given, 1, MINI_PARAMETERS)


if SMALLEST_NAME not in pyspiel.registered_names():
    told = game_type(SMALLEST_NAME, "the smallest", "win", MINI_PARAMETERS)
    pyspiel.register_game(told, SmallestGame)


def load(players: int, variant: str = "standard", reward: str = "win", max_deals: int = 2) -> Any:
    """A game; of the longer one, few deals."""
    given: dict[str, Any] = {"players": players, "variant": variant, "reward": reward}
    if variant == "long":
        given["max_deals"] = max_deals
    return pyspiel.load_game("python_five211", given)


def played(game: Any, match: Match, decks: Sequence[Cards] | None = None) -> Any:
    """A game of the core's in OpenSpiel: the same cards and choices, or other cards."""
    state, rules = game.new_initial_state(), match.rules
    for deal, deck in zip(match.deals, decks or [s.deck for s in match.deals], strict=True):
        at = rules.aside + rules.players * rules.hand
        draws = [deck[rules.aside : at]]
        turns = choices_of(deal)
        for turn in turns:
            draws.append(deck[at : at + sum(map(len, turn))])
            at += len(draws[-1])
        for cards, choices in zip(draws, [*turns, None], strict=True):
            for one in cards:
                state.apply_action(game.setup.number[one])
            if choices is not None:
                state.apply_actions(list(map(action_of, state.course.state.hands, choices)))
    return state


def at_random(state: Any, rng: Any, steps: int | None = None) -> Any:
    """So many steps on by chance, or to the end; chance itself is not weighed."""
    taken = 0
    while not state.is_terminal() and taken != steps:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            seats = range(state.num_players())
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in seats])
        taken += 1
    return state
