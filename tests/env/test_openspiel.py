"""5211 in OpenSpiel: by the framework's own tests, by its algorithms, and beside the core."""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags

from five211 import GameError, Match, Rules, stream
from five211.env.encode import choice_of, information_state, legal_actions, observation
from five211.env.openspiel import MINI_NAME, NAME, Five211Game, MiniGame, resampler
from five211.env.openspiel.observer import drawn
from five211.view import view
from tests.conftest import SOAK
from tests.env.spiel import SMALLEST_NAME, at_random, load, played
from tests.tables import other_worlds, random_match, replayed

with warnings.catch_warnings():  # OpenSpiel's own files: invalid escapes, old names of others
    warnings.simplefilter("ignore")
    from open_spiel.integration_tests import api_test
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import (
        external_sampling_mccfr,
        generate_playthrough,
        ismcts,
        mcts,
        outcome_sampling_mccfr,
    )

GAMES = list(itertools.product((2, 3, 4, 5), ("standard", "long")))
REWARDS = ("win", "points", "margin")
PRIVATE = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)
TYPES = [
    pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    for public, recall, private in itertools.product((True, False), (True, False), PRIVATE)
]


# The framework's own tests


@pytest.mark.parametrize(("at", "players", "variant"), [(at, *one) for at, one in enumerate(GAMES)])
def test_random_games_by_openspiel(at: int, players: int, variant: str) -> None:
    game = load(players, variant, REWARDS[at % 3], max_deals=2 if players == 2 else 1)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    turns = pyspiel.convert_to_turn_based(game)
    pyspiel.random_sim_test(turns, num_sims=1, serialize=True, verbose=False)


def _api_tests() -> dict[str, type]:
    """OpenSpiel's own checks of a game's interface, for every game of ours."""
    games = {f"{n}_{variant}": load(n, variant) for n, variant in GAMES}
    games |= {f"2_{reward}": load(2, reward=reward) for reward in REWARDS[1:]}
    games["mini"] = pyspiel.load_game(MINI_NAME)
    games |= {f"{name}_turns": pyspiel.convert_to_turn_based(one) for name, one in games.items()}
    base = api_test.EnforceAPIOnPartialTreeBase
    found = {
        f"TestApi_{name}": type(f"TestApi_{name}", (base,), {"game": game, "game_name": name})
        for name, game in games.items()
    }
    smallest = pyspiel.convert_to_turn_based(pyspiel.load_game(SMALLEST_NAME))
    told = {"game": smallest, "game_name": SMALLEST_NAME}
    api_test.TOTAL_NUM_STATES[SMALLEST_NAME] = (1043, 2088, 2176)
    api_test.PERFECT_RECALL_NUM_STATES[SMALLEST_NAME] = 220
    found["TestApi_whole"] = type("TestApi_whole", (api_test.EnforceAPIOnFullTreeBase,), told)
    return found


globals().update(_api_tests())


@pytest.mark.parametrize(
    ("name", "by_turns"),
    [
        (NAME, False),
        (f"{NAME}(players=3,variant=long,max_deals=1)", False),
        (MINI_NAME, False),
        (MINI_NAME, True),
    ],
)
def test_playthroughs_are_replayed(name: str, by_turns: bool, tmp_path: Path) -> None:
    inside = name if name.endswith(")") else f"{name}()"
    asked = f"turn_based_simultaneous_game(game={inside})" if by_turns else name
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(asked, None, seed=1), encoding="utf-8")
    flags.FLAGS.mark_as_parsed()  # it asks one, as the program that it usually is
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual


# Its algorithms


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_ismcts_plays(players: int, variant: str) -> None:
    game = pyspiel.convert_to_turn_based(load(players, variant))
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 3, random_state=rng)
    bot.set_resampler(resampler(1))
    state = game.new_initial_state()
    chance = stream(1, "chance")
    chosen = 0
    while not state.is_terminal() and chosen < 4 * players:
        if state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            chosen += 1


