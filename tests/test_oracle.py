"""Scoring against the oracle: every table there can be, as far as scoring tells tables apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from five211 import MINI, Card, Cards, Color, Rules, Score, Step, score_round, tally
from five211.scoring import (
    ColorScores,
    ColorsCounted,
    IconsCounted,
    StruckForLimit,
    StruckForTie,
    derive,
    majority,
)
from five211.tally import Standing
from tests import oracle
from tests.conftest import SOAK

pytestmark = pytest.mark.no_cover  # other tests cover scoring; here it would cost a minute

Counts = tuple[int, ...]

PLAYERS = (2, 3, 4, 5)
ICONS = {color: [Card(f"{color}1")] * 5 for color in Color}  # rule 1.1
OTHERS = {
    color: Random(color).sample(
        [Card(f"{color}{value}") for value in (2,) * 6 + (3,) * 5 + (4,) * 2 + (5, 6)], 15
    )
    * 2  # any 15 in a row are all there are
    for color in Color
}
ORDERS = {
    players: [Random(i).sample(range(4 * players), 4 * players) for i in range(500)]
    for players in PLAYERS
}

# With many players the short form judges one table in so many (primes, so that all kinds come up).
EVERY = dict.fromkeys(PLAYERS, 1) if SOAK else {2: 1, 3: 1, 4: 7, 5: 17}


def all_counts(cards: int, colors: int = 5) -> Iterator[Counts]:
    """Every way in which that many cards can be of five colours, 20 of each at most."""
    if colors == 1:
        if cards <= 20:
            yield (cards,)
        return
    for first in range(min(cards, 20) + 1):
        for rest in all_counts(cards - first, colors - 1):
            yield (first, *rest)


def icon_range(count: int) -> range:
    """How many of that many cards of one colour can be icons: 5 at most, and others at most 15."""
    return range(max(0, count - 15), min(5, count) + 1)


def icon_spreads(counts: Counts, rng: Random) -> Iterator[Counts]:
    """For each number of icons that these cards can hold, a way to spread it over the colours."""
    ranges = [icon_range(count) for count in counts]
    found = [r[0] for r in ranges]
    room = [i for i, r in enumerate(ranges) for _ in r[1:]]
    rng.shuffle(room)
    yield tuple(found)
    for i in room:
        found[i] += 1
        yield tuple(found)


def lay_out(counts: Counts, icons: Counts, players: int, rng: Random) -> list[Cards]:
    """Cards of these colours, that many of each icons, the others' values and seats by chance."""
    cards: list[Card] = []
    first = int(rng.random() * 15)
    for color, count, number in zip(Color, counts, icons, strict=True):
        if count:
            cards += ICONS[color][:number]
            cards += OTHERS[color][first : first + count - number]
    order = ORDERS[players][int(rng.random() * 500)]
    if len(cards) < len(order):
        order = [i for i in order if i < len(cards)]
    return [tuple([cards[i] for i in order[seat::players]]) for seat in range(players)]


def told(step: Step) -> tuple[Any, ...]:
    """A step in the oracle's words."""
    if isinstance(step, IconsCounted):
        return ("icons", step.found, step.needed)
    if isinstance(step, ColorsCounted):
        missing = [0] * (5 - len(step.counts))  # in the small game
        return ("counts", *[count for _, count in step.counts], *missing)
    if isinstance(step, StruckForLimit):
        return ("over", *[(color.name, count) for color, count in step.counts])
    if isinstance(step, StruckForTie):
        return ("tie", step.count, *[color.name for color in step.colors])
    if isinstance(step, ColorScores):
        return ("scores", step.color.name, step.count)
    return ("nothing",)


def in_plain_words(score: Score) -> oracle.Verdict:
    """A score in the oracle's words."""
    return oracle.Verdict(
        score.outcome.value,
        None if score.color is None else score.color.name,
        [[card.code for card in seat] for seat in score.cards],
        list(score.points),
        [told(step) for step in score.steps],
    )


def letters(counts: Counts) -> str:
    """One letter for each card."""
    return "".join(letter * n for letter, n in zip(oracle.LETTERS, counts, strict=True))


