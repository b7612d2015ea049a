"""The report of habits: consistent, the same however it was played, and silent on what is rare."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from five211 import Match, Rules
from five211.bots import Entry, make
from five211.errors import GameError
from five211.fast import simulate
from five211.simulate import play_match
from five211.stats.estimate import UNKNOWN
from five211.stats.habits.chapters import SPECS, Sums, count
from five211.stats.habits.gather import Compiled, Readable, gather, log_of
from five211.stats.habits.report import FEW, as_json, make_report
from tests.arena.bots import Low
from tests.stats.habits import GAMES, report, sums

WHOLE = ("opening", "values", "buster", "decided", "biggest", "scoring_cards")


@pytest.mark.parametrize("key", WHOLE)
def test_shares_of_a_whole_come_to_one(key: str) -> None:
    for figure in report()[key].figures:
        for line in figure.lines.values():
            assert sum(one.value for one in line) == pytest.approx(1)


def test_of_all_cards_half_come_first_and_that_is_sure() -> None:
    for figure in report()["high_turns"].figures:
        first, second, third = figure.lines["any"]
        assert (first.value, first.low, first.high) == (0.5, 0.5, 0.5)
        assert second.value == third.value == 0.25
        for line in figure.lines.values():
            assert sum(one.value for one in line) == pytest.approx(1)


def test_what_one_game_says_again_and_again_is_not_sure() -> None:
    few = np.zeros_like(sums(2).sums)
    few[:] = [[20], [40], [400], [800], [1600]]  # twenty of forty, and all of them in one game
    first, *_others = make_report({Rules.of(2): Sums(100, few)}, "x", "x").chapters
    one = first.figures[0].lines["all"][0]
    assert one.value == 0.5
    assert one.low < 0.4 < 0.6 < one.high


def test_icons_bring_as_many_points_as_it_takes() -> None:
    for figure in report(bot="random")["round_points"].figures:
        icons = figure.lines["all"][1]
        assert (icons.value, icons.low, icons.high) == (figure.rules.exact,) * 3


def test_winners_score_more() -> None:
    for figure in report()["winners"].figures:
        at = figure.rows.index("card_scores")
        assert figure.lines["winners"][at].low > figure.lines["others"][at].high


def test_what_is_rare_is_not_told() -> None:
    figure = report()["exact_after"].figures[3]
    assert UNKNOWN in figure.lines["first"]
    assert all(one == UNKNOWN or one.among >= FEW for one in figure.lines["first"])


def test_parts_have_every_chapter_once() -> None:
    told = [chapter.key for _part, chapters in report().parts() for chapter in chapters]
    assert told == [spec.key for spec in SPECS]


def test_programs_get_all_of_it() -> None:
    told = as_json(report())
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert (told["bot"], told["level"], told["games"]["4"]) == ("hasty", "easy", GAMES)
    assert set(told["chapters"]) == {spec.key for spec in SPECS}
    lines = told["chapters"]["winners"]
    assert [(one["players"], one["line"]) for one in lines[:3]] == [
        (2, "winners"),
        (2, "others"),
        (3, "winners"),
    ]
    for row in lines[0]["rows"]:
        assert row["low"] < row["value"] < row["high"]
        assert row["among"] >= FEW
    after = told["chapters"]["exact_after"][-2]["rows"]
    assert len(after) < Rules.of(5).exact + 1  # what is rare is left out


def test_an_interrupted_report_says_so() -> None:
    found = {Rules.of(2): sums(2)}
    assert not make_report(found, "hasty", "x", asked=GAMES).interrupted
    assert make_report(found, "hasty", "x", asked=GAMES + 1).interrupted


# Playing


def equal(one: Sums, other: Sums) -> bool:
    return one.games == other.games and bool((one.sums == other.sums).all())


def test_the_same_sums_on_any_number_of_threads() -> None:
    task, said = Compiled.of(Rules.of(3), "hasty", 7), list[int]()
    with ThreadPoolExecutor(1) as alone, ThreadPoolExecutor(3) as many:
        one = gather(task, 1500, alone, told=said.append)
        other = gather(task, 1500, many)
    played = simulate(3, 1500, "hasty", seed=7, log=True)
    assert played.log is not None
    assert equal(one, other)
    assert equal(one, count(played.rules, played.log, played.winners))
    assert sum(said) == 1500


def test_a_log_of_matches_is_as_the_compiled_engine_writes_it() -> None:
    rules = Rules.of(3)
    match = play_match(rules, [make("hasty")] * 3, 1)
    log, winners = log_of([match])
    assert log.shape == (1, 7, 3, 4)
    assert {str(one.dtype) for one in (log, winners)} == {"uint8"}
    first, last = match.state.rounds[0].turns[0][2], match.state.rounds[6].turns[2][1]
    numbers = [6 * card.color + card.value - 1 for card in (*first, *last)]
    assert [*log[0, 0, 2, :2], log[0, 6, 1, 3]] == numbers
    assert match.result is not None
    assert winners[0] == sum(1 << seat for seat in match.result.winners)


def test_readable_games_are_the_same_in_any_parts() -> None:
    rules = Rules.of(2)
    task = Readable(rules, "hasty", "seed")
    assert pickle.loads(pickle.dumps(task)) == task  # so that a process can have it
    with ThreadPoolExecutor(1) as pool:
        found = gather(task, 10, pool)
    matches: list[Match] = [play_match(rules, [make("hasty")] * 2, "seed", n) for n in range(10)]
    assert equal(found, count(rules, *log_of(matches)))


def test_bots_are_found_by_whoever_plays() -> None:
    task = Readable(Rules.of(2), "mine", 1, lambda name: Entry(name, Low))
    assert task.sums(0, 2).games == 2


def test_ctrl_c_gives_the_games_so_far() -> None:
    played = []

    def told(n: int) -> None:
        played.append(n)
        raise KeyboardInterrupt

    task = Compiled.of(Rules.of(3), "hasty", 7)
    with ThreadPoolExecutor(1) as pool:
        part = gather(task, 3000, pool, told=told)
        assert part.games == sum(played) == 1024
        assert equal(part, gather(task, 1024, pool))


def test_a_number_of_games_that_there_cannot_be_is_refused() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(GameError):
        gather(Readable(Rules.of(3), "random", 7), -1, pool)
