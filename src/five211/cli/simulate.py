"""`five211 simulate`: many games between bots, summed up.

The bots of five211 play compiled, on all cores or on a cluster. Bots of one's own, and games of
which records are kept, are the readable engine's.
"""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING

from five211 import texts
from five211.bots import Entry, entries
from five211.cli import common, waiting
from five211.cli.own import load
from five211.errors import GameError, shown
from five211.record import check_edition, write
from five211.rules import Rules
from five211.scoring import Outcome
from five211.simulate import record_of, seat_bots, simulate
from five211.summary import Summary

if TYPE_CHECKING:
    from rich.table import Table as Grid

MOST_GAMES = 1 << 63
"""Numbers of games end here: no machine comes near."""
SLOW = 0.1
"""Seconds from which on a speed means something."""


def run(
    players: int,
    games: str,
    bots: str,
    variant: str,
    edition: str,
    seed: str | None,
    records: str | None,
    cluster: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Play the games, show progress, write records, sum up."""
    language = common.speak(lang)
    rules = Rules.of(players, variant)
    seated = seat_bots(rules, [load(one) for one in common.name_list(bots)])
    names = tuple(one.name for one in seated)
    check_edition(edition)
    count = read_games(games)
    seed = secrets.token_hex(8) if seed is None else seed
    compiled = records is None and are_compiled(seated)
    if cluster is not None and not compiled:
        raise GameError("cluster_bots")
    with waiting.one_interrupt():
        with waiting.or_nothing():
            if compiled:
                summary, seconds = play_compiled(rules, names, count, seed, cluster)
            else:
                summary, seconds = play_readable(rules, seated, count, seed, edition, records)
            if not summary.games:
                raise KeyboardInterrupt
        show = _print_json if as_json else _print_table
        with redirect_stdout(sys.stderr) if records == "-" else nullcontext():
            show(summary, names, edition, seed, seconds, language)
    if summary.games < count:
        raise KeyboardInterrupt


def are_compiled(seated: Sequence[Entry]) -> bool:
    """Whether all of them are five211's own, and not somebody's who are only called so."""
    from five211.fast.policies import BUILT_IN

    return all(one in entries() and one.name in BUILT_IN for one in seated)


def play_compiled(
    rules: Rules, names: tuple[str, ...], count: int, seed: str, cluster: str | None
) -> tuple[Summary, float]:
    """What the compiled games came to, all of them or those before Ctrl-C; and in how long."""
    from five211.fast.cluster import workers
    from five211.fast.simulate import Work, prepare
    from five211.fast.work import ranges, total

    work = Work(rules, names, seed)
    if cluster is None:
        waiting.told_of_compiling()
        prepare(rules, names)
    with workers(cluster) as (executor, usual), waiting.bar(count) as advance:
        began, parts = perf_counter(), ranges(count, work.size(usual))
        summary = total(executor, work.sum_up, parts, Summary.empty(rules), advance)
        return summary, perf_counter() - began


def play_readable(
    rules: Rules,
    seated: tuple[Entry, ...],
    count: int,
    seed: str,
    edition: str,
    records: str | None,
) -> tuple[Summary, float]:
    """The same of the readable games, whose records go to a file."""
    waiting.prepared(seated)
    summary, began = Summary.empty(rules), perf_counter()
    names = tuple(one.name for one in seated)
    with (
        nullcontext(None) if records is None else common.opened(records, "w") as file,
        _between_games() as stopped,
        waiting.bar(count) as advance,
        suppress(KeyboardInterrupt),
    ):
        for match in simulate(rules, seated, count, seed):
            if file is not None:
                file.write(write(record_of(match, names, edition)) + "\n")
            summary += Summary.of(match)
            advance(1)
            if stopped.is_set():  # what was played so far still counts
                break
    return summary, perf_counter() - began


@contextmanager
def _between_games() -> Iterator[Event]:
    """Ctrl-C stops between two games, so that no record is cut off."""
    stopped = Event()
    usual = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, usual)  # a second one stops a bot that thinks for ever

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, usual)


def read_games(text: str) -> int:
    """A number of games: 1000, 1e6, 10_000_000."""
    for kind in (int, float):
        with suppress(ValueError, OverflowError):  # also of inf and nan
            value = kind(text)
            if value == int(value) and 1 <= value < MOST_GAMES:
                return int(value)
    raise GameError("games", text=shown(text))


def _print_json(
    summary: Summary,
    names: tuple[str, ...],
    edition: str,
    seed: str,
    seconds: float,
    _language: str,
) -> None:
    common.print_json(
        {
            "players": summary.rules.players,
            "variant": summary.rules.variant.value,
            "edition": edition,
            "bots": list(names),
            "seed": seed,
            "games": summary.games,
            "seconds": round(seconds, 6),
            "outcomes": {kind.value: summary.outcomes[kind] for kind in Outcome},
            "points": {"mean": [points / summary.games for points in summary.points]},
            "wins": summary.wins,
        }
    )


def _print_table(
    summary: Summary,
    names: tuple[str, ...],
    _edition: str,
    seed: str,
    seconds: float,
    language: str,
) -> None:
    from rich.table import Table as Grid

    from five211.stats.words import number, percent

    seats = Grid(box=None, pad_edge=False)
    for key in ("seat_head", "bot_head", "mean_head", "wins_head", "share_head"):
        _column(seats, key, language)
    for seat, name in enumerate(names):
        wins = summary.wins[seat]
        mean = number(language, summary.points[seat] / summary.games, 2)
        share = _share(summary, seat, language)
        seats.add_row(str(seat + 1), name, mean, number(language, wins, 1), share)
    rounds = Grid(box=None, pad_edge=False)
    for key in ("outcome_head", "rounds_head", "share_head"):
        _column(rounds, key, language)
    for kind in Outcome:
        count = summary.outcomes[kind]
        words = texts.fill(language, f"cli.outcome_{kind}")
        part = percent(language, count / summary.outcomes.total(), 1)
        rounds.add_row(words, number(language, count), part)
    fields = {"n": summary.games, "games": number(language, summary.games), "seed": seed}
    if seconds >= SLOW:
        fields["seconds"] = number(language, seconds, 1)
        fields["rate"] = number(language, summary.games / seconds)
    console = common.console()
    console.print(seats)
    notes = ("simulated_note", "simulated_note_sure")[: 2 if summary.games > 1 else 1]
    console.print(*(texts.say(language, f"cli.{note}") for note in notes))
    console.print()
    console.print(rounds)
    console.print()
    key = "simulated" if seconds >= SLOW else "simulated_quick"
    console.print(texts.say(language, f"cli.{key}", **fields))


def _share(summary: Summary, seat: int, language: str) -> str:
    """A seat's share of the victories, and how sure it is if there are games to tell that by."""
    from five211.fast.digest import A_VICTORY
    from five211.stats.estimate import share
    from five211.stats.words import around, percent

    games, a, aa = summary.games, 0, 0
    for winners, times in summary.winners.items():
        mine = A_VICTORY // len(winners) if seat in winners else 0
        a, aa = a + times * mine, aa + times * mine**2
    if games == 1:
        return percent(language, a / A_VICTORY, 1)
    return around(language, share((a, games, aa, a, games), games, 1 / A_VICTORY))


def _column(grid: Grid, key: str, language: str) -> None:
    words = key in ("seat_head", "bot_head", "outcome_head")
    grid.add_column(texts.fill(language, f"cli.{key}"), justify="left" if words else "right")
