"""Scoring once more, slowly and on its own: written from the numbered rules, not from the code.

Cards are plain text ("G2"), colours their letters. Things are counted and struck off lists as one
would do it with pencil and paper. Nothing of five211 is imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

LETTERS = "YGOBV"
EXACT = {2: 4, 3: 5, 4: 6, 5: 7}  # rule 4.1
LIMIT = {2: 5, 3: 6, 4: 7, 5: 8}  # rule 4.3


class Verdict(NamedTuple):
    """What scores, and the story of how it came to that."""

    kind: str
    color: str | None
    cards: list[list[str]]
    points: list[int]
    story: list[Any]


def judge(table: Sequence[Sequence[str]], exact: int, limit: int) -> Verdict:
    """The verdict on the cards in front of each seat."""
    lying = [code for seat in table for code in seat]
    icons = [code for code in lying if code[1] == "1"]
    counted = ("icons", len(icons), exact)
    if len(icons) == exact:
        taken = [[code for code in seat if code[1] == "1"] for seat in table]
        return verdict("kododo", None, taken, [counted])
    color, story = majority("".join(sorted([code[0] for code in lying])), limit)
    taken = [[code for code in seat if code[0] == color] for seat in table]
    return verdict("none" if color is None else "color", color, taken, [counted, *story])


@lru_cache(maxsize=1)  # tables of the same colours come one after the other
def majority(left: str, limit: int) -> tuple[str | None, list[Any]]:
    """The letter that scores when each card is a letter in a line, and the story of it."""
    story: list[Any] = [("counts", *[left.count(letter) for letter in LETTERS])]
    over = [letter for letter in LETTERS if left.count(letter) >= limit]
    if over:
        story.append(("over", *[(letter, left.count(letter)) for letter in over]))
        left = strike(left, over)
    while left:
        most = most_frequent(left)
        if len(most) == 1:
            story.append(("scores", most[0], left.count(most[0])))
            return most[0], story
        story.append(("tie", left.count(most[0]), *most))
        left = strike(left, most)
    story.append(("nothing",))
    return None, story


def majority_ties_first(left: str, limit: int) -> str | None:
    """The same with ties struck out before the limit is looked at (rule 7.4)."""
    while left:
        most = most_frequent(left)
        if len(most) == 1 and left.count(most[0]) < limit:
            return most[0]
        left = strike(left, most)
    return None


def strike(left: str, out: list[str]) -> str:
    """The line without these letters."""
    return "".join([letter for letter in left if letter not in out])


def most_frequent(left: str) -> list[str]:
    """The letters of which there are the most: cross one of each off until none is left."""
    last = left
    while left:
        last = left
        for letter in set(left):
            left = left.replace(letter, "", 1)
    return [letter for letter in LETTERS if letter in last]


def verdict(kind: str, color: str | None, cards: list[list[str]], story: list[Any]) -> Verdict:
    """Each card is worth the number on it."""
    points = [sum([int(code[1]) for code in seat]) for seat in cards]
    return Verdict(kind, color, cards, points, story)
