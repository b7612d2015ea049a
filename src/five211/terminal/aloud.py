"""A table in sentences: all that the full screen shows, for those who hear it or read lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from five211 import texts
from five211.cards import Cards
from five211.characters import called
from five211.editions import Words, words
from five211.sentences import describe_moment, describe_tally, totals
from five211.tableview import SeatView, TableView
from five211.view import View


def names(now: TableView) -> list[str]:
    """What the players are called."""
    return [seat.name for seat in now.seats]


def where_it_stands(now: TableView, language: str) -> str:
    """The round, and everybody's points."""
    assert now.view is not None
    return texts.fill(
        language,
        "play.where",
        round=now.view.round + 1,
        rounds=now.rules.rounds,
        totals=totals(names(now), now.view.points, words(language)),
    )


def table(now: TableView, game: View, w: Words, show_points: bool) -> Iterator[str]:
    """The round, the points, everyone's cards, the tally, and one's own hand by numbers."""
    rules = now.rules
    if rules.goal is not None:
        yield _say(w, "play.long", deal=len(game.earlier) + 1, goal=rules.goal)
    yield describe_moment(game, w)
    if show_points:
        yield _say(w, "play.score", totals=totals(names(now), game.points, w))
    if game.turns:
        for name, cards in zip(names(now), game.table, strict=True):
            yield _say(w, "play.seat", name=name, cards=w.cards(tuple(sorted(cards))))
        yield from describe_tally(game.tally, w)
    numbered = (f"{n}={w.card(card)}" for n, card in enumerate(game.hand, start=1))
    yield _say(w, "play.hand", cards="  ".join(numbered))


def others(now: TableView, w: Words, time: float) -> Iterator[str]:
    """Who has chosen, who is away, what lies face down, and how much time is left."""
    if now.choice is not None:
        yield _say(w, "play.choice", cards=w.cards(now.choice))
    for chosen in (True, False):
        found = tuple(seat.name for seat in now.seats if seat.chosen is chosen)
        if found:
            key = "play.chosen" if chosen else "play.choosing"
            yield _say(w, key, n=len(found), names=found)
    for seat in now.seats:
        yield from _absent(seat, w)
        if seat.deadline is not None:
            left = max(0, round(seat.deadline - time))
            yield _say(w, "play.time_left", name=seat.name, n=left)


def _absent(seat: SeatView, w: Words) -> Iterator[str]:
    if seat.substitute is not None:
        bot = called(seat.substitute)
        yield _say(w, "events.substitute_left", name=seat.name, bot=bot)
    elif not seat.present and not seat.bot and not seat.free:
        yield _say(w, "events.went_away", name=seat.name)


def gathered(now: TableView, w: Words) -> Iterator[str]:
    """Who sits here, and how many seats are free."""
    here = tuple(seat.name for seat in now.seats if not seat.free)
    free = len(now.seats) - len(here)
    yield _say(w, "play.gathered", names=here, n=free)


def score_piles(now: TableView, game: View, w: Words) -> Iterator[str]:
    """Each player's points and score pile."""
    for name, points, pile in zip(names(now), game.points, game.score_piles, strict=True):
        cards = w.cards(tuple(sorted(pile)))
        yield _say(w, "play.pile", name=name, points=points, n=len(pile), cards=cards)


def help_lines(now: TableView, w: Words) -> Iterator[str]:
    """The rule that counts, and what to type."""
    rules, icons = now.rules, w.icon(now.rules.exact)
    plays = texts.fill(w.language, "book.then").join(str(count) for count in rules.plays)
    yield _say(w, "play.help", limit=rules.limit, exact=rules.exact, icons=icons, plays=plays)
    yield _say(w, "play.how")
    yield _say(w, "play.keys")


def drawn(before: Cards, played: Cards, hand: Cards) -> Cards:
    """What somebody drew who had these cards, played some and has those now."""
    return tuple(sorted((Counter(hand) - (Counter(before) - Counter(played))).elements()))


def _say(w: Words, key: str, **fields: object) -> str:
    return texts.say(w.language, key, **fields)
