"""`five211 rules`: the rules in our own words, the numbers filled in from `Rules`."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import Any

from rich.table import Table as Grid

from five211 import texts
from five211.cli import common
from five211.editions import Words, words
from five211.rules import ASIDE, Rules, Variant

NUMBERS: dict[str, Callable[[Rules], int]] = {
    "aside": lambda rules: rules.aside,
    "pile": lambda rules: rules.pile,
    "rounds": lambda rules: rules.rounds,
    "exact": lambda rules: rules.exact,
    "limit": lambda rules: rules.limit,
}


def run(players: int | None, edition: str, lang: str | None, markdown: bool, as_json: bool) -> None:
    """Print the rules."""
    w = words(common.speak(lang), edition)
    games = [Rules.of(n) for n in (sorted(ASIDE) if players is None else [players])]
    said = rule_texts(games, w)
    if as_json:
        numbers = [
            {"players": one.players, **{key: get(one) for key, get in NUMBERS.items()}}
            for one in games
        ]
        common.print_json({"rules": said, "numbers": numbers})
    elif markdown:
        print(to_markdown(games, w), end="")
    else:
        _show(games, said, w)


def rule_texts(games: list[Rules], w: Words) -> dict[str, str]:
    """Each rule by its number."""
    one = games[0]
    counts = "/".join(str(game.players) for game in games)
    fields: dict[str, Any] = {
        "deck": len(one.deck),
        "per_color": sum(one.copies),
        "colors": len(one.colors),
        "color_names": tuple(w.color(color) for color in one.colors),
        "copies": tuple(
            texts.fill(w.language, "book.copies", n=count, value=value)
            for value, count in enumerate(one.copies, start=1)
        ),
        "icon": w.icon(1),
        "icons": w.icon(one.exact),
        "animal": w.data["animal"],
        "least": min(ASIDE),
        "most": max(ASIDE),
        "hand": one.hand,
        "turns": len(one.plays),
        "plays": texts.fill(w.language, "book.then").join(str(cards) for cards in one.plays),
        "goal": Rules.of(one.players, Variant.LONG).goal,
        "order": " < ".join(w.letter(color) for color in one.colors),
        "for_players": ""
        if len(games) == 1
        else texts.fill(w.language, "book.for_players", players=counts),
        **{key: "/".join(str(get(game)) for game in games) for key, get in NUMBERS.items()},
    }
    rules: dict[str, str] = texts.load("languages", w.language)["rules"]
    said = {number: texts.say(w.language, f"rules.{number}", **fields) for number in rules}
    if len(games) == 1 and not one.aside:
        said["2.1"] = texts.say(w.language, "book.none_aside", **fields)
    return said


def _rows(games: list[Rules], w: Words) -> list[list[str]]:
    def head(key: str) -> str:
        return texts.fill(w.language, f"book.{key}")

    rows = [[head("by_players"), *(str(game.players) for game in games)]]
    rows += [[head(key), *(str(get(game)) for game in games)] for key, get in NUMBERS.items()]
    return rows


def to_markdown(games: list[Rules], w: Words) -> str:
    """The rules as a page."""
    sections: dict[str, str] = texts.load("languages", w.language)["sections"]
    said = rule_texts(games, w)
    lines = [f"# {texts.say(w.language, 'book.title')}", ""]
    lines += [texts.say(w.language, "book.unofficial"), ""]
    for section, title in sections.items():
        lines += [f"## {section} {title}", ""]
        lines += [f"**{n}** {text}\n" for n, text in said.items() if n.split(".")[0] == section]
    lines += [f"## {texts.say(w.language, 'book.numbers')}", ""]
    head, *rows = _rows(games, w)
    lines += [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _show(games: list[Rules], said: dict[str, str], w: Words) -> None:
    console = common.console()
    width = min(console.width, 96)

    def wrapped(text: str, indent: str = "") -> str:
        # not by Rich, which breaks a line before a French colon
        return fill(text, width, subsequent_indent=indent, break_on_hyphens=False)

    sections: dict[str, str] = texts.load("languages", w.language)["sections"]
    console.print(texts.say(w.language, "book.title"), style="bold")
    console.print(wrapped(texts.say(w.language, "book.unofficial")))
    for section, title in sections.items():
        console.print(f"\n{section} {title}", style="bold")
        for number, text in said.items():
            if number.split(".")[0] == section:
                console.print(wrapped(f"{number}  {text}", " " * 5))
    console.print("\n" + texts.say(w.language, "book.numbers"), style="bold")
    table = Grid.grid(padding=(0, 2, 0, 0))
    for row in _rows(games, w):
        table.add_row(*row)
    console.print(table)
