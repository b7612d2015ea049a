"""What one viewer may know of a table: the game's view, the seats, and one's own choice.

A white list like `view`, and on top of it: of the others' face-down choices only that they lie
there, and not even that where the table hides it (rule 8.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from five211.cards import Cards
from five211.commands import Moment
from five211.rules import Rules
from five211.table import Options, Table
from five211.view import View, Viewer, Watcher, check_viewer, view


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as others see it."""

    name: str
    bot: str | None
    substitute: str | None
    """The bot that plays for somebody who is away; shown as such."""
    free: bool
    present: bool
    host: bool
    chosen: bool | None
    """Whether a choice lies face down; none while nothing is to be chosen, or if it is hidden."""
    deadline: float | None
    """When a substitute will come, where that may be known."""


@dataclass(frozen=True, slots=True)
class TableView:
    """All that one viewer may know of a table."""

    viewer: Viewer
    rules: Rules
    options: Options
    game: int
    moment: Moment | None
    """The turn that awaits choices; a choice names it."""
    seats: tuple[SeatView, ...]
    paused: bool
    awaits_deck: bool
    view: View | None
    """The game; none while people gather."""
    choice: Cards | None
    """One's own face-down choice."""
    call_from: float | None
    """Without a clock: when the others may call a substitute for a seat that is awaited."""


def table_view(table: Table, viewer: Viewer) -> TableView:
    """What this viewer may know of a table."""
    check_viewer(table.rules, viewer)
    return TableView(
        viewer=viewer,
        rules=table.rules,
        options=table.options,
        game=table.game,
        moment=table.moment,
        seats=seat_views(table, viewer),
        paused=table.paused_at is not None,
        awaits_deck=table.awaits_deck,
        view=None if table.match is None else view(table.match, viewer),
        choice=own_choice(table, viewer),
        call_from=call_from(table),
    )


def own_choice(table: Table, viewer: Viewer) -> Cards | None:
    """The viewer's own face-down choice."""
    return None if isinstance(viewer, Watcher) else table.seats[viewer].choice


def call_from(table: Table) -> float | None:
    """When a substitute may be called; the same for every seat, so it tells nothing of any."""
    if table.moment is None or table.options.clock is not None or table.paused_at is not None:
        return None
    return max(seat.since for seat in table.seats) + table.options.patience


def seat_views(table: Table, viewer: Viewer) -> tuple[SeatView, ...]:
    """All seats as this viewer sees them."""
    awaiting, late = table.moment is not None, table.late
    return tuple(
        [_seat_view(table, number, viewer, awaiting, late) for number in range(len(table.seats))]
    )


def _seat_view(
    table: Table, number: int, viewer: Viewer, awaiting: bool, late: tuple[int, ...]
) -> SeatView:
    seat = table.seats[number]
    shown = table.options.show_chosen or number == viewer
    return SeatView(
        name=seat.name,
        bot=seat.bot,
        substitute=seat.substitute,
        free=seat.free,
        present=seat.present,
        host=seat.person is not None and seat.person == table.host,
        chosen=seat.choice is not None if shown and awaiting else None,
        deadline=table.deadline(number) if shown and number in late else None,
    )
