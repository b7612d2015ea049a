"""The bots that play the other seats, and what is said if one of them does what it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np

from five211.bots import Bot, entry
from five211.cards import Cards
from five211.env.encode import seat_name
from five211.env.given import given
from five211.errors import GameError, reason, shown
from five211.state import check_choice
from five211.view import View

Opponent: TypeAlias = str | Bot
"""A bot by its name or level, or one of one's own."""


@dataclass(frozen=True, slots=True)
class Named:
    """A bot, and what it is called in sentences."""

    name: str
    bot: Bot

    def choose(self, view: View, rng: Random) -> Cards:
        """What the bot chooses; if it cannot be played, the bot is named."""
        who = f"{shown(self.name)} ({seat_name(view.seat)})"
        try:
            chosen = self.bot.choose(view, rng)
        except Exception as error:  # somebody's own code
            raise GameError("bot_failed", name=who, reason=reason(error)) from error
        try:
            return check_choice(view.rules, view.hand, view.turn, chosen)
        except (GameError, TypeError):  # not told which cards: whoever steps may not know them
            kind = type(chosen).__name__
            raise GameError("env_bot", name=who, kind=kind) from None


def each(opponents: Opponent | Sequence[Opponent], others: int) -> list[Named]:
    """A bot for each of the others: one for all, or one each."""
    return [_named(one) for one in one_each(opponents, others)]


def one_each(opponents: Any, others: int) -> list[Any]:
    """One for each of the others: the same for all, or those of a list, a tuple or an array."""
    if isinstance(opponents, np.ndarray):
        opponents = opponents.tolist()
    listed = [*opponents] if isinstance(opponents, list | tuple) else [opponents]
    if len(listed) not in (1, others):
        raise GameError("opponents_number", n=others, given=len(listed))
    return listed * (others // len(listed))


def _named(one: Opponent) -> Named:
    if isinstance(one, str):
        return Named(one, entry(one).ready())
    if isinstance(one, type):
        raise GameError("env_bot_class", name=one.__name__)
    if not callable(getattr(one, "choose", None)):
        raise GameError("bot_choose", name=given(one))
    return Named(type(one).__name__, one)
