"""Languages: complete, used, filled, and added without code."""

from __future__ import annotations

import ast
import re
import shutil
import string
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

import five211
from five211 import (
    GameError,
    Match,
    Player,
    Record,
    Rules,
    explain,
    language_names,
    parse,
    parse_cards,
    score_round,
    tally,
    tell,
    texts,
    write,
)
from five211.editions import _words, edition_names, words
from five211.errors import SHOWN
from five211.events import DealStarted, GameEvent, HandDealt
from five211.happenings import TableEvent
from five211.sentences import describe_tally, snake
from five211.server.room import HouseEvent
from tests.tables import table

SOURCE = Path(five211.__file__).parent
MODULES = {file: ast.parse(file.read_text("utf-8")) for file in sorted(SOURCE.rglob("*.py"))}
KINDS = get_args(GameEvent) + get_args(TableEvent) + get_args(HouseEvent)
EVENTS = {snake(kind.__new__(kind)) for kind in KINDS}
WHOLE = ("rules", "sections")  # sections of which all keys are read at once


def keys(language: str) -> dict[str, str | Mapping[str, str]]:
    """All that a language says, by "section.name"."""
    return {
        f"{section}.{name}": text
        for section, content in texts.load("languages", language).items()
        if isinstance(content, dict) and section != "plural"
        for name, text in content.items()
    }