def test_mccfr_runs() -> None:
    game = pyspiel.convert_to_turn_based(load(2))
    np.random.seed(1)  # its only source of chance
    outcome = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(3):
        outcome.iteration()
    mini = pyspiel.convert_to_turn_based(pyspiel.load_game(MINI_NAME))
    external = external_sampling_mccfr.ExternalSamplingSolver(mini)
    external.iteration()
    state = mini.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert sum(external.average_policy().action_probabilities(state).values()) == pytest.approx(1)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("variant", ["standard", "long"])
def test_rewards_of_an_environment_sum_up_to_the_returns(reward: str, variant: str) -> None:
    game = load(3, variant, reward, max_deals=3)
    sampler = rl_environment.ChanceEventSampler(seed=1)
    env = rl_environment.Environment(game, chance_event_sampler=sampler)
    rng = stream(1, "choices")
    step = env.reset()
    total = np.zeros(3)
    while not step.last():
        legal = step.observations["legal_actions"]
        step = env.step([rng.choice(legal[seat]) for seat in range(3)])
        total += step.rewards
    assert total == pytest.approx(env.get_state.returns())


# Beside the core


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_returns_are_the_cores(players: int, variant: str) -> None:
    rules = Rules.of(players, variant)
    games = {reward: load(players, variant, reward, max_deals=40) for reward in REWARDS}
    for seed in range(1250 if SOAK else 6):
        match, reward = random_match(rules, seed), REWARDS[seed % 3]
        game = games[reward]
        state = played(game, match)
        assert state.is_terminal()
        assert state.course.match.result == match.result
        deals = state.course.deals
        assert [deal.rounds for deal in deals] == [deal.rounds for deal in match.deals]
        assert match.result is not None
        points, winners = match.result.points, match.result.winners
        expected = {
            "points": list(points),
            "margin": [own - (sum(points) - own) / (players - 1) for own in points],
            "win": [(s in winners) / len(winners) - 1 / players for s in range(players)],
        }[reward]
        returns = list(state.returns())
        assert returns == pytest.approx(expected)
        assert game.min_utility() <= min(returns) <= max(returns) <= game.max_utility()


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_its_games_are_the_cores(players: int, variant: str) -> None:
    """The other way round: a game of OpenSpiel's, and the deck and choices that it comes to."""
    game, rng = load(players, variant), stream(players, variant)
    state = at_random(game.new_initial_state(), rng)
    match = Match(Rules.of(players, variant))
    for deal in state.course.deals:
        match = match.deal(deal.deck)  # which refuses what is not the whole deck
        for turn in [turn for round_ in deal.rounds for turn in round_.turns]:
            match = match.play(turn)
    assert match.points == state.course.match.points
    assert [deal.rounds for deal in match.deals] == [deal.rounds for deal in state.course.deals]


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_actions_are_those_of_encode(players: int, variant: str) -> None:
    game, rng = load(players, variant), stream(players, variant)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            for seat in range(players):
                seen = view(state.course.match, seat)
                assert state.legal_actions(seat) == legal_actions(seen)
                for action in legal_actions(seen):
                    cards = choice_of(seen, action)
                    assert state.course.cards_of(seat, action) == cards
                    text = "Play " + " ".join(one.code for one in cards)
                    assert state.action_to_string(seat, action) == text
        at_random(state, rng, 1)


def test_the_probabilities_are_the_cards_that_are_left() -> None:
    state = load(2).new_initial_state()
    assert dict(state.chance_outcomes()) == {
        6 * color + value: copies / 100
        for color in range(5)
        for value, copies in enumerate((5, 6, 5, 2, 1, 1))
    }
    state.apply_action(5)
    outcomes = dict(state.chance_outcomes())
    assert 5 not in outcomes
    assert outcomes[0] == 5 / 99
    assert sum(outcomes.values()) == pytest.approx(1)
    with pytest.raises(GameError, match="no card 5 left"):
        state.apply_action(5)  # there is no second one


# What a player sees


def _everything(game: Any, state: Any, player: int) -> list[Any]:
    """Every byte that a player can get at, whatever it asks for, but not for others' hands."""
    found: list[Any] = [state.legal_actions(player)] if state.is_simultaneous_node() else []
    for kind in TYPES:
        if kind.private_info != pyspiel.PrivateInfoType.ALL_PLAYERS:
            observer = game.make_py_observer(kind)
            observer.set_from(state, player)
            found += [observer.tensor.tobytes(), observer.string_from(state, player)]
    found += [state.information_state_string(player), state.information_state_tensor(player)]
    return [*found, state.observation_string(player), state.observation_tensor(player)]


