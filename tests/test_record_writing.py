"""What is written is read again, also of games that have not ended."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import (
    MINI,
    GameError,
    Match,
    Player,
    Record,
    Rules,
    Variant,
    faults,
    parse,
    replay,
    write,
)
from five211.record import KNOWN
from tests.goldens import golden, golden_data, unfinished
from tests.records import LONG, SHORTEST, STANDARD, STOPPED, json_values, put
from tests.tables import choices_of, deck_for, random_choices, random_match, replayed

names = st.text(st.characters(), max_size=9)  # any character, also half a surrogate pair


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Games of every kind, stopped anywhere, with anything in the places that are free."""
    rules = Rules.of(draw(st.integers(2, 5)), draw(st.sampled_from(Variant)))
    seed = draw(st.integers(0, 10**6))
    match = random_match(rules, seed, draw(st.none() | st.integers(0, 40)))
    if match.awaits_deck and draw(st.booleans()):
        match = match.deal(deck_for(rules, seed, len(match.deals)))
    players = [Player(draw(names), draw(st.none() | names)) for _ in range(rules.players)]
    rng = Random(seed)
    away = draw(st.sampled_from((0.0, 0.1, 1.0)))
    played_by = tuple(
        tuple("greedy" if rng.random() < away else None for _ in players)
        for state in match.deals
        for _ in choices_of(state)
    )
    extra = draw(st.dictionaries(st.text().filter(lambda k: k not in KNOWN), json_values))
    edition = draw(st.sampled_from(("classic", "azul")))
    present = played_by if any(map(any, played_by)) else ()
    return Record(match, tuple(players), edition, present, extra)


# What is written is read again


@given(records())
def test_what_is_written_is_read_again(record: Record) -> None:
    text = write(record)
    assert "\n" not in text
    assert faults(text) == ()
    assert parse(text) == record
    assert write(parse(text)) == text
    assert ("result" in json.loads(text)) is record.finished


@pytest.mark.parametrize("name", [STANDARD, "3-long-azul", SHORTEST])
def test_replaying_a_record_gives_the_same_states(name: str) -> None:
    match = random_match(parse(golden(name)).match.rules, name)
    players = (Player("anybody"),) * match.rules.players
    assert replayed(parse(write(Record(match, players))).match) == replayed(match)
    assert replayed(match)[-1] == match


@pytest.mark.rule("2.3")
def test_a_deal_is_written_in_the_order_of_the_deck() -> None:
    rules = Rules.of(3)
    deck = deck_for(rules)
    record = Record(Match(rules).deal(deck), (Player("a"), Player("b"), Player("c")))
    (deal,) = json.loads(write(record))["deals"]
    codes = [card.code for card in deck]
    assert deal["removed"] == codes[:13]
    assert [sorted(hand) for hand in deal["hands"]] == [
        sorted(codes[first : first + 5]) for first in (13, 18, 23)
    ]
    assert deal["pile"] == codes[28:]
    assert deal["rounds"] == []


@pytest.mark.rule("2.4")
@pytest.mark.parametrize("name", [STANDARD, "3-long-azul", SHORTEST])
def test_cards_are_read_in_any_order_and_written_in_theirs(name: str) -> None:
    data, rng = golden_data(name), Random(1)
    for deal in data["deals"]:
        for hand in deal["hands"]:
            rng.shuffle(hand)
        for round_ in deal["rounds"]:
            for choice in round_["turns"][0]:
                choice.reverse()
    assert data != golden_data(name)
    record = parse(json.dumps(data))
    assert record == parse(golden(name))
    assert json.loads(write(record)) == golden_data(name)


def test_unknown_keys_are_ignored_anywhere_and_kept_at_the_top() -> None:
    data = golden_data(LONG)
    anywhere = ["game", "seats[0]", "deals[1]", "deals[0].rounds[3]", "result"]
    for place in [*anywhere, "deals[0].rounds[3].outcome"]:
        put(data, f"{place}.ñ", {"anything": [1.5, None]})
    assert parse(json.dumps(data)) == parse(golden(LONG))
    data["ñ"] = [{"kept": True}]
    record = parse(json.dumps(data))
    assert record.extra == {**golden_extra(LONG), "ñ": [{"kept": True}]}
    assert json.loads(write(record))["ñ"] == [{"kept": True}]


