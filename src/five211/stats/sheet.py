"""What our pages of numbers share: how one begins, and a figure as a picture with its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from html import escape

from five211 import texts
from five211.cards import Color
from five211.editions import paint
from five211.record import DEFAULT_EDITION
from five211.stats import plots
from five211.stats.book import Chapter, Figure, Row
from five211.stats.estimate import Estimate
from five211.stats.style import STYLE
from five211.stats.words import briefly, number, percent, players
from five211.stats.words import figure as in_words

About = tuple[str, str]
"""A picture's name and its description."""
FEW = 8
"""Rows that a picture's description names one by one."""
FILLS = """\
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="dotted" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" \
class="p1"/><circle cx="3" cy="3" r="1.5" class="p1dot"/></pattern>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" \
patternTransform="rotate(45)"><rect width="6" height="6" class="p2"/><rect width="2" height="6" \
class="p2line"/></pattern></defs></svg>"""


def opening(language: str, name: str, more: str = "", fills: str = "") -> str:
    """Everything up to the heading; `more` is what a page adds to the style."""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{STYLE}{more}</style>\n</head>\n<body>{fills}\n<header>\n"
        f"{four_cards()}<h1>{name}</h1>"
    )


def scrolled(name: str) -> str:
    """Where a wide table begins, which keys can move, too."""
    return f'<div class="wide" role="group" tabindex="0" aria-label="{escape(name)}">'


def heads(cells: Sequence[str]) -> str:
    """Where a table begins."""
    each = "".join(f"<th scope=col>{cell}</th>" for cell in cells)
    return f"<table><thead><tr>{each}</tr></thead><tbody>"


def four_cards() -> str:
    """The game's name as cards."""
    colors = paint(DEFAULT_EDITION)
    cards = zip("5211", (Color.Y, Color.G, Color.O, Color.V), (-9, -3, 3, 9), strict=True)
    parts = [
        f'<g transform="translate({30 + 46 * place} {38 + abs(turn) / 2}) rotate({turn})">'
        f'<rect x="-20" y="-28" width="40" height="56" rx="6" fill="{colors[color.name]}" '
        'stroke="#22282f" stroke-width="2"/>'
        '<rect x="-13" y="-19" width="26" height="38" rx="9" fill="#fffdf8" stroke="#22282f"/>'
        f'<text y="10" text-anchor="middle" class="face">{value}</text></g>'
        for place, (value, color, turn) in enumerate(cards)
    ]
    return f'<svg viewBox="0 0 198 76" class="cards" aria-hidden="true">{"".join(parts)}</svg>'


class Sheet(ABC):
    """A page in the making, whose figures may be drawn as bars, dots or a curve."""

    def __init__(self, language: str) -> None:
        self.language = language

    # What each page says and draws in its own way

    @abstractmethod
    def title(self, chapter: str) -> str:
        """A chapter's question."""

    @abstractmethod
    def label(self, chapter: str, row: Row) -> str:
        """What a row counts."""

    @abstractmethod
    def named(self, line: str) -> str:
        """What a line of a figure is called."""

    @abstractmethod
    def bars(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """Parts of a whole."""

    @abstractmethod
    def dots(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A few values."""

    @abstractmethod
    def curve(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A distribution."""

    # Words

    def said(self, key: str, **fields: object) -> str:
        """A sentence, ready for the page."""
        return escape(texts.say(self.language, key, **fields))

    def players(self, n: int) -> str:
        """So many players."""
        return escape(players(self.language, n))

    def told(self, chapter: Chapter, digits: int = 1) -> plots.Tell:
        """How a picture tells a value."""
        return lambda one: briefly(self.language, one, digits, in_points=chapter.in_points)

    def key(self, items: Sequence[str]) -> str:
        """What the marks and fills of a chapter mean."""
        each = "".join(f"<li>{item}</li>" for item in items)
        return f'<ul class="keys" aria-label="{self.said("stats.key")}">{each}</ul>'

    def fills(self, chapter: Chapter) -> list[str]:
        """What the fills of bars mean."""
        return [
            f"{plots.key_fill(place)} {escape(self.label(chapter.key, row))}"
            for place, row in enumerate(chapter.figures[0].rows)
        ]

    # A figure

    def picture(self, chapter: Chapter, figure: Figure) -> str:
        """The figure, drawn."""
        name = f"{self.title(chapter.key)} {players(self.language, figure.rules.players)}"
        about = name, self.description(chapter, figure)
        draw = {"bars": self.bars, "dots": self.dots, "curve": self.curve}[chapter.shown]
        return draw(chapter, figure, about)

    def on_axis(self, chapter: Chapter, figure: Figure) -> plots.Show:
        """How an axis writes its numbers: with a digit only where its steps need one."""
        between = plots.step(plots.highest(figure)) * (1 if chapter.in_points else 100)
        show = number if chapter.in_points else percent
        return lambda value: show(self.language, value, 0 if between >= 1 else 1)

    def description(self, chapter: Chapter, figure: Figure) -> str:
        """The picture in words: its numbers if they are few, and where all of them are."""
        lines, told = [], self.told(chapter)
        for line, values in figure.lines.items() if len(figure.rows) <= FEW else ():
            items = tuple(
                texts.fill(
                    self.language,
                    "stats.item",
                    row=self.label(chapter.key, row),
                    value=told(one),
                )
                for row, one in zip(figure.rows, values, strict=True)
            )
            name = self.named(line) or players(self.language, figure.rules.players)
            lines.append(texts.say(self.language, "stats.line", bot=name, items=items))
        return " ".join((*lines, texts.say(self.language, "stats.behind")))

    # The table behind it

    def behind(self, n: int) -> str:
        """What opens the table behind a picture."""
        name = texts.say(self.language, "stats.table", players=players(self.language, n))
        return f"<details><summary>{escape(name)}</summary>{scrolled(name)}"

    def table(
        self,
        chapter: Chapter,
        figure: Figure,
        beside: Sequence[str] = (),
        cells: Callable[[int], str] = lambda _place: "",
    ) -> Iterator[str]:
        """Every value with its interval; beside them whatever else a page has in each row."""
        seen = self.said("stats.seen_head")  # where there is one line only, and it has no name
        names = (escape(self.named(line)) or seen for line in figure.lines)
        yield heads([self.said("stats.value_head"), *names, *beside])
        for place, row in enumerate(figure.rows):
            yield f"<tr><th scope=row>{escape(self.label(chapter.key, row))}</th>"
            for line in figure.lines.values():
                yield self.cell(chapter, line[place])
            yield f"{cells(place)}</tr>"
        yield "</tbody></table>"

    def cell(self, chapter: Chapter, one: Estimate) -> str:
        """A value, and its interval below."""
        value, interval = in_words(self.language, one, in_points=chapter.in_points)
        return f"<td><b>{value}</b><br><small>{interval}</small></td>"
