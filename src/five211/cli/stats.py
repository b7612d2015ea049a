"""`five211 stats`: the book of 5211 in numbers, in the terminal, as a page or as JSON."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from five211 import texts
from five211.bots import entry
from five211.cli import common, waiting
from five211.cli.simulate import read_games
from five211.errors import GameError, file_name, shown
from five211.fast.cluster import workers
from five211.fast.digest import Digest
from five211.rules import ASIDE, Rules
from five211.stats.book import Book, Chapter, Figure, Row, as_json, make_book, trimmed
from five211.stats.gather import compile_for, gather
from five211.stats.leads import known, lead, lead_checks
from five211.stats.page import page
from five211.stats.words import (
    MOST_DIGITS,
    around,
    label,
    level,
    named,
    number,
    percent,
    spoken,
    title,
)
from five211.stats.words import (
    players as so_many,
)

QUICK = {"random": 200_000, "hasty": 20_000, "heuristic": 5_000, "neural": 2_000}
"""The levels that are compiled: games for each number of players that take some seconds in all."""
LEAST = 100
"""Games that an interval needs."""
BARS = "▁▂▃▄▅▆▇█"
WIDEST = 32
"""Signs of a shape, at most."""

Found = dict[Rules, dict[str, Digest]]


def run(
    players: int | None,
    bots: str,
    games: str | None,
    variant: str,
    seed: str | None,
    html: str | None,
    cluster: str | None,
    lang: str | None,
    json: bool,
) -> None:
    """Play, count, and show what it came to."""
    language = common.speak(lang)
    every = [Rules.of(n, variant) for n in (sorted(ASIDE) if players is None else [players])]
    names = read_bots(bots)
    count = {bot: QUICK[bot] if games is None else read_count(games) for bot in names}
    seed = secrets.token_hex(8) if seed is None else seed
    if html is not None:
        check_page(html)
    with waiting.one_interrupt():
        with waiting.or_nothing():
            found, seconds = play(every, count, seed, cluster)
        book = make_book(found, variant, seed, len(every) * sum(count.values()))
        told = {**as_json(book), "seconds": round(seconds, 3)} if json else None
        a_page, shown_here = partial(page, book, language), partial(show, book, language, seconds)
        hand_out(html, told, a_page, shown_here, language)
    if book.interrupted:
        raise KeyboardInterrupt


def read_bots(text: str) -> tuple[str, ...]:
    """Bots by name or level, those that think less first."""
    names = {entry(one).name for one in common.name_list(text)}
    for name in sorted(names - set(QUICK)):
        raise GameError("bot_unknown", bot=shown(name), known=tuple(QUICK))
    return tuple(sorted(names, key=list(QUICK).index))


def read_count(text: str) -> int:
    """A number of games that tells something."""
    count = read_games(text)
    if count < LEAST:
        raise GameError("stats_games", least=LEAST, given=count)
    return count


def play(
    every: Sequence[Rules], count: dict[str, int], seed: str, cluster: str | None
) -> tuple[Found, float]:
    """The digests of all games, or of those before Ctrl-C; and in how long."""
    found: Found = {rules: {} for rules in every}
    if cluster is None:
        waiting.told_of_compiling()
        for rules, bot in product(every, count):
            compile_for(rules, bot)
    total = len(every) * sum(count.values())
    with workers(cluster) as (executor, usual), waiting.bar(total) as advance:
        began = perf_counter()
        for bot, rules in product(count, every):
            part = gather(rules, bot, count[bot], seed, executor, usual=usual, told=advance)
            if part.games >= LEAST:
                found[rules][bot] = part
            if part.games < count[bot]:
                break
        seconds = perf_counter() - began
    begun = {rules: bots for rules, bots in found.items() if bots}
    if not begun:  # Ctrl-C came before there was anything to show
        raise KeyboardInterrupt
    return begun, seconds


# The page


def check_page(name: str) -> None:
    """Refuse a page that could not be written, before any game."""
    with _named(name):
        common.check_writable(_draft(name))


def hand_out(
    html: str | None,
    told: dict[str, Any] | None,
    page: Callable[[], str],
    show: Callable[[], None],
    language: str,
) -> None:
    """As a page, if there is to be one, and as JSON; without either, in the terminal."""
    if html is not None:
        write_page(html, page())
    with redirect_stdout(sys.stderr) if html == "-" else nullcontext():
        if told is not None:
            common.print_json(told)
        elif html is None:
            show()
        elif html != "-":
            common.console().print(texts.say(language, "stats.written", name=html))


def write_page(name: str, content: str) -> None:
    """Write it whole beside its place, then put it there: nobody finds half a page."""
    draft = _draft(name)
    try:
        with _named(name):
            with common.opened(draft, "w") as file:
                file.write(content)
            if draft != name:
                Path(draft).replace(Path(name).resolve())
    except common.FileError:
        if draft != name:
            Path(draft).unlink(missing_ok=True)
        raise


@contextmanager
def _named(name: str) -> Iterator[None]:
    """What goes wrong with a draft is told of the file that somebody asked for."""
    try:
        yield
    except common.FileError as error:
        error.fields["name"] = file_name(name)
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise common.FileError("file", name=file_name(name), reason=reason) from None


def _draft(name: str) -> str:
    """Where a file is written first; what is no ordinary file, stdout say, has no such place."""
    path = Path(name).resolve()
    if name == "-" or (path.exists() and not path.is_file()):
        return name
    return str(path.with_name(f"{path.name}.{os.getpid()}"))


# The terminal


def show(book: Book, language: str, seconds: float) -> None:
    """Who plays; then every chapter: its question, its sentence, its numbers."""
    console = common.console()
    for sentence in _hello(book, language):
        console.print(sentence)
    for chapter in book.chapters:
        if chapter.shown or chapter.key == "means":
            _head(console, title(language, chapter.key), lead(book, chapter, language))
            make = _shapes if _is_shape(chapter) else _values
            console.print(make(chapter, language))
    _head(console, title(language, "checks"), lead_checks(book, language))
    for sentence in _flagged(book, language):
        console.print(sentence)
    games = number(language, book.played)
    fields = {"games": games, "seconds": number(language, seconds, 1), "seed": book.seed}
    console.print()
    console.print(texts.say(language, "stats.intervals"))
    console.print(texts.say(language, "stats.played", **fields))


def _hello(book: Book, language: str) -> Iterator[str]:
    games = number(language, book.played)
    yield texts.say(language, "stats.hello", games=games)
    if book.interrupted:
        asked = number(language, book.asked)
        yield texts.say(language, "stats.interrupted", games=games, asked=asked)
    yield texts.say(language, "stats.bots")
    for bot in next(iter(book.games.values())):
        does = texts.fill(language, f"stats.bot_{bot}")
        count = spoken(language, book.games_of(bot), in_points=True)
        each = texts.say(language, "stats.bot_games", games=count)
        yield f"  {named(language, bot)} {does} {each}"
    if len(book.games) > 1:
        least, most = min(book.games), max(book.games)
        yield texts.say(language, "stats.range_note", least=least, most=most)


def _head(console: Console, name: str, sentence: str) -> None:
    console.print()
    console.print(name, style="bold")
    console.print(sentence)


def _is_shape(chapter: Chapter) -> bool:
    return chapter.shown == "curve" and not chapter.in_points


def _grid(language: str, *heads: str) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    for head in heads:
        grid.add_column(texts.fill(language, f"stats.{head}"))
    return grid


def _values(chapter: Chapter, language: str) -> Grid:
    return values(
        chapter,
        language,
        lambda row: label(language, chapter.key, row),
        lambda bot: level(language, bot),
        texts.fill(language, "stats.bot_head"),
    )


def values(
    chapter: Chapter,
    language: str,
    said: Callable[[Row], str],
    named: Callable[[str], str],
    head: str,
    most: int = MOST_DIGITS,
) -> Grid:
    """A line for each bot, or whatever else is compared, beside what they have in common.

    There is a column for each number of players. A line that is alone may have no name. Values
    have so many digits at most.
    """
    grid = _grid(language, "players_head")
    lines = _lines(chapter)
    names = "\n".join(map(named, lines))
    if names:
        grid.add_column(head, no_wrap=True)
    for figure in chapter.figures:
        grid.add_column(str(figure.rules.players), justify="right", no_wrap=True)
    rows = max((figure.rows for figure in chapter.figures), key=len)
    for place, row in enumerate(rows):
        cells = [
            "\n".join(
                around(language, figure.lines[line][place], in_points=chapter.in_points, most=most)
                if line in figure.lines and place < len(figure.rows)
                else ""
                for line in lines
            )
            for figure in chapter.figures
        ]
        grid.add_row(said(row), *([names] if names else []), *cells)
    return grid


def _lines(chapter: Chapter) -> list[str]:
    return list(dict.fromkeys(line for figure in chapter.figures for line in figure.lines))


def _shapes(chapter: Chapter, language: str) -> Grid:
    """A distribution as a line of bars, and where it is highest."""
    grid = _grid(language, "players_head", "bot_head", "shape_head", "peak_head")
    for whole in chapter.figures:
        figure = trimmed(whole)
        for bot in figure.lines:
            shape = _shape(chapter, figure, bot, language)
            grid.add_row(str(figure.rules.players), level(language, bot), *shape)
    return grid


def _shape(chapter: Chapter, figure: Figure, bot: str, language: str) -> Iterator[str]:
    values = [one.value for one in figure.lines[bot]]
    wide = -(-len(values) // WIDEST)  # neighbours in one sign
    means = [sum(values[at : at + wide]) / wide for at in range(0, len(values), wide)]
    most = max(means)
    bars = "".join(BARS[round(mean / most * (len(BARS) - 1))] for mean in means)
    low, high = (label(language, chapter.key, figure.rows[at]) for at in (0, -1))
    yield texts.fill(language, "stats.shape", low=low, bars=bars, high=high)
    peak = max(range(len(values)), key=values.__getitem__)
    row = label(language, chapter.key, figure.rows[peak])
    yield texts.fill(language, "stats.peak", row=row, share=percent(language, values[peak], 1))


def _flagged(book: Book, language: str) -> Iterator[str]:
    """The exact values that do not agree; all of them are in the page and the JSON."""
    for one in known(book):
        if one.flagged:
            show = number if one.in_points else percent
            yield texts.say(
                language,
                "stats.flagged_line",
                title=title(language, one.chapter),
                row=label(language, one.chapter, one.row),
                players=so_many(language, one.players),
                seen=show(language, one.seen.value, 3),
                exact=show(language, float(one.exact), 3),
                z=number(language, one.z, 2),
            )