def golden_extra(name: str) -> dict[str, Any]:
    return {key: value for key, value in golden_data(name).items() if key not in KNOWN}


def test_a_key_of_the_record_itself_cannot_be_overwritten() -> None:
    record = replace(parse(golden(STANDARD)), extra={"version": 7, "result": "mine", "x": 1})
    assert parse(write(record)) == replace(record, extra={"x": 1})
    stopped = replace(parse(STOPPED), extra={"result": "mine", "x": 1})
    assert parse(write(stopped)) == replace(stopped, extra={"x": 1})


def test_pretty_printed_json_is_the_same_record() -> None:
    assert parse(json.dumps(golden_data(LONG), indent=2)) == parse(golden(LONG))


def test_only_5211_itself_is_written() -> None:
    with pytest.raises(GameError) as caught:
        write(Record(Match(MINI), (Player("a"), Player("b"))))
    assert caught.value.code == "record_rules"


def test_a_bot_may_be_left_out_and_is_then_nobody() -> None:
    data = golden_data(STANDARD)
    del data["seats"][1]["bot"]
    assert parse(json.dumps(data)).players[1] == Player("Greedy 2", None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": ()}, "seats_on_table"),
        ({"edition": "nope"}, "edition"),
        ({"extra": {"x": float("nan")}}, "record_extra"),
        ({"extra": {"x": {1}}}, "record_extra"),
    ],
)
def test_what_could_not_be_read_is_not_written(change: dict[str, Any], code: str) -> None:
    with pytest.raises(GameError) as caught:
        write(replace(parse(golden(STANDARD)), **change))
    assert caught.value.code == code


def test_a_game_is_replayed_step_by_step() -> None:
    match = parse(golden(STANDARD)).match
    steps = list(replay(match))
    assert steps[0][0] == Match(match.rules)
    assert steps[-1][1] == match
    assert all(after == before for (_, after), (before, _) in pairwise(steps))
    assert len(steps) == 1 + sum(len(round_.turns) for round_ in match.state.rounds)


# Unfinished games


def test_an_unfinished_game_may_say_that_it_has_no_result_yet() -> None:
    data = json.loads(STOPPED)
    data["result"] = None
    data["deals"][0]["rounds"][1] |= {"outcome": None, "points": None}
    assert parse(json.dumps(data)) == parse(STOPPED)


def test_a_round_may_have_begun_without_a_turn() -> None:
    data = json.loads(unfinished()[3])
    data["deals"][0]["rounds"].append({"turns": []})
    assert parse(json.dumps(data)) == parse(unfinished()[3])


@pytest.mark.parametrize("number", range(7))
def test_an_unfinished_game_is_played_on_to_its_end(number: int) -> None:
    record = parse(unfinished()[number])
    match, rng = record.match, Random(number)
    while not match.over:
        if match.awaits_deck:
            match = match.deal(deck_for(match.rules, number, len(match.deals)))
        match = match.play(random_choices(match, rng))
    finished = replace(record, match=match)
    assert faults(write(finished)) == ()
    assert parse(write(finished)) == finished
    before = json.loads(unfinished()[number])["deals"]
    after = json.loads(write(finished))["deals"]
    assert [deal["pile"] for deal in before] == [deal["pile"] for deal in after][: len(before)]


@pytest.mark.parametrize("name", [STANDARD, "5-long-classic"])
def test_a_game_resumed_at_any_moment_ends_as_if_it_had_never_stopped(name: str) -> None:
    whole = parse(golden(name))
    steps = replayed(whole.match)
    for step in steps:
        now = parse(write(Record(step, whole.players))).match
        assert now == step
    assert steps[-1] == whole.match
