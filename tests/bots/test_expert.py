"""The expert: by its view and its stream alone, in every game, and better than the others."""

from __future__ import annotations

from random import Random

import pytest

from five211 import Cards, Rules, View, parse_cards, view
from five211.bots import entry, make, prepare
from five211.bots.expert import ExpertBot
from five211.chance import stream
from five211.cli import waiting
from five211.fast import search
from five211.simulate import play_match
from tests.bots.positions import LAST_CARDS, TWO, last_card, position
from tests.test_layers import fresh

PLAYERS = (2, 3, 4, 5)


def chosen(seen: View, seed: int | str = 1) -> Cards:
    return ExpertBot().choose(seen, stream(seed, "bot"))


def test_it_is_found_by_name_and_level() -> None:
    assert isinstance(make("expert"), ExpertBot)
    assert entry("expert").level == "expert"
    assert ExpertBot.searches


def test_nothing_slow_is_imported_before_it_chooses() -> None:
    code = "import sys, five211.bots as b; b.make('expert'); print(*sys.modules)"
    assert not {"numpy", "numba", "five211.fast"} & set(fresh(code).split())


@pytest.mark.parametrize("seed", range(3))
@LAST_CARDS
def test_the_last_card_of_the_game(mine: str, theirs: str, hand: str, best: str, seed: int) -> None:
    assert chosen(last_card(mine, theirs, hand, TWO.rounds - 1), seed) == parse_cards(best)


@pytest.mark.parametrize("variant", ["standard", "long"])
@pytest.mark.parametrize("players", PLAYERS)
def test_it_plays_every_turn_of_every_game(players: int, variant: str) -> None:
    rules = Rules.of(players, variant)
    for turn in (0, 1, 2, 4, 3 * rules.rounds - 2, 3 * rules.rounds - 1, 3 * rules.rounds + 1):
        now = position(rules, turn, turn)
        if not now.over:
            seen = view(now, turn % players)
            assert chosen(seen) in seen.choices


def test_another_stream_deals_other_worlds() -> None:
    """Where choices are close, they differ; and the opening is drawn as the network draws it."""
    for turns in ((0, 3, 6), (1, 4, 7), (2, 5, 8)):
        seen = [view(position(Rules.of(n), turn, turn), 0) for n in PLAYERS for turn in turns]
        assert any(len({chosen(one, seed) for seed in range(8)}) > 1 for one in seen)


def test_a_decision_takes_two_numbers_of_the_stream() -> None:
    seen = last_card("G5 G6 Y2", "O2 B2 V2", "Y3 G4", TWO.rounds - 1)
    ours, expected = Random(7), Random(7)
    ExpertBot().choose(seen, ours)
    expected.getrandbits(64)
    expected.random()
    assert ours.random() == expected.random()


def test_it_beats_the_heuristic_and_the_greedy() -> None:
    for other, least in (("greedy", 10), ("heuristic", 6)):
        results = [
            play_match(TWO, [make("expert"), make(other)], other, game).result for game in range(10)
        ]
        assert sum(result is not None and result.winners == (0,) for result in results) >= least


def test_it_is_made_ready_before_anybody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(waiting, "told_of_compiling", lambda: told.append("told"))
    monkeypatch.setattr(search, "compile_search", lambda: told.append("compiled"))
    waiting.prepared([entry("greedy"), entry("expert"), entry("random"), entry("expert")])
    assert told == ["told", "compiled"]
    prepare(make("greedy"))  # has nothing to do
    prepare(make("expert"))
    assert told == ["told", "compiled", "compiled"]
