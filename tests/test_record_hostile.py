"""Hostile texts: whatever is no record is refused, and nothing else happens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from five211 import RecordError, faults, parse, write
from five211.record import LONGEST
from tests.goldens import NAMES, golden_data, unfinished
from tests.records import STANDARD, json_values, nodes, put, refusal


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "record_json"),
        (" \n ", "record_json"),
        ("{", "record_json"),
        ("\x00", "record_json"),
        ("\ufeff{}", "record_json"),
        ("{}{}", "record_json"),
        ("null", "record_object"),
        ("[]", "record_object"),
        ("0", "record_object"),
        ('"5211-record"', "record_object"),
        ("{}", "record_format"),
        ('{"a": 1, "a": 1}', "record_key_twice"),
        ('{"a": {"b": 1, "b": 2}}', "record_key_twice"),
        ("NaN", "record_number"),
        ('{"format": NaN}', "record_number"),
        ('{"x": Infinity}', "record_number"),
        ('{"x": -Infinity}', "record_number"),
        ('{"x": 1e999}', "record_number"),
        ('{"x": [-1e999]}', "record_number"),
        ("9" * 5000, "record_json"),
        ('{"x": ' + "9" * 5000 + "}", "record_json"),
        ("[" * 100_000, "record_json"),
        ("[" * 100_000 + "]" * 100_000, "record_json"),
        ('{"x":' * 30_000 + "1" + "}" * 30_000, "record_json"),
        ("x" * 10_000_000, "record_long"),
        ('{"x": "' + "y" * 10_000_000 + '"}', "record_long"),
        (" " * (LONGEST + 1), "record_long"),
        (" " * LONGEST, "record_json"),
        ('"\\ud800"', "record_object"),
        ('{"\\udfff": "\\ud800"}', "record_format"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_a_hostile_text_is_refused(text: str, code: str) -> None:
    error = refusal(text)
    assert error.code == code
    assert error.place in ("", "format")
    assert len(str(error)) < 100
    assert len(error.say("fr")) < 100


@pytest.mark.parametrize("text", [None, 7, b"{}", [], {"format": "5211-record"}])
def test_what_is_no_text_is_refused(text: Any) -> None:
    assert refusal(text).code == "record_long"


@pytest.mark.parametrize(("line", "text"), [(1, "{,"), (2, '{"a": 1,\n2}'), (4, "{\n\n\n]")])
def test_broken_json_is_named_with_its_line(line: int, text: str) -> None:
    assert refusal(text).fields["line"] == line


@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a":', "}")])
def test_a_claim_or_a_key_nested_nearly_too_deep_raises_nothing_else(begin: str, end: str) -> None:
    text, seen = unfinished()[3], set()
    for depth in (10, 500, *range(840, 1000)):
        nested = begin * depth + "0" + end * depth
        claim = text.replace('"points": ', f'"points": {nested}, "was": ', 1)
        key = f'{text[:-1]}, "x": {nested}}}'
        seen |= {tuple(error.code for error in faults(one)) for one in (claim, key)}
    assert seen == {(), ("record_claim",), ("record_json",)}


def test_half_a_surrogate_pair_is_a_name_like_any_other() -> None:
    data = golden_data(STANDARD)
    data["seats"][0]["name"] = "\ud800"
    record = parse(json.dumps(data))
    assert record.players[0].name == "\ud800"
    assert parse(write(record)) == record


def test_a_great_many_cards_or_seats_are_refused() -> None:
    data = golden_data(STANDARD)
    data["seats"] = [0] * 60_000
    assert refusal(json.dumps(data)).code == "record_seats"
    data = golden_data(STANDARD)
    data["deals"][0]["pile"] = [0] * 60_000
    assert refusal(json.dumps(data)).code == "record_cards"


@given(st.text() | json_values.map(json.dumps))
@example('{"format": "5211-record", "version": 1, "game": {}}')
def test_no_text_raises_anything_but_a_record_error(text: str) -> None:
    assert faults(text)
    assert isinstance(refusal(text), RecordError)


@given(st.sampled_from(NAMES), st.data(), json_values)
def test_no_change_of_a_record_raises_anything_but_a_record_error(
    name: str, draw: st.DataObject, value: Any
) -> None:
    data = golden_data(name)
    put(data, draw.draw(st.sampled_from(list(nodes(data)))), value)
    text = json.dumps(data)
    if faults(text):
        refusal(text)
    else:  # then it is a record
        record = parse(text)
        assert parse(write(record)) == record
