"""The plain sentence at the head of each chapter, made from its numbers: true whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from five211 import texts
from five211.stats.book import RANDOM, Book, Chapter, Check, Figure, Row
from five211.stats.estimate import Estimate
from five211.stats.words import level, number, spoken

CLOSE = 2
"""Points by which a close game is won, at most."""
HALF, TOP = 0.5, 0.05


def lead(book: Book, chapter: Chapter, language: str) -> str:
    """What the chapter's numbers come to, for one bot over all numbers of players."""
    if chapter.key == "seats":
        return _seats(book, language)
    said = {
        name: spoken(language, values, in_points=in_points)
        for name, (values, in_points) in _fields(chapter, book.chief).items()
    }
    told = texts.fill(language, f"stats.lead_{chapter.key}", **said)
    return texts.say(language, "stats.among", bot=level(language, book.chief), told=told)


def lead_checks(book: Book, language: str) -> str:
    """Whether games and exact values agree."""
    checks = known(book)
    if not checks:
        return texts.say(language, "stats.lead_checks_none")
    farthest = number(language, max(abs(one.z) for one in checks), 1)
    bad = sum(one.flagged for one in checks)
    if bad:
        fields = {"n": bad, "all": len(checks), "z": farthest}
        return texts.say(language, "stats.lead_checks_bad", **fields)
    return texts.say(language, "stats.lead_checks_good", n=len(checks), z=farthest)


def known(book: Book) -> list[Check]:
    """The exact values of random play; that seats are equal has its own chapter."""
    return [one for one in book.checks if one.bot == RANDOM and one.chapter != "seats"]


def _seats(book: Book, language: str) -> str:
    bad = [one for one in book.checks if one.chapter == "seats" and one.flagged]
    if not bad:
        return texts.say(language, "stats.lead_seats_good")
    farthest = number(language, max(abs(one.z) for one in bad), 1)
    return texts.say(language, "stats.lead_seats_bad", n=len(bad), z=farthest)


def _fields(chapter: Chapter, bot: str) -> dict[str, tuple[list[float], bool]]:
    """What the sentence names: the values of all figures, and whether they are points."""
    special = {
        "biggest": {"over": _over, "below": _below},
        "icons": {"hit": _hit, "near": _near},
        "lead": {"close": _close},
    }.get(chapter.key)
    every = [(figure, figure.lines[bot]) for figure in chapter.figures]
    if special:
        return {name: ([of(*one) for one in every], False) for name, of in special.items()}
    if chapter.key == "scores":
        both = [_middle_and_top(line) for _figure, line in every]
        return {
            name: ([float(one[at]) for one in both], True)
            for at, name in enumerate(("low", "high"))
        }
    named: dict[Row, str] = {1: "one", 6: "six"}
    return {
        named.get(row, str(row)): (
            [line[at].value for _figure, line in every],
            chapter.in_points,
        )
        for at, row in enumerate(chapter.figures[0].rows)
    }


def _sum(figure: Figure, line: Sequence[Estimate], rows: Sequence[Row]) -> float:
    return sum(one.value for row, one in zip(figure.rows, line, strict=True) if row in rows)


def _over(figure: Figure, line: Sequence[Estimate]) -> float:
    return _sum(figure, line, range(figure.rules.limit, len(line)))


def _below(figure: Figure, line: Sequence[Estimate]) -> float:
    return _sum(figure, line, [figure.rules.limit - 1])


def _hit(figure: Figure, line: Sequence[Estimate]) -> float:
    return _sum(figure, line, [figure.rules.exact])


def _near(figure: Figure, line: Sequence[Estimate]) -> float:
    return _sum(figure, line, [figure.rules.exact - 1, figure.rules.exact + 1])


def _close(figure: Figure, line: Sequence[Estimate]) -> float:
    return _sum(figure, line, range(CLOSE + 1))


def _middle_and_top(line: Sequence[Estimate]) -> tuple[int, int]:
    """The points that half of the players do not exceed, and those that one in twenty has."""
    up_to = list(accumulate(one.value for one in line))
    middle = next(points for points, share in enumerate(up_to) if share >= HALF)
    top = next(points for points, share in enumerate(up_to) if 1 - share < TOP)
    return middle, top
