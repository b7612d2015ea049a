"""The network: the same in NumPy and compiled, blind to which colour is which, and small."""

from __future__ import annotations

import numpy as np
import pytest

from five211 import MINI, Color, GameError, Match, Rules, View, view
from five211.bots import make, network
from five211.bots.neural import NeuralBot, drawn
from five211.cards import Cards, card
from five211.chance import shuffled, stream
from five211.fast.choosing import choose, tell
from five211.fast.seen import seen
from five211.scoring import derive
from five211.simulate import play_match
from five211.state import Round, lay
from tests.bots.positions import position
from tests.test_layers import fresh

PLAYERS = (2, 3, 4, 5)
every_table = pytest.mark.parametrize("players", PLAYERS)


def views(players: int, variant: str = "standard") -> list[View]:
    """Views of a game from its first turn to its last, each from another seat."""
    rules = Rules.of(players, variant)
    turns = range(3 * rules.rounds)
    return [view(position(rules, turn, turn), turn % players) for turn in turns]


def close(one: network.Floats, other: network.Floats) -> None:
    np.testing.assert_allclose(one, other, atol=2e-5)


@every_table
def test_numpy_and_compiled_code_are_told_the_same(players: int) -> None:
    for now in (*views(players), *views(players, "long")):
        told = tell(seen(now).reshape(1))
        close(told.rows, network.told(now, now.choices))
        close(told.before, network.told(now, [()]))
        assert len(told.actions) == told.number[0] == len(now.choices)


@every_table
def test_numpy_and_compiled_code_judge_alike(players: int) -> None:
    weights = network.weights(players)
    for now in views(players):
        shares = network.shares(now)
        assert shares.sum() == pytest.approx(1, abs=1e-5)
        found = [choose(weights, seen(now).reshape(1), seed) for seed in range(6)]
        actions = tell(seen(now).reshape(1)).actions.tolist()
        for one in found:
            place = actions.index(one.actions[0])
            assert one.likely[0] == pytest.approx(shares[place], abs=1e-4)
            close(one.values[0], network.values(now))


def recolored(cards: Cards, colors: list[Color]) -> Cards:
    return tuple(sorted(card(colors[one.color], one.value) for one in cards))


def elsewhere(now: View, colors: list[Color]) -> View:
    """The same view with other colours."""

    def repainted(turns: tuple[tuple[Cards, ...], ...]) -> tuple[tuple[Cards, ...], ...]:
        return tuple(tuple(recolored(cards, colors) for cards in turn) for turn in turns)

    rounds = []
    for round_ in now.rounds:
        turns = repainted(round_.turns)
        rounds.append(Round(turns, derive(now.rules, lay(now.rules, turns))))
    return View(
        now.rules,
        now.viewer,
        recolored(now.hand, colors),
        now.pile,
        repainted(now.turns),
        tuple(rounds),
        (),
        dealt=True,
        result=None,
    )


@every_table
def test_no_colour_is_liked(players: int) -> None:
    for number, now in enumerate(views(players)):
        colors = stream(number, "colors").sample(list(Color), len(Color))
        other = elsewhere(now, colors)
        shares = dict(zip(other.choices, network.shares(other).tolist(), strict=True))
        for choice, share in zip(now.choices, network.shares(now).tolist(), strict=True):
            assert shares[recolored(choice, colors)] == pytest.approx(share, abs=1e-4)
        close(network.values(now), network.values(other))


def test_the_weights_are_small_and_cannot_be_changed() -> None:
    assert network.FILE.stat().st_size < 1_000_000
    for players in PLAYERS:
        row = network.weights(players)
        assert row.shape == (network.SIZE,)
        assert np.isfinite(row).all()
        with pytest.raises(ValueError, match="read-only"):
            row[0] = 1


def test_another_game_is_refused() -> None:
    match = Match(MINI).deal(shuffled(MINI.deck, stream(1, "deck")))
    now = view(match, 0)
    with pytest.raises(GameError):
        network.shares(now)


def test_neural_needs_nothing_compiled() -> None:
    code = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from five211 import Rules, stream
from five211.bots import make
from five211.simulate import play_match
print(play_match(Rules.of(3), [make("neural")] * 3, 1).over)
"""
    assert fresh(code).strip() == "True"
    code = "import sys, five211.bots as b; b.make('neural'); print(*sys.modules)"
    assert not {"numpy", "numba", "five211.fast"} & set(fresh(code).split())


def test_shares_are_drawn_as_often_as_they_say() -> None:
    choices = tuple((card(Color.Y, value),) for value in (1, 2, 3))
    rng = stream(1, "drawn")
    often = [drawn(choices, [0.5, 0.2, 0.3], rng)[0].value for _ in range(4000)]
    for value, share in ((1, 0.5), (2, 0.2), (3, 0.3)):
        assert often.count(value) / 4000 == pytest.approx(share, abs=0.035)
    assert drawn(choices, [0.0, 0.0, 0.0], rng) == choices[-1]


def test_neural_mixes_but_less_and_less() -> None:
    """The same view again and again: some choices vary, and none is outside the view's."""
    now = [view(position(Rules.of(4), turn, turn), 0) for turn in range(12)]
    bot = NeuralBot()
    varied = 0
    for one in now:
        found = {bot.choose(one, stream(seed, "bot")) for seed in range(20)}
        assert found <= set(one.choices)
        varied += len(found) > 1
    assert varied


def test_neural_beats_the_greedy() -> None:
    won = 0
    for game in range(10):
        result = play_match(Rules.of(2), [make("neural"), make("greedy")], "greedy", game).result
        assert result is not None
        won += result.winners == (0,)
    assert won >= 9
