"""The plain sentence at the head of each chapter, made from its numbers: true whatever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from five211 import texts
from five211.stats.book import Chapter, Figure, Row
from five211.stats.estimate import Estimate
from five211.stats.habits.chapters import ALONE, BOTH, THIRD_ROWS, TURN_ROWS
from five211.stats.habits.counts import HIGH
from five211.stats.habits.words import label
from five211.stats.words import spoken

SMALL = 2
"""Cards of a colour that are few."""


def lead(chapter: Chapter, language: str) -> str:
    """What the chapter's numbers come to, over all numbers of players."""
    if chapter.key == "winners":
        return " ".join(_winners(chapter, language))
    fields = _fields(chapter)
    if not all(fields.values()):
        return texts.say(language, "habits.too_few")
    said = {
        name: spoken(language, values, in_points=chapter.in_points)
        for name, values in fields.items()
    }
    return texts.say(language, f"habits.lead_{chapter.key}", **said)


def _fields(chapter: Chapter) -> Mapping[str, list[float]]:
    """What the sentence names: of each, the values of all figures that have one."""
    special = {
        "opening": _opening,
        "values": _values,
        "high_thirds": _high_thirds,
        "exact_after": _exact_after,
        "scoring_cards": _scoring_cards,
    }.get(chapter.key, _named)
    found: dict[str, list[float]] = {}
    for figure in chapter.figures:
        for name, parts in special(figure):
            known = [one.value for one in parts if one.among]
            found.setdefault(name, []).extend([sum(known)] if known else [])
    return found


Fields = Iterator[tuple[str, Sequence[Estimate]]]
"""A name, and the estimates that it is the sum of."""


def _named(figure: Figure) -> Fields:
    """Every value by its row, and by its line if there are several."""
    for line, values in figure.lines.items():
        before = "" if line == ALONE else f"{line}_"
        for row, one in zip(figure.rows, values, strict=True):
            yield f"{before}{row}", [one]


def _opening(figure: Figure) -> Fields:
    pair, pair_icon, _mixed, mixed_icon = figure.lines[ALONE]
    yield "pairs", [pair, pair_icon]
    yield "icons", [pair_icon, mixed_icon]


def _values(figure: Figure) -> Fields:
    return ((turn, figure.lines[turn][HIGH - 1 :]) for turn in TURN_ROWS)


def _high_thirds(figure: Figure) -> Fields:
    for place, row in enumerate(THIRD_ROWS):
        yield row, [line[place] for line in figure.lines.values()]
    copies = figure.rules.copies
    deck = sum(copies[HIGH - 1 :]) / sum(copies)
    yield "deck", [Estimate(deck, 0, deck, deck, sum(copies))]


def _exact_after(figure: Figure) -> Fields:
    exact = figure.rules.exact
    yield "early", [figure.lines["first"][exact - 2]]
    yield "near", [figure.lines["second"][exact - 1]]
    yield "there", [figure.lines["second"][exact]]


def _scoring_cards(figure: Figure) -> Fields:
    yield "below", figure.lines[ALONE][-1:]
    yield "small", figure.lines[ALONE][:SMALL]


# What winners do


def _winners(chapter: Chapter, language: str) -> Iterator[str]:
    """What they do more and less often, beyond chance and for every number of players."""
    signs = [_signs(figure) for figure in chapter.figures]
    n, told = len(signs), False
    for sign, key in ((1, "habits.lead_winners_more"), (-1, "habits.lead_winners_less")):
        rows = [row for row in signs[0] if all(one[row] == sign for one in signs)]
        if rows:
            told = True
            yield texts.say(language, key, n=n, rows=tuple(label(language, row) for row in rows))
    if not told:
        yield texts.say(language, "habits.lead_winners_same", n=n)
    yield texts.say(language, "habits.lead_winners_luck")


def _signs(figure: Figure) -> dict[Row, int]:
    """By row, 1 if winners' interval is above the others', -1 if it is below, else 0."""
    winners, others = (figure.lines[line] for line in BOTH)
    return {
        row: (one.low > other.high) - (one.high < other.low) if one.among and other.among else 0
        for row, one, other in zip(figure.rows, winners, others, strict=True)
    }