def forms(text: str | Mapping[str, str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def placeholders(text: str | Mapping[str, str]) -> set[str]:
    """The fields that a template needs; one with several forms needs the number, too."""
    fields = {
        name
        for form in forms(text)
        for _, name, _, _ in string.Formatter().parse(form)
        if name is not None
    }
    return fields if isinstance(text, str) else fields | {"n"}


# Complete


@pytest.mark.parametrize("language", language_names())
def test_every_language_says_the_same_things(language: str) -> None:
    assert list(texts.load("languages", language)) == list(texts.load("languages", "en"))
    assert list(keys(language)) == list(keys("en"))


@pytest.mark.parametrize("language", language_names())
def test_every_language_fills_in_the_same_fields(language: str) -> None:
    for key, text in keys("en").items():
        assert placeholders(keys(language)[key]) == placeholders(text), key


@pytest.mark.parametrize("language", language_names())
def test_every_text_has_all_the_forms_of_its_language(language: str) -> None:
    wanted = {*texts.load("languages", language)["plural"], "other"}
    for key, text in keys(language).items():
        assert isinstance(text, str) or set(text) == wanted, key


@pytest.mark.parametrize("language", language_names())
def test_every_text_says_something_and_fields_are_plain_names(language: str) -> None:
    for key, text in keys(language).items():
        assert all(form.strip() for form in forms(text)), key
        assert all(name.isidentifier() for name in placeholders(text)), key


# Used, and filled


def subclasses(name: str) -> set[str]:
    """The classes in the source that are named so, or built on one that is."""
    nodes = [n for tree in MODULES.values() for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    found = {name}
    for _ in nodes:
        found |= {
            n.name for n in nodes for b in n.bases if isinstance(b, ast.Name) and b.id in found
        }
    return found


ERRORS = subclasses("GameError")


def called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def literals(node: ast.expr | None) -> list[str]:
    """The texts that an expression stands for, if they stand there: "a", or "a" if x else "b"."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def calls() -> Iterator[tuple[str, set[str]]]:
    """Every key that is said by its name in the source, with the fields that it is given."""
    for tree in MODULES.values():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name, arguments = called(call), [*call.args, None, None]
            given = {keyword.arg or "**" for keyword in call.keywords}
            if name in ERRORS:
                yield from ((f"errors.{code}", given) for code in literals(arguments[0]))
            elif name == "_check":
                yield from ((f"errors.{code}", given) for code in literals(arguments[1]))
            elif name in ("say", "fill", "_say"):
                said = literals(arguments[0]) + literals(arguments[1])
                yield from ((key, given) for key in said if "." in key)


def expected_kinds() -> set[str]:
    """The errors that the record's reader looks up by the kind of value that it expected."""
    return {
        f"errors.{code}"
        for tree in MODULES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "_EXPECTED"
        if isinstance(node.value, ast.Dict)
        for value in node.value.values
        for code in literals(value)
    }


CALLS = list(calls())
CODES = {key for key, _ in CALLS if key.startswith("errors.")} | expected_kinds()


def test_the_search_finds_what_it_looks_for() -> None:
    assert {"GameError", "RecordError", "FileError"} <= ERRORS
    assert {"errors.players", "errors.record_claim", "errors.record_list"} <= CODES
    assert {"errors.game_over", "errors.deal_not_over", "errors.file", "errors.edition"} <= CODES
    assert {"play.welcome", "cli.saved", "card.none", "steps.takes"} <= {key for key, _ in CALLS}
    assert {"hand_dealt", "took_back", "substitute_came"} <= EVENTS


@pytest.mark.parametrize("language", language_names())
def test_every_error_has_its_sentence_and_every_sentence_its_error(language: str) -> None:
    assert {key for key in keys(language) if key.startswith("errors.")} == CODES


def test_codes_are_written_out_where_an_error_is_raised() -> None:
    """Only the record's reader hands codes on; all others can be found by this file's search."""
    hidden = {
        file.name
        for file, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in ERRORS and not literals(node.args[0])
    }
    assert hidden <= {"record.py"}


@pytest.mark.parametrize("language", language_names())
def test_every_text_is_given_the_fields_that_it_needs(language: str) -> None:
    for key, given in CALLS:
        assert "**" in given or placeholders(keys(language)[key]) <= given, key


def patterns(node: ast.expr) -> list[str]:
    """What an expression of text can be, as regular expressions with a group for each unknown."""
    if isinstance(node, ast.Constant):
        return [re.escape(str(node.value))]
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in product(*map(patterns, node.values))]
    if isinstance(node, ast.FormattedValue):
        return patterns(node.value)
    if isinstance(node, ast.IfExp):
        return patterns(node.body) + patterns(node.orelse)
    if isinstance(node, ast.Call) and called(node) == "snake":
        return ["|".join(sorted(EVENTS)).join(("(?:", ")"))]
    return [r"(\w+)"]


def test_every_text_is_used_somewhere() -> None:
    nodes = [node for tree in MODULES.values() for node in ast.walk(tree)]
    known = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    made = {p for n in nodes if isinstance(n, ast.JoinedStr) for p in patterns(n)}
    made = {p for p in made if re.match(r"[a-z]+\\\.", p) and not p.startswith("errors")}

    def used(key: str) -> bool:
        return key in known | CODES or any(
            set(match.groups()) <= known for p in made if (match := re.fullmatch(p, key))
        )

    unused = [key for key in keys("en") if not used(key) and key.split(".")[0] not in WHOLE]
    assert unused == []
    assert not used("events.nothing_like_it")
    assert not used("events.seat")
    assert not used("cli.nothing_like_it")


@pytest.mark.parametrize("language", language_names())
@pytest.mark.parametrize("key", sorted(CODES))
def test_every_error_can_be_said(language: str, key: str) -> None:
    fields = dict.fromkeys(placeholders(keys(language)[key]), "x" * (SHOWN + 3))
    for n in (0, 1, 2):
        said = GameError(key.removeprefix("errors."), **{**fields, "n": n}).say(language)
        assert said[0].isupper() or said[0].isdigit() or said[0] in "“«"
        assert said.endswith(".")
        assert "{" not in said
        assert len(said) < 250


# Filling in


def test_a_sentence_begins_with_a_large_letter_and_words_do_not() -> None:
    assert texts.say("en", "events.game_started") == "The game begins."
    assert texts.fill("en", "events.game_started") == "the game begins."
    assert texts.say("fr", "errors.variant", variant="“x”", known=("a",)).startswith("La variante")


def test_fields_are_filled_in_as_they_are() -> None:
    said = texts.say("en", "events.came_back", name="{seat} {0} %s \\")
    assert said == "{seat} {0} %s \\ is back."


@pytest.mark.parametrize(
    ("language", "n", "form"),
    [
        ("en", 0, "other"),
        ("en", 1, "one"),
        ("en", 2, "other"),
        ("en", 11, "other"),
        ("en", -1, "other"),
        ("fr", 0, "one"),
        ("fr", 1, "one"),
        ("fr", 2, "other"),
    ],
)
def test_the_form_that_a_number_takes(language: str, n: int, form: str) -> None:
    assert texts.plural(language, n) == form


def test_texts_of_several_forms_go_by_the_number() -> None:
    assert texts.fill("en", "play.prompt", n=1) == "play 1 card"
    assert texts.fill("en", "play.prompt", n=2) == "play 2 cards"
    assert texts.fill("en", "cli.unfinished", n=0) == "0 games are unfinished."
    assert texts.fill("fr", "cli.unfinished", n=0) == "0 partie est inachevée."


def test_several_things_in_a_row() -> None:
    assert texts.listed("en", ["a"]) == "a"
    assert texts.listed("en", ["a", 2]) == "a and 2"
    assert texts.listed("en", ("a", "b", "c", "d")) == "a, b, c and d"
    assert texts.listed("fr", ("a", "b", "c")) == "a, b et c"


def test_tuples_are_listed_and_other_values_are_not() -> None:
    assert texts.fill("en", "play.score", totals=("Ann 1", "Bob 2")) == "points: Ann 1 and Bob 2."
    assert texts.fill("en", "play.score", totals="Ann 1") == "points: Ann 1."


def test_files_are_read_once() -> None:
    assert texts.load("languages", "en") is texts.load("languages", "en")
    assert texts.template("en", "list.and") == " and "
    assert texts.template("en", "rules.4.5") is texts.load("languages", "en")["rules"]["4.5"]
    assert texts.names("languages") == language_names() == ("en", "fr")


# A third language and a third edition, as files


def forget() -> None:
    for cached in (texts.names, texts.load, texts.template, _words):
        cached.cache_clear()


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """The package's data in a folder of its own, to be added to."""
    shutil.copytree(SOURCE / "data", tmp_path, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_folder", lambda kind: tmp_path / kind)
        forget()
        yield tmp_path
    forget()


GERMAN = {
    "one": "[1]\nnone = [0]",
    "and": '" und "',
    "icons_other.other": '"{found} {icons} liegen da, nicht genau {needed}."',
    "icons_other.one": '"nur {found} {icon}."\nicons_other.none = "es liegt kein {icon} da."',
    "colors_counted": '"Karten zählen: {items}."',
    "color_scores": '"{the} punktet mit {count}."',
    "hand_dealt": '{ none = "nichts.", one = "nur {cards}.", other = "{n} Karten: {cards}." }',
    "players": '"5211 ist für {least} bis {most}, nicht für {players}."',
}
GERMAN_WORDS = """
[de]
name = "klassische Ausgabe"
icon = { one = "Kododo", other = "Kododos", none = "Kododo" }
animal = "eine türkise Echse"
[de.colors]
Y = { letter = "Ge", name = "gelb", the = "Gelb" }
G = { letter = "Gr", name = "grün", the = "Grün" }
O = { letter = "O", name = "orange", the = "Orange" }
B = { letter = "B", name = "blau", the = "Blau" }
V = { letter = "V", name = "violett", the = "Violett" }
"""
MOON = """
[paint]
Y = "#000001"
G = "#000002"
O = "#000003"
B = "#000004"
V = "#000005"
[en]
name = "moon edition"
icon = { one = "Moon", other = "Moons" }
animal = "no animal at all"
[en.colors]
Y = { letter = "A", name = "ash", the = "the ash" }
G = { letter = "C", name = "coal", the = "the coal" }
O = { letter = "D", name = "dust", the = "the dust" }
B = { letter = "I", name = "ice", the = "the ice" }
V = { letter = "S", name = "sand", the = "the sand" }
"""
LYING = "G2 G3 Y1 B2\nG4 O2 Y2 V1"


def test_a_third_language_is_one_more_file_and_its_block_in_the_editions(data: Path) -> None:
    german = (data / "languages" / "en.toml").read_text("utf-8")
    for key, said in GERMAN.items():
        line = re.compile(rf"^{re.escape(key)} = .*$", re.MULTILINE)
        assert len(line.findall(german)) == 1
        german = line.sub(f"{key} = {said}", german)
    (data / "languages" / "de.toml").write_text(german, "utf-8")
    for edition in edition_names():
        with (data / "editions" / f"{edition}.toml").open("a", encoding="utf-8") as file:
            file.write(GERMAN_WORDS)
    forget()

    assert language_names() == ("de", "en", "fr")
    score = score_round(Rules.of(2), table(LYING))
    assert explain(score, "de") == (
        "2 Kododos liegen da, nicht genau 4.",
        "Karten zählen: 3 grün, 2 gelb, 1 orange, 1 blau und 1 violett.",
        "Grün punktet mit 3.",
    )
    none = score_round(Rules.of(2), table(LYING.replace("1", "3")))
    assert explain(none, "de")[0] == "Es liegt kein Kododo da."
    assert tell(HandDealt(0, parse_cards("Y1 G2")), ["Eva"], "de") == "2 Karten: Ge1 Gr2."
    assert tell(HandDealt(0, parse_cards("Y1")), ["Eva"], "de") == "Nur Ge1."
    assert GameError("players", players=6, least=2, most=5).say("de").endswith("nicht für 6.")
    assert describe_tally(tally(Rules.of(2), table(LYING)), words("de"))[0].startswith("3 grün")


def test_a_third_edition_is_one_more_file(data: Path) -> None:
    french = MOON[MOON.index("[en]") :].replace("[en", "[fr").replace("ash", "cendre")
    (data / "editions" / "moon.toml").write_text(MOON + french, "utf-8")
    forget()

    assert edition_names() == ("azul", "classic", "moon")
    score = score_round(Rules.of(2), table(LYING))
    assert explain(score, "en", "moon") == (
        "2 Moons on the table, not exactly 4: the colours decide.",
        "Cards counted, not their values: 3 coal, 2 ash, 1 dust, 1 ice and 1 sand.",
        "3 coal, the most: the coal scores.",
    )
    assert "cendre 2" in explain(score, "fr", "moon")[1]
    assert words("en", "moon").cards(parse_cards("Y1 V6")) == "A1 S6"
    assert tell(DealStarted(0, 80), ["Ann"], "en", "moon").startswith("The cards are dealt")
    record = Record(Match(Rules.of(2)), (Player("Ann"), Player("Bob")), edition="moon")
    assert parse(write(record)).edition == "moon"


def test_afterwards_everything_is_as_it_was() -> None:
    assert (language_names(), edition_names()) == (("en", "fr"), ("azul", "classic"))
    assert words("en").icon(1) == "Kododo"


def test_french_says_robot_as_the_page_does() -> None:
    said = [form for text in keys("fr").values() for form in forms(text)]
    assert not [one for one in said if re.search(r"(?<![{\w])bots?\b", one, re.IGNORECASE)]
