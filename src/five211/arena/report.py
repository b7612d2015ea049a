"""What it came to: a matrix for each number of players, ratings, and times; no words yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from five211.arena.ratings import Meeting, ratings
from five211.arena.sums import Sums, Tally, Times
from five211.arena.work import GAMES, GAMES_SLOW, LEAST, Arena, Cell, Load
from five211.bots import Bot, Entry, entry
from five211.errors import GameError, shown
from five211.fast.digest import A_VICTORY
from five211.fast.work import total
from five211.rules import Variant
from five211.stats.estimate import Estimate, mean, share

OFTEN = 0.95
"""The share of a bot's choices that were made within the time that is told."""


@dataclass(frozen=True, slots=True)
class Contest:
    """How one bot does against a field of clones of another."""

    one: str
    field: str
    players: int
    games: int
    win: Estimate
    """Its share of the victories."""
    lead: Estimate
    """Its points less the mean of the others'."""

    @property
    def beyond(self) -> int:
        """1 above par, -1 below, 0 if par is within the interval."""
        return (self.win.low > 1 / self.players) - (self.win.high < 1 / self.players)

    def mirrored(self) -> Contest:
        """The same seen from the other side, of two players."""
        win, lead = self.win, self.lead
        return Contest(
            self.field,
            self.one,
            self.players,
            self.games,
            Estimate(1 - win.value, win.error, 1 - win.high, 1 - win.low, win.among),
            Estimate(-lead.value, lead.error, -lead.high, -lead.low, lead.among),
        )


@dataclass(frozen=True, slots=True)
class Matrix:
    """Everybody against everybody, at tables of one size."""

    players: int
    contests: Mapping[tuple[str, str], Contest]
    """By the one and the field."""
    ratings: Mapping[str, Estimate]
    """None if not everybody has met everybody."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that an arena came to."""

    arena: Arena
    games: int
    matrices: Mapping[int, Matrix]
    """By the number of players."""
    ratings: Mapping[str, Estimate]
    """From all games, whatever the number of players."""
    times: Mapping[str, Times]

    @property
    def interrupted(self) -> bool:
        """Whether there are fewer games than were asked for."""
        return self.games < self.arena.asked

    def contest(self, one: str, field: str, players: int | None = None) -> Contest:
        """How one does against a field; the number of players can be left out if there is one."""
        n = next(iter(self.matrices)) if players is None else players
        try:
            return self.matrices[n].contests[one, field]
        except KeyError:
            raise GameError("arena_contest", one=shown(one), field=shown(field), n=n) from None


def compare(
    bots: Sequence[str | Entry | Bot | type[Bot]],
    players: int | Iterable[int] = 2,
    games: int = GAMES,
    games_slow: int = GAMES_SLOW,
    seed: int | str = 0,
    *,
    variant: str = Variant.STANDARD,
    load: Load = entry,
    executor: Executor | None = None,
) -> Report:
    """Play every bot against a field of each other: so many games each, in duplicate.

    A bot is a name, a class, an `Entry` of both, or one that is made: then each game has a copy.
    They are played in this process, or by whatever an executor has, such as `processes()`.

    >>> found = compare(["heuristic", "random"], games=40, seed=7)
    >>> found.contest("heuristic", "random").beyond
    1
    """
    sizes = list(players) if isinstance(players, Iterable) else [players]
    arena = Arena.of(bots, sizes, games, games_slow, seed, variant=variant, load=load)
    return report(arena, play(arena, executor))


def play(
    arena: Arena, executor: Executor | None = None, told: Callable[[int], object] = bool
) -> Sums:
    """All of its games, or those before Ctrl-C; somebody is told how many are done."""
    with ThreadPoolExecutor(1) if executor is None else nullcontext(executor) as crew:
        return total(crew, arena.play, arena.parts(), Sums(), told, in_order=False)


def report(arena: Arena, sums: Sums) -> Report:
    """What these games came to."""
    played = {
        cell: sums.cells[place]
        for place, cell in enumerate(arena.cells)
        if place in sums.cells and sums.cells[place].deals >= LEAST
    }
    matrices = {
        rules.players: _matrix(
            arena, rules.players, {cell: one for cell, one in played.items() if cell.rules == rules}
        )
        for rules in arena.rules
    }
    times = {arena.names[bot]: sums.times[bot] for bot in sorted(sums.times)}
    return Report(arena, sums.games, matrices, _ratings(arena, arena.cells, played), times)


def _matrix(arena: Arena, players: int, played: Mapping[Cell, Tally]) -> Matrix:
    contests = {}
    for cell, tally in played.items():
        one = _contest(arena.names[cell.one], arena.names[cell.field], players, tally)
        for each in (one, one.mirrored()) if players == 2 else (one,):
            contests[each.one, each.field] = each
    cells = [cell for cell in arena.cells if cell.rules.players == players]
    return Matrix(players, contests, _ratings(arena, cells, played))


def _contest(one: str, field: str, n: int, tally: Tally) -> Contest:
    """Each deal is a ratio: what its n games came to, by n."""

    def sums(a: int, aa: int) -> tuple[int, int, int, int, int]:
        return a, n * tally.deals, aa, n * a, n * n * tally.deals

    win = share(sums(tally.won, tally.won_squared), tally.deals, 1 / A_VICTORY)
    lead = mean(sums(tally.lead, tally.lead_squared), tally.deals, 1 / (n - 1))
    return Contest(one, field, n, n * tally.deals, win, lead)


def _ratings(
    arena: Arena, cells: Sequence[Cell], played: Mapping[Cell, Tally]
) -> dict[str, Estimate]:
    if any(cell not in played for cell in cells):
        return {}
    meetings = [Meeting(cell.one, cell.field, cell.rules.players, played[cell]) for cell in cells]
    found = dict(zip(arena.names, ratings(len(arena.names), meetings), strict=True))
    return dict(sorted(found.items(), key=lambda each: -each[1].value))


def as_json(found: Report) -> dict[str, Any]:
    """All of it for programs: shares from 0 to 1, points, milliseconds."""
    arena = found.arena
    return {
        "bots": list(arena.names),
        "variant": arena.rules[0].variant.value,
        "seed": arena.seed,
        "confidence": 0.95,
        "asked": arena.asked,
        "games": found.games,
        "cells": [
            {
                "players": one.players,
                "one": one.one,
                "field": one.field,
                "games": one.games,
                "par": 1 / one.players,
                "win": _figure(one.win),
                "lead": _figure(one.lead),
                "beyond": one.beyond,
            }
            for matrix in found.matrices.values()
            for one in matrix.contests.values()
        ],
        "ratings": [
            {"players": n, "bot": bot, **_figure(one)}
            for n, every in (
                *((n, matrix.ratings) for n, matrix in found.matrices.items()),
                (None, found.ratings),
            )
            for bot, one in every.items()
        ],
        "times": [
            {
                "bot": bot,
                "choices": one.choices,
                "mean": one.mean,
                "p95": one.within(OFTEN),
                "worst": one.longest,
            }
            for bot, one in found.times.items()
        ],
    }


def _figure(one: Estimate) -> dict[str, float]:
    return {"value": one.value, "low": one.low, "high": one.high}
