"""The book of 5211 in numbers: chapters, with a few figures for each number of players and bot.

This is all that the page, the terminal and the JSON show; here it has no words yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from five211.fast import digest as rows
from five211.fast.digest import A_VICTORY, Digest
from five211.fast.packed import VALUES
from five211.rules import Rules
from five211.scoring import Outcome
from five211.stats.estimate import FLAGGED, Estimate, distance, mean, share
from five211.stats.exact import Exact, exact

RANDOM = "random"
"""The bot whose play is known exactly."""
SEEN = 0.001
"""A share below this is not shown in a picture of a distribution."""

Found = Mapping[Rules, Mapping[str, Digest]]
Row = str | int


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of players: what each bot's games came to, row by row."""

    rules: Rules
    rows: tuple[Row, ...]
    lines: dict[str, tuple[Estimate, ...]]
    """By bot, an estimate a row."""
    exact: dict[str, tuple[Fraction, ...]]
    """By bot, the exact values where they are known: of all rows, or of the first."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One question and its figures."""

    key: str
    shown: str
    """How it is drawn: bars, curve, dots, or not at all."""
    in_points: bool
    """Else figures are shares."""
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """An exact value beside what the games say."""

    chapter: str
    players: int
    bot: str
    row: Row
    in_points: bool
    seen: Estimate
    exact: Fraction
    z: float

    @property
    def flagged(self) -> bool:
        """Whether chance alone would hardly do that."""
        return abs(self.z) >= FLAGGED


@dataclass(frozen=True, slots=True)
class Book:
    """All chapters, and how many games of each they tell of."""

    variant: str
    seed: str
    games: dict[int, dict[str, int]]
    """By number of players and bot."""
    chapters: tuple[Chapter, ...]
    checks: tuple[Check, ...]
    asked: int
    """How many games there were to be."""

    def __getitem__(self, key: str) -> Chapter:
        return next(one for one in self.chapters if one.key == key)

    @property
    def played(self) -> int:
        """All games."""
        return sum(n for bots in self.games.values() for n in bots.values())

    def games_of(self, bot: str) -> list[int]:
        """A bot's games, for each number of players that it has any of."""
        return [bots[bot] for bots in self.games.values() if bot in bots]

    @property
    def interrupted(self) -> bool:
        """Whether games are missing."""
        return self.played < self.asked

    @property
    def chief(self) -> str:
        """The bot that sentences speak of: the last that every number of players has."""
        first, *others = self.games.values()
        return [bot for bot in first if all(bot in bots for bots in others)][-1]


def make_book(found: Found, variant: str, seed: str, asked: int = 0) -> Book:
    """The book of these games, of which there were to be so many."""
    chapters = tuple(_chapter(spec, found) for spec in SPECS)
    games = {
        rules.players: {bot: digest.games for bot, digest in bots.items()}
        for rules, bots in found.items()
    }
    return Book(variant, seed, games, chapters, tuple(_checks(chapters)), asked)


def _checks(chapters: Sequence[Chapter]) -> Iterator[Check]:
    for chapter in chapters:
        for figure in chapter.figures:
            for bot, known in figure.exact.items():
                of = chapter.key, figure.rules.players, bot
                for row, seen, value in zip(figure.rows, figure.lines[bot], known, strict=False):
                    z = distance(seen, value, of_share=not chapter.in_points)
                    if z is not None:
                        yield Check(*of, row, chapter.in_points, seen, value, z)


def trimmed(figure: Figure) -> Figure:
    """A distribution without the tails that nobody could see."""
    shown = [
        place
        for place in range(len(figure.rows))
        if any(line[place].value >= SEEN for line in figure.lines.values())
    ]
    kept = slice(shown[0], shown[-1] + 1)
    return Figure(
        figure.rules,
        figure.rows[kept],
        {bot: line[kept] for bot, line in figure.lines.items()},
        {bot: known[kept] for bot, known in figure.exact.items()},
    )


# What each chapter counts


@dataclass(frozen=True, slots=True)
class Spec:
    """How a chapter is made from digests."""

    key: str
    shown: str
    rows: Callable[[Rules], Sequence[Row]]
    pick: Callable[[Rules, Digest], Sequence[Estimate]]
    exact: Callable[[Rules, Exact], Sequence[Fraction]] | None = None
    fair: bool = False
    """Whether the exact values hold for every bot and both variants."""
    in_points: bool = False


