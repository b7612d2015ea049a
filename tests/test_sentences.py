"""A game told in sentences, in every language and edition."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from five211 import (
    Event,
    Result,
    Rules,
    describe_tally,
    explain,
    language_names,
    parse_cards,
    score_round,
    tally,
    tell,
)
from five211 import events as ev
from five211 import happenings as hap
from five211.cards import Color
from five211.editions import Words, edition_names, words
from five211.scoring import (
    ColorScores,
    ColorsCounted,
    IconsCounted,
    NothingLeft,
    Step,
    StruckForLimit,
    StruckForTie,
)
from five211.sentences import explain_step, explain_takes, snake, tell_lines
from tests.tables import table

Y, G, O, B, V = Color  # noqa: E741
TWO, FOUR = Rules.of(2), Rules.of(4)
NAMES = ("Ann", "Bob")
TABLE = table("""
    G2 G3 Y1 B2
    G4 O2 Y2 V1
""")
SCORE = score_round(TWO, TABLE)
NOBODY = score_round(TWO, table("Y2 Y2 Y3 Y4\nG2 G2 G3 G4"))

STEPS: list[Step] = [
    IconsCounted(4, 4),
    IconsCounted(0, 4),
    IconsCounted(1, 4),
    IconsCounted(5, 4),
    ColorsCounted(((Y, 1), (G, 5), (O, 0), (B, 0), (V, 2))),
    StruckForLimit(((G, 8),), 7),
    StruckForLimit(((G, 8), (B, 9)), 8),
    StruckForTie((Y, G), 5),
    StruckForTie((O, B, V), 2),
    ColorScores(O, 3),
    NothingLeft(),
]
EVENTS: list[Event] = [
    ev.DealStarted(0, 80),
    ev.DealStarted(1, 1),
    ev.HandDealt(0, parse_cards("Y1 G2")),
    ev.Revealed(0, 2, 1, (parse_cards("Y1"), parse_cards("G2"))),
    ev.Drew(1, parse_cards("V6")),
    ev.RoundScored(0, 4, SCORE),
    ev.RoundScored(0, 5, NOBODY),
    ev.LastRound(0, 10),
    ev.DealEnded(0, (12, 30)),
    ev.GameEnded(Result((12, 30), (5, 9), (1,))),
    ev.GameEnded(Result((0, 1), (0, 1), (1,))),
    ev.GameEnded(Result((30, 30), (9, 5), (0,))),
    ev.GameEnded(Result((30, 30), (9, 9), (0, 1))),
    hap.SeatTaken(0, "Ann", None),
    hap.SeatTaken(1, "Greedy", "greedy"),
    hap.SeatLeft(1, "Zoe"),
    hap.HostChanged(1),
    hap.CameBack(1),
    hap.WentAway(1),
    hap.GameStarted(1),
    hap.ChoiceKept(0, parse_cards("Y1 G2")),
    hap.ChoiceKept(0, parse_cards("Y1")),
    hap.ChoiceKept(0, ()),
    hap.Chose(1),
    hap.TookBack(1, hidden=True),
    hap.TimeShort(1, 1234.5),
    hap.SubstituteCame(1, "hasty", "time"),
    hap.SubstituteCame(1, "hasty", "called"),
    hap.SubstituteCame(1, "hasty", "left"),
    hap.SeatReturned(1),
    hap.Paused(),
    hap.Resumed(),
    hap.RematchCalled(1),
]
WORDS = [words(language, edition) for language in language_names() for edition in edition_names()]


def name_of(value: object) -> str:
    return f"{value.language}-{value.edition}" if isinstance(value, Words) else snake(value)


def has(said: str, parts: str) -> bool:
    """Whether a sentence holds these parts in this order, and no other number."""
    wanted = parts.split(" | ")
    numbers = re.findall(r"\d+", said)
    in_order = re.search(".*".join(map(re.escape, wanted)), said) is not None
    return in_order and numbers == re.findall(r"\d+", parts)


def is_good(said: str) -> bool:
    """A sentence with a large first letter and an end, nothing unfilled and nothing of Python."""
    whole = re.fullmatch(r"[A-ZÀ-Ý0-9][^{}\n]*[.!]", said) is not None
    return whole and not re.search(r"None|\(\)|\('|Card\(|Color|<|  ", said)


def test_there_is_an_example_of_every_step_and_event() -> None:
    assert {type(step) for step in STEPS} == set(get_args(Step))
    kinds = set(get_args(ev.GameEvent)) | set(get_args(hap.TableEvent))
    assert {type(event) for event in EVENTS} == kinds


@pytest.mark.parametrize("w", WORDS, ids=name_of)
@pytest.mark.parametrize("step", STEPS, ids=name_of)
def test_every_step_is_a_sentence(step: Step, w: Words) -> None:
    assert is_good(explain_step(step, w))


@pytest.mark.parametrize("w", WORDS, ids=name_of)
@pytest.mark.parametrize("event", EVENTS, ids=name_of)
def test_every_event_is_a_sentence(event: Event, w: Words) -> None:
    assert is_good(tell(event, NAMES, w.language, w.edition))


@pytest.mark.parametrize("language", language_names())
def test_every_step_and_event_is_said_differently(language: str) -> None:
    steps = [explain_step(step, words(language)) for step in STEPS]
    told = [tell(event, NAMES, language) for event in EVENTS]
    assert len(set(steps)) == len(steps)
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("language", language_names())
def test_every_standing_in_the_tally_is_said(language: str) -> None:
    w = words(language)
    busy = tally(TWO, table("Y2 Y2 Y3 Y4\nY5 G1 O1 B3"))
    tied = tally(TWO, table("Y1 Y1 Y3 G4\nG1 G1 O1 B3"))
    for line in (*describe_tally(busy, w), *describe_tally(tied, w)):
        assert re.fullmatch(r"[A-Z0-9][^{}]+", line)


@pytest.mark.parametrize(
    ("step", "parts"),
    [
        (IconsCounted(4, 4), "4 Kododos"),
        (IconsCounted(0, 4), "0 Kododos | 4"),
        (IconsCounted(1, 4), "1 Kododo on | 4"),
        (IconsCounted(5, 4), "5 Kododos | 4"),
        (StruckForLimit(((G, 8),), 7), "8 green | limit 7 | green is out"),
        (StruckForLimit(((G, 8), (B, 9)), 8), "8 green and 9 blue | limit 8 | green and blue are"),
        (StruckForTie((Y, G), 5), "Yellow and green | 5 | both"),
        (StruckForTie((O, B, V), 2), "Orange, blue and violet | 2 | all"),
        (ColorScores(O, 3), "3 orange | orange scores"),
        (NothingLeft(), "No colour | nobody"),
    ],
)
def test_steps_in_english(step: Step, parts: str) -> None:
    assert has(explain_step(step, words("en")), parts)


def test_the_special_edition_has_words_of_its_own() -> None:
    w = words("en", "azul")
    assert explain_step(IconsCounted(1, 4), w).startswith("1 Rooster on")
    assert explain_step(IconsCounted(4, 4), w).endswith("only the Roosters score.")
    assert explain_step(StruckForTie((B, V), 2), w).startswith("Dark blue and turquoise")
    assert explain_step(ColorScores(V, 2), words("fr", "azul")).startswith("Turquoise 2")


@pytest.mark.rule("7.5")
@pytest.mark.parametrize("edition", edition_names())
def test_it_is_said_that_cards_are_counted_and_not_their_values(edition: str) -> None:
    assert "not their values" in explain(SCORE, "en", edition)[1]
    assert "pas leurs valeurs" in explain(SCORE, "fr", edition)[1]


def test_colours_are_told_the_most_first_and_equals_in_order() -> None:
    counts = ColorsCounted(((Y, 1), (G, 3), (O, 1), (B, 3), (V, 0)))
    said = explain_step(counts, words("en"))
    assert said.endswith(": 3 green, 3 blue, 1 yellow and 1 orange.")


def test_a_scoring_is_explained_a_sentence_a_step() -> None:
    for w in WORDS:
        said = explain(SCORE, w.language, w.edition)
        assert said == tuple(explain_step(step, w) for step in SCORE.steps)
        assert len(said) == 3
    assert explain(SCORE) == explain(SCORE, "en", "classic")


def test_what_is_no_step_cannot_be_explained() -> None:
    no_step: Any = "G2"
    with pytest.raises(TypeError, match="G2"):
        explain_step(no_step, words())


def test_what_each_player_takes() -> None:
    one = score_round(TWO, table("Y2 Y2 Y3 Y4\nY5 Y6 Y2 G1"))
    ann, bob = explain_takes(SCORE, NAMES, words("en"))
    assert has(ann, "Ann | G2 G3 | 5 points.")
    assert has(bob, "Bob | G4 | 4 points.")
    for language in language_names():
        (alone,) = explain_takes(one, NAMES, words(language))
        assert has(alone, f"Bob | {words(language).letter(G)}1 | 1 point.")
    (nobody,) = explain_takes(NOBODY, NAMES, words("en"))
    assert has(nobody, "No points")


@pytest.mark.parametrize(
    ("event", "parts"),
    [
        (ev.DealStarted(0, 80), "The cards are dealt | 80 cards"),
        (ev.DealStarted(0, 1), "The cards are dealt | 1 card "),
        (ev.DealStarted(1, 80), "Deal 2 | anew. The cards are dealt | 80 cards"),
        (ev.HandDealt(0, parse_cards("V6 G2")), "Your hand | G2 V6"),
        (
            ev.Revealed(0, 2, 1, (parse_cards("Y1"), parse_cards("G2 G3"))),
            "Round 3 | turn 2 | Ann | Y1 | Bob | G2 G3",
        ),
        (ev.Drew(1, parse_cards("V6")), "V6"),
        (ev.DealEnded(0, (12, 30)), "Ann 12 | Bob 30 | another deal"),
        (ev.GameEnded(Result((12, 30), (9, 5), (1,))), "Bob wins | 30 points | Ann 12 | Bob 30"),
        (ev.GameEnded(Result((0, 1), (0, 1), (1,))), "Bob wins | 1 point. | Ann 0 | Bob 1"),
        (
            ev.GameEnded(Result((30, 30), (9, 5), (0,))),
            "Ann wins | more cards | Ann 9 | Bob 5 | Ann 30 | Bob 30",
        ),
        (
            ev.GameEnded(Result((30, 30), (9, 9), (0, 1))),
            "Ann and Bob share | Ann 30 | Bob 30",
        ),
        (hap.SeatTaken(1, "Zoe", None), "Zoe takes seat 2"),
        (hap.SeatTaken(1, "Greedy", "greedy"), "Greedy | bot | seat 2"),
        (hap.SeatLeft(1, "Zoe"), "Zoe leaves seat 2"),
        (hap.HostChanged(1), "Bob | host"),
        (hap.WentAway(1), "Bob is away"),
        (hap.WentAway(0), "Ann is away"),
        (hap.ChoiceKept(0, parse_cards("Y1")), "Y1 face down | it until"),
        (hap.ChoiceKept(0, parse_cards("Y1 G2")), "Y1 G2 face down | them until"),
        (hap.ChoiceKept(0, ()), "back in your hand"),
        (hap.SubstituteCame(1, "hasty", "time"), "Bob ran out of time | Maxi"),
        (hap.SubstituteCame(1, "hasty", "called"), "Bob is awaited | Maxi"),
        (hap.SubstituteCame(1, "hasty", "left"), "Maxi | Bob"),
        (hap.RematchCalled(0), "Ann | rematch"),
    ],
)
def test_events_in_english(event: Event, parts: str) -> None:
    assert has(tell(event, NAMES), parts)


@pytest.mark.parametrize("w", WORDS, ids=name_of)
def test_a_scored_round_is_told_step_by_step_then_what_each_takes(w: Words) -> None:
    for score in (SCORE, NOBODY):
        event = ev.RoundScored(0, 4, score)
        lines = tell_lines(event, NAMES, w.language, w.edition)
        assert lines == (
            *explain(score, w.language, w.edition),
            *explain_takes(score, NAMES, w),
        )
        assert tell(event, NAMES, w.language, w.edition) == " ".join(lines)


def test_other_events_are_one_line() -> None:
    assert tell_lines(hap.Paused(), NAMES, "fr") == (tell(hap.Paused(), NAMES, "fr"),)
    assert tell_lines(hap.Paused(), NAMES) == (tell(hap.Paused(), NAMES, "en", "classic"),)


@pytest.mark.parametrize("w", WORDS, ids=name_of)
def test_events_speak_the_language_and_the_edition(w: Words) -> None:
    hand = {
        "en-azul": "Your hand: Y1 T6.",
        "en-classic": "Your hand: Y1 V6.",
        "fr-azul": "Ta main : J1 T6.",
        "fr-classic": "Ta main : J1 Vi6.",
    }
    said = tell(ev.HandDealt(0, parse_cards("Y1 V6")), NAMES, w.language, w.edition)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == hand[name_of(w)]


@pytest.mark.parametrize(
    "event",
    [
        ev.Revealed(0, 0, 0, (parse_cards("Y1"), parse_cards("G2"))),
        ev.RoundScored(0, 0, SCORE),
        ev.DealEnded(0, (1, 2)),
    ],
)
def test_a_name_for_each_seat_is_needed(event: Event) -> None:
    with pytest.raises(ValueError, match="argument 2 is longer"):
        tell(event, ["Ann"])


def test_names_are_told_as_they_are() -> None:
    assert tell(hap.WentAway(0), ["{name} {0}"]) == "{name} {0} is away."
    scored = ev.RoundScored(0, 0, SCORE)
    assert "{cards} takes G2 G3" in tell(scored, ["{cards}", "Bob"])


def test_the_tally_in_english() -> None:
    busy = describe_tally(tally(TWO, table("Y2 Y2 Y3 Y4\nY5 G1 O1 O3")), words("en"))
    tied = describe_tally(tally(TWO, table("Y1 Y2 Y3 G4\nG2 G2 Y1 G1")), words("en"))
    for lines, parts in (
        (busy, ["5 yellow, bust", "2 orange, leads, 3 to", "1 green, behind, 4 to", "2 | 4"]),
        (tied, ["4 yellow, tied, 1 to", "4 green, tied, 1 to", "3 | 4 | one more!"]),
    ):
        assert all(has(line, part) for line, part in zip(lines, parts, strict=True))


@pytest.mark.parametrize(
    ("cards", "parts"),
    [
        ("Y1 G2\nG2 G3", "Roosters | 1 | 4 | not enough"),
        ("Y1 G1\nG1 G2", "Roosters | 3 | 4 | one more!"),
        ("Y1 G1\nG1 G1", "Roosters | 4 | 4 | exact!"),
        ("Y1 G1 B1\nG1 G1", "Roosters | 5 | 4 | too many"),
    ],
)
def test_the_icons_in_the_tally(cards: str, parts: str) -> None:
    assert has(describe_tally(tally(TWO, table(cards)), words("en", "azul"))[-1], parts)


def test_an_empty_table_has_only_the_line_of_the_icons() -> None:
    (line,) = describe_tally(tally(FOUR, [(), (), (), ()]), words("en"))
    assert has(line, "Kododos | 0 | 6")


def test_names_of_steps_and_events() -> None:
    assert snake(StruckForLimit((), 7)) == "struck_for_limit"
    assert snake(hap.Chose(0)) == "chose"
