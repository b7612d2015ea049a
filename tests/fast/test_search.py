"""Looking ahead in compiled code: the same as by the readable engine, and sure of what it saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from five211 import MINI, GameError, Match, Rules, View, view
from five211.bots import Bot, determinize, make, network
from five211.bots.neural import drawn
from five211.chance import shuffled, stream
from five211.fast.search import MANNERS, Floats, manners, search
from five211.simulate import play_match
from five211.state import State
from tests.bots.positions import position

PLAYERS = (2, 3, 4, 5)
NETWORK, HEURISTIC, GREEDY, LOOSE = range(MANNERS)
PRIORS = np.array([0.4, 0.3, 0.2, 0.1], np.float32)


def only(manner: int, players: int) -> Floats:
    found = np.zeros((players, MANNERS), np.float32)
    found[:, manner] = 1
    return found


def by_hand(now: View, worlds: int) -> tuple[Floats, Floats]:
    """What each choice leads to if the others play as `heuristic` does, by the readable engine:
    the mean of share and lead, and the error of that mean."""
    bot, seat, rng = make("heuristic"), now.seat, stream("worlds")
    found = np.zeros((worlds, len(now.choices), 2), np.float32)
    for world in range(worlds):
        state = determinize(now, rng)
        match = Match(now.rules, (state,))
        others = [bot.choose(view(match, one), rng) for one in range(now.rules.players)]
        for index, choice in enumerate(now.choices):
            after = match.play([*others[:seat], choice, *others[seat + 1 :]])
            if now.turn == 1 and now.rules.players > 2:  # then the round is played to its end
                last = [bot.choose(view(after, one), rng) for one in range(now.rules.players)]
                mine = view(after, seat)
                last[seat] = drawn(mine.choices, network.shares(mine).tolist(), rng)
                after = after.play(last)
            if after.over:
                result = after.result
                assert result is not None
                won = seat in result.winners
                points = list(result.points)
                own = points.pop(seat)
                lead = (own - sum(points) / len(points)) / network.LEAD
                found[world, index] = won / len(result.winners), lead
            else:
                found[world, index] = network.values(view(after, seat))
    return found.mean(0), found.std(0) / worlds**0.5


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("last", [False, True])
def test_it_finds_what_the_readable_engine_finds(players: int, turn: int, last: bool) -> None:
    rules = Rules.of(players)
    now = view(position(rules, 5, 3 * (rules.rounds - 1 if last else 1) + turn), 1)
    worlds, many = (400 if last and turn == 2 else 60), 2000  # at the end nothing is slow
    # what was played tells nothing here: one hand is as good as another
    tried = search(now, network.weights(players), only(HEURISTIC, players), many, 1, 1, 1)
    assert tried.choices == now.choices
    expected, error = by_hand(now, worlds)
    for index, found in ((0, tried.shares), (1, tried.leads)):
        bound = 4.5 * (error[:, index] * (1 + worlds / many) ** 0.5) + 2e-3
        assert (abs(found - expected[:, index]) < bound).all()
    np.testing.assert_allclose(tried.likely, network.shares(now), atol=1e-4)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_seed_is_all_its_chance(players: int) -> None:
    now = view(position(Rules.of(players), 3, 4), 0)
    priors = np.full(MANNERS, 1 / MANNERS, np.float32)
    weights = network.weights(players)
    read = [manners(now, weights, priors, seed) for seed in (1, 1, 2)]
    assert (read[0] == read[1]).all()
    assert (read[0] != read[2]).any()
    found = [search(now, weights, read[0], 10, seed) for seed in (1, 1, 2)]
    assert (found[0].shares == found[1].shares).all()
    assert (found[0].shares != found[2].shares).any()


class Reader:
    """Plays anything, and reads how the others play before its last choice."""

    def __init__(self) -> None:
        self.read: Floats | None = None

    def choose(self, now: View, rng: object) -> object:
        self.read = manners(now, network.weights(now.rules.players), PRIORS, "read", 5)
        return make("random").choose(now, rng)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bot", "manner"), [("neural", NETWORK), ("heuristic", HEURISTIC), ("greedy", GREEDY)]
)
def test_it_reads_how_others_play(bot: str, manner: int) -> None:
    right, games = 0, 10
    for game in range(games):
        reader = Reader()
        play_match(Rules.of(2), [reader, make(bot)], "read", game)  # type: ignore[list-item]
        assert reader.read is not None
        assert (
            reader.read[0] == np.array([0.4, 0.3, 0.2, 0.1], np.float32)
        ).all()  # of itself, nothing
        right += int(reader.read[1].argmax()) == manner
        # whoever may play this way may play every way: people change theirs
        assert reader.read[1].min() > 0
    assert right >= 6


def test_before_the_first_round_is_over_there_is_nothing_to_read() -> None:
    now = view(position(Rules.of(3), 1, 2), 0)
    assert (manners(now, network.weights(3), PRIORS) == PRIORS).all()


def test_what_was_played_tells_what_is_held() -> None:
    """Whoever is greedy and played two low cards holds nothing higher: six-point hands are out."""
    match, seat = lowest_opening()
    now = view(match, seat)
    weights = network.weights(2)
    blind = search(now, weights, only(GREEDY, 2), 400, 1, 1)
    sharp = search(now, weights, only(GREEDY, 2), 400, 1, 32)
    assert abs(blind.leads - sharp.leads).max() > 0.01


def lowest_opening() -> tuple[Match, int]:
    """A second turn in which the other, who is greedy, opened with nothing above 2."""

    class StopHereError(Exception):
        pass

    found: list[View] = []

    def stopping(seed: int) -> Callable[[View, object], object]:
        def choose(now: View, rng: object) -> object:
            if now.turn == 1 and max(one.value for one in now.turns[0][1]) <= 2:
                found.append(now)
                raise StopHereError(seed)
            return make("random").choose(now, rng)  # type: ignore[arg-type]

        return choose

    for seed in range(50):
        one = type("One", (), {"choose": staticmethod(stopping(seed))})()
        bots: list[Bot] = [one, make("greedy")]
        try:
            play_match(Rules.of(2), bots, seed)
        except StopHereError:
            state = determinize(found[0], stream(1))
            return Match(Rules.of(2), (state,)), 0
    raise AssertionError


def test_another_game_is_refused() -> None:
    """The kernels know the numbers of 5211 alone, and would read past their arrays."""
    match = Match(MINI).deal(shuffled(MINI.deck, stream(1, "deck")))
    match = match.play([view(match, seat).choices[0] for seat in range(2)])
    now = view(match, 0)
    assert now.turn == 1
    for call in (
        lambda: search(now, network.weights(2), only(NETWORK, 2), 1),
        lambda: manners(now, network.weights(2), PRIORS),
        lambda: make("expert").choose(now, stream(1)),
    ):
        with pytest.raises(GameError) as caught:
            call()
        assert caught.value.code == "rules_compiled"


def test_cards_in_any_order_are_the_same_cards() -> None:
    """A view that came over the wire need not be sorted."""
    now = view(position(Rules.of(3), 2, 8), 0)
    turns = tuple(tuple(cards[::-1] for cards in turn) for turn in now.turns)
    rounds = tuple(
        replace(one, turns=tuple(tuple(cards[::-1] for cards in turn) for turn in one.turns))
        for one in now.rounds
    )
    other = replace(now, turns=turns, rounds=rounds)
    assert other != now
    weights = network.weights(3)
    read = [manners(one, weights, PRIORS, "order") for one in (now, other)]
    assert (read[0] == read[1]).all()
    found = [search(one, weights, read[0], 10, "order") for one in (now, other)]
    assert (found[0].shares == found[1].shares).all()


def test_in_the_longer_game_a_deal_is_not_the_end() -> None:
    """Nobody has 50 points: the lead counts, and no victory is thought of (rules 6.1 and 6.2)."""
    rules = Rules.of(3, "long")
    games = (view(position(rules, seed, 3 * rules.rounds - 1), 0) for seed in range(20))
    now = next(one for one in games if max(one.points) < 30)
    assert not now.earlier
    weights = network.weights(3)
    found = search(now, weights, only(HEURISTIC, 3), 50, 1)
    assert (abs(found.shares - 1 / 3) < 1e-5).all()
    assert found.leads.std() > 0
    standard = search(replace(now, rules=Rules.of(3)), weights, only(HEURISTIC, 3), 50, 1)
    np.testing.assert_allclose(standard.leads, found.leads, atol=1e-6)
    assert (abs(standard.shares - 1 / 3) > 1e-3).any()


def test_from_the_second_deal_on_fifty_points_end_it() -> None:
    """Rule 6.3: whoever gets there wins at once, in any round."""
    match = play_match(Rules.of(3, "long"), [make("random")] * 3, "long")
    assert match.result is not None
    before = replace(match, deals=(*match.deals[:-1], replays(match.deals[-1])))
    now = view(before, match.result.winners[0])
    assert now.earlier
    found = search(now, network.weights(3), only(HEURISTIC, 3), 200, 1)
    assert (abs(found.shares - 1 / 3) > 1e-3).any()  # here it may end


def replays(state: State) -> State:
    """A deal before the last turn of its last round."""
    match = Match(state.rules).deal(state.deck)
    turns = [turn for round_ in state.rounds for turn in round_.turns]
    for turn in turns[:-1]:
        match = match.play(list(turn))
    return match.state