def _chapter(spec: Spec, found: Found) -> Chapter:
    figures = []
    for rules, bots in found.items():
        lines = {bot: tuple(spec.pick(rules, digest)) for bot, digest in bots.items()}
        known = {
            bot: tuple(spec.exact(rules, exact(rules.players)))
            for bot in bots
            if spec.exact and (spec.fair or (bot == RANDOM and rules.goal is None))
        }
        figures.append(Figure(rules, tuple(spec.rows(rules)), lines, known))
    return Chapter(spec.key, spec.shown, spec.in_points, tuple(figures))


def _shares(*parts: slice) -> Callable[[Rules, Digest], list[Estimate]]:
    def pick(_rules: Rules, digest: Digest) -> list[Estimate]:
        return [
            share(sums, digest.games) for part in parts for sums in digest.sums[:, part].T.tolist()
        ]

    return pick


def _on_table(part: slice) -> Callable[[Rules, Digest], list[Estimate]]:
    """A distribution over 0, 1, 2 ... cards on the table."""

    def pick(rules: Rules, digest: Digest) -> list[Estimate]:
        return _shares(part)(rules, digest)[: len(_table_rows(rules))]

    return pick


def _table_rows(rules: Rules) -> range:
    return range(rules.players * sum(rules.plays) + 1)


def _worth(turns: Sequence[int]) -> Callable[[Rules, Digest], list[Estimate]]:
    """What a played card of each value brings: how often it scores, times its value."""

    def pick(_rules: Rules, digest: Digest) -> list[Estimate]:
        columns = digest.sums[:, rows.CHANCE].T.tolist()
        return [
            mean(columns[turn * VALUES + value - 1], digest.games, value)
            for turn in turns
            for value in _values()
        ]

    return pick


def _values() -> range:
    return range(1, VALUES + 1)


def _worth_exact(_rules: Rules, known: Exact) -> list[Fraction]:
    return [known.icon, *(known.plain * value for value in _values()[1:])]


def _brought(_rules: Rules, digest: Digest) -> list[Estimate]:
    return [mean(sums, digest.games) for sums in digest.sums[:, rows.BROUGHT].T.tolist()[1:]]


def _scores(rules: Rules, digest: Digest) -> list[Estimate]:
    """The distribution of every seat's final score; two seats of a game may have the same."""
    n, games = rules.players, digest.games
    scores, pairs = digest.shapes[:2].tolist()
    return [
        share((a, n * games, a + 2 * both, n * a, n * n * games), games)
        for a, both in zip(scores, pairs, strict=True)
    ]


def _margins(_rules: Rules, digest: Digest) -> list[Estimate]:
    games = digest.games
    return [share((a, games, a, a, games), games) for a in digest.shapes[3].tolist()]


def _seats(rules: Rules, digest: Digest) -> list[Estimate]:
    columns = digest.sums[:, rows.SHARE].T.tolist()[: rules.players]
    return [share(sums, digest.games, 1 / A_VICTORY) for sums in columns]


def _means(rules: Rules, digest: Digest) -> list[Estimate]:
    games = digest.games
    total, length = (digest.sums[:, part].T.tolist()[0] for part in (rows.TOTAL, rows.LENGTH))
    best, margin = (_mean_of(digest.shapes[which].tolist(), games) for which in (2, 3))
    return [mean(total, games, 1 / rules.players), best, margin, mean(length, games)]


def _means_told(rules: Rules) -> int:
    """How long a game is need not be told if all are as long."""
    return 3 if rules.goal is None else 4


def _mean_of(shape: Sequence[int], games: int) -> Estimate:
    """The mean of a distribution with one value a game."""
    a = sum(n * value for value, n in enumerate(shape))
    aa = sum(n * value * value for value, n in enumerate(shape))
    return mean((a, games, aa, a, games), games)


def _turn_values(_rules: Rules) -> list[str]:
    return [f"{value}@{turn}" for turn in (1, 2, 3) for value in _values()]


def _fixed(*names: Row) -> Callable[[Rules], Sequence[Row]]:
    return lambda _rules: names


