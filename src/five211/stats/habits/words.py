"""The names of chapters, rows and lines, as a language writes them."""

from __future__ import annotations

from five211 import texts
from five211.scoring import Outcome
from five211.stats.book import Row
from five211.stats.habits.chapters import ALONE
from five211.stats.habits.report import Report


def title(language: str, chapter: str) -> str:
    """A chapter's question."""
    return texts.say(language, f"habits.title_{chapter}")


def about(language: str, part: str) -> str:
    """What some chapters are about."""
    return texts.say(language, f"habits.part_{part}")


def label(language: str, row: Row) -> str:
    """What a row counts."""
    if isinstance(row, int):
        return str(row)
    if row in tuple(Outcome):
        return texts.fill(language, f"cli.outcome_{row}")
    return texts.fill(language, f"habits.row_{row}")


def named(language: str, line: str) -> str:
    """What a line of a figure is called; one that is alone needs no name."""
    return "" if line == ALONE else texts.fill(language, f"habits.line_{line}")


def who(language: str, report: Report) -> str:
    """The bots that play."""
    if report.level in (None, report.bot):  # the expert is the expert
        return texts.fill(language, "habits.who", bot=report.bot)
    level = texts.fill(language, f"levels.{report.level}")
    return texts.fill(language, "habits.who_level", bot=report.bot, level=level)
