"""`five211 score`: the table companion."""

from __future__ import annotations

from rich.table import Table as Grid

from five211 import texts
from five211.cards import Cards
from five211.cli import common
from five211.editions import Words, words
from five211.errors import GameError
from five211.rules import Rules
from five211.scoring import score_round
from five211.sentences import explain
from five211.shapes import score_json

LONGEST = 10_000  # characters of a table worth reading


def run(cards: str, players: int | None, edition: str, lang: str | None, as_json: bool) -> None:
    """Score a table."""
    w = words(common.speak(lang), edition)
    if cards == "-":
        with common.opened("-") as stdin:
            cards = stdin.read(LONGEST)
    table = read_table(cards, w)
    rules = Rules.of(len(table) if players is None else players)
    try:
        score = score_round(rules, table)
    except GameError as error:
        raise w.told(error) from None
    if as_json:
        common.print_json(score_json(score, w))
        return
    console = common.console()
    if any(w.letter(color) != color.name for color in rules.colors):
        console.print(w.legend())
    for sentence in explain(score, w.language, edition):
        console.print(sentence)
    grid = Grid(box=None, pad_edge=False)
    for key in ("seat_head", "table_head", "cards_head", "points_head"):
        justify = "right" if key == "points_head" else "left"
        grid.add_column(texts.fill(w.language, f"cli.{key}"), justify=justify)  # type: ignore[arg-type]
    for seat, (lying, scored) in enumerate(zip(table, score.cards, strict=True)):
        points = str(score.points[seat])
        grid.add_row(str(seat + 1), common.painted(lying, w), common.painted(scored, w), points)
    console.print(grid)


def read_table(text: str, w: Words) -> list[Cards]:
    """Each seat's cards: "/" between seats, or a line for each."""
    text = text.strip().strip("/")
    if not text.strip():
        raise GameError("no_cards")
    return [w.read_cards(seat) for seat in (text.split("/") if "/" in text else text.splitlines())]
