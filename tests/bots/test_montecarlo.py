"""Monte Carlo: it sees the view alone, finds what is obvious, keeps what it needs, and wins."""

from __future__ import annotations

from random import Random

import pytest

from five211 import Cards, Match, Rules, View, parse_cards, view
from five211.bots import Bot, entry, make
from five211.bots.greedy import GreedyBot
from five211.bots.montecarlo import MonteCarloBot
from five211.chance import stream
from five211.simulate import play_match
from tests.bots.positions import LAST_CARDS, last_card
from tests.tables import deck_for, other_worlds, random_match, replayed
from tests.test_layers import fresh

PLAYERS = (2, 3, 4, 5)
TWO = Rules.of(2)


def chosen(seen: View, seed: int | str = 1) -> Cards:
    return MonteCarloBot().choose(seen, stream(seed, "bot"))


def position(players: int, turns: int) -> Match:
    match = random_match(Rules.of(players), "position", turns)
    return match.deal(deck_for(match.rules, "position")) if match.awaits_deck else match


def test_it_is_found_by_name_and_no_players_level() -> None:
    assert isinstance(make("montecarlo"), MonteCarloBot)
    assert entry("montecarlo").level is None


def test_nothing_slow_is_imported_before_it_chooses() -> None:
    code = "import sys, five211.bots as b; b.make('montecarlo'); print(*sys.modules)"
    assert not {"numpy", "numba", "five211.fast"} & set(fresh(code).split())


@pytest.mark.parametrize("players", PLAYERS)
def test_it_plays_whole_games_by_the_rules(players: int) -> None:
    bots: list[Bot] = [MonteCarloBot(), *[GreedyBot()] * (players - 1)]
    assert play_match(Rules.of(players), bots, "whole").over


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("turns", [0, 1, 2, 7])
def test_it_chooses_by_its_view_and_its_stream_alone(players: int, turns: int) -> None:
    match = position(players, turns)
    other = replayed(match, other_worlds(match, 1, Random(turns)))[-1]
    assert other.state.hands != match.state.hands
    choice = chosen(view(match, 1))
    assert choice in view(match, 1).choices
    assert chosen(view(match, 1)) == chosen(view(other, 1)) == choice


def test_another_stream_deals_other_worlds() -> None:
    """Where choices are close, they differ by the worlds; and a decision takes one word."""
    seen = [view(position(players, turns), 0) for players in PLAYERS for turns in range(6)]
    assert any(len({chosen(one, seed) for seed in range(4)}) > 1 for one in seen)
    ours, expected = Random(7), Random(7)
    MonteCarloBot().choose(seen[0], ours)
    expected.getrandbits(64)
    assert ours.random() == expected.random()


@pytest.mark.parametrize("seed", range(3))
@LAST_CARDS
def test_the_last_card_of_the_game(mine: str, theirs: str, hand: str, best: str, seed: int) -> None:
    assert chosen(last_card(mine, theirs, hand, TWO.rounds - 1), seed) == parse_cards(best)


@pytest.mark.parametrize("seed", range(3))
def test_what_cannot_score_now_is_kept_if_it_is_worth_something_later(seed: int) -> None:
    """Three blue cards lie there, so that a first yellow one never scores."""
    seen = last_card("B2 B3 G2", "B4 O2 V2", "Y2 Y3 Y4 Y5 Y6", 3)
    assert chosen(seen, seed) == parse_cards("Y2")


def test_it_beats_the_greedy() -> None:
    for game in range(4):
        result = play_match(TWO, [MonteCarloBot(), GreedyBot()], "greedy", game).result
        assert result is not None
        assert result.winners == (0,)
