"""What is counted: for each row of a chapter, what happened and what could have.

A function here gives a chapter's rows, line by line. Whether a row is a share or a mean, it is a
ratio of two counts of each game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from five211.fast.packed import NOTHING, VALUES
from five211.rules import Rules
from five211.stats.habits.judge import Flags
from five211.stats.habits.rounds import FIRST, LAST, SECOND, THIRDS, TURNS, Rounds

HIGH = 4
"""High cards are worth this or more."""
HIGHEST = 5
"""Cards of which a colour has only one of each value are worth this or more."""

Count = tuple[NDArray[Any], NDArray[Any]]
"""What happened and what could have: by game, and perhaps by round, seat, card or colour."""


def part(whole: Flags, which: NDArray[Any]) -> Count:
    """A share: those of the whole of which something is true."""
    return whole & which, whole


def average(values: NDArray[Any], of: Flags) -> Count:
    """A mean of some values."""
    return values * of, of


# The opening


def kinds(rounds: Rounds) -> list[Flags]:
    """Whether an opening has one colour or two, without an icon card and with one."""
    pair, icon = rounds.pair, rounds.opened_icon
    return [pair & ~icon, pair & icon, ~pair & ~icon, ~pair & icon]


def opening(rounds: Rounds) -> Iterator[Count]:
    """Openings of each kind."""
    return (part(rounds.seats, kind) for kind in kinds(rounds))


def opening_points(rounds: Rounds) -> Iterator[Count]:
    """What a seat gets in the round, by the kind of its opening."""
    return (average(rounds.points, kind) for kind in kinds(rounds))


def opening_scores(rounds: Rounds) -> Iterator[Count]:
    """Colours that score, for each seat: opened with two cards, with one, not at all."""
    scores, pair = rounds.color_scores[..., None, :], rounds.pair[..., None]
    yield part(rounds.opened & pair, scores)
    yield part(rounds.opened & ~pair, scores)
    yield part(~rounds.opened, scores)


# High cards


def values(rounds: Rounds) -> Iterator[Count]:
    """For each turn, cards of each value."""
    for turn in TURNS:
        cards, value = rounds.cards[..., turn], rounds.value[..., turn]
        yield from (part(cards, value == n) for n in value_rows(rounds.rules))


def value_rows(rules: Rules) -> range:
    """The values there are."""
    return range(1, len(rules.copies) + 1)


def timing(rounds: Rounds) -> Iterator[Count]:
    """What a card of each turn is worth."""
    return (average(rounds.value[..., turn], rounds.cards[..., turn]) for turn in TURNS)


def high(rounds: Rounds) -> list[Flags]:
    """Which cards are worth 4, 5 and 6."""
    return [rounds.value == value for value in range(HIGH, VALUES + 1)]


def high_turns(rounds: Rounds) -> Iterator[Count]:
    """Of the 4s, 5s, 6s and all cards, those of each turn."""
    return ((cards[..., turn], cards) for cards in (*high(rounds), rounds.cards) for turn in TURNS)


def high_thirds(rounds: Rounds) -> Iterator[Count]:
    """Of the cards of each third of the game, 4s, 5s and 6s."""
    third = rounds.third()
    for cards in high(rounds):
        yield from ((cards[:, third == n], rounds.cards[:, third == n]) for n in range(THIRDS))


def high_scores(rounds: Rounds) -> Iterator[Count]:
    """Of 5s and 6s and of all cards, those that score, by turn."""
    for cards in (rounds.value >= HIGHEST, rounds.cards):
        yield from (part(cards[..., turn], rounds.scores[..., turn]) for turn in TURNS)


# The last card


def last(rounds: Rounds) -> Iterator[Count]:
    """What it does."""
    found = (
        rounds.last_joins,
        ~rounds.last_scores,
        rounds.icon[..., -1],
        rounds.last_busts,
        *rounds.last_ties,
        rounds.last_decides,
    )
    return (part(rounds.seats, which) for which in found)


def last_value(rounds: Rounds) -> Iterator[Count]:
    """What it is worth if it scores, if it does not, and if it helps to bust a colour."""
    found = rounds.last_scores, ~rounds.last_scores, rounds.last_busts
    return (average(rounds.last_value, which) for which in found)


def buster(rounds: Rounds) -> Iterator[Count]:
    """Who helps to bust a colour by it: had nothing of it, less than somebody else, the most."""
    (mine, most), whole = rounds.held, rounds.last_busts
    none, best = mine == 0, mine == most
    return (part(whole, which) for which in (none, ~none & ~best, ~none & best))


def bust_points(rounds: Rounds) -> Iterator[Count]:
    """What these get in the round, and what the others at their table get."""
    busters = rounds.last_busts
    there = busters.any(axis=-1, keepdims=True)
    return (average(rounds.points, who) for who in (busters, there & ~busters))


# Icons


def decided(rounds: Rounds) -> Iterator[Count]:
    """Rounds that a colour decides, the icons, and nothing."""
    found = rounds.by_color, rounds.by_icons, rounds.scoring == NOTHING
    return (part(rounds.each, which) for which in found)


def exact_after(rounds: Rounds) -> Iterator[Count]:
    """Rounds that the icons decide, by how many lie there after the first and second turn."""
    for turn in (FIRST, SECOND):
        icons = rounds.icons_after(turn)
        yield from (part(icons == n, rounds.by_icons) for n in icon_rows(rounds.rules))


def icon_rows(rules: Rules) -> range:
    """Numbers of icons that can still come out exact."""
    return range(rules.exact + 1)


def round_points(rounds: Rounds) -> Iterator[Count]:
    """What all seats together get, if a colour decides and if the icons do."""
    points = rounds.points.sum(axis=-1)
    return (average(points, which) for which in (rounds.by_color, rounds.by_icons))


# The biggest colour


def biggest(rounds: Rounds) -> Iterator[Count]:
    """Whether it scores, is bust or ties; or the icons decide, and no colour matters."""
    most = rounds.colors.max(axis=-1)
    over, colors = most >= rounds.rules.limit, ~rounds.by_icons
    tie = (rounds.colors == most[..., None]).sum(axis=-1) > 1
    found = colors & ~over & ~tie, colors & over, colors & ~over & tie, rounds.by_icons
    return (part(rounds.each, which) for which in found)


def scoring_cards(rounds: Rounds) -> Iterator[Count]:
    """How many cards the colour has that scores."""
    cards = (rounds.colors * rounds.color_scores).sum(axis=-1)
    return (part(rounds.by_color, cards == n) for n in card_rows(rounds.rules))


def card_rows(rules: Rules) -> range:
    """Numbers of cards with which a colour can score."""
    return range(1, rules.limit)


# Winners and the others


def winners(rounds: Rounds) -> Iterator[Count]:
    """How often they do what."""
    counts = (
        part(rounds.seats, rounds.pair),
        part(rounds.seats, rounds.opened_icon),
        part(rounds.opened, rounds.color_scores[..., None, :]),
        part(rounds.cards[..., FIRST], rounds.value[..., FIRST] >= HIGH),
        part(rounds.cards[..., LAST], rounds.value[..., LAST] >= HIGH),
        part(rounds.cards, rounds.scores),
        part(rounds.seats, rounds.last_joins),
        part(rounds.seats, rounds.last_busts),
        part(rounds.seats, rounds.last_decides),
    )
    return _apart(rounds, counts)


def winners_values(rounds: Rounds) -> Iterator[Count]:
    """What their cards are worth: all, each turn's, and last cards that score nothing."""
    counts = (
        average(rounds.value, rounds.cards),
        *timing(rounds),
        average(rounds.last_value, ~rounds.last_scores),
    )
    return _apart(rounds, counts)


def _apart(rounds: Rounds, counts: Iterable[Count]) -> Iterator[Count]:
    """The counts of each seat, for winners and for the others."""
    every = [(_by_seat(happened), _by_seat(could)) for happened, could in counts]
    for who in (rounds.won, ~rounds.won):
        yield from ((happened * who, could * who) for happened, could in every)


def _by_seat(counts: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(counts.reshape(*counts.shape[:3], -1).sum(axis=-1))
