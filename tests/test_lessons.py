"""The tutorial's situations teach what they are meant to (web/lessons.py, read as generated)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from five211 import Rules, explain, parse_cards, score_round, words
from five211.editions import edition_names
from five211.rules import HAND, PLAYS
from five211.sentences import describe_tally
from five211.shapes import score_json
from five211.tally import tally

GENERATED = Path(__file__).parent.parent / "web" / "src" / "generated"
LANGUAGES = ("en", "fr")


@cache
def read(name: str) -> Any:
    return json.loads((GENERATED / name).read_text(encoding="utf-8"))


def lessons() -> Any:
    return read("lessons.json")


def steps(name: str) -> list[str]:
    return [one["step"] for one in lessons()["situations"][name]["score"]["steps"]]


@pytest.mark.parametrize("name", lessons()["situations"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
def test_every_situation_is_what_five211_says(name: str, language: str, edition: str) -> None:
    one, said = lessons()["situations"][name], read(f"lessons.{language}.json")[edition]
    rules, table = Rules.of(one["players"]), [parse_cards(" ".join(s)) for s in one["table"]]
    score = score_round(rules, table)
    assert (one["limit"], one["exact"]) == (rules.limit, rules.exact)
    plain = [{k: v for k, v in s.items() if k != "say"} for s in one["score"]["steps"]]
    assert {**one["score"], "steps": plain} == score_json(score, None)
    told = tuple(said[step["say"]] for step in one["score"]["steps"])
    assert told == explain(score, language, edition)
    shown = tuple(said[n] for n in one["tally"]["says"])
    assert shown == describe_tally(tally(rules, table), words(language, edition))


@pytest.mark.rule("4.2")
def test_whoever_adds_up_the_values_is_wrong() -> None:
    one = lessons()["situations"]["count"]
    assert max(one["sums"], key=one["sums"].get) != one["score"]["color"]


@pytest.mark.rule("4.3")
def test_limit() -> None:
    assert "struck_for_limit" in steps("limit")
    four = lessons()["situations"]["limit_of_four"]
    (leader,) = [one for one in four["tally"]["colors"] if one["standing"] == "leads"]
    assert leader["to_limit"] == 1
    assert steps("limit_of_four")[-1] == "color_scores"


@pytest.mark.rule("4.5")
def test_ties() -> None:
    assert steps("tie").count("struck_for_tie") == 1
    assert steps("cascade")[-3:] == ["struck_for_tie", "struck_for_tie", "color_scores"]
    counts = lessons()["situations"]["cascade"]["score"]["steps"][1]["counts"]
    assert sorted(counts.values(), reverse=True) == [4, 4, 3, 3, 2]
    assert steps("nothing")[-1] == "nothing_left"


@pytest.mark.rule("4.1")
def test_icons() -> None:
    assert steps("icons") == ["icons_counted"]
    assert lessons()["situations"]["icons"]["tally"]["icon_standing"] == "exact"
    assert lessons()["situations"]["icons_too_many"]["tally"]["icon_standing"] == "too_many"
    one = lessons()["situations"]["icon_color"]
    cards = [card for seat in one["table"] for card in seat]
    counts = {c: sum(card[0] == c and card[1] != "1" for card in cards) for c in "YGOBV"}
    assert max(counts, key=lambda c: counts[c]) != one["score"]["color"]  # the icons decide it


def test_the_points_are_among_the_options() -> None:
    points = lessons()["points"]
    one = lessons()["situations"][points["situation"]]
    assert one["score"]["points"][0] in points["options"]
    assert len(points["options"]) == 3


@pytest.mark.rule("3.1")
def test_the_round_has_no_surprises() -> None:
    """The first round comes before limits, ties and icons, so none of them may happen."""
    one = lessons()["round"]
    assert one["plays"] == list(PLAYS)
    assert len(one["hand"]) == HAND
    scores = one["scores"].values()
    assert {tuple(step["step"] for step in score["steps"]) for score in scores} == {
        ("icons_counted", "colors_counted", "color_scores")
    }
    (color,) = {score["color"] for score in scores}
    held = [*one["hand"], *(card for drawn in one["draws"] for card in drawn)]
    assert sum(card[0] == color for card in held) == 1
    assert {bool(score["points"][0]) for score in scores} == {True, False}


@pytest.mark.rule("5.2")
def test_the_score_piles_decide_the_end() -> None:
    end = lessons()["end"]
    assert len(set(end["points"])) == 1
    (winner,) = end["winners"]
    assert end["cards"][winner] == max(end["cards"]) != min(end["cards"])


def test_questions_name_rules_that_there_are() -> None:
    for ask in lessons()["asks"].values():
        assert ask["rule"] in read("rules.en.json")["rules"]
