"""Pages to read over the table: help, the last round, the whole game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from five211 import texts
from five211.rules import Rules
from five211.sentences import tell_lines
from five211.terminal import draw
from five211.terminal.draw import Board, Look, Row
from five211.terminal.story import Chapter, piles, story
from five211.terminal.told import Told

if TYPE_CHECKING:
    from five211.terminal.table import TableScreen


def help_page(look: Look, rules: Rules) -> Told:
    """The keys, the marks, and the rules in short."""
    marks = {"mine": draw.MINE, "chosen": draw.CHOSEN, "thinking": draw.THINKING}
    plays = texts.fill(look.words.language, "book.then").join(str(count) for count in rules.plays)
    parts = [
        look.say("help_play"),
        look.say("help_marks", away=draw.AWAY, picked=draw.PICKED, **marks),
        look.say(
            "help_rules",
            limit=rules.limit,
            exact=rules.exact,
            icons=look.words.icon(rules.exact),
            plays=plays,
        ),
        look.words.legend(),
    ]
    return Told(look.say("help_title"), Text("\n\n".join(parts)), look.say("keys_told"))


def last_round(table: TableScreen) -> Told:
    """The last round that was scored: its board, and its scoring in sentences."""
    view, look = table.look.view, table.words_and_room
    chapters = story(view) if view is not None else ()
    scored = [place for place, one in enumerate(chapters) if one.score is not None]
    if not scored:
        return Told(look.say("log_title"), Text(look.say("last_none")), look.say("keys_told"))
    upto = chapters[: scored[-1] + 1]
    whole = [one for one in upto if (one.deal, one.round) == (upto[-1].deal, upto[-1].round)]
    shown = table.place.show_points
    board = draw.board(scored_board(table.look.rules, table.names, upto, shown), look)
    title = look.say("last_title", round=upto[-1].round + 1)
    return Told(title, board + Text("\n\n") + _told(table, whole), look.say("keys_told"))


def scored_board(
    rules: Rules, names: list[str], chapters: tuple[Chapter, ...], shown: bool = True
) -> Board:
    """The board as the last of these chapters left it."""
    last = chapters[-1]
    taken = piles(chapters, rules.players, last.deal, last=True)
    rows = tuple(
        Row(name, last.table[seat], last.choices[seat], last.points[seat] if shown else None, pile)
        for seat, (name, pile) in enumerate(zip(names, taken, strict=True))
    )
    return with_steps(Board(rules, rows), last)


def with_steps(board: Board, chapter: Chapter, number: int | None = None) -> Board:
    """A board with what so many steps of a chapter's scoring have struck out or found to score."""
    steps = chapter.score.steps[:number] if chapter.score is not None else ()
    return replace(
        board,
        out=draw.struck(steps),
        scores=draw.scoring(steps),
        icons_score=draw.exactly(steps),
    )


def whole_game(table: TableScreen) -> Told:
    """All that was revealed and scored so far."""
    view, look = table.look.view, table.words_and_room
    chapters = list(story(view)) if view is not None else []
    content = _told(table, chapters) if chapters else Text(look.say("last_none"))
    return Told(look.say("log_title"), content, look.say("keys_told"), at_end=True)


def _told(table: TableScreen, chapters: list[Chapter]) -> Text:
    return chapters_told(chapters, table.names, table.words_and_room)


def chapters_told(chapters: list[Chapter], names: list[str], look: Look) -> Text:
    """Chapters in sentences, an empty line between two rounds."""
    lines: list[str] = []
    for number, chapter in enumerate(chapters):
        if chapter.turn == 0 and number:
            lines.append("")
        for event in chapter.events:
            lines += tell_lines(event, names, look.words.language, look.words.edition)
    return Text("\n".join(lines))