def judged(table: list[Cards], rules: Rules) -> oracle.Verdict:
    codes = [[card.code for card in seat] for seat in table]
    if rules is MINI:
        return oracle.judge(codes, 2, 3)
    return oracle.judge(codes, oracle.EXACT[rules.players], oracle.LIMIT[rules.players])


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.2")
@pytest.mark.rule("4.3")
@pytest.mark.rule("4.4")
@pytest.mark.rule("4.5")
@pytest.mark.rule("4.6")
@pytest.mark.parametrize(
    ("players", "combinations"), [(2, 4_350), (3, 21_350), (4, 67_345), (5, 164_376)]
)
def test_every_combination_of_colours_and_icons_scores_as_the_oracle_says(
    players: int, combinations: int
) -> None:
    rules, rng, covered = Rules.of(players), Random(players), 0
    for counts in all_counts(4 * players):
        for icons in icon_spreads(counts, rng):
            covered += 1
            if covered % EVERY[players]:
                continue
            table = lay_out(counts, icons, players, rng)
            score = derive(rules, table)
            assert in_plain_words(score) == judged(table, rules)
            if covered % (10 * EVERY[players]) == 0:
                in_order = [tuple(sorted(seat)) for seat in table]
                assert score_round(rules, table) == derive(rules, in_order)
    assert covered == combinations


@pytest.mark.soak
@pytest.mark.parametrize(
    ("players", "combinations"), [(2, 24_035), (3, 268_915), (4, 1_588_230), (5, 6_168_030)]
)
def test_every_combination_of_colours_and_icons_of_each_colour(
    players: int, combinations: int
) -> None:
    rules, rng, covered = Rules.of(players), Random(players), 0
    for counts in all_counts(4 * players):
        for icons in product(*map(icon_range, counts)):
            table = lay_out(counts, icons, players, rng)
            assert in_plain_words(derive(rules, table)) == judged(table, rules)
            covered += 1
    assert covered == combinations


@pytest.mark.parametrize("players", PLAYERS)
def test_the_tables_are_what_they_are_meant_to_be(players: int) -> None:
    rng, deck = Random(1), Counter(Rules.of(players).deck)
    every_tenth = list(all_counts(4 * players))[::10]
    for counts in every_tenth:
        for icons in icon_spreads(counts, rng):
            table = lay_out(counts, icons, players, rng)
            lying = [card for seat in table for card in seat]
            assert [len(seat) for seat in table] == [4] * players
            assert tuple(sum(card.color is color for card in lying) for color in Color) == counts
            assert sum(card.is_icon for card in lying) == sum(icons)
            assert Counter(lying) <= deck


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(("players", "combinations"), [(2, 495), (3, 1820), (4, 4845), (5, 10_626)])
def test_limit_first_or_ties_first_is_all_the_same(players: int, combinations: int) -> None:
    rules, limit, covered = Rules.of(players), oracle.LIMIT[players], 0
    for counts in all_counts(4 * players):
        last = majority(rules, counts)[-1]
        color = last.color.name if isinstance(last, ColorScores) else None
        assert color == oracle.majority_ties_first(letters(counts), limit)
        covered += 1
    assert covered == combinations


@pytest.mark.parametrize(
    ("players", "combinations"), [(2, 1287), (3, 6188), (4, 20_349), (5, 53_130)]
)
def test_the_majority_of_every_table_in_mid_round(players: int, combinations: int) -> None:
    rules, covered = Rules.of(players), 0
    for cards in range(4 * players + 1):
        for counts in all_counts(cards):
            _, story = oracle.majority(letters(counts), oracle.LIMIT[players])
            assert [told(step) for step in majority(rules, counts)] == story
            covered += 1
    assert covered == combinations


def test_the_tally_agrees_with_the_oracle_on_every_table_of_two() -> None:
    rules, rng = Rules.of(2), Random(0)
    for cards in range(9):
        for counts in all_counts(cards):
            table = lay_out(counts, next(icon_spreads(counts, rng)), 2, rng)
            leader, story = oracle.majority(letters(counts), 5)
            tied = [letter for what, *rest in story if what == "tie" for letter in rest[1:]]
            for color in tally(rules, table).colors:
                letter = color.color.name
                assert color.count == counts[color.color]
                assert (color.standing is Standing.ABSENT) == (color.count == 0)
                assert (color.standing is Standing.BUST) == (color.count >= 5)
                assert (color.standing is Standing.TIED) == (letter in tied)
                assert (color.standing is Standing.LEADS) == (letter == leader)


def test_every_table_of_the_small_game() -> None:
    seen: Counter[str] = Counter()
    for mine in combinations(MINI.deck, 2):
        for yours in combinations([card for card in MINI.deck if card not in mine], 2):
            score = score_round(MINI, [mine, yours])
            truth = judged([mine, yours], MINI)
            assert in_plain_words(score) == truth
            seen[truth.story[-1][0]] += 1
            seen.update(step[0] for step in truth.story[1:-1])
    assert seen["icons"] + seen["scores"] + seen["nothing"] == 756
    assert min(seen[what] for what in ("icons", "scores", "nothing", "over", "tie")) > 0
