"""Every claim, every card and every place of a record, changed one at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from five211 import faults, parse
from five211.rules import COPIES
from tests.goldens import golden, golden_data, truthful
from tests.records import SHORTEST, STANDARD, at, nodes, put, refusal

ALL_CODES = [f"{color}{value}" for color in "YGOBV" for value in range(1, 1 + len(COPIES))]


# Claims


def claims(data: Any) -> Iterator[tuple[str, str]]:
    """Every single claim of a record: its own place, and that of the fault that it will be."""
    for number, deal in enumerate(data["deals"]):
        for index, round_ in enumerate(deal["rounds"]):
            place = f"deals[{number}].rounds[{index}]"
            yield from ((f"{place}.outcome.{key}", f"{place}.outcome") for key in ("kind", "color"))
            yield from ((f"{place}.points[{n}]", f"{place}.points") for n in range_of(round_))
    for key in ("points", "cards", "winners"):
        count = len(data["result"][key])
        yield from ((f"result.{key}[{n}]", f"result.{key}") for n in range(count))


def range_of(round_: Any) -> range:
    return range(len(round_["points"]))


def others(value: Any) -> list[Any]:
    """What else could be claimed in a value's place."""
    if isinstance(value, int):
        return [value + 1, value - 1, float(value), str(value)]
    kinds, colors = ("kododo", "color", "none"), ("Y", "G", "O", "B", "V", None)
    return [word for word in (kinds if value in kinds else colors) if word != value]


@pytest.mark.rule("4.4")
@pytest.mark.rule("5.2")
@pytest.mark.parametrize("name", [STANDARD, SHORTEST, "3-long-azul"])
def test_every_wrong_claim_is_refused_and_it_alone(name: str) -> None:
    data = golden_data(name)
    for place, fault in claims(data):
        truth = at(data, place)
        for claim in others(truth):
            put(data, place, claim)
            (error,) = faults(json.dumps(data))
            assert (error.code, error.place) == ("record_claim", fault)
        put(data, place, truth)
    assert faults(json.dumps(data)) == ()


@pytest.mark.parametrize("value", [True, False])
def test_a_boolean_is_no_number(value: bool) -> None:
    data = golden_data(STANDARD)
    winners = data["result"]["winners"]
    assert winners == [1]
    winners[0] = value
    put(data, "deals[0].rounds[0].points", [value, False])
    assert [error.place for error in faults(json.dumps(data))] == [
        "deals[0].rounds[0].points",
        "result.winners",
    ]


@pytest.mark.parametrize("claim", [None, 7, "x", [], {}, [[]], {"kind": "none"}])
def test_a_claim_of_another_shape_is_wrong(claim: Any) -> None:
    data = golden_data(STANDARD)
    for place in ("outcome", "points"):
        put(data, f"deals[0].rounds[1].{place}", claim)
    if claim is not None:  # that would be no result at all
        data["result"] = claim
    places = [error.place for error in faults(json.dumps(data))]
    assert places[:2] == ["deals[0].rounds[1].outcome", "deals[0].rounds[1].points"]
    result = ["result.points", "result.cards", "result.winners"]
    assert places[2:] == (result if claim is not None else [])


def test_a_claim_that_is_left_out_is_wrong() -> None:
    data = golden_data(STANDARD)
    del data["deals"][0]["rounds"][2]["outcome"], data["deals"][0]["rounds"][3]["points"]
    del data["result"]["cards"]
    assert [error.place for error in faults(json.dumps(data))] == [
        "deals[0].rounds[2].outcome",
        "deals[0].rounds[3].points",
        "result.cards",
    ]


def test_all_wrong_claims_are_named_not_only_the_first() -> None:
    data = golden_data("5-long-azul")
    wrong = [place for _, place in claims(data)]
    for place in dict.fromkeys(wrong):
        put(data, place, {"kind": "?"} if place.endswith("outcome") else [99])
    assert [error.place for error in faults(json.dumps(data))] == list(dict.fromkeys(wrong))
    assert refusal(json.dumps(data)).place == wrong[0]


