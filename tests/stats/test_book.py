"""The book: complete, consistent, the same on any number of threads, and equal to what is exact."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from five211 import Rules
from five211.errors import GameError
from five211.fast import simulate
from five211.stats.book import SPECS, Figure, as_json, make_book, trimmed
from five211.stats.exact import exact
from five211.stats.gather import gather
from tests.stats.books import GAMES, book, games

PLAYERS = (2, 3, 4, 5)
WHOLE = ("outcome", "biggest", "icons", "scores", "lead", "victory", "seats")


def test_random_games_agree_with_every_exact_value() -> None:
    checks = book().checks
    assert len([one for one in checks if one.bot == "random"]) > 200
    assert {one.chapter for one in checks} == {spec.key for spec in SPECS if spec.exact}
    assert all(abs(one.z) < 4 for one in checks)
    assert not any(one.flagged for one in checks)
    spread = np.std([one.z for one in checks])
    assert 0.7 < spread < 1.3  # errors that were told too large would show here, too


def test_games_that_are_not_random_do_not_agree() -> None:
    swapped = make_book({Rules.of(4): {"random": games(4, "hasty")}}, "standard", "x")
    flagged = {one.chapter for one in swapped.checks if one.flagged}
    assert {"means", "outcome", "struck", "icons", "worth", "turns"} <= flagged
    assert "seats" not in flagged
    known = make_book({Rules.of(4): {"hasty": games(4, "random")}}, "standard", "x")
    assert {one.chapter for one in known.checks} == {"seats"}  # of hasty play nothing else is


@pytest.mark.parametrize("bot", GAMES)
@pytest.mark.parametrize("key", WHOLE)
def test_shares_of_a_whole_come_to_one(key: str, bot: str) -> None:
    for figure in book()[key].figures:
        assert sum(one.value for one in figure.lines[bot]) == pytest.approx(1)


def test_figures_are_those_of_the_games() -> None:
    rules = Rules.of(4)
    played = simulate(4, GAMES["hasty"], "hasty", seed="x")
    of = {chapter.key: chapter.figures[2] for chapter in book().chapters}
    assert of["means"].rules is rules

    def value(key: str, row: str | int) -> float:
        figure = of[key]
        return figure.lines["hasty"][figure.rows.index(row)].value

    points = np.sort(played.points.astype(np.int64), axis=1)
    assert value("means", "score") == pytest.approx(points.mean())
    assert value("means", "best") == pytest.approx(points[:, -1].mean())
    assert value("means", "margin") == pytest.approx((points[:, -1] - points[:, -2]).mean())
    assert value("scores", 12) == pytest.approx((points == 12).mean())
    assert value("lead", 0) == pytest.approx((points[:, -1] == points[:, -2]).mean())
    assert value("outcome", "none") == pytest.approx(played.outcomes[:, 2].sum() / 6 / 2000)
    winners = played.shares()
    assert value("victory", "shared") == pytest.approx((winners.max(axis=1) < 1).mean())
    for seat in range(4):
        assert value("seats", seat + 1) == pytest.approx(winners[:, seat].mean())
        figure = of["seats"].lines["hasty"][seat]
        assert figure.error == pytest.approx(winners[:, seat].std(ddof=1) / 2000**0.5)


def test_the_longer_game_tells_its_length_and_only_that_seats_are_equal_is_known() -> None:
    told = book((3,), ("random", "hasty"), "long")
    assert told["means"].figures[0].rows[-1] == "rounds"
    assert told["means"].figures[0].lines["random"][-1].value > Rules.of(3).rounds
    assert {one.chapter for one in told.checks} == {"seats"}
    assert {one.bot for one in told.checks} == {"random", "hasty"}


@pytest.mark.parametrize("bot", ["random", "hasty"])
def test_the_same_sums_on_any_number_of_threads(bot: str) -> None:
    rules = Rules.of(3)
    said: list[int] = []
    with ThreadPoolExecutor(1) as alone, ThreadPoolExecutor(3) as many:
        one = gather(rules, bot, 3000, 7, alone, told=said.append)
        other = gather(rules, bot, 3000, 7, many, usual=700)
    assert one.games == other.games == sum(said) == 3000
    np.testing.assert_array_equal(one.sums, other.sums)
    np.testing.assert_array_equal(one.shapes, other.shapes)


def test_ctrl_c_gives_the_games_so_far() -> None:
    played = []

    def told(n: int) -> None:
        played.append(n)
        if len(played) == 3:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        part = gather(Rules.of(3), "random", 10_000, 7, pool, usual=16, told=told)
        assert part.games == sum(played) == 3 * 256
        whole = gather(Rules.of(3), "random", part.games, 7, pool)
    np.testing.assert_array_equal(part.sums, whole.sums)


def test_a_number_of_games_that_there_cannot_be_is_refused() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(GameError):
        gather(Rules.of(3), "random", -1, 7, pool)


def test_the_chief_is_the_last_bot_that_every_number_of_players_has() -> None:
    assert book().chief == "heuristic"
    found = {
        Rules.of(2): {"random": games(2, "random"), "hasty": games(2, "hasty")},
        Rules.of(3): {"random": games(3, "random")},
    }
    part = make_book(found, "standard", "x")
    assert part.chief == "random"
    assert part.played == 2 * GAMES["random"] + GAMES["hasty"]


def test_tails_that_nobody_could_see_are_cut_off() -> None:
    whole = book()["scores"].figures[0]
    figure = trimmed(whole)
    assert isinstance(figure, Figure)
    assert 0 < figure.rows[0] < 10 < 60 < figure.rows[-1] < 120  # type: ignore[operator]
    assert all(len(line) == len(figure.rows) for line in figure.lines.values())
    at = whole.rows.index(figure.rows[0])
    assert figure.lines["random"] == whole.lines["random"][at : at + len(figure.rows)]
    known = trimmed(book()["icons"].figures[0])
    assert len(known.exact["random"]) == len(known.rows)


def test_programs_get_all_of_it() -> None:
    told = as_json(book())
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert set(told["chapters"]) == {spec.key for spec in SPECS}
    assert told["games"]["4"] == GAMES
    lines = told["chapters"]["outcome"]
    assert [(one["players"], one["bot"]) for one in lines] == [
        (n, b) for n in PLAYERS for b in GAMES
    ]
    for row in lines[0]["rows"]:
        assert row["low"] < row["value"] < row["high"]
    check = told["checks"][0]
    assert (check["chapter"], check["players"], check["row"]) == ("means", 2, "score")
    assert check["exact"] == pytest.approx(float(Fraction(11) * exact(2).points))
    assert told["flagged"] == 0
    assert not any(row["value"] == 0 for row in told["chapters"]["scores"][0]["rows"])
