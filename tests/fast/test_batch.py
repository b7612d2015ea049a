"""A batch plays the readable engine's game, step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from five211 import Cards, GameError, Match, Rules, view
from five211.fast.batch import Batch, Buffers
from five211.fast.seen import action_of, seen
from five211.fast.view import FIRST, SECOND, SINGLES
from tests.fast.reference import decks
from tests.fast.test_fast_games import PLAYERS, VARIANTS


def cards_of(hand: Cards, action: int) -> Cards:
    places = (FIRST[action],) if action < SINGLES else (FIRST[action], SECOND[action])
    return tuple(hand[place] for place in places)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_batch_is_the_readable_engine(players: int, variant: str) -> None:
    rules, games = Rules.of(players, variant), 5
    batch = Batch(players, games, seed=3, variant=variant, views=True)
    assert batch.views is not None
    batch.reset()
    rng = np.random.default_rng(players)
    numbers = list(range(games))
    cards = [decks(rules, 3, game) for game in numbers]
    matches = [Match(rules).deal(next(deck)) for deck in cards]
    ended = 0
    for _step in range(150):
        actions = np.zeros((games, players), np.uint8)
        for game, match in enumerate(matches):
            for seat in range(players):
                legal = [bit for bit in range(15) if batch.legal[game, seat] >> bit & 1]
                own = view(match, seat)
                assert [cards_of(own.hand, action) for action in legal] == list(own.choices)
                assert [action_of(own.hand, choice) for choice in own.choices] == legal
                assert batch.views[game, seat] == seen(own)
                actions[game, seat] = rng.choice(legal)
        before = [match.points for match in matches]
        batch.step(actions)
        for game, match in enumerate(matches):
            hands = match.state.hands
            match = match.play(
                [cards_of(hand, a) for hand, a in zip(hands, actions[game], strict=True)]
            )
            gained = np.subtract(match.points, before[game])
            np.testing.assert_array_equal(batch.points[game], gained)
            assert bool(batch.done[game]) == match.over
            if match.result is not None:
                won = sum(1 << seat for seat in match.result.winners)
                assert batch.winners[game] == won
                match, ended = Match(rules), ended + 1
                numbers[game] += games
                cards[game] = decks(rules, 3, numbers[game])
            matches[game] = match.deal(next(cards[game])) if match.awaits_deck else match
    assert ended >= games


@pytest.mark.parametrize("action", [0, 4, 15, 255])
def test_a_wrong_action_changes_nothing(action: int) -> None:
    batch, other = Batch(3, 8, seed=1), Batch(3, 8, seed=1)
    batch.reset()
    other.reset()
    actions = np.full((8, 3), 5, np.uint8)
    actions[6, 1] = action
    with pytest.raises(GameError) as error:
        batch.step(actions)
    assert (error.value.code, error.value.fields["game"]) == ("batch_action", 6)
    actions[6, 1] = 5
    for _ in range(2):
        batch.step(actions)
        other.step(actions)
        np.testing.assert_array_equal(batch.legal, other.legal)
        actions[:] = 0


@pytest.mark.parametrize("actions", [np.zeros((8, 2), np.uint8), np.zeros((8, 3)), None])
def test_actions_of_another_shape_are_refused(actions: np.ndarray) -> None:
    batch = Batch(3, 8)
    batch.reset()
    with pytest.raises(GameError, match="8 x 3"):
        batch.step(actions)


def test_a_batch_writes_into_the_callers_arrays() -> None:
    buffers = Buffers.new(3, 8, views=True)
    batch, other = Batch(3, 8, seed=1, buffers=buffers), Batch(3, 8, seed=1, views=True)
    for one in (batch, other):
        one.reset()
        one.step(np.full((8, 3), 5, np.uint8))
    assert batch.legal is buffers.legal
    for mine, theirs in zip(batch.buffers.each(), other.buffers.each(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("points", np.zeros((8, 2), np.int16)),
        ("points", None),
        ("done", np.zeros(8)),
        ("winners", frozen(np.zeros(8, np.uint8))),
        ("legal", np.zeros((16, 3), np.uint16)[::2]),
        ("views", np.zeros((8, 3), np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, wrong: np.ndarray) -> None:
    with pytest.raises(GameError, match=name):
        Batch(3, 8, buffers=replace(Buffers.new(3, 8), **{name: wrong}))


def test_what_is_not_dealt_cannot_be_stepped() -> None:
    with pytest.raises(GameError, match="reset"):
        Batch(3, 8).step(np.full((8, 3), 5, np.uint8))


def test_views_that_are_wanted_must_have_a_place() -> None:
    with pytest.raises(GameError, match="views"):
        Batch(3, 8, views=True, buffers=Buffers.new(3, 8))


def test_who_has_nothing_to_choose_sees_nothing() -> None:
    with pytest.raises(GameError) as error:
        seen(view(Match(Rules.of(2)), 0))
    assert error.value.code == "nothing_to_choose"
