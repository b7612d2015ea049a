"""Who sees what (rule 8): the only judge.

A view is built from a white list, name by name; it never is a state with something taken away.
There are three kinds of viewer: a seat, a spectator, and the reader of the record once the game
is over. A bot gets a `View` and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from five211 import state as states
from five211.cards import Cards
from five211.errors import GameError, shown
from five211.events import Event, Result
from five211.match import Match
from five211.rules import Rules
from five211.state import FaceUp, Round
from five211.tally import Tally, tally


class Watcher(Enum):
    """A viewer without a seat."""

    SPECTATOR = "spectator"

    def __repr__(self) -> str:
        return f"Watcher.{self.name}"


SPECTATOR: Final = Watcher.SPECTATOR
Viewer: TypeAlias = int | Watcher


@dataclass(frozen=True, slots=True)
class View(FaceUp):
    """All that one viewer may know of a match."""

    rules: Rules
    viewer: Viewer
    hand: Cards
    """The viewer's own cards; a spectator has none."""
    pile: int
    """How many cards are left to draw."""
    turns: tuple[tuple[Cards, ...], ...]
    """The turns revealed in the round being played."""
    rounds: tuple[Round, ...]
    """The rounds played in this deal."""
    earlier: tuple[tuple[Round, ...], ...]
    """The rounds of the earlier deals of the longer game."""
    dealt: bool
    """Whether a deal is on the table and awaits choices."""
    result: Result | None
    """How the game ended, if it did."""

    @property
    def seat(self) -> int:
        """The viewer's seat; a spectator has none and gets an error."""
        if isinstance(self.viewer, Watcher):
            raise GameError("no_seat")
        return self.viewer

    @property
    def plays(self) -> int:
        """How many cards each seat plays in this turn (rule 3.1)."""
        return self.rules.plays[self.turn]

    @property
    def choices(self) -> tuple[Cards, ...]:
        """Every different choice that the viewer has now; none when there is nothing to choose."""
        if not self.dealt or not self.hand:
            return ()
        return states.choices(self.rules, self.hand, self.turn)

    @property
    def last_round(self) -> bool:
        """Whether the pile is empty, so that nothing is drawn any more (rule 5.1)."""
        return self.dealt and self.pile == 0

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points in the whole game."""
        totals = list(self.deal_points)
        for rounds in self.earlier:
            for round_ in rounds:
                for seat, points in enumerate(round_.score.points):
                    totals[seat] += points
        return tuple(totals)

    @property
    def tally(self) -> Tally:
        """The cards on the table as players count them."""
        return tally(self.rules, self.table)

    @property
    def unseen(self) -> Cards:
        """The cards that the viewer has not seen in this deal: put aside, in the pile, held."""
        seen = Counter(self.hand)
        for turn in (*self.turns, *(turn for round_ in self.rounds for turn in round_.turns)):
            for cards in turn:
                seen.update(cards)
        return tuple(sorted((Counter(self.rules.deck) - seen).elements()))


def check_viewer(rules: Rules, viewer: Viewer) -> None:
    """Refuse a viewer that is neither a seat nor a spectator."""
    if not isinstance(viewer, Watcher):
        check_seat(rules, viewer)


def check_seat(rules: Rules, seat: int) -> int:
    """The seat, or an error if there is none of this number."""
    if type(seat) is not int or not 0 <= seat < rules.players:
        raise GameError("seat", seat=shown(seat + 1 if type(seat) is int else seat))
    return seat


def view(match: Match, viewer: Viewer) -> View:
    """What this viewer may know of a match."""
    check_viewer(match.rules, viewer)
    if not match.deals:
        return View(match.rules, viewer, (), 0, (), (), (), dealt=False, result=None)
    state = match.state
    over = match.over
    return View(
        rules=match.rules,
        viewer=viewer,
        hand=() if isinstance(viewer, Watcher) else state.hands[viewer],
        pile=len(state.deck) - state.drawn,
        turns=state.turns,
        rounds=state.rounds,
        earlier=tuple([deal.rounds for deal in match.deals[:-1]]),
        dealt=not over and not state.deal_over,
        result=match.result if over else None,
    )


def visible(events: Iterable[Event], viewer: Viewer) -> tuple[Event, ...]:
    """Those of the events that this viewer may see."""
    if type(viewer) not in (int, Watcher):
        raise GameError("seat", seat=shown(viewer))
    return tuple(shares(events, (viewer,))[viewer])


def shares(events: Iterable[Event], viewers: Iterable[Viewer]) -> dict[Viewer, list[Event]]:
    """For each of the viewers, those of the events that they may see."""
    known = [(event, event.audience) for event in events]
    return {
        viewer: [event for event, audience in known if audience is None or audience == viewer]
        for viewer in viewers
    }


def open_to_reader(match: Match) -> Match:
    """Everything, to the record's reader: only once the whole game is over (rule 8.3)."""
    if not match.over:
        raise GameError("hidden_until_over")
    return match
