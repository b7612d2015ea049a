"""A bot that cheats with all it is handed, a view and a stream, guesses no better than by chance.

It tries to find the deck's stream: the same label with small seeds, with what its own stream's
state is made of, and its own stream as if it were the deck's. The same guesses find the cards if
the seed can be guessed, which nobody can help, so this experiment can fail: seeds are drawn by
`secrets` unless somebody names one.
"""

from __future__ import annotations

import gc
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from statistics import fmean, variance
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TypeAlias

import pytest

from five211 import Cards, Match, Rules, shuffled, stream, view
from five211.bots import determinize
from five211.state import State
from five211.table import Table
from five211.view import View
from tests.bots.positions import position
from tests.conftest import SOAK
from tests.tables import other_worlds, replayed

RULES = Rules.of(2)
GAMES = 5000 if SOAK else 400
SMALL = 20
SECRET = "4f1d0c6a2b9e87f3"  # stands for what `secrets` draws: a number that nobody guesses

Guess: TypeAlias = Callable[[View, Random, int], Cards]


def rng_copy(rng: Random) -> Random:
    copy = Random()
    copy.setstate(rng.getstate())
    return copy


def decks(rng: Random, game: int) -> Iterator[Cards]:
    """Every deck that the bot can think of."""
    words = pickle.loads(pickle.dumps(rng)).getstate()[1]
    for seed in (*range(SMALL), *map(str, range(SMALL)), words[0], words[-1], words[:4]):
        for label in (("deck", game, 0), ("deck", game), ("deck",), ("bot", game, 1)):
            yield shuffled(RULES.deck, stream(seed, *label))
    yield shuffled(RULES.deck, rng_copy(rng))
    for name in dir(rng):  # a seed that was left lying about
        held = getattr(rng, name)
        if isinstance(held, (int, str)):
            yield shuffled(RULES.deck, stream(held, "deck", game, 0))


def by_guessed_streams(now: View, rng: Random, game: int) -> Cards:
    """The other's hand in a deck that deals one's own; else by the bot's own stream."""
    for deck in decks(rng, game):
        match = Match(RULES).deal(deck)
        if match.state.hands[0] == now.hand:
            return match.state.hands[1]
    return by_own_stream(now, rng, game)


def by_own_stream(now: View, rng: Random, _game: int) -> Cards:
    """As if the stream that shuffled the deck were one's own."""
    return determinize(now, rng_copy(rng)).hands[1]


def by_chance(now: View, _rng: Random, game: int) -> Cards:
    return determinize(now, stream("by chance", game)).hands[1]


def found_by(guess: Guess, seed: int | str, games: int) -> list[int]:
    """In each game's first turn, how many of the other's cards were guessed."""
    found = []
    for game in range(games):
        deck = shuffled(RULES.deck, stream(seed, "deck", game, 0))
        match = Match(RULES).deal(deck)
        guessed = guess(view(match, 0), stream(seed, "bot", game, 0), game)
        found.append((Counter(guessed) & Counter(match.state.hands[1])).total())
    return found


@pytest.mark.parametrize("cheat", [by_guessed_streams, by_own_stream])
def test_a_cheat_guesses_no_better_than_by_chance(cheat: Guess) -> None:
    games = GAMES if cheat is by_own_stream else GAMES // 4
    cheated, chance = found_by(cheat, SECRET, games), found_by(by_chance, SECRET, games)
    noise = sqrt((variance(cheated) + variance(chance)) / games)
    assert abs(fmean(cheated) - fmean(chance)) < 4 * noise
    assert fmean(chance) < RULES.hand / 4


def test_the_same_cheat_finds_everything_if_the_seed_can_be_guessed() -> None:
    assert found_by(by_guessed_streams, SMALL - 1, 10) == [RULES.hand] * 10


# What can be reached from what a bot is handed

PLACES = (type, ModuleType, FunctionType, BuiltinFunctionType)  # code, which is everybody's


def reachable(*roots: object) -> list[object]:
    """All objects that these hold, however deep."""
    found: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) not in found and not isinstance(one, PLACES):
            found[id(one)] = one
            waiting += gc.get_referents(one)
    return list(found.values())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_hidden_hangs_on_what_a_bot_is_handed(players: int) -> None:
    for turns in (0, 4, 3 * (Rules.of(players).rounds - 1)):
        match = position(Rules.of(players), 3, turns)
        state = match.state
        held = reachable(view(match, 1), stream(3, "bot"))
        assert not any(isinstance(one, (State, Match, Table)) for one in held)
        others = [hand for seat, hand in enumerate(state.hands) if seat != 1]
        rows = [tuple(one) for one in held if isinstance(one, (tuple, list))]
        for secret in filter(None, (state.deck, state.pile, state.aside, *others)):
            assert secret not in rows
        assert sum(isinstance(one, Random) for one in held) == 1


def test_the_walk_finds_what_hangs_there() -> None:
    match = position(Rules.of(3), 1, 1)
    assert match.state.deck in reachable([{"a": (match,)}])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_process_that_a_bot_thinks_in_is_sent_the_same_bytes(players: int) -> None:
    """On a server, a bot is in another process and gets nothing but a pickled view and a seed."""
    match = position(Rules.of(players), 1, 5)
    for number in range(5):
        world = replayed(match, other_worlds(match, 0, stream(number, "other")))[-1]
        sent = pickle.dumps(view(replayed(match)[-1], 0))
        assert pickle.dumps(view(world, 0)) == sent
