"""Other worlds that a player cannot tell from this one, for searches that look into them.

Whoever samples one learns nothing: it is made from what the player has seen, and chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from five211.cards import Card, Cards
from five211.chance import shuffled, stream
from five211.env.given import given, plain, whole
from five211.env.openspiel.course import CHANCE, Course, check_player, turns_of
from five211.errors import GameError
from five211.fast.seen import action_of
from five211.state import State


class Sampler(Random):
    """Somebody else's chance, as a stream."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        super().__init__()
        self._sampler = sampler

    def random(self) -> float:
        """The next number."""
        return self._sampler()


def resampler(seed: int | str) -> Callable[[Any, int], Any]:
    """For `ISMCTSBot.set_resampler`: other states of the turn-based game.

    What the seats before the player have chosen in this turn lies face down: it may be anything.
    """
    if not whole(seed) and not isinstance(seed, str):
        raise GameError("seed", text=given(seed))
    rng = stream(plain(seed), "other world")

    def resample(state: Any, player: int) -> Any:
        new = state.get_game().new_initial_state()
        for step in other_world(state.simultaneous_game_state().course, player, rng):
            course = new.simultaneous_game_state().course
            if isinstance(step, tuple):
                for action in actions_of(course, step):
                    new.apply_action(action)
            else:
                new.apply_action(course.setup.number[step])
        history, seats = state.history(), max(state.current_player(), 0)
        for seat, action in enumerate(history[len(history) - seats :]):
            legal = new.legal_actions()
            new.apply_action(action if seat == player else legal[int(rng.random() * len(legal))])
        return new

    return resample


def actions_of(course: Course, choices: Sequence[Cards]) -> list[int]:
    """The actions by which everybody plays these cards."""
    assert course.state is not None
    hands = course.state.hands
    return [action_of(hand, cards) for hand, cards in zip(hands, choices, strict=True)]


def other_world(course: Course, player: int, rng: Random) -> Iterator[Card | tuple[Cards, ...]]:
    """A history that looks the same to a player: cards as they are dealt, turns as everyone plays.

    Every hand that could be is as likely as any other, as if the others chose by chance.
    """
    check_player(course.setup.rules, player)
    if course.player == CHANCE:
        raise GameError("env_deal")
    for deal in course.deals:
        yield from _other_deal(deal, player, rng)


def _other_deal(deal: State, player: int, rng: Random) -> Iterator[Card | tuple[Cards, ...]]:
    rules, deck = deal.rules, deal.deck
    turns = turns_of(deal)
    drawn = rules.aside + rules.players * rules.hand
    held = [list(range(at, at + rules.hand)) for at in range(rules.aside, drawn, rules.hand)]
    steps = [slice(rules.aside, drawn)]  # where in the deck the cards lie that each step deals
    unseen, world = list(rules.deck), list(deck)
    for turn in turns:
        for seat, cards in enumerate(turn):
            for one in cards:  # the others may have drawn it at any time before
                places = held[seat]
                mine = [place for place in places if seat == player and deck[place] == one]
                place = mine[0] if mine else places[int(rng.random() * len(places))]
                places.remove(place)
                world[place] = one
                unseen.remove(one)
        begin = drawn
        if drawn < len(deck):
            for seat, cards in enumerate(turn):
                held[seat] += range(drawn, drawn + len(cards))
                drawn += len(cards)
        steps.append(slice(begin, drawn))
    for place in held[player]:
        unseen.remove(deck[place])
    hidden = [place for seat, places in enumerate(held) if seat != player for place in places]
    for place, one in zip(hidden, shuffled(unseen, rng), strict=False):
        world[place] = one
    for step, choices in zip(steps, (None, *turns), strict=True):
        if choices is not None:
            yield choices
        yield from world[step]
