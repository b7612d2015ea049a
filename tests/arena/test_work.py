"""Which games are played: all pairs, the same decks for all, however the work is divided."""

from __future__ import annotations

import pickle
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import Card, GameError, Match, Rules
from five211.arena import Arena, work
from five211.arena.report import play
from five211.arena.sums import Sums, Tally
from five211.bots import Bot, Entry, make
from five211.cli.own import load
from five211.simulate import play_match
from five211.view import View
from tests.arena.bots import Follower, Low, Peeks, Prepared, Remembers, Searcher

LOW, FOLLOWER, SEARCHER = Entry("low", Low), Entry("follower", Follower), Entry("deep", Searcher)


def all_of(arena: Arena) -> Sums:
    return sum((arena.play(*part) for part in arena.parts()), Sums())


def test_everybody_meets_everybody_and_two_players_only_once() -> None:
    arena = Arena.of(["random", "greedy", LOW], [3, 2], 10)
    assert [rules.players for rules in arena.rules] == [2, 3]
    met = [(cell.rules.players, cell.one, cell.field) for cell in arena.cells]
    assert met[:3] == [(2, 0, 1), (2, 0, 2), (2, 1, 2)]
    assert set(met[3:]) == {(3, a, b) for a in range(3) for b in range(3) if a != b}


@pytest.mark.parametrize(
    ("games", "players", "deals"), [(1, 2, 2), (4, 2, 2), (5, 2, 3), (100, 3, 34), (100, 5, 20)]
)
def test_games_are_rounded_up_to_whole_deals(games: int, players: int, deals: int) -> None:
    arena = Arena.of(["random", "greedy"], [players], games)
    assert {arena.deals(cell) for cell in arena.cells} == {deals}
    assert arena.asked == deals * players * (1 if players == 2 else 2)


def test_where_somebody_searches_fewer_games_are_played() -> None:
    arena = Arena.of(["random", "greedy", SEARCHER], [2], 100, 10)
    assert [arena.deals(cell) for cell in arena.cells] == [50, 5, 5]
    few = Arena.of(["random", SEARCHER], [2], 6, 400)
    assert [few.deals(cell) for cell in few.cells] == [3]  # never more than of the others


def test_the_cells_go_on_side_by_side() -> None:
    """Whoever stops early has seen as much of each cell, also of those that have fewer games."""
    arena = Arena.of(["random", "greedy", SEARCHER], [2], 400, 40)
    done: dict[int, int] = defaultdict(int)
    for place, first in arena.parts():
        cell = arena.cells[place]
        assert done[place] == first
        done[place] += arena.part(cell)
        shares = [done[other] / arena.deals(one) for other, one in enumerate(arena.cells)]
        assert max(shares) - min(shares) <= 0.0501
    assert dict(done) == {0: 200, 1: 20, 2: 20}


def spied(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Match, list[Bot]]]:
    games: list[tuple[Match, list[Bot]]] = []

    def spy(rules: Rules, bots: list[Bot], seed: int | str, game: int) -> Match:
        match = play_match(rules, bots, seed, game)
        games.append((match, [bot.bot for bot in bots if isinstance(bot, work.Timed)]))
        return match

    monkeypatch.setattr(work, "play_match", spy)
    return games