SPECS: tuple[Spec, ...] = (
    Spec(
        "means",
        "",
        lambda rules: ("score", "best", "margin", "rounds")[: _means_told(rules)],
        lambda rules, digest: _means(rules, digest)[: _means_told(rules)],
        lambda rules, known: [rules.rounds * known.points],
        in_points=True,
    ),
    Spec(
        "outcome",
        "bars",
        _fixed("color", "kododo", "none"),
        lambda rules, digest: [_shares(rows.OUTCOME)(rules, digest)[at] for at in (1, 0, 2)],
        lambda _rules, known: [
            known.outcomes[kind] for kind in (Outcome.COLOR, Outcome.ICONS, Outcome.NONE)
        ],
    ),
    Spec(
        "biggest",
        "curve",
        _table_rows,
        _on_table(rows.BIGGEST),
        lambda rules, known: [known.biggest.get(n, Fraction(0)) for n in _table_rows(rules)],
    ),
    Spec(
        "struck",
        "dots",
        _fixed("biggest", "bust", "tie", "cascade"),
        lambda rules, digest: _shares(
            rows.SCORES, rows.BUST, rows.TIE, slice(rows.CASCADE.start + 1, rows.CASCADE.stop)
        )(rules, digest),
        lambda _rules, known: [
            known.biggest_scores,
            known.busts,
            known.ties,
            known.cascades.get(2, Fraction(0)),
        ],
    ),
    Spec(
        "icons",
        "curve",
        _table_rows,
        _on_table(rows.FOUND),
        lambda rules, known: [known.icons.get(n, Fraction(0)) for n in _table_rows(rules)],
    ),
    Spec(
        "worth",
        "curve",
        lambda _rules: _values(),
        _worth((0,)),
        _worth_exact,
        in_points=True,
    ),
    Spec(
        "worth_by_turn",
        "",
        _turn_values,
        _worth((1, 2, 3)),
        lambda rules, known: _worth_exact(rules, known) * 3,
        in_points=True,
    ),
    Spec(
        "icon_card",
        "dots",
        _fixed("any_way", "as_icon"),
        _shares(
            slice(rows.CHANCE.start, rows.CHANCE.start + 1),
            slice(rows.AS_ICON.start, rows.AS_ICON.start + 1),
        ),
        lambda _rules, known: [known.icon, known.as_icon],
    ),
    Spec(
        "turns",
        "dots",
        _fixed("first", "second", "third"),
        _brought,
        lambda rules, known: [known.points / sum(rules.plays)] * 3,
        in_points=True,
    ),
    Spec("scores", "curve", lambda _rules: range(rows.MOST_POINTS), _scores),
    Spec("lead", "curve", lambda _rules: range(rows.MOST_POINTS), _margins),
    Spec(
        "victory",
        "bars",
        _fixed("by_points", "by_pile", "shared"),
        _shares(rows.VICTORY),
    ),
    Spec(
        "seats",
        "dots",
        lambda rules: range(1, rules.players + 1),
        _seats,
        lambda rules, _known: [Fraction(1, rules.players)] * rules.players,
        fair=True,
    ),
)


# For programs


def as_json(book: Book) -> dict[str, Any]:
    """The book for programs: every chapter by its key, with intervals of 95 %."""
    return {
        "variant": book.variant,
        "seed": book.seed,
        "confidence": 0.95,
        "games": {str(players): bots for players, bots in book.games.items()},
        "chapters": {one.key: list(_json_lines(one)) for one in book.chapters},
        "checks": [
            {
                "chapter": one.chapter,
                "players": one.players,
                "bot": one.bot,
                "row": one.row,
                "value": one.seen.value,
                "exact": float(one.exact),
                "z": one.z,
            }
            for one in book.checks
        ],
        "flagged": sum(one.flagged for one in book.checks),
    }


def _json_lines(chapter: Chapter) -> Iterator[dict[str, Any]]:
    for figure in chapter.figures:
        for bot, line in figure.lines.items():
            yield {
                "players": figure.rules.players,
                "bot": bot,
                "rows": [
                    {"row": row, "value": one.value, "low": one.low, "high": one.high}
                    for row, one in zip(figure.rows, line, strict=True)
                    if one.value or isinstance(row, str)
                ],
            }
