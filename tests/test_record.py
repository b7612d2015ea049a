"""Records: what is written is read again, and whatever lies is refused with place and reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from five211 import (
    MINI,
    GameError,
    Match,
    Player,
    Record,
    RecordError,
    Rules,
    Variant,
    faults,
    parse,
    replay,
    write,
)
from five211.record import KNOWN, LONGEST
from five211.rules import COPIES
from tests.goldens import NAMES, golden, golden_data, truthful, unfinished
from tests.tables import choices_of, deck_for, random_choices, random_match, replayed

STANDARD, LONG, SHORTEST = "2-standard-classic", "2-long-azul", "5-standard-classic"
STOPPED = unfinished()[2]  # three players, in the third turn of their second round
ALL_CODES = [f"{color}{value}" for color in "YGOBV" for value in range(1, 1 + len(COPIES))]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
json_values = st.recursive(
    scalars.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
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


def at(data: Any, place: str) -> Any:
    """What stands at a place, such as "deals[0].rounds[2].points"."""
    for key in re.findall(r"[^.\[\]]+", place):
        data = data[int(key) if isinstance(data, list) else key]
    return data


def put(data: Any, place: str, value: Any) -> None:
    """Change what stands at a place."""
    *way, last = re.findall(r"[^.\[\]]+", place)
    inner = at(data, ".".join(way))
    inner[int(last) if isinstance(inner, list) else last] = value


def refusal(text: str) -> RecordError:
    """The error with which a text is refused; `faults` names the same one."""
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value == faults(text)[0]
    return caught.value


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


# Lies

Lie = tuple[str, Callable[[Any], object], str, str]  # of which record, how, and the code and place


def say(where: str, value: Any, code: str, place: str | None = None, of: str = STANDARD) -> Lie:
    """The lie that something else stands somewhere."""
    return of, lambda data: put(data, where, value), code, where if place is None else place


def omit(where: str, code: str, place: str | None = None, of: str = STANDARD) -> Lie:
    """The lie of leaving something out."""
    inner, _, key = where.rpartition(".")
    return of, lambda data: at(data, inner).pop(key), code, where if place is None else place


TURN, NEXT_TURN, ROUND = (
    "deals[0].rounds[0].turns[0]",
    "deals[0].rounds[0].turns[1]",
    "deals[0].rounds[1]",
)
LAST_TURN, BY = "deals[1].rounds[7].turns[2]", f"{ROUND}.played_by"
NOT_PLAYERS: tuple[Any, ...] = (0, 1, 6, -2, 10**30, True, "4", 2.0, None, [2], {})
LIES: dict[str, list[Lie]] = {
    "a card that is not in the hand": [
        say(f"{TURN}[1]", ["Y2", "V5"], "not_in_hand", TURN),
        say(f"{TURN}[0]", ["O6", "O6"], "not_in_hand", TURN),
        say(f"{LAST_TURN}[1]", ["Y5"], "not_in_hand", LAST_TURN, of=LONG),
    ],
    "21 greens, or too many copies of a card": [
        say("deals[0].pile[7]", "G6", "copies", "deals[0]"),
        say("deals[0].removed[0]", "V6", "copies", "deals[0]"),
        say("deals[0].hands[0]", ["G3", "G3", "O2", "O6", "O6"], "copies", "deals[0]"),
        say("deals[0].pile[0]", "G7", "not_in_deck", "deals[0]"),
    ],
    "no card at all": [
        lie
        for code in ("Y0", "g2", "G２", "Ｇ2", "G", "", "G2 ", "G22", "T2", "G2" * 10_000)
        for lie in (
            say("deals[0].pile[0]", code, "card_text", "deals[0]"),
            say(f"{TURN}[0][1]", code, "card_text", TURN),
        )
    ],
    "a choice of the wrong size": [
        say(f"{TURN}[0]", ["O2"], "choice_size", TURN),
        say(f"{TURN}[0]", ["O2", "O6", "B2"], "choice_size", TURN),
        say(f"{TURN}[0]", [], "choice_size", TURN),
        say(f"{NEXT_TURN}[0]", ["B2", "V2"], "choice_size", NEXT_TURN),
    ],
    "too many or too few seats": [
        say(TURN, [["O2", "O6"]], "choices_number"),
        say(TURN, [["O2", "O6"], ["O4", "V5"], ["Y3", "V2"]], "choices_number"),
        say("deals[0].hands", [["Y1"] * 5], "record_seats"),
        say("seats", [{"name": "a"}], "record_seats"),
        say("seats", [{"name": "a"}] * 3, "record_seats"),
    ],
    "too many or too few cards": [
        say("deals[0].removed", ["Y1"] * 9, "record_cards"),
        say("deals[0].pile", ["Y1"] * 81, "record_cards"),
        say("deals[0].hands[1]", ["Y1"] * 4, "record_cards"),
        say("deals[0].hands[0]", ["Y1"] * 6, "record_cards"),
    ],
    "a round with too many turns": [
        say(f"{ROUND}.turns", [[["G3", "B6"], ["Y2", "G2"]]] * 4, "record_turns"),
    ],
    "a short round in the middle": [
        say(f"{ROUND}.turns", [[["G3", "B6"], ["Y2", "G2"]]], "record_round_short"),
        say(f"{ROUND}.turns", [], "record_round_short"),
        say("deals[0].rounds[10].turns", [], "record_round_short", of=LONG),
    ],
    "a deal too early or too late": [
        (LONG, lambda data: data["deals"][0]["rounds"].pop(), "deal_not_over", "deals[1]"),
        (LONG, lambda data: data["deals"][0].update(rounds=[]), "deal_not_over", "deals[1]"),
        (STANDARD, lambda data: data["deals"].append(data["deals"][0]), "game_over", "deals[1]"),
        (LONG, lambda data: data["deals"].append(data["deals"][0]), "game_over", "deals[2]"),
    ],
    "rounds missing, but a result": [
        (STANDARD, lambda data: data["deals"][0]["rounds"].pop(), "record_result_early", "result"),
        (STANDARD, lambda data: data["deals"].pop(), "record_result_early", "result"),
        (LONG, lambda data: data["deals"].pop(), "record_result_early", "result"),
        say("result", {}, "record_result_early", of=STOPPED),
    ],
    "no result, but all rounds": [
        omit("result", "record_result_missing"),
        say("result", None, "record_result_missing"),
        omit("result", "record_result_missing", of=LONG),
    ],
    "the outcome of a round that is not complete": [
        say(f"{ROUND}.outcome", {"kind": "none", "color": None}, "record_round_early", of=STOPPED),
        say(f"{ROUND}.points", [0, 0, 0], "record_round_early", of=STOPPED),
    ],
    "a wrong number of players": [
        say("game.players", players, "players", "game") for players in NOT_PLAYERS
    ]
    + [omit("game.players", "players", "game")],
    "an unknown variant": [
        say("game.variant", variant, "variant", "game")
        for variant in ("", "Long", "longer", None, 1, True, ["long"], {"long": 1})
    ]
    + [omit("game.variant", "variant", "game")],
    "an unknown edition": [
        say("game.edition", edition, "edition") for edition in ("", "Azul", "../editions/azul")
    ],
    "another format or version": [
        *[say("format", name, "record_format") for name in ("5211", "", None, 1, ["5211-record"])],
        *[say("version", n, "record_version") for n in (0, 2, -1, True, 1.0, "1", None, [1])],
        omit("format", "record_format"),
        omit("version", "record_version"),
    ],
    "something missing": [
        omit(key, "record_missing")
        for key in (
            *("game", "seats", "deals", "game.edition", "seats[1].name", "deals[0].removed"),
            *("deals[0].hands", "deals[0].pile", "deals[0].rounds", "deals[0].rounds[4].turns"),
        )
    ],
    "substitutes for seats or turns that there are not": [
        *[
            say(BY, value, "record_played_by")
            for value in ([], [[None, None]], [[None, None]] * 4, [[None]] * 3, [[None] * 3] * 3)
        ],
        say(BY, [[None, 0]] * 3, "record_text"),
    ],
}


def base_data(of: str) -> Any:
    return json.loads(of) if of == STOPPED else golden_data(of)


@pytest.mark.parametrize("kind", LIES)
def test_a_lie_is_refused_with_its_place_and_reason(kind: str) -> None:
    for of, tell, code, place in LIES[kind]:
        data = base_data(of)
        tell(data)
        error = refusal(json.dumps(data))
        assert (error.code, error.place) == (code, place)
        for language in ("en", "fr"):
            said = error.say(language)
            assert said.startswith(f"{place}: ")
            assert said.endswith(".")
            assert len(said) < 300


EXTRA_ROUND = {"turns": [[["Y1", "Y1"]] * 2, [["Y1"]] * 2, [["Y1"]] * 2]}


@pytest.mark.parametrize("extra", [EXTRA_ROUND, {"turns": EXTRA_ROUND["turns"][:1]}, {"turns": []}])
@pytest.mark.parametrize("name", [STANDARD, LONG])
def test_a_round_after_the_last_is_refused(name: str, extra: Any) -> None:
    data = golden_data(name)
    rounds = data["deals"][-1]["rounds"]
    place = f"deals[{len(data['deals']) - 1}].rounds[{len(rounds)}]"
    rounds.append(extra)
    error = refusal(json.dumps(data))
    assert error.code == "game_over"
    assert error.place.startswith(place)


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("extra", [EXTRA_ROUND, {"turns": []}])
def test_a_round_between_two_deals_is_refused(extra: Any) -> None:
    data = json.loads(unfinished()[5])
    data["deals"][0]["rounds"].append(extra)
    error = refusal(json.dumps(data))
    assert error.code == "not_dealt"
    assert error.place.startswith("deals[0].rounds[4]")


def test_a_reason_says_what_the_record_claims_and_what_is_true() -> None:
    data = golden_data(STANDARD)
    put(data, "deals[0].rounds[4].outcome", {"kind": "color", "color": "G"})
    error = refusal(json.dumps(data))
    assert str(error) == (
        'deals[0].rounds[4].outcome: The record says “{"kind": "color", "color…”, '
        'but the cards say {"kind": "kododo", "color": null}.'
    )


def test_an_error_without_a_place_is_only_its_reason() -> None:
    assert str(refusal("[]")) == "An object with keys is expected here."


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


def nodes(data: Any, place: str = "") -> Iterator[str]:
    """Every place in a record."""
    if isinstance(data, dict):
        inner = [(f"{place}.{key}" if place else key, value) for key, value in data.items()]
    else:
        items = data if isinstance(data, list) else []
        inner = [(f"{place}[{n}]", value) for n, value in enumerate(items)]
    for at_, value in inner:
        yield at_
        yield from nodes(value, at_)


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


# Hostile texts


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
