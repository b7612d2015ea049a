"""A rendering: in sentences, as an SVG, or as an array of pixels.

All show the table, the tally, how the last round ended, the hands of those seats whose views are
handed in, and at the end who won. Whoever holds a whole environment hands in all views, a single
seat only its own. The two pictures are the same list of boxes, drawn by the two pens of `pens`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from five211 import texts
from five211.cards import Cards
from five211.editions import Words, paint, words
from five211.env.given import given
from five211.env.pens import LARGE, SMALL, Box, advance, pixels, svg
from five211.errors import GameError
from five211.events import GameEnded
from five211.scoring import Outcome, Score
from five211.sentences import (
    describe_moment,
    describe_tally,
    explain,
    explain_takes,
    tell,
    totals,
)
from five211.state import lay
from five211.tally import Standing, Tally, tally
from five211.view import View

CARD, GAP, ROW, LINE = 46, 6, 52, 20
"""A card's width, the room between two things, a row's and a line's height, in pixels."""
NAME, POINTS = 112, 60
"""The widths of a seat's name and of its points."""
FRAME = 3
"""How far a frame stands out around a card that scored: half the room between two."""
COUNT, ICONS, APART = 84, 200, 24
"""The widths of a colour in the tally and of the icons, and the room between two columns."""
HEAD, LEGEND = 3, 2
"""Lines above the table and below it: always as many, so that all pictures are of one size."""
CLOTH, PAPER, ICON, GOLD = "#26323A", "#FFFFFF", "#3FB6A8", "#F2C14E"


@dataclass(frozen=True, slots=True)
class Ended:
    """The round that ended last."""

    number: int
    table: tuple[Cards, ...]
    score: Score


def last_ended(now: View) -> Ended | None:
    """The round that ended last, if one has; in the longer game it may be of the deal before."""
    rounds = now.rounds or (now.earlier[-1] if now.earlier else ())
    if not rounds:
        return None
    return Ended(len(rounds), lay(now.rules, rounds[-1].turns), rounds[-1].score)


# In words


def sentences(views: Sequence[View], names: Sequence[str], w: Words) -> str:
    """The table in words, and each hand that may be seen."""
    return "\n".join(_lines(views, names, w))


def _lines(views: Sequence[View], names: Sequence[str], w: Words) -> Iterator[str]:
    now = views[0]
    ended = last_ended(now)
    if ended is not None and not now.turns:
        yield texts.say(w.language, "env.round_over", round=ended.number)
        yield from _laid(ended.table, names, w)
        yield from explain(ended.score, w.language, w.edition)
        yield from explain_takes(ended.score, names, w)
    yield headline(now, names, w)
    if now.result is None:
        yield texts.say(w.language, "play.score", totals=totals(names, now.points, w))
        yield from _laid(now.table, names, w)
        yield from describe_tally(now.tally, w)
        for view in views:
            held = w.cards(view.hand)
            yield texts.say(w.language, "env.hand", name=names[view.seat], cards=held)
    yield legend(w)


def _laid(table: Sequence[Cards], names: Sequence[str], w: Words) -> Iterator[str]:
    for name, cards in zip(names, table, strict=True):
        yield texts.say(w.language, "play.seat", name=name, cards=w.cards(cards))


def headline(now: View, names: Sequence[str], w: Words) -> str:
    """Which round and turn it is, the pile and the limit; at the end, who won.

    In the longer game also which deal it is, and how many points end it.
    """
    if now.result is not None:
        return tell(GameEnded(now.result), names, w.language, w.edition)
    moment, goal = describe_moment(now, w), now.rules.goal
    if goal is None:
        return moment
    return f"{texts.say(w.language, 'play.long', deal=len(now.earlier) + 1, goal=goal)} {moment}"


def legend(w: Words) -> str:
    """Which letter is which colour, and which card is an icon."""
    return f"{w.legend()} {texts.say(w.language, 'env.icon', icon=w.icon(1))}"


# As a picture


def boxes(views: Sequence[View], names: Sequence[str], w: Words) -> list[Box]:
    """The table as a picture: what moment it is, the tally, the last round, a row a seat."""
    return _Picture(views, names, w).boxes


