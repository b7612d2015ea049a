"""A record that lies is refused with place and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.goldens import golden_data, unfinished
from tests.records import LONG, STANDARD, STOPPED, at, put, refusal

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
