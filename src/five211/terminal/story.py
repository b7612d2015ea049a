"""The game so far as a story: every turn that was revealed, and every scoring, in order.

It is told from a view alone, so it is the same at home, at a server's table and in a replay; what
is new since an earlier view is what one list has more than the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from five211.cards import Cards
from five211.events import (
    DealEnded,
    DealStarted,
    Event,
    GameEnded,
    LastRound,
    Revealed,
    RoundScored,
)
from five211.rules import Rules
from five211.scoring import Score
from five211.state import Round, lay
from five211.view import View


@dataclass(frozen=True, slots=True)
class Chapter:
    """One turn that was revealed."""

    deal: int
    round: int
    turn: int
    choices: tuple[Cards, ...]
    table: tuple[Cards, ...]
    """What lies in front of each seat after it."""
    before: tuple[int, ...]
    """Each seat's points when it was revealed."""
    score: Score | None
    """If it was the last turn of its round."""
    events: tuple[Event, ...]
    """The same as events, to be told in sentences: the reveal, the scoring, what ended."""

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points after it."""
        won = self.score.points if self.score else (0,) * len(self.before)
        return tuple(sum(both) for both in zip(self.before, won, strict=True))


def story(view: View) -> tuple[Chapter, ...]:
    """All turns that were revealed so far."""
    rules, chapters = view.rules, list[Chapter]()
    deals: tuple[tuple[Round, ...], ...] = (*view.earlier, view.rounds)
    points = (0,) * rules.players
    for deal, rounds in enumerate(deals):
        for number, round_ in enumerate(rounds):
            for chapter in _round(rules, deal, number, round_.turns, round_.score, points):
                chapters.append(chapter)
                points = chapter.points
    if view.turns:
        chapters += _round(rules, len(deals) - 1, len(view.rounds), view.turns, None, points)
    return tuple(_with_ends(view, chapters))


def _round(
    rules: Rules,
    deal: int,
    number: int,
    turns: tuple[tuple[Cards, ...], ...],
    score: Score | None,
    points: tuple[int, ...],
) -> list[Chapter]:
    found = []
    for turn, choices in enumerate(turns):
        scored = score if turn + 1 == len(rules.plays) else None
        events: tuple[Event, ...] = (Revealed(deal, number, turn, choices),)
        if scored is not None:
            events += (RoundScored(deal, number, scored),)
        table = lay(rules, turns[: turn + 1])
        found.append(Chapter(deal, number, turn, choices, table, points, scored, events))
    return found


def _with_ends(view: View, chapters: list[Chapter]) -> list[Chapter]:
    """With what follows from a round's end: the last round, another deal, the end of the game."""
    rules, found = view.rules, []
    for place, chapter in enumerate(chapters):
        more: list[Event] = []
        last = place + 1 == len(chapters)
        if chapter.score is not None:
            ended = chapter.round + 1 == rules.rounds
            if last and view.result is not None:
                more.append(GameEnded(view.result))
            elif ended:
                more.append(DealEnded(chapter.deal, chapter.points))
                if not last or view.dealt:
                    more.append(DealStarted(chapter.deal + 1, rules.pile))
            elif chapter.round + 2 == rules.rounds:
                more.append(LastRound(chapter.deal, chapter.round + 1))
        found.append(replace(chapter, events=(*chapter.events, *more)))
    return found


def public_events(view: View) -> tuple[Event, ...]:
    """All of it as events, from the first deal on; there is none before that."""
    chapters = story(view)
    first = (DealStarted(0, view.rules.pile),) if view.dealt or chapters else ()
    return (*first, *(event for chapter in chapters for event in chapter.events))


def piles(chapters: Sequence[Chapter], players: int, deal: int, last: bool) -> tuple[int, ...]:
    """The cards in each score pile of a deal; `last` says whether the last chapter's are there."""
    counted = chapters if last else chapters[:-1]
    scores = [one.score for one in counted if one.score is not None and one.deal == deal]
    return tuple(sum(len(score.cards[seat]) for score in scores) for seat in range(players))
