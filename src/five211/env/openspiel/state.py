"""A state as OpenSpiel plays it.

Python may ask a state directly what OpenSpiel would ask it through C++ and back; so some methods
stand here that could be left to `pyspiel.State`, and are many times as quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from five211.cards import Cards, show_cards
from five211.env.encode import PLACES
from five211.env.given import given
from five211.env.openspiel.course import CHANCE, EVERYBODY, NOBODY, Course, check_player
from five211.env.openspiel.worlds import Sampler, actions_of, other_world
from five211.errors import GameError


class Five211State(pyspiel.State):
    """One game at one moment."""

    course: Course

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.course = Course(game.setup)

    def current_player(self) -> int:
        """Chance, everybody, or nobody any more."""
        return self.course.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.course.player == NOBODY

    def is_chance_node(self) -> bool:
        """Whether a card is to be dealt."""
        return self.course.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether everybody is to choose."""
        return self.course.player == EVERYBODY

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of a seat; or of chance, when a card is to be dealt."""
        now = self.course.player
        if now == EVERYBODY and player is not None and player >= 0:
            return self.course.legal(player)
        found: list[int] = super().legal_actions(*(() if player is None else (player,)))
        return found

    def _legal_actions(self, player: int) -> list[int]:
        if player < 0:
            raise GameError("env_whose")
        return self.course.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each kind of card that may be dealt next, and how likely it is."""
        return self.course.outcomes()

    def _apply_action(self, action: int) -> None:
        self.course.draw(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.course.choose(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        count = len(course.setup.kinds)
        if player != CHANCE:
            check_player(course.setup.rules, player)
            count = self.get_game().num_distinct_actions()
        if not 0 <= action < count:  # a list would count from its end
            raise GameError("env_action", action=given(action), last=count - 1)
        if player == CHANCE:
            return f"Deal {course.setup.kinds[action]}"
        places = PLACES[action]
        if course.player == EVERYBODY and action in course.legal(player):
            return f"Play {show_cards(course.cards_of(player, action))}"
        return f"Play {' '.join(f'#{place + 1}' for place in places)}"

    def rewards(self) -> Sequence[float]:
        """What each seat got since anybody chose."""
        return self.course.rewards()

    def returns(self) -> Sequence[float]:
        """What each seat got so far."""
        return self.course.returns()

    def __str__(self) -> str:
        course = self.course
        lines = [f"Deal {len(course.earlier) + 1}"]
        if course.state is not None:
            state = course.state
            now = state.round + (course.player != NOBODY)
            lines[0] += f", round {now}, turn {state.turn + 1}"
            lines.append(f"Hands: {seats_text(state.hands)}")
            lines.append(f"Table: {seats_text(state.table)}")
        if course.deals:
            lines.append(f"Points: {' '.join(map(str, course.match.points))}")
        if course.choices is not None:
            lines.append(f"Played: {seats_text(course.choices)}")
        if course.player == CHANCE:
            lines.append(f"Dealt: {show_cards(course.dealt)}")
        return "\n".join(lines)

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> Five211State:
        """Another state that this player cannot tell from this one."""
        new: Five211State = self.get_game().new_initial_state()
        course = new.course
        for step in other_world(self.course, player_id, Sampler(probability_sampler)):
            if isinstance(step, tuple):
                new.apply_actions(actions_of(course, step))
            else:
                new.apply_action(course.setup.number[step])
        return new


def seats_text(cards: Sequence[Cards]) -> str:
    """Cards of each seat, in order."""
    return " / ".join(map(show_cards, cards))
