"""`five211 simulate`: many games between bots, summed up."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from threading import Event
from time import perf_counter

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table as Grid

from five211 import texts
from five211.cli import common
from five211.cli.own import load
from five211.errors import GameError, shown
from five211.match import Match
from five211.record import check_edition, write
from five211.rules import Rules
from five211.scoring import Outcome
from five211.simulate import Summary, record_of, seat_bots, simulate

MOST_GAMES = 10**12


def run(
    players: int,
    games: str,
    bots: str,
    variant: str,
    edition: str,
    seed: str | None,
    records: str | None,
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
    summary = Summary(rules)
    began = perf_counter()
    with (
        common.opened(records, "w") if records else nullcontext(None) as file,
        _between_games() as stopped,
    ):
        for match in _watched(simulate(rules, seated, count, seed), count):
            assert match.result is not None
            if file is not None:
                file.write(write(record_of(match, names, edition)) + "\n")
            summary.add(match, match.result)
            if stopped.is_set():  # what was played so far still counts
                break
    seconds = perf_counter() - began
    show = _print_json if as_json else _print_table
    with redirect_stdout(sys.stderr) if records == "-" else nullcontext():
        show(summary, names, edition, seed, seconds, language)
    if stopped.is_set():
        raise KeyboardInterrupt


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
    """A number of games: 1000, 1e6."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value <= MOST_GAMES or value != int(value):
        raise GameError("games", text=shown(text))
    return int(value)


def _watched(matches: Iterator[Match], count: int) -> Iterator[Match]:
    """A progress bar, if somebody is watching."""
    console = common.console(stderr=True)
    if not console.is_terminal:
        yield from matches
        return
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        yield from progress.track(matches, total=count)


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
            "seconds": round(seconds, 3),
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
    seats = Grid(box=None, pad_edge=False)
    for key in ("seat_head", "bot_head", "mean_head", "wins_head", "share_head"):
        _column(seats, key, language)
    for seat, name in enumerate(names):
        wins = summary.wins[seat]
        mean = f"{summary.points[seat] / summary.games:.2f}"
        seats.add_row(str(seat + 1), name, mean, f"{wins:.1f}", f"{wins / summary.games:.1%}")
    rounds = Grid(box=None, pad_edge=False)
    for key in ("outcome_head", "rounds_head", "share_head"):
        _column(rounds, key, language)
    for kind in Outcome:
        count = summary.outcomes[kind]
        words = texts.fill(language, f"cli.outcome_{kind}")
        rounds.add_row(words, str(count), f"{count / summary.outcomes.total():.1%}")
    line = texts.say(
        language,
        "cli.simulated",
        n=summary.games,
        seconds=f"{seconds:.1f}",
        rate=f"{summary.games / seconds:.0f}",
        seed=seed,
    )
    console = common.console()
    console.print(seats)
    console.print()
    console.print(rounds)
    console.print()
    console.print(line)


def _column(grid: Grid, key: str, language: str) -> None:
    words = key in ("seat_head", "bot_head", "outcome_head")
    grid.add_column(texts.fill(language, f"cli.{key}"), justify="left" if words else "right")
