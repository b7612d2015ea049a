"""`five211 habits`: how a bot plays, for players; in the terminal, as a page or as JSON."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from textwrap import fill
from time import perf_counter

from rich.console import Console

from five211 import texts
from five211.arena.crew import processes
from five211.cli import common, waiting
from five211.cli.arena import read_players
from five211.cli.own import load
from five211.cli.simulate import are_compiled
from five211.cli.stats import LEAST, check_page, hand_out, read_count, values
from five211.fast.cluster import workers
from five211.rules import Rules
from five211.stats.habits.chapters import Sums
from five211.stats.habits.gather import Compiled, Readable, gather
from five211.stats.habits.leads import lead
from five211.stats.habits.page import page
from five211.stats.habits.report import FEW, Report, as_json, make_report
from five211.stats.habits.words import about, label, named, title, who
from five211.stats.words import number

COMPILED, READABLE = 100_000, 2_000
"""Games for each number of players, if nobody says how many."""
SHARE_DIGITS, POINTS_DIGITS = 1, 2
"""More tell a player nothing, and do not fit into 80 columns."""

Task = Compiled | Readable


def run(
    bot: str,
    players: str,
    games: str | None,
    seed: str | None,
    html: str | None,
    lang: str | None,
    json: bool,
) -> None:
    """Play, count, and show what it came to."""
    language = common.speak(lang)
    every = [Rules.of(n) for n in sorted(set(read_players(players)))]
    found = load(bot)
    compiled = are_compiled([found])
    count = (COMPILED if compiled else READABLE) if games is None else read_count(games)
    seed = secrets.token_hex(8) if seed is None else seed
    if html is not None:
        check_page(html)
    tasks: list[Task] = [
        Compiled.of(rules, found.name, seed) if compiled else Readable(rules, bot, seed, load)
        for rules in every
    ]
    with waiting.one_interrupt():
        with waiting.or_nothing():
            sums, seconds = play(tasks, count)
        report = make_report(sums, found.name, seed, level=found.level, asked=len(every) * count)
        told = {**as_json(report), "seconds": round(seconds, 3)} if json else None
        a_page = partial(page, report, language)
        hand_out(html, told, a_page, partial(show, report, language, seconds), language)
    if report.interrupted:
        raise KeyboardInterrupt


def play(tasks: Sequence[Task], count: int) -> tuple[dict[Rules, Sums], float]:
    """The sums of all games, or of those before Ctrl-C; and in how long."""
    found: dict[Rules, Sums] = {}
    with crew(tasks) as executor, waiting.bar(len(tasks) * count) as advance:
        began = perf_counter()
        for task in tasks:
            part = gather(task, count, executor, told=advance)
            if part.games >= LEAST:
                found[task.rules] = part
            if part.games < count:
                break
        seconds = perf_counter() - began
    if not found:  # Ctrl-C came before there was anything to show
        raise KeyboardInterrupt
    return found, seconds


@contextmanager
def crew(tasks: Sequence[Task]) -> Iterator[Executor]:
    """Threads for compiled games, which are compiled first; processes for all others."""
    compiled = [task for task in tasks if isinstance(task, Compiled)]
    if not compiled:
        waiting.prepared(task.load(task.bot) for task in tasks if isinstance(task, Readable))
        with processes() as executor:
            yield executor
        return
    waiting.told_of_compiling()
    for task in compiled:
        task.compile()
    with workers() as (executor, _usual):
        yield executor


# The terminal


def show(report: Report, language: str, seconds: float) -> None:
    """Who plays; then every chapter: its question, its sentence, its numbers."""
    console = common.console()
    for sentence in _hello(report, language):
        _say(console, sentence)
    for part, chapters in report.parts():
        console.print()
        console.print(about(language, part).upper(), style="bold")
        for chapter in chapters:
            console.print()
            console.print(title(language, chapter.key), style="bold")
            _say(console, lead(chapter, language))
            said, called = partial(label, language), partial(named, language)
            digits = POINTS_DIGITS if chapter.in_points else SHARE_DIGITS
            console.print(values(chapter, language, said, called, "", digits))
    console.print()
    _say(console, texts.say(language, "stats.intervals"))
    _say(console, texts.say(language, "habits.few", n=FEW))
    fields = {"seconds": number(language, seconds, 1), "seed": report.seed}
    games = number(language, report.played)
    _say(console, texts.say(language, "stats.played", games=games, **fields))


def _say(console: Console, sentence: str) -> None:
    """A sentence, broken into lines between words."""
    console.print(fill(sentence, console.width, break_long_words=False, break_on_hyphens=False))


def _hello(report: Report, language: str) -> Iterator[str]:
    games, bots = number(language, report.played), who(language, report)
    yield texts.say(language, "habits.hello", who=bots, games=games)
    if report.interrupted:
        asked = number(language, report.asked)
        yield texts.say(language, "stats.interrupted", games=games, asked=asked)
    yield texts.say(language, "habits.careful")
    if len(report.games) > 1:
        least, most = min(report.games), max(report.games)
        yield texts.say(language, "stats.range_note", least=least, most=most)