@pytest.mark.rule("8.2")
@pytest.mark.rule("8.3")
@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_observations_tell_nothing_of_what_is_hidden(players: int, variant: str) -> None:
    rules, game = Rules.of(players, variant), load(players, variant, max_deals=3)
    rng = stream(players, variant, "worlds")
    for turns in (0, 1, 3, 3 * rules.rounds - 1, 3 * rules.rounds + 2):
        match = random_match(rules, turns, turns)
        if not match.deals or match.over:
            match = random_match(rules, turns, 2)
        for player in range(players):
            mine, theirs = (
                played(game, match, decks) for decks in (None, other_worlds(match, player, rng))
            )
            assert _everything(game, mine, player) == _everything(game, theirs, player)
            everybody = game.make_py_observer(TYPES[2])
            told = []
            for state in (mine, theirs):
                everybody.set_from(state, player)
                told.append((everybody.tensor.tobytes(), everybody.string_from(state, player)))
            assert told[0][0] != told[1][0]  # or nothing hidden would have changed
            assert told[0][1] != told[1][1]


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_numbers_are_those_of_encode(players: int, variant: str) -> None:
    game, rng = load(players, variant), stream(players, variant)
    state = at_random(game.new_initial_state(), rng, 5 * players + 60)
    while not state.is_simultaneous_node():
        at_random(state, rng, 1)
    deals = game.setup.max_deals
    for seat in range(players):
        seen = view(state.course.match, seat)
        mine = [float(seat == one) for one in range(players)]
        assert state.observation_tensor(seat) == [*mine, *observation(seen).astype(float)]
        story = state.information_state_tensor(seat)
        plain = information_state(seen, deals).astype(float)
        assert story[: players + len(plain)] == [*mine, *plain]
        cards = [
            [game.setup.number[one] + 1 for some in drawn(deal, seat) for one in some]
            for deal in state.course.deals
        ]
        rest = np.array(story[players + len(plain) :]).reshape(deals, -1)
        for row, numbers in zip(rest, cards, strict=False):
            assert row[: len(numbers)].tolist() == numbers
            assert not row[len(numbers) :].any()


@pytest.mark.parametrize("kind", TYPES, ids=map(str, range(len(TYPES))))
def test_strings_and_tensors_tell_the_same(kind: Any) -> None:
    """In many states of the smallest game, equal strings have equal tensors, and the reverse."""
    game, rng = pyspiel.load_game(SMALLEST_NAME), stream(1, "states")
    observer = game.make_py_observer(kind)
    by_string: dict[str, bytes] = {}
    for number in range(300):
        state = at_random(game.new_initial_state(), rng, 4 + number % 6)
        for player in range(2):
            observer.set_from(state, player)
            told = observer.tensor.tobytes()
            assert by_string.setdefault(observer.string_from(state, player), told) == told
    assert len(set(by_string.values())) == len(by_string)
    public = [observer.string_from(state, player) for player in range(2)]
    if kind.private_info == pyspiel.PrivateInfoType.NONE:
        assert public[0] == public[1]
    else:
        assert public[0] != public[1]


def test_an_observation_in_words() -> None:
    state = played(load(2), random_match(Rules.of(2), 1, 4))
    lines = state.observation_string(1).splitlines()
    assert lines == [
        "Seat 1",
        "Hand: O2 B2 B3 V2 V2",
        "Deal 1, round 2, turn 2",
        "Table: O2 B2 / O2 O3",
        "Gone: Y1 G2 O1 O2 O4 B2 B3 V2",
        "Points: 3 4",
        "Scored: 2 1",
    ]
    seat, story = state.information_state_string(1).splitlines()
    assert seat == "Seat 1"
    assert story == (
        "[G2 O3 B2 V2 V2] Y1 O2 / G2 B2 [O2 O4] B3 / V2 [B2] O1 / O4 [B3] O2 B2 / O2 O3 [O2 V2]"
    )
    assert str(state).splitlines()[1] == "Hands: Y1 G3 O1 B5 V4 / O2 B2 B3 V2 V2"


