"""Golden records: what was written once stays readable, and means the same game for ever."""

from __future__ import annotations

import json
from itertools import product

import pytest

from five211 import faults, parse, write
from five211.view import open_to_reader
from tests.goldens import NAMES, golden, golden_data, truthful, unfinished
from tests.tables import all_cards, replayed

RESULTS = {  # points, cards in the score pile, winners
    "2-long-azul": ((56, 35), (13, 7), (0,)),
    "2-long-classic": ((51, 41), (2, 1), (0,)),
    "2-standard-azul": ((34, 34), (17, 17), (0, 1)),
    "2-standard-classic": ((35, 39), (15, 16), (1,)),
    "3-long-azul": ((29, 50, 30), (5, 7, 3), (1,)),
    "3-long-classic": ((48, 55, 33), (1, 3, 1), (1,)),
    "3-standard-azul": ((23, 20, 23), (8, 9, 9), (2,)),
    "3-standard-classic": ((14, 24, 23), (6, 10, 7), (1,)),
    "4-long-azul": ((24, 50, 38, 20), (6, 9, 9, 6), (1,)),
    "4-long-classic": ((18, 32, 52, 35), (3, 6, 11, 8), (2,)),
    "4-standard-azul": ((21, 26, 21, 7), (8, 10, 7, 5), (1,)),
    "4-standard-classic": ((26, 11, 7, 19), (8, 4, 4, 7), (0,)),
    "5-long-azul": ((48, 37, 47, 50, 53), (1, 0, 2, 2, 2), (4,)),
    "5-long-classic": ((32, 31, 51, 37, 44), (5, 4, 7, 5, 2), (2,)),
    "5-standard-azul": ((4, 10, 11, 10, 2), (4, 7, 4, 5, 1), (2,)),
    "5-standard-classic": ((7, 14, 11, 8, 5), (3, 4, 7, 5, 3), (1,)),
}
STOPS = (  # players, deals, rounds of the last deal, turns of the last round, points
    (2, 0, 0, 0, (0, 0)),
    (2, 1, 0, 1, (0, 0)),
    (3, 1, 1, 2, (7, 0, 0)),
    (4, 1, 3, 0, (4, 1, 2, 14)),
    (4, 1, 5, 2, (17, 11, 4, 10)),
    (5, 1, 4, 0, (10, 25, 16, 12, 8)),
    (5, 2, 0, 1, (4, 1, 5, 4, 11)),
)


def test_there_is_one_of_every_player_count_variant_and_edition() -> None:
    kinds = product((2, 3, 4, 5), ("long", "standard"), ("azul", "classic"))
    assert tuple("-".join(map(str, kind)) for kind in kinds) == NAMES
    for name in NAMES:
        game = golden_data(name)["game"]
        assert f"{game['players']}-{game['variant']}-{game['edition']}" == name


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_verifies_and_its_totals_are_what_they_were(name: str) -> None:
    assert faults(golden(name)) == ()
    record = parse(golden(name))
    assert record.finished
    result = open_to_reader(record.match).result
    assert result is not None
    assert (result.points, result.cards, result.winners) == RESULTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_is_rewritten_as_the_same_json(name: str) -> None:
    assert json.loads(write(parse(golden(name)))) == golden_data(name)


@pytest.mark.parametrize("name", [name for name in NAMES if "standard" in name])
def test_a_naive_reader_believes_it_too(name: str) -> None:
    assert truthful(golden_data(name))


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_cards_at_every_moment_of_a_golden_game(name: str) -> None:
    match = parse(golden(name)).match
    steps = replayed(match)
    assert steps[-1] == match
    for step in steps[1:]:
        assert all_cards(step.state) == match.rules.deck


def test_what_else_the_golden_records_hold() -> None:
    """Names of all kinds, substitutes and other keys: so that these stay readable as well."""
    records = [parse(golden(name)) for name in NAMES]
    names = {player.name for record in records for player in record.players}
    assert {"Ana", "Zoë", "李雷", "O’Neill, “Bo”", "🐓", "Greedy 2"} <= names
    assert {player.bot for record in records for player in record.players} == {
        None,
        "random",
        "greedy",
    }
    assert sum(bool(record.played_by) for record in records) == 7
    assert sum(bool(record.extra) for record in records) == 10
    assert parse(golden("4-long-classic")).extra["ratings"] == [1500, None, -2.5e-7]


@pytest.mark.parametrize("number", range(len(STOPS)))
def test_an_unfinished_golden_record_is_good(number: int) -> None:
    text = unfinished()[number]
    assert faults(text) == ()
    record = parse(text)
    match = record.match
    assert not record.finished
    assert match.result is None
    last = (match.state.round, match.state.turn) if match.deals else (0, 0)
    assert (match.rules.players, len(match.deals), *last, match.points) == STOPS[number]
    assert json.loads(write(record)) == json.loads(text)
