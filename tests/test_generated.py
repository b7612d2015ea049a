"""What the page knows of the game (web/src/generated) is not stale, and says what five211 says.

The tables for those who play with real cards are read here as web/generate.py tells the page to.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from five211 import Rules, score_round, stream, words
from five211.cards import ALL_CARDS, Card, Cards, Color
from five211.cli.rules import rule_texts
from five211.editions import edition_names
from five211.rules import ASIDE
from five211.scoring import ColorScores, Outcome, Score, StruckForLimit, StruckForTie
from five211.sentences import explain, explain_takes
from five211.tally import IconStanding, Standing, tally

WEB = Path(__file__).parent.parent / "web"
GENERATED = WEB / "src" / "generated"
LANGUAGES = ("en", "fr")
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva")


@cache
def read(name: str) -> Any:
    return json.loads((GENERATED / name).read_text(encoding="utf-8"))


def test_nothing_is_stale(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(WEB / "generate.py"), str(tmp_path)], check=True)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    kept = {file.name: file.read_bytes() for file in GENERATED.iterdir()}
    assert sorted(made) == sorted(kept)
    for name, content in made.items():
        assert content == kept[name], f"{name} is stale: .venv/bin/python web/generate.py"
        assert content.endswith(b"\n")


def test_the_page_finds_the_types_it_asks_for() -> None:
    text = (GENERATED / "protocol.ts").read_text(encoding="utf-8")
    assert "Do not edit." in text.splitlines()[0]
    declared = re.findall(r"^export (?:type|interface) (\w+)", text, re.MULTILINE)
    assert len(set(declared)) == len(declared)
    assert {"Frame", "View", "GameEvent", "Answer", "ClientMessage", "Replay"} <= set(declared)
    assert {"TableBody", "Seated", "Door", "Summary", "About", "ErrorBody"} <= set(declared)


# The scoring


def layouts(players: int) -> Iterator[tuple[str, list[Cards]]]:
    """Real tables for every row, in any colours; icons exact if they can be, and by chance."""
    rules, rng = Rules.of(players), stream(players, "tables")
    for key in read("scores.json")["players"][str(players)]["rows"]:
        for exact in (True, False, False):
            dealt = layout(rules, [int(count) for count in key.split()], exact, rng)
            if dealt is not None:
                yield key, dealt


def layout(rules: Rules, counts: list[int], exact: bool, rng: Random) -> list[Cards] | None:
    """Cards of the deck with these counts, dealt to the seats; the icons exact or by chance."""
    of = list(rules.colors)
    rng.shuffle(of)
    chosen: list[Card] = []
    spare: list[Card] = []
    for color, count in zip(of, counts, strict=True):
        cards = [card for card in rules.deck if card.color is color]
        rng.shuffle(cards)
        chosen += cards[:count]
        spare += cards[count:]
    while exact and sum(card.is_icon for card in chosen) != rules.exact:
        few = sum(card.is_icon for card in chosen) < rules.exact
        swaps = [
            (here, there)
            for here, one in enumerate(chosen)
            for there, other in enumerate(spare)
            if one.color is other.color and one.is_icon is not few and other.is_icon is few
        ]
        if not swaps:
            return None
        here, there = rng.choice(swaps)
        chosen[here], spare[there] = spare[there], chosen[here]
    rng.shuffle(chosen)
    return [tuple(sorted(chosen[seat :: rules.players])) for seat in range(rules.players)]


def ranked(table: list[Cards]) -> tuple[list[Color], list[int]]:
    """The colours, the most cards first, and their counts."""
    counts = {color: sum(card.color is color for seat in table for card in seat) for color in Color}
    order = sorted(Color, key=lambda color: (-counts[color], color))
    return order, [counts[color] for color in order]


def test_there_is_a_row_for_all_counts() -> None:
    rows = [one["rows"] for one in read("scores.json")["players"].values()]
    assert [len(one) for one in rows] == [18, 47, 101, 192]
    assert sum(map(len, rows)) == 358


@pytest.mark.parametrize("players", ASIDE)
def test_every_row_is_what_scores(players: int) -> None:
    numbers, outcomes = read("scores.json")["players"][str(players)], set()
    for key, table in layouts(players):
        score = score_round(Rules.of(players), table)
        outcomes.add(score.outcome)
        icons = sum(card.is_icon for seat in table for card in seat)
        assert (score.outcome is Outcome.ICONS) == (icons == numbers["exact"])
        order, counts = ranked(table)
        assert key == " ".join(map(str, counts))
        if score.outcome is not Outcome.ICONS:
            limit, ties, scores = numbers["rows"][key]
            assert {order[one] for one in limit} == struck(score)
            tied = [step.colors for step in score.steps if isinstance(step, StruckForTie)]
            assert [tuple(order[one] for one in tie) for tie in ties] == tied
            assert (None if scores is None else order[scores]) == score.color
            assert isinstance(score.steps[-1], ColorScores) == (scores is not None)
    assert outcomes == set(Outcome)


@pytest.mark.parametrize("players", ASIDE)
def test_every_tally_is_the_games_own(players: int) -> None:
    """Whole tables and parts of them, in any colours."""
    data, rules, rng = read("standings.json"), Rules.of(players), stream(players, "tallies")
    known, seen = data["players"][str(players)], set()
    for key in known["rows"]:
        table = layout(rules, [int(count) for count in key.split()], False, rng)
        assert table is not None
        order, counts = ranked(table)
        found = tally(rules, table)
        row = known["rows"][" ".join(map(str, counts))]
        said = {color: data["names"][int(at)] for color, at in zip(order, row, strict=True)}
        assert said == {one.color: one.standing for one in found.colors}
        assert known["icons"][found.icons] == found.icon_standing
        seen |= set(said.values())
    assert seen == set(data["names"]) == set(Standing)
    assert len(known["rows"]) == {2: 60, 3: 197, 4: 509, 5: 1125}[players]
    assert set(known["icons"]) == set(IconStanding)


def struck(score: Score) -> set[Color]:
    return {
        color
        for step in score.steps
        if isinstance(step, StruckForLimit)
        for color, _ in step.counts
    }


@pytest.mark.parametrize("players", ASIDE)
def test_the_numbers_are_those_of_the_rules(players: int) -> None:
    numbers, rules = read("scores.json")["players"][str(players)], Rules.of(players, "long")
    for name in ("aside", "pile", "rounds", "exact", "limit", "goal"):
        assert numbers[name] == getattr(rules, name)
    assert read("scores.json")["copies"] == list(rules.copies)
    assert read("scores.json")["plays"] == list(rules.plays)


# The sentences


class Companion:
    """A scoring told from the generated files alone, as the page does it."""

    def __init__(self, players: int, language: str, edition: str) -> None:
        self.numbers = read("scores.json")["players"][str(players)]
        self.data = read(f"sentences.{language}.json")
        self.card = read("editions.json")["card"][language]
        self.words = read("editions.json")["editions"][edition]["words"][language]

    def form(self, forms: dict[str, str], n: int) -> str:
        plural = self.data["plural"].items()
        return forms[next((form for form, some in plural if n in some), "other")]

    def fill(self, key: str, n: int = 0, **fields: Any) -> str:
        text = self.data["steps"][key]
        text = text if isinstance(text, str) else self.form(text, n)
        return re.sub(r"\{(\w+)\}", lambda found: str({"n": n, **fields}[found[1]]), text)

    def say(self, key: str, n: int = 0, **fields: Any) -> str:
        said = self.fill(key, n, **fields)
        return said[:1].upper() + said[1:]

    def listed(self, items: list[str]) -> str:
        *most, last = items
        ways = self.data["list"]
        return ways["and"].join([ways["comma"].join(most), last]) if most else last

    def items(self, colors: list[Color], table: list[Cards]) -> str:
        counts = dict(zip(*ranked(table), strict=True))
        name = {color: self.words["colors"][color.name]["name"] for color in Color}
        return self.listed([self.fill("item", count=counts[c], name=name[c]) for c in colors])

    def the(self, colors: list[Color]) -> str:
        return self.listed([self.words["colors"][color.name]["the"] for color in colors])

    def tell(self, table: list[Cards]) -> Iterator[str]:
        found, needed = sum(card.is_icon for seat in table for card in seat), self.numbers["exact"]
        icons = {"icon": self.words["icon"]["one"], "icons": self.form(self.words["icon"], found)}
        key = "icons_exact" if found == needed else "icons_other"
        yield self.say(key, found, found=found, needed=needed, **icons)
        if found != needed:
            yield from self.colors(table)

    def colors(self, table: list[Cards]) -> Iterator[str]:
        order, counts = ranked(table)
        limit, ties, scores = self.numbers["rows"][" ".join(map(str, counts))]
        there = [color for color, count in zip(order, counts, strict=True) if count]
        yield self.say("colors_counted", items=self.items(there, table))
        if limit:
            out = sorted(order[one] for one in limit)
            items, colors = self.items(out, table), self.the(out)
            yield self.say(
                "struck_for_limit",
                len(out),
                items=items,
                colors=colors,
                limit=self.numbers["limit"],
            )
        for tie in ties:
            key = "struck_for_tie" if len(tie) == 2 else "struck_for_tie_many"
            yield self.say(key, colors=self.the([order[one] for one in tie]), count=counts[tie[0]])
        if scores is None:
            yield self.say("nothing_left")
        else:
            name = self.words["colors"][order[scores].name]["name"]
            the = self.the([order[scores]])
            yield self.say("color_scores", count=counts[scores], name=name, the=the)

    def takes(self, score: Score) -> Iterator[str]:
        for name, cards, points in zip(NAMES, score.cards, score.points, strict=False):
            if cards:
                yield self.say("takes", points, name=name, cards=" ".join(map(self.code, cards)))
        if not any(score.cards):
            yield self.say("nobody_takes")

    def code(self, card: Card) -> str:
        letter = self.words["colors"][card.color.name]["letter"]
        return str(self.card["code"].format(letter=letter, value=card.value))

    def card_name(self, card: Card) -> str:
        color = self.words["colors"][card.color.name]["name"]
        icon = self.words["icon"]["one"]
        text = self.card["icon" if card.is_icon else "name"]
        return str(text.format(color=color, value=card.value, icon=icon))


@pytest.mark.parametrize("players", ASIDE)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
def test_a_scoring_can_be_told_from_the_files(players: int, language: str, edition: str) -> None:
    companion, w = Companion(players, language, edition), words(language, edition)
    for _, table in layouts(players):
        score = score_round(Rules.of(players), table)
        assert tuple(companion.tell(table)) == explain(score, language, edition)
        assert tuple(companion.takes(score)) == explain_takes(score, NAMES[:players], w)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
def test_cards_have_their_names(language: str, edition: str) -> None:
    companion, w = Companion(2, language, edition), words(language, edition)
    for card in ALL_CARDS:
        assert companion.code(card) == w.card(card)
        assert companion.card_name(card) == w.card_name(card)
    paint = read("editions.json")["editions"][edition]["paint"]
    assert list(paint) == [color.name for color in Color]
    assert all(re.fullmatch(r"#[0-9A-F]{6}", one) for one in paint.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_filled_in_is_a_plain_word(language: str) -> None:
    for name in (f"sentences.{language}.json", "editions.json"):
        text = "".join(strings(read(name)))
        assert not re.search(r"[{}]", re.sub(r"\{\w+\}", "", text))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, str):
        yield value


# The rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
@pytest.mark.parametrize("players", ["all", *map(str, ASIDE)])
def test_the_rules_are_those_of_the_command_line(language: str, edition: str, players: str) -> None:
    games = [Rules.of(n) for n in ASIDE if players in ("all", str(n))]
    book, said = read(f"rules.{language}.json"), {}
    for number, text in book["rules"].items():
        while not isinstance(text, str):
            text = text.get(edition) or text[players]
        assert number.split(".")[0] in book["sections"]
        said[number] = text
    assert said == rule_texts(games, words(language, edition))
