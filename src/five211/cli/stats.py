"""`five211 stats`: the book of 5211 in numbers, in the terminal, as a page or as JSON."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, redirect_stdout
from itertools import product
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table as Grid

from five211 import texts
from five211.bots import entry
from five211.cli import common, waiting
from five211.cli.simulate import read_games
from five211.errors import GameError, shown
from five211.fast.cluster import workers
from five211.fast.digest import Digest
from five211.fast.policies import BUILT_IN
from five211.rules import ASIDE, Rules
from five211.stats.book import Book, Chapter, Check, Figure, as_json, make_book, trimmed
from five211.stats.gather import compile_for, gather
from five211.stats.leads import known, lead, lead_checks
from five211.stats.page import page
from five211.stats.words import around, label, number, percent, title

QUICK = {"random": 200_000, "greedy": 50_000, "heuristic": 5_000}
"""Games of each bot for each number of players, that take some seconds together."""
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
        common.check_writable(str(_draft(html)))
    found, seconds = play(every, count, seed, cluster)
    book = make_book(found, variant, seed)
    if html is not None:
        write_page(html, page(book, language))
    with redirect_stdout(sys.stderr) if html == "-" else nullcontext():
        if json:
            common.print_json({**as_json(book), "seconds": round(seconds, 3)})
        else:
            show(book, language, seconds)
            if html is not None:
                common.console().print(texts.say(language, "stats.written", name=html))
    if book.played < len(every) * sum(count.values()):
        raise KeyboardInterrupt


def read_bots(text: str) -> tuple[str, ...]:
    """Bots by name or level, those that think less first."""
    names = {entry(one).name for one in common.name_list(text)}
    for name in sorted(names - set(BUILT_IN)):
        raise GameError("bot_unknown", bot=shown(name), known=BUILT_IN)
    return tuple(sorted(names, key=BUILT_IN.index))


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


def write_page(name: str, content: str) -> None:
    """Write it whole beside its place, then put it there: nobody finds half a page."""
    draft = _draft(name)
    try:
        with common.opened(str(draft), "w") as file:
            file.write(content)
        if str(draft) != name:
            draft.replace(Path(name).resolve())
    except (common.FileError, OSError):
        if str(draft) != name:
            draft.unlink(missing_ok=True)
        raise


def _draft(name: str) -> Path:
    """Where a file is written first; what is no ordinary file, stdout say, has no such place."""
    path = Path(name).resolve()
    if name == "-" or (path.exists() and not path.is_file()):
        return Path(name)
    return path.with_name(f"{path.name}.{os.getpid()}")


# The terminal


def show(book: Book, language: str, seconds: float) -> None:
    """Every chapter: its question, its sentence, its numbers."""
    console = common.console()
    for chapter in book.chapters:
        if chapter.shown or chapter.key == "means":
            _head(console, title(language, chapter.key), lead(book, chapter, language))
            make = _shapes if _is_shape(chapter) else _values
            console.print(make(chapter, language))
    _head(console, title(language, "checks"), lead_checks(book, language))
    checks = known(book)
    if checks:
        console.print(_checks(checks, language))
    games = number(language, book.played)
    fields = {"games": games, "seconds": number(language, seconds, 1), "seed": book.seed}
    console.print()
    console.print(texts.say(language, "stats.intervals"))
    console.print(texts.say(language, "stats.played", **fields))


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
    """A line for each row and bot, a column for each number of players."""
    grid = _grid(language, "players_head", "bot_head")
    for figure in chapter.figures:
        grid.add_column(str(figure.rules.players), justify="right")
    rows = max((figure.rows for figure in chapter.figures), key=len)
    for place, row in enumerate(rows):
        name = label(language, chapter.key, row)
        for bot in _bots(chapter):
            cells = [
                around(language, chapter, figure.lines[bot][place])
                if bot in figure.lines and place < len(figure.rows)
                else ""
                for figure in chapter.figures
            ]
            grid.add_row(name, bot, *cells)
            name = ""
    return grid


def _bots(chapter: Chapter) -> list[str]:
    return list(dict.fromkeys(bot for figure in chapter.figures for bot in figure.lines))


def _shapes(chapter: Chapter, language: str) -> Grid:
    """A distribution as a line of bars, and where it is highest."""
    grid = _grid(language, "players_head", "bot_head", "shape_head", "peak_head")
    for whole in chapter.figures:
        figure = trimmed(whole)
        for bot in figure.lines:
            grid.add_row(str(figure.rules.players), bot, *_shape(chapter, figure, bot, language))
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


def _checks(checks: Sequence[Check], language: str) -> Grid:
    """z of every exact value, by the number of players."""
    numbers = sorted({one.players for one in checks})
    grid = _grid(language, "value_head")
    for n in numbers:
        grid.add_column(f"z {n}", justify="right")
    found = {(one.chapter, one.row, one.players): one for one in checks}
    last = ""
    for chapter, row in dict.fromkeys((one.chapter, one.row) for one in checks):
        if chapter != last:
            grid.add_row(title(language, chapter))
            last = chapter
        cells = [_z(found.get((chapter, row, n)), language) for n in numbers]
        grid.add_row(f"  {label(language, chapter, row)}", *cells)
    return grid


def _z(check: Check | None, language: str) -> str:
    if check is None:
        return ""
    shown_z = number(language, check.z, 2)
    return f"{shown_z} {texts.fill(language, 'stats.flagged')}" if check.flagged else shown_z