class _Picture:
    """Boxes, from the top.

    A round's last turn would never be seen, since scoring clears the table at once: so its cards
    stay in the picture until the next turn is played, those that scored in a frame.
    """

    def __init__(self, views: Sequence[View], names: Sequence[str], w: Words) -> None:
        self.w, self.now, self.paints = w, views[0], paint(w.edition)
        rules, ended = self.now.rules, last_ended(self.now)
        a_round, step = sum(rules.plays), CARD + GAP
        self.table = NAME + POINTS
        self.hand = self.table + a_round * step + APART
        self.taken = self.hand + rules.hand * step + APART
        width = max(
            self.taken + (a_round + 1) * step + GAP,
            self.table + len(rules.colors) * COUNT + ICONS + GAP,
        )
        tallies = (HEAD * LINE, HEAD * LINE + ROW + GAP)
        heads = tallies[1] + ROW + 2 * GAP
        first = heads + LINE
        last = first + rules.players * ROW
        height = last + LEGEND * LINE + 2 * GAP
        self.boxes = [Box(0, 0, width, height, CLOTH, "")]
        self._write(headline(self.now, names, w), GAP, HEAD)
        if self.now.result is None:
            now = texts.fill(w.language, "env.now")
            self._count(now, self.now.tally, tallies[0], self._standings())
        if ended is not None:
            then = texts.fill(w.language, "env.last_round", round=ended.number)
            counted = tally(rules, ended.table)
            self._count(then, counted, tallies[1], self._fates(counted, ended.score))
        self._heads(heads, ended)
        hands = {view.seat: view.hand for view in views}
        for seat, name in enumerate(names):
            self._seat(seat, name, first + seat * ROW, hands.get(seat, ()), ended)
        self._write(legend(w), last + GAP, LEGEND)

    def _box(
        self, left: int, top: int, size: tuple[int, int], text: str, *, fill: str = CLOTH,
        dot: int = LARGE, begins: bool = False,
    ) -> None:  # fmt: skip
        self.boxes.append(Box(left, top, *size, fill, text, dot, begins))

    def _write(self, text: str, top: int, lines: int) -> None:
        """A sentence, in so many lines at most."""
        wide = self.boxes[0].width - 2 * GAP
        for place, line in enumerate(wrap(text, wide // advance(SMALL))[:lines]):
            size = (wide, LINE - 2)
            self._box(GAP, top + place * (LINE - 2), size, line, dot=SMALL, begins=True)

    def _standings(self) -> list[str]:
        """Where each colour stands, and the icons, in a word."""
        counted = self.now.tally
        said = [
            "" if one.standing is Standing.ABSENT else self._word(f"tally.{one.standing}")
            for one in counted.colors
        ]
        return [*said, self._word(f"tally.{counted.icon_standing}")]

    def _fates(self, counted: Tally, score: Score) -> list[str]:
        """What became of each colour, and of the icons."""
        icons, scores = score.outcome is Outcome.ICONS, self._word("env.scores")
        said = [
            scores
            if one.color is score.color
            else self._word(f"tally.{one.standing}")
            if one.standing in (Standing.BUST, Standing.TIED) and not icons
            else ""
            for one in counted.colors
        ]
        return [*said, scores if icons else ""]

    def _word(self, key: str) -> str:
        return texts.fill(self.w.language, key)

    def _count(self, name: str, counted: Tally, top: int, said: Sequence[str]) -> None:
        """A row of the tally: the cards of each colour, the icons, and a word below each."""
        high = ROW - LINE
        self._box(GAP, top, (self.table - 2 * GAP, high), name, dot=SMALL, begins=True)
        blocks = [
            (COUNT, f"{self.w.letter(one.color)} {one.count}", self.paints[one.color.name])
            for one in counted.colors
        ]
        blocks.append((ICONS, f"{self.w.icon(1)} {counted.icons}/{counted.exact}", ICON))
        left = self.table
        for (wide, number, fill), word in zip(blocks, said, strict=True):
            self._box(left, top, (wide - GAP, high), number, fill=fill)
            self._box(left, top + high, (wide - GAP, LINE), word, dot=SMALL)
            left += wide

    def _heads(self, top: int, ended: Ended | None) -> None:
        heads = {
            NAME: self._word("env.points"),
            self.table: self._word("env.on_table"),
            self.hand: self._word("env.in_hand"),
        }
        if ended is not None:
            heads[self.taken] = texts.fill(self.w.language, "env.taken", round=ended.number)
        if self._stays(ended):
            heads[self.table] = texts.fill(self.w.language, "env.was_laid", round=ended.number)
        for left, text in heads.items():
            wide = len(text) * advance(SMALL)
            self._box(left, top, (wide, LINE - 2), text, dot=SMALL, begins=True)

    def _seat(self, seat: int, name: str, top: int, hand: Cards, ended: Ended | None) -> None:
        result, high = self.now.result, ROW - GAP
        won = result is not None and seat in result.winners
        self._box(GAP, top, (NAME - 2 * GAP, high), name, fill=GOLD if won else CLOTH)
        self._box(NAME, top, (POINTS - GAP, high), str(self.now.points[seat]), fill=PAPER)
        if self._stays(ended):
            self._lay(ended.table[seat], self.table, top, framed=ended.score.cards[seat])
        else:
            self._lay(self.now.table[seat], self.table, top)
        self._lay(hand, self.hand, top)
        if ended is not None:
            taken = ended.score.cards[seat]
            self._lay(taken, self.taken, top)
            gain = f"+{ended.score.points[seat]}" if taken else ""
            left = self.taken + len(taken) * (CARD + GAP)
            self._box(left, top, (CARD + GAP, high), gain)

    def _stays(self, ended: Ended | None) -> TypeGuard[Ended]:
        """Whether the table of the round that ended last is still to be seen."""
        return ended is not None and not self.now.turns

    def _lay(self, cards: Cards, left: int, top: int, framed: Cards = ()) -> None:
        for place, one in enumerate(cards):
            fill = self.paints[one.color.name]
            at = left + place * (CARD + GAP)
            if one in framed:
                size = (CARD + 2 * FRAME, ROW - GAP + 2 * FRAME)
                self._box(at - FRAME, top - FRAME, size, "", fill=GOLD)
            self._box(at, top, (CARD, ROW - GAP), self.w.card(one), fill=fill)


# Either


def render(
    mode: str | None, views: Sequence[View], names: Sequence[str], language: str, edition: str
) -> str | NDArray[np.uint8] | None:
    """What an environment's `render()` gives in each of its modes."""
    w = words(language, edition)
    if mode == "rgb_array":
        return pixels(boxes(views, names, w))
    if mode == "svg":
        return svg(boxes(views, names, w))
    if mode == "ansi":
        return sentences(views, names, w)
    if mode == "human":
        print(sentences(views, names, w), end="\n\n")
    return None


RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""The ways to render."""


def check_mode(mode: str | None) -> str | None:
    """The way to render, or an error if there is no such one; none is fine."""
    if mode is not None and mode not in RENDER_MODES:
        raise GameError("render_mode", text=given(mode), known=RENDER_MODES)
    return mode
