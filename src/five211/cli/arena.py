"""`five211 arena`: which bot plays best, in the terminal, as a page or as JSON."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial
from time import perf_counter

from rich.table import Table as Grid
from rich.text import Text

from five211 import texts
from five211.arena.crew import crew
from five211.arena.page import page
from five211.arena.report import OFTEN, Matrix, Report, as_json, play, report
from five211.arena.sums import Sums
from five211.arena.words import half, head, milliseconds, rating, short, signed, win
from five211.arena.work import Arena
from five211.bots import entries, entry
from five211.cli import common, waiting
from five211.cli.own import load
from five211.cli.simulate import read_games
from five211.cli.stats import check_page, hand_out
from five211.errors import GameError, file_name, shown
from five211.stats.words import number
from five211.stats.words import players as so_many

ABREAST = 6
"""Columns of a matrix that a terminal of 80 columns has room for; more follow below."""
FITS = 10
"""Letters of a name."""
LARGEST = 99
"""More players than this are no number of players, whatever the rules say."""
STYLES = {1: "green", 0: "", -1: "red"}


def run(
    players: str,
    bots: str | None,
    games: str,
    games_slow: str,
    variant: str,
    seed: str | None,
    html: str | None,
    cluster: str | None,
    lang: str | None,
    json: bool,
) -> None:
    """Play, and show what it came to."""
    language = common.speak(lang)
    named = common.name_list(bots) if bots is not None else with_levels()
    for bot in named if cluster is not None else ():
        if ":" in bot:
            raise GameError("arena_cluster", bot=file_name(bot))
    arena = Arena.of(
        named,
        read_players(players),
        read_games(games),
        read_games(games_slow),
        secrets.token_hex(8) if seed is None else seed,
        variant=variant,
        load=load if cluster is None else entry,
    )
    if html is not None:
        check_page(html)
    with waiting.one_interrupt():
        with waiting.or_nothing():
            sums, seconds = played(arena, cluster)
            if not sums.games:
                raise KeyboardInterrupt
        found = report(arena, sums)
        told = {**as_json(found), "seconds": round(seconds, 3)} if json else None
        a_page, shown_here = partial(page, found, language), partial(show, found, language, seconds)
        hand_out(html, told, a_page, shown_here, language)
    if found.interrupted:
        raise KeyboardInterrupt


def with_levels() -> tuple[str, ...]:
    """All bots that players know by a level."""
    return tuple(one.name for one in entries() if one.level)


def read_players(text: str) -> tuple[int, ...]:
    """Numbers of players: 4, or 2,4, or 2-5."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        try:
            least, most = int(first), int(last if dash else first)
        except ValueError:
            least, most = 1, 0
        if not 0 <= least <= most <= LARGEST:
            raise GameError("arena_players", text=shown(text))
        found += range(least, most + 1)
    return tuple(found)


def played(arena: Arena, cluster: str | None) -> tuple[Sums, float]:
    """All games, or those before Ctrl-C; and in how long."""
    here = arena.bots if cluster is None else ()  # once, and not in each process
    waiting.prepared(arena.load(bot) if isinstance(bot, str) else bot for bot in here)
    with crew(cluster) as executor, waiting.bar(arena.asked) as advance:
        began = perf_counter()
        return play(arena, executor, advance), perf_counter() - began


# The terminal


def show(found: Report, language: str, seconds: float) -> None:
    """The matrices, the ratings, the times."""
    console = common.console()
    games = number(language, found.games)
    if found.interrupted:
        asked = number(language, found.arena.asked)
        console.print(texts.say(language, "arena.interrupted", games=games, asked=asked))
        console.print()
    for matrix in found.matrices.values():
        console.print(head(language, matrix), style="bold")
        for grid in matrix_grids(matrix, found.arena.names, language):
            console.print(grid)
            console.print()
    for key in ("arena.legend", "arena.legend_lead", "stats.intervals"):
        console.print(texts.say(language, key))
    console.print()
    console.print(texts.say(language, "arena.title_ratings"), style="bold")
    if found.ratings:
        console.print(ratings_grid(found, language))
    console.print(texts.say(language, "arena.ratings" if found.ratings else "arena.ratings_none"))
    console.print()
    console.print(texts.say(language, "arena.title_times"), style="bold")
    console.print(times_grid(found, language))
    console.print(texts.say(language, "arena.times"))
    console.print()
    rate = number(language, found.games / seconds)
    fields = {"games": games, "rate": rate, "seconds": number(language, seconds, 1)}
    console.print(
        texts.say(language, "cli.simulated", n=found.games, seed=found.arena.seed, **fields)
    )


def matrix_grids(matrix: Matrix, bots: tuple[str, ...], language: str) -> Iterator[Grid]:
    """Rows are the one, columns the field: the share, and the points ahead under it."""
    names = short(bots, FITS)
    for at in range(0, len(bots), ABREAST):
        columns = bots[at : at + ABREAST]
        grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
        grid.add_column("")
        for field in columns:
            grid.add_column(names[field], justify="right", no_wrap=True)
        for one in bots:
            cells = (cell(matrix, one, field, language) for field in columns)
            grid.add_row(names[one], *cells)
        yield grid


def cell(matrix: Matrix, one: str, field: str, language: str) -> Text:
    """One against a field."""
    if one == field:
        return Text(texts.fill(language, "arena.itself"), "dim")
    found = matrix.contests.get((one, field))
    if found is None:
        return Text(texts.fill(language, "arena.unplayed"), "dim")
    share = f"{win(language, found)} {half(language, found.win, 100)}"
    lead = f"{signed(language, found.lead.value, 1)} {half(language, found.lead)}"
    return Text.assemble((share, STYLES[found.beyond]), "\n", (lead, "dim"))


def ratings_grid(found: Report, language: str) -> Grid:
    """A line for each bot, the best first, and a column for each number of players."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("")
    every = [matrix.ratings for matrix in found.matrices.values()]
    for n in found.matrices:
        grid.add_column(so_many(language, n), justify="right")
    if len(every) > 1:
        every.append(found.ratings)
        grid.add_column(texts.fill(language, "arena.all_head"), justify="right")
    names = short(found.arena.names, 2 * FITS)
    for bot in found.ratings:
        grid.add_row(names[bot], *(rating(language, one[bot]) for one in every))
    return grid


def times_grid(found: Report, language: str) -> Grid:
    """A line for each bot."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("")
    for key in ("choices_head", "mean_head", "often_head", "worst_head"):
        grid.add_column(texts.fill(language, f"arena.{key}"), justify="right")
    names = short(found.arena.names, 2 * FITS)
    for bot, one in found.times.items():
        values = (one.mean, one.within(OFTEN), one.longest)
        told = (milliseconds(language, value) for value in values)
        grid.add_row(names[bot], number(language, one.choices), *told)
    return grid