def test_wrong_claims_before_a_card_that_was_not_there_are_named_with_it() -> None:
    data = golden_data(STANDARD)
    put(data, "deals[0].rounds[0].points", [1, 1])
    put(data, "deals[0].rounds[1].turns[0][0]", ["Y6", "Y6"])
    put(data, "deals[0].rounds[2].points", [1, 1])  # never reached
    assert [(error.code, error.place) for error in faults(json.dumps(data))] == [
        ("record_claim", "deals[0].rounds[0].points"),
        ("not_in_hand", "deals[0].rounds[1].turns[0]"),
    ]


# Every card and every place, one at a time


@pytest.mark.rule("3.2")
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_every_played_card_exchanged_for_others_is_refused_unless_it_is_a_game_too(
    step: int,
) -> None:
    """Some games differ in a card that never mattered; a naive reader knows which ones."""
    data = golden_data(SHORTEST)
    believed = refused = 0
    for index, round_ in enumerate(data["deals"][0]["rounds"]):
        for number, turn in enumerate(round_["turns"]):
            for choice in turn:
                for n, truth in enumerate(choice):
                    for choice[n] in ALL_CODES[(index + number) % step :: step]:
                        found = faults(json.dumps(data))
                        assert (found == ()) is truthful(data), (index, number, choice)
                        believed, refused = believed + (not found), refused + bool(found)
                    choice[n] = truth
    assert believed + refused == 5 * 4 * 4 * len(ALL_CODES) // step
    assert 0 < believed < refused


@pytest.mark.rule("1.1")
def test_every_card_of_the_deck_exchanged_for_any_other_is_refused() -> None:
    data = golden_data(SHORTEST)
    deal = data["deals"][0]
    for cards in (deal["removed"], *deal["hands"], deal["pile"]):
        for n, truth in enumerate(cards):
            cards[n] = ALL_CODES[ALL_CODES.index(truth) - 1]
            assert [error.code for error in faults(json.dumps(data))] == ["copies"]
            cards[n] = truth


def test_two_cards_of_the_deck_exchanged_make_a_lie_or_another_true_game() -> None:
    rng, seen = Random(7), set()
    for _ in range(300):
        data = golden_data(SHORTEST)
        deal = data["deals"][0]
        places = [(cards, n) for cards in (*deal["hands"], deal["pile"]) for n in range(len(cards))]
        (one, m), (other, n) = rng.sample(places, 2)
        one[m], other[n] = other[n], one[m]
        true = truthful(data)
        assert (faults(json.dumps(data)) == ()) is true
        seen.add(true)
    assert seen == {True, False}


WRONG: tuple[Any, ...] = (None, True, 0, 1, -1, 1.0, "", "4", "y1", [], [None], {}, {"": 1})
NO_CARDS: tuple[Any, ...] = (None, 11, "y1", ["Y1"])


def ignorable(place: str, value: Any) -> bool:
    """Whether a value may stand at this place: who played is free, and so are unknown keys."""
    name = value is None or isinstance(value, str)
    return (
        place.startswith(("seed", "times"))
        or (bool(re.fullmatch(r"seats\[\d\]\.name", place)) and isinstance(value, str))
        or (bool(re.fullmatch(r"seats\[\d\]\.bot", place)) and name)
        or (place.endswith(".played_by") and value is None)
        or (bool(re.search(r"\.played_by\[\d\]\[\d\]$", place)) and name and value != "")
    )


def test_a_value_of_the_wrong_type_is_refused_wherever_it_stands() -> None:
    data = golden_data(SHORTEST)
    match = parse(golden(SHORTEST)).match
    places = list(nodes(data))
    assert len(places) > 400
    for place in places:
        truth = at(data, place)
        for value in NO_CARDS if truth in ALL_CODES else WRONG:
            if type(value) is type(truth) and value == truth:
                continue
            put(data, place, value)
            text = json.dumps(data)
            if ignorable(place, value):
                assert parse(text).match == match
            else:
                assert faults(text), (place, value)
        put(data, place, truth)