@pytest.mark.parametrize("variant", ["standard", "long"])
def test_every_deck_is_played_from_each_seat_and_by_every_cell(
    monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    games = spied(monkeypatch)
    arena = Arena.of(["random", LOW], [3], 6, seed="dup", variant=variant)
    all_of(arena)
    decks: dict[object, list[str]] = defaultdict(list)
    for match, bots in games:
        decks[match.deals[0].deck].append("".join(type(bot).__name__[0] for bot in bots))
    assert len(decks) == 2
    for seats in decks.values():
        assert seats == ["RLL", "LRL", "LLR", "LRR", "RLR", "RRL"]
    for (one, _), (other, _) in pairwise(games[:3]):
        shared = min(len(one.deals), len(other.deals))
        assert [deal.deck for deal in one.deals[:shared]] == [
            deal.deck for deal in other.deals[:shared]
        ]


def test_they_are_the_games_of_simulate() -> None:
    """So a game of the arena can be looked at: simulate plays the first seat's with records."""
    arena = Arena.of(["random", "greedy"], [2], 8, seed="seen")
    expected = Tally()
    for deal in range(4):
        bots = [make("random"), make("greedy")]
        here, there = (play_match(Rules.of(2), order, "seen", deal) for order in (bots, bots[::-1]))
        expected += Tally.of([(here, 0), (there, 1)])
    assert all_of(arena).cells == {0: expected}


def test_the_seed_alone_says_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of bots with a memory, whatever the number of workers and the order they end in."""
    monkeypatch.setattr(work, "PART", 2)
    bots: list[str | Entry] = ["random", Entry("memory", Remembers), FOLLOWER]
    arena = Arena.of(bots, [2, 3], 9, seed="again")
    here = play(arena)
    with ThreadPoolExecutor(3) as threads:
        assert play(arena, threads) == here
    parts = list(arena.parts())
    Random(1).shuffle(parts)
    assert sum((arena.play(*part) for part in parts), Sums()) == here
    assert here.games == arena.asked
    other = play(replace(arena, seed="another"))
    assert other.cells != here.cells


@pytest.mark.parametrize("made", [Peeks, Prepared])
def test_each_game_has_bots_of_its_own_which_are_prepared(made: type[Bot]) -> None:
    """One that remembers would know by the second seat what the others hold."""
    bots: list[Any] = [Entry("new", made), made(), "random"]
    arena = Arena.of(bots, [2, 3], 6)
    assert all_of(arena).games == arena.asked


def test_what_the_first_choice_loads_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot has chosen once before, at a table of this size, with cards of no game."""
    chosen: list[View] = []

    class Watches(Low):
        def choose(self, view: View, rng: Random) -> tuple[Card, ...]:
            chosen.append(view)
            return super().choose(view, rng)

    monkeypatch.setattr(work, "_begun", set())
    arena = Arena.of([Watches, "random"], [2, 3], 6)
    sums = all_of(arena)
    assert len(chosen) == sums.times[0].choices + 2
    again = all_of(arena)
    assert len(chosen) == 2 * again.times[0].choices + 2


def test_every_choice_is_timed() -> None:
    arena = Arena.of(["random", LOW], [3], 6)
    sums = all_of(arena)
    choices = 3 * 3 * Rules.of(3).rounds  # of three seats in three turns
    assert sums.games == 12
    assert sums.times[0].choices + sums.times[1].choices == 12 * choices
    assert sums.times[0].choices == sums.times[1].choices


def test_it_can_be_sent_to_a_worker_which_loads_the_bots() -> None:
    arena = Arena.of(["greedy", f"{__file__[:-12]}bots.py:Low"], [2], 4, load=load)
    again = pickle.loads(pickle.dumps(arena))
    assert again == arena
    assert again.play(0, 0) == arena.play(0, 0)
    with pytest.raises(GameError) as error:
        replace(arena, version="0.0.1").play(0, 0)
    assert (error.value.code, error.value.fields["here"]) == ("cluster_version", "0.0.1")


def test_bots_of_the_same_name_are_told_apart() -> None:
    same = f"{__file__[:-12]}bots.py:Low"
    other = same.replace("bots.py", "../arena/bots.py")
    assert Arena.of([same, "random", other], [2], load=load).names == (same, "random", other)
    assert Arena.of([same, "easy"], [2], load=load).names == ("Low", "hasty")


def test_a_bots_own_name_may_be_what_another_was_called_by(tmp_path: Path) -> None:
    for name in ("neural", "hard"):
        text = f"class {name}:\n    def choose(self, view, rng): return view.choices[0]\n"
        (tmp_path / f"{name}.py").write_text(text)
    bots = f"{tmp_path}/neural.py:neural", "hard", f"{tmp_path}/hard.py:hard"
    assert Arena.of(bots, [2], load=load).names == bots


@pytest.mark.parametrize(
    ("bots", "code"),
    [
        ([], "arena_few"),
        (["random"], "arena_few"),
        (["random", "random"], "arena_twice"),
        (["hasty", "random", "easy"], "arena_twice"),
        ([LOW, "random", LOW], "arena_twice"),
        (["random", "nobody"], "bot_unknown"),
        ([Low(), "random", Low], "arena_twice"),
        (["random", 3], "bot_choose"),
        (["random", Card], "bot_choose"),
        (["random", all_of], "bot_function"),
        ("random", "list_type"),
    ],
)
def test_who_cannot_meet(bots: list[str | Entry], code: str) -> None:
    with pytest.raises(GameError) as error:
        Arena.of(bots, [2])
    assert error.value.code == code


def test_an_arena_has_tables_of_some_size() -> None:
    with pytest.raises(GameError) as error:
        Arena.of(["random", "greedy"], [])
    assert error.value.code == "arena_sizes"


@pytest.mark.parametrize("given", [{"games": -1}, {"games": 1.5}, {"games_slow": "3"}])
def test_numbers_that_are_none(given: dict[str, Any]) -> None:
    with pytest.raises(GameError) as error:
        Arena.of(["random", "greedy"], [2], **given)
    assert error.value.code == "count"
