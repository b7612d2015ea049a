"""What the table's screen shows at a moment: its first line, the board, and what to do now.

Each is made from what the active person may see and from what is being told; nothing is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from five211 import texts
from five211.cards import Cards
from five211.tableview import SeatView, TableView
from five211.terminal import draw, pages
from five211.terminal.draw import Board, Row
from five211.terminal.hand import Hand
from five211.terminal.story import Chapter, piles, story

if TYPE_CHECKING:
    from five211.terminal.table import TableScreen


def status(table: TableScreen) -> Text:
    """Which round and turn it is, and how many cards are left to draw."""
    view, told = table.look.view, table.chapter
    if view is None:
        return Text(table.say("title"))
    rules = view.rules
    if told is None and view.result is not None:
        told = story(view)[-1]
    round_, turn = (told.round, told.turn) if told else (view.round, view.turn)
    line = table.say(
        "status",
        round=round_ + 1,
        rounds=rules.rounds,
        turn=turn + 1,
        turns=len(rules.plays),
        pile=view.pile,
    )
    if rules.goal is not None:
        deal = 1 + (told.deal if told else len(view.earlier))
        line = table.say("status_long", deal=deal, goal=rules.goal) + line
    if view.last_round:
        line += texts.fill(table.language, "terminal.status_last")
    return Text(line, style="bold")


def board(table: TableScreen) -> Text:
    """What is being told, or else what lies on the table; before the game, who is here."""
    now, look = table.look, table.words_and_room
    if table.telling is not None:
        return draw.board(table.telling, look)
    if now.view is None:
        return gathering(table)
    chapters = story(now.view)
    picked = table.query_one(Hand).choice or (now.choice or () if table.hand_is_open else ())
    shown = Board(now.rules, rows(table, now, chapters, after=True), picked)
    if now.view.result is not None:
        shown = pages.with_steps(shown, chapters[-1])
    elif not now.view.turns:  # a new round: the last one's cards are gone
        shown = replace(shown, rows=tuple(replace(r, cards=(), fresh=()) for r in shown.rows))
    return draw.board(shown, look)


def rows(
    table: TableScreen, now: TableView, chapters: Sequence[Chapter], after: bool
) -> tuple[Row, ...]:
    """A row for each seat, as of the last of these chapters, or after its scoring."""
    told = table.chapter
    assert now.view is not None
    nothing = ((),) * now.rules.players
    last = chapters[-1] if chapters else None
    cards, fresh = (last.table, last.choices) if last else (nothing, nothing)
    points: Sequence[int] = (0,) * now.rules.players
    if last:
        points = last.points if after else last.before
    shown = table.place.show_points or now.view.result is not None
    deal = told.deal if told else len(now.view.earlier)
    taken = piles(chapters, now.rules.players, deal, after)
    return tuple(
        Row(
            name=one.name,
            cards=cards[seat],
            fresh=fresh[seat],
            points=points[seat] if shown else None,
            pile=taken[seat],
            mark=" " if told else _mark(one),
            me=table.hand_is_open and seat == table.active,
        )
        for seat, one in enumerate(now.seats)
    )


def _mark(seat: SeatView) -> str:
    if seat.bot is None and not seat.free and not seat.present:
        return draw.AWAY
    return {True: draw.CHOSEN, False: draw.THINKING, None: " "}[seat.chosen]


def gathering(table: TableScreen) -> Text:
    """Who is here before the game, and how others come."""
    seats, place = table.look.seats, table.place
    names = tuple(seat.name for seat in seats if not seat.free)
    here = table.say("gathering", names=names, n=sum(seat.free for seat in seats))
    link = table.say("gathering_link", link=place.link) if place.link is not None else ""
    start = table.say("gathering_host" if place.host else "gathering_guest")
    return Text("\n".join(["", here, link, start]))


def prompt(table: TableScreen) -> str:
    """What to do now, in a line."""
    if not table.place.connected:
        return table.say("lost")
    if table.pace.halted:
        return table.say("halted")
    if table.pace.waits_for_key:
        return table.say("go_on")
    now = table.look
    if table.notice:
        return table.notice
    if now.view is None or table.trouble:
        return ""
    if now.view.result is not None and table.telling is None:
        return table.say("over")
    if now.moment is None or table.telling is not None:
        return table.say("waiting_deal") if now.awaits_deck else ""
    return _asked(table, now) + _time_left(table, now)


def _asked(table: TableScreen, now: TableView) -> str:
    """What the active person is asked to do."""
    assert now.view is not None
    if now.choice is not None:
        return _kept(table, now, now.choice)
    if not table.hand_is_open:
        return ""
    picked, plays = table.query_one(Hand).choice, now.view.plays
    if len(picked) == plays:
        return table.say("ready", cards=table.words_and_room.words.cards(picked))
    return table.say("pick", n=plays, keys=f"1-{len(now.view.hand)}")


def _kept(table: TableScreen, now: TableView, choice: Cards) -> str:
    waited = tuple(seat.name for seat in now.seats if seat.chosen is False)
    said = []
    if table.hand_is_open:  # else others look, too
        said.append(table.say("kept", cards=table.words_and_room.words.cards(choice)))
    if waited:
        said.append(table.say("waiting", names=waited))
    return " ".join([*said, table.say("undo")])


def _time_left(table: TableScreen, now: TableView) -> str:
    deadline = now.seats[table.active].deadline
    if deadline is None:
        return ""
    left = max(0, round(deadline - table.place.now()))
    return "  " + texts.fill(table.language, "terminal.time_left", n=left)


def keys(table: TableScreen) -> str:
    """Which keys matter now."""
    now = table.look
    if table.telling is not None:
        return "keys_telling"
    if table.trouble:
        return "keys_trouble"
    if now.view is None:
        return "keys_gathering"
    if now.view.result is not None:
        return "keys_over" if table.app.record is not None else "keys_over_away"
    return "keys_table" if now.choice is None else "keys_kept"
