"""The table as text with styles: a column a colour, a row a seat, the tally on top.

Everything here is a function of what a viewer sees and of the room there is; nothing knows of
Textual, so that a test can look at it line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from five211 import texts
from five211.cards import Card, Cards, Color
from five211.editions import Words
from five211.rules import Rules
from five211.scoring import ColorScores, IconsCounted, Step, StruckForLimit, StruckForTie
from five211.tally import ColorTally, IconStanding, Standing, tally
from five211.terminal.paint import SHAPES

NAMES, POINTS, PILES, MARKS = 11, 7, 5, 2
"""Room for a seat's name, points, score pile, and whether it has chosen."""
LEFT = NAMES + POINTS + PILES + MARKS
NARROWEST = 10
"""A column of a colour."""
FULL, EMPTY, PICKED = "▮", "▯", "+"
ICON, NO_ICON = "◉", "○"
MINE, CHOSEN, THINKING, AWAY = "▸", "✓", "…", "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A seat, as the board shows it."""

    name: str
    cards: Cards
    fresh: Cards
    """Those of the cards that were revealed just now."""
    points: int | None
    pile: int
    mark: str = " "
    me: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """All that the board shows."""

    rules: Rules
    rows: tuple[Row, ...]
    picked: Cards = ()
    """Cards of one's own hand that are about to be played."""
    out: frozenset[Color] = frozenset()
    """Colours that the scoring has struck out so far."""
    scores: Color | None = None
    icons_score: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """With which words and paints, and in how much room."""

    words: Words
    inks: dict[Color, str]
    width: int = 80

    @property
    def column(self) -> int:
        """How wide a colour's column is."""
        return max(NARROWEST, (self.width - LEFT) // len(Color))

    def say(self, key: str, **fields: object) -> str:
        """A sentence of the terminal's own."""
        return texts.say(self.words.language, f"terminal.{key}", **fields)

    def fill(self, key: str, **fields: object) -> str:
        """Words of the terminal's own."""
        return texts.fill(self.words.language, f"terminal.{key}", **fields)


def board(shown: Board, look: Look) -> Text:
    """The tally and the seats."""
    counted = tally(shown.rules, [row.cards for row in shown.rows])
    lines = [
        _line(look, look.fill("limit", n=shown.rules.limit), _heads(shown, look)),
        _line(look, "", [_pips(shown, one, look) for one in counted.colors]),
        _line(look, "", [_standing(shown, one, look) for one in counted.colors]),
        _line(look, _labels(look), [_to_limit(shown, one, look) for one in counted.colors]),
    ]
    lines += [
        _line(look, seat(row), [_cell(row, color, look) for color in shown.rules.colors])
        for row in shown.rows
    ]
    lines.append(icons(shown, counted.icons, counted.icon_standing, look))
    return Text("\n").join(lines)


def _line(look: Look, left: str | Text, cells: Sequence[Text]) -> Text:
    line = _fit(left if isinstance(left, Text) else Text(left), LEFT)
    for cell in cells:
        line.append_text(_fit(cell, look.column))
    line.rstrip()
    return line


def _fit(text: Text, room: int) -> Text:
    """Just so wide; what is added has no style."""
    fitted = text.copy()
    fitted.truncate(room, overflow="ellipsis")
    return Text.assemble(fitted, " " * (room - fitted.cell_len))


def _heads(shown: Board, look: Look) -> list[Text]:
    heads = []
    for color in shown.rules.colors:
        sign = f"{SHAPES[color]} {look.words.letter(color)}"
        named = f"{sign} {look.words.color(color)}"
        head = Text(named if len(named) < look.column else sign, style=look.inks[color])
        if color in shown.out:
            head.stylize("strike dim")
        heads.append(head)
    return heads


def _pips(shown: Board, one: ColorTally, look: Look) -> Text:
    picked = sum(card.color == one.color for card in shown.picked)
    left = max(0, one.to_limit - picked)
    pips = FULL * one.count + PICKED * picked + EMPTY * left
    room = look.column - 1
    return Text(pips if len(pips) <= room else pips[: room - 1] + "…")


def _standing(shown: Board, one: ColorTally, look: Look) -> Text:
    if shown.scores is one.color:
        return Text(f"{one.count} {look.fill('scores')}", style="bold reverse")
    if one.color in shown.out:
        return Text(f"{one.count} {look.fill('out')}", style="strike")
    if one.standing is Standing.ABSENT:
        return Text("0", style="dim")
    words = texts.fill(look.words.language, f"tally.{one.standing}")
    style = {Standing.LEADS: "bold", Standing.BUST: "strike"}.get(one.standing, "")
    return Text(f"{one.count} {words}", style=style)


def _to_limit(shown: Board, one: ColorTally, look: Look) -> Text:
    gone = one.standing in (Standing.ABSENT, Standing.BUST) or one.color in shown.out
    if gone or shown.scores is not None:
        return Text("")
    style = "bold" if one.to_limit == 1 else "dim"
    return Text(look.fill("to_limit", n=one.to_limit), style=style)


def _labels(look: Look) -> Text:
    points, pile = look.fill("points_short"), look.fill("pile_short")
    return Text(f"{'':{NAMES}}{points:>{POINTS - 1}} {pile:>{PILES - 1}}", style="dim")


def seat(row: Row) -> Text:
    """A seat's name, points, score pile, and whether it has chosen."""
    mark = MINE if row.me else " "
    name = Text(f"{mark}{row.name}", style="bold" if row.me else "")
    text = _fit(name, NAMES)
    points = "?" if row.points is None else str(row.points)
    return text.append(f"{points:>{POINTS - 1}} {row.pile:>{PILES - 1}} {row.mark}")


def _cell(row: Row, color: Color, look: Look) -> Text:
    """A seat's cards of one colour, the new ones underlined."""
    cards = sorted(card for card in row.cards if card.color == color)
    fresh = list(row.fresh)
    room, told = look.column - 1, [look.words.card(card) for card in cards]
    between = " " if len(" ".join(told)) <= room else ""
    if len(between.join(told)) > room:  # the letter once is enough
        told = [told[0], *(str(card.value) for card in cards[1:])]
    text = Text()
    for card, shown in zip(cards, told, strict=True):
        new = card in fresh
        if new:
            fresh.remove(card)
        text.append(between if len(text) else "")
        text.append(shown, style=f"{look.inks[color]}{' underline' if new else ''}")
    return text


def icons(shown: Board, found: int, standing: IconStanding, look: Look) -> Text:
    """The icons on their way to the exact number."""
    picked = sum(card.is_icon for card in shown.picked)
    exact = shown.rules.exact
    pips = ICON * found + PICKED * picked + NO_ICON * max(0, exact - found - picked)
    language = look.words.language
    said = texts.say(
        language,
        "tally.icons_line",
        icons=look.words.icon(exact),
        found=found,
        needed=exact,
        words=texts.fill(language, f"tally.{standing}"),
    )
    loud = shown.icons_score or standing in (IconStanding.EXACT, IconStanding.ONE_MORE)
    text = Text(f"{said}  {pips}", style="bold" if loud else "")
    if shown.icons_score:
        text.stylize("reverse")
    return text


def card(card_: Card, look: Look, size: tuple[int, int], picked: bool) -> Text:
    """A card of the hand: its shape and letter, its value large, in a frame."""
    wide, high = size
    inside = wide - 2
    corners = "┏┓┗┛━┃" if picked else "╭╮╰╯─│"
    top_left, top_right, low_left, low_right, flat, tall = list(corners)
    name = f"{SHAPES[card_.color]} {look.words.letter(card_.color)}"
    middle = str(card_.value)
    if card_.is_icon:
        animal = look.words.icon(1)
        middle += f" {ICON} {animal}" if len(animal) + 5 < inside else f" {ICON}"
    rows = [" " * inside for _ in range(high - 2)]
    rows[0] = f" {name}".ljust(inside)
    if len(rows) > 2:
        rows[-1] = f"{name} ".rjust(inside)
    rows[len(rows) // 2] = middle.center(inside)
    lines = [f"{top_left}{flat * inside}{top_right}"]
    lines += [f"{tall}{row}{tall}" for row in rows]
    lines.append(f"{low_left}{flat * inside}{low_right}")
    return Text("\n".join(lines), style=look.inks[card_.color])


def back(size: tuple[int, int]) -> Text:
    """A card face down: the same for everyone."""
    wide, high = size
    lines = [f"╭{'─' * (wide - 2)}╮", *(f"│{'░' * (wide - 2)}│",) * (high - 2)]
    return Text("\n".join([*lines, f"╰{'─' * (wide - 2)}╯"]))


def struck(steps: Sequence[Step]) -> frozenset[Color]:
    """The colours that these steps of a scoring have struck out."""
    found: set[Color] = set()
    for step in steps:
        if isinstance(step, StruckForTie):
            found.update(step.colors)
        elif isinstance(step, StruckForLimit):
            found.update(color for color, _count in step.counts)
    return frozenset(found)


def scoring(steps: Sequence[Step]) -> Color | None:
    """The colour that scores, as far as these steps tell."""
    return next((step.color for step in steps if isinstance(step, ColorScores)), None)


def exactly(steps: Sequence[Step]) -> bool:
    """Whether the icons score, as far as these steps tell."""
    return any(isinstance(step, IconsCounted) and step.exact for step in steps)