# Other worlds


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_other_worlds_look_the_same_to_the_player(players: int, variant: str) -> None:
    game, rng = load(players, variant, max_deals=3), stream(players, variant)
    turns = pyspiel.convert_to_turn_based(game)
    again = resampler(players)
    for steps in (0, 7, 3 * Rules.of(players).rounds + 1):
        match = random_match(Rules.of(players, variant), steps, steps)
        state = played(game, match if match.deals else random_match(Rules.of(players), 1, 1))
        if state.is_chance_node():
            continue
        for player in range(players):
            other = state.resample_from_infostate(player, rng.random)
            assert _everything(game, state, player) == _everything(game, other, player)
            assert other.is_terminal() or other.course.state.hands != state.course.state.hands
            waits = by_turns(turns, state)
            while waits.current_player() not in (player, pyspiel.PlayerId.TERMINAL):
                waits.apply_action(waits.legal_actions()[-1])
            same = again(waits, player)
            assert same.current_player() == waits.current_player()
            told = [one.information_state_string(player) for one in (same, waits)]
            assert told[0] == told[1]


def _drawn_otherwise(match: Match, player: int) -> Iterator[Match]:
    """The same turns, but another seat had drawn two of its cards the other way round."""
    rules, deck = match.rules, match.state.deck
    for seat in {*range(rules.players)} - {player}:
        firsts = rules.aside + seat * rules.hand
        draws = rules.aside + rules.players * rules.hand
        for first, count in itertools.product(range(rules.hand), range(rules.plays[0])):
            places = firsts + first, draws + seat * rules.plays[0] + count
            other = list(deck)
            other[places[0]], other[places[1]] = (deck[place] for place in places[::-1])
            with contextlib.suppress(GameError):  # it had played one before it drew the other
                yield replayed(match, [tuple(other)])[-1]


@pytest.mark.parametrize("players", [2, 3])
def test_who_looks_into_other_worlds_learns_nothing(players: int) -> None:
    """Two worlds that look the same to a player are resampled alike: hands, draws, choices."""
    rules, game = Rules.of(players), load(players)
    turns, rng = pyspiel.convert_to_turn_based(game), stream(players, "worlds")
    for match, player in itertools.product((random_match(rules, 1, 5),), range(players)):
        alike = [played(game, match), played(game, match, other_worlds(match, player, rng))]
        alike += [played(game, one) for one in _drawn_otherwise(match, player)]
        assert len({one.information_state_string(player) for one in alike}) == 1
        assert len({str(one.course.state.deck) for one in alike}) > 3
        found = [one.resample_from_infostate(player, Random(1).random) for one in alike]
        assert len({str(one.history()) for one in found}) == 1
        waiting = []
        for one, pick in itertools.product(alike[:3], (0, -1)):
            state = by_turns(turns, one)
            while state.current_player() != player:
                state.apply_action(state.legal_actions()[pick])
            waiting.append(resampler(1)(state, player))
        assert len({str(one.history()) for one in waiting}) == 1


def by_turns(game: Any, state: Any) -> Any:
    """The same state in the turn-based game."""
    new = game.new_initial_state()
    for item in state.full_history():
        new.apply_action(item.action)
    return new


def test_what_one_has_chosen_oneself_stays() -> None:
    game = pyspiel.convert_to_turn_based(load(3))
    state = by_turns(game, played(load(3), random_match(Rules.of(3), 5, 4)))
    state.apply_action(state.legal_actions()[-1])
    state.apply_action(state.legal_actions()[0])
    other = resampler(1)(state, 0)
    assert other.information_state_string(0) == state.information_state_string(0)
    assert other.history()[-2] == state.history()[-2]


