"""What the games of a bot came to: the chapters of its habits; here they have no words yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from five211.rules import Rules
from five211.stats.book import Chapter, Figure
from five211.stats.estimate import UNKNOWN, Estimate, mean, share
from five211.stats.habits.chapters import SPECS, Spec, Sums

FEW = 30
"""Of what came up less often than this, nothing is told."""


@dataclass(frozen=True, slots=True)
class Report:
    """All chapters, and of how many games they tell."""

    bot: str
    level: str | None
    """What players know the bot by, if they do."""
    seed: str
    games: dict[int, int]
    """By number of players."""
    asked: int
    """How many games there were to be."""
    chapters: tuple[Chapter, ...]

    def __getitem__(self, key: str) -> Chapter:
        return next(one for one in self.chapters if one.key == key)

    @property
    def played(self) -> int:
        """All games."""
        return sum(self.games.values())

    @property
    def interrupted(self) -> bool:
        """Whether games are missing."""
        return self.played < self.asked

    def parts(self) -> Iterator[tuple[str, list[Chapter]]]:
        """The chapters by what they are about."""
        for part in dict.fromkeys(spec.part for spec in SPECS):
            yield part, [self[spec.key] for spec in SPECS if spec.part == part]


def make_report(
    found: Mapping[Rules, Sums],
    bot: str,
    seed: str,
    *,
    level: str | None = None,
    asked: int = 0,
) -> Report:
    """The report of these games, of which there were to be so many."""
    figures = {rules: dict(_figures(rules, sums)) for rules, sums in found.items()}
    chapters = tuple(
        Chapter(
            spec.key, spec.shown, spec.in_points, tuple(one[spec.key] for one in figures.values())
        )
        for spec in SPECS
    )
    games = {rules.players: sums.games for rules, sums in found.items()}
    return Report(bot, level, seed, games, asked, chapters)


def _figures(rules: Rules, sums: Sums) -> Iterator[tuple[str, Figure]]:
    columns = iter(sums.sums.T.tolist())
    for spec in SPECS:
        rows = spec.rows_of(rules)
        lines = {
            line: tuple(_estimate(spec, next(columns), sums.games) for _ in rows)
            for line in spec.lines
        }
        yield spec.key, Figure(rules, rows, lines, {})


def _estimate(spec: Spec, sums: list[int], games: int) -> Estimate:
    if sums[1] < FEW:
        return UNKNOWN
    middle = mean(sums, games)
    no_chance = not middle.error and 0 < middle.value < 1 and sums[1] >= games
    return middle if spec.in_points or no_chance else share(sums, games)


def as_json(report: Report) -> dict[str, Any]:
    """The report for programs: every chapter by its key, with intervals of 95 %."""
    return {
        "bot": report.bot,
        "level": report.level,
        "seed": report.seed,
        "confidence": 0.95,
        "asked": report.asked,
        "games": {str(players): games for players, games in report.games.items()},
        "chapters": {one.key: list(_json_lines(one)) for one in report.chapters},
    }


def _json_lines(chapter: Chapter) -> Iterator[dict[str, Any]]:
    for figure in chapter.figures:
        for line, values in figure.lines.items():
            rows = [
                {
                    "row": row,
                    "value": one.value,
                    "low": one.low,
                    "high": one.high,
                    "among": one.among,
                }
                for row, one in zip(figure.rows, values, strict=True)
                if one.among
            ]
            yield {"players": figure.rules.players, "line": line, "rows": rows}