def test_every_other_world_is_as_likely() -> None:
    """What the other holds is spread as the unseen cards are."""
    state = played(load(2), random_match(Rules.of(2), 3, 10))
    unseen = view(state.course.match, 0).unseen
    rng, draws, icons = Random(1), 500, 0
    for _ in range(draws):
        other = state.resample_from_infostate(0, rng.random)
        icons += sum(one.is_icon for one in other.course.state.hands[1])
    share = sum(one.is_icon for one in unseen) / len(unseen)
    held = len(state.course.state.hands[1]) * draws
    assert icons / held == pytest.approx(share, abs=4 * (share * (1 - share) / held) ** 0.5)


def test_another_world_needs_a_choice_a_seat_and_a_seed() -> None:
    state = load(2).new_initial_state()
    with pytest.raises(GameError, match="A card is to be dealt first"):
        state.resample_from_infostate(0, Random(1).random)
    state = played(load(2), random_match(Rules.of(2), 1, 4))
    for player, said in ((-1, "no player -1"), (2, "no player 2: they are 0 to 1")):
        with pytest.raises(GameError, match=said):
            state.resample_from_infostate(player, Random(1).random)
    for seed in (None, 1.5, True):
        with pytest.raises(GameError, match="no seed"):
            resampler(seed)  # type: ignore[arg-type]


# Ends, types and bounds


def test_the_leader_wins_after_the_last_deal() -> None:
    for seed in range(20):
        rng = stream(seed, "choices")
        state = at_random(load(5, "long", max_deals=2).new_initial_state(), rng)
        result = state.course.match.result
        assert result is not None
        assert len(state.course.deals) <= 2
        ranks = list(zip(result.points, result.cards, strict=True))
        assert result.winners == tuple(s for s in range(5) if ranks[s] == max(ranks))
        assert state.returns()[result.winners[0]] == pytest.approx(1 / len(result.winners) - 0.2)
        if max(result.points) < 50:
            assert state.course.match.rules is state.course.match.rules  # not made at each look
            return
    pytest.fail("no game was cut short")


def test_types_and_bounds() -> None:
    kinds = pyspiel.GameType
    win, points, margin = (load(4, reward=reward) for reward in REWARDS)
    assert (win.min_utility(), win.max_utility(), win.utility_sum()) == (-0.25, 0.75, 0)
    assert (points.min_utility(), points.max_utility()) == (0, 30 + 25 + 40 + 12)
    assert (margin.min_utility(), margin.max_utility(), margin.utility_sum()) == (-107, 107, 0)
    assert points.utility_sum() is None
    assert points.get_type().utility == kinds.Utility.GENERAL_SUM
    assert margin.get_type().utility == win.get_type().utility == kinds.Utility.ZERO_SUM
    assert win.get_type().reward_model == kinds.RewardModel.TERMINAL
    assert margin.get_type().reward_model == kinds.RewardModel.REWARDS
    assert load(5, "long", "points").max_utility() == 30 + 25 + 24
    for players in (2, 3, 4, 5):  # in the longer game, a round beyond 49 points is the most
        assert load(players, "long", "points").max_utility() >= 49 + 4 * 6
    assert win.num_distinct_actions() == 15
    assert pyspiel.load_game(MINI_NAME).num_distinct_actions() == 2
    assert load(2).max_chance_nodes_in_history() == 90
    assert load(2, "long", max_deals=3).max_game_length() == 99


@pytest.mark.parametrize(
    "given",
    ["players=6", "variant=short", "reward=glory", "max_deals=0,variant=long", "max_deals=3"],
)
def test_what_there_is_not_is_refused(given: str) -> None:
    with pytest.raises(GameError):
        pyspiel.load_game(f"{NAME}({given})")


def test_numbers_may_be_numpys() -> None:
    assert callable(resampler(np.int64(2)))  # type: ignore[arg-type]
    game = Five211Game({"players": np.int64(3), "variant": "long", "max_deals": np.int64(2)})
    assert game.get_parameters()["players"] == 3
    assert game.setup.max_deals == 2


@pytest.mark.parametrize("deals", [2.5, True, "x", None, 0, 100_000_000])
def test_so_many_deals_there_are_not(deals: Any) -> None:
    with pytest.raises(GameError, match="from 1 to 255"):
        Five211Game({"variant": "long", "max_deals": deals})


@pytest.mark.parametrize(("game", "known"), [(Five211Game, "players, "), (MiniGame, "reward")])
def test_parameters_that_there_are_not_are_named(game: Any, known: str) -> None:
    with pytest.raises(GameError, match=f"no option “color”; there (is|are) {known}"):
        game({"color": 1})


def _refused(state: Any, said: str, what: Callable[[], object]) -> None:
    """It is said why, and nothing has changed."""
    before = str(state), state.history(), state.current_player()
    with pytest.raises(GameError, match=said):
        what()
    assert (str(state), state.history(), state.current_player()) == before


def test_moves_that_cannot_be_made_change_nothing() -> None:
    game = load(2)
    two = played(game, random_match(Rules.of(2), 1, 3))  # two cards are due
    one = played(game, random_match(Rules.of(2), 1, 4))
    last = played(game, random_match(Rules.of(2), 1, 32))  # two cards are left in a hand
    for state, action in ((two, 0), (two, 15), (two, -30), (one, 5), (one, -1), (last, 2)):
        for seat in (0, 1):
            actions = [state.legal_actions(0)[0], state.legal_actions(1)[0]]
            actions[seat] = action
            said = f"Action {action} is not one of player {seat} now"
            _refused(state, said, lambda: state.apply_actions(actions))  # noqa: B023
    _refused(one, "2 players, but 1 action", lambda: one.apply_actions([0]))
    _refused(one, "2 players, but 3 actions", lambda: one.apply_actions([0, 0, 0]))
    _refused(one, r"2 players, but 1 action\.", lambda: one.apply_actions([0]))
    _refused(one, "Everybody chooses at once: apply_actions", lambda: one.apply_action(0))
    _refused(one, "No card is to be dealt", one.chance_outcomes)
    _refused(one, "no player 7", lambda: one.legal_actions(7))
    one.apply_actions([0, 0])
    for kind in (-30, 30, 99):
        _refused(one, f"no card {kind} left", lambda: one.apply_action(kind))  # noqa: B023
    _refused(one, "A card is to be dealt first", lambda: one.apply_actions([0, 0]))


def test_after_the_end_nothing_happens() -> None:
    state = played(load(2), random_match(Rules.of(2), 1))
    _refused(state, "The game is over", lambda: state.apply_action(0))
    _refused(state, "No card is to be dealt", state.chance_outcomes)
    _refused(state, "The game is over", lambda: state.apply_actions([0, 0]))
    assert state.legal_actions(0) == []
    for said in (str(state), state.observation_string(0)):
        assert "Deal 1, round 11, turn 1" in said


def test_whose_actions_has_to_be_said() -> None:
    state = played(load(2), random_match(Rules.of(2), 1, 4))
    with pytest.raises(GameError, match="whose"):
        state.legal_actions()
    assert state.legal_actions(0) == state._legal_actions(0)


def test_an_observer_takes_no_parameters() -> None:
    with pytest.raises(GameError, match="parameters"):
        load(2).make_py_observer(None, {"colour": 1})


def test_actions_have_words_when_nobody_may_play_them() -> None:
    state = load(2).new_initial_state()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 6) == "Deal G1"
    assert state.action_to_string(0, 0) == "Play #1"
    assert state.action_to_string(0, 5) == "Play #1 #2"
    for player, action, said in (
        (0, 15, "no action 15: they are 0 to 14"),
        (0, -1, "no action -1: they are 0 to 14"),
        (-1, 99, "no action 99: they are 0 to 29"),
        (-1, -1, "no action -1: they are 0 to 29"),
        (-3, 0, "no player -3: they are 0 to"),
        (7, 0, "no player 7: they are 0 to"),
    ):
        with pytest.raises(GameError, match=said):
            state.action_to_string(player, action)


def test_a_copy_goes_its_own_way() -> None:
    rng = stream(1, "copy")
    state = at_random(load(2).new_initial_state(), rng, 30)
    before, copy = str(state), state.clone()
    at_random(copy, rng)
    assert str(state) == before
    assert str(copy) != before
    at_random(state, stream(2, "copy"))
    assert str(state) != str(copy)
    assert state.history()[:30] == copy.history()[:30]
