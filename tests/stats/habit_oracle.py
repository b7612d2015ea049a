"""The habits counted a second time, card by card, in plain Python from whole matches: an oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from five211 import Match, Outcome, Rules
from five211.cards import Card, Cards, Color
from five211.scoring import ColorScores, count_colors, count_icons, judge
from five211.state import Round, lay

Key = tuple[str, str, str | int]
"""A chapter, a line and a row."""
Said = tuple[Key, int, int]
"""What happened, and what could have, here."""


def counted(match: Match) -> dict[Key, tuple[int, int]]:
    """All counts of one game."""
    happened: Counter[Key] = Counter()
    could: Counter[Key] = Counter()
    for number, played in enumerate(match.state.rounds):
        for key, a, b in _round(match, number, played):
            happened[key] += a
            could[key] += b
    return {key: (happened[key], could[key]) for key in could}


def _round(match: Match, number: int, played: Round) -> Iterator[Said]:
    rules = match.rules
    table = lay(rules, played.turns)  # in the order in which they were played
    yield from _cards(rules, number, played, table)
    yield from _table(rules, played, table)
    assert match.result is not None
    for seat, mine in enumerate(table):
        who = "winners" if seat in match.result.winners else "others"
        yield from _opening(played, seat, mine, who)
        yield from _last(rules, played, seat, table, who)
    busters = [_busts(rules, played, seat, table) for seat in range(rules.players)]
    for seat, points in enumerate(played.score.points):
        if any(busters):
            row = "pushed" if busters[seat] else "did_not"
            yield ("bust_points", "all", row), points, 1


def _scores(played: Round, card: Card) -> bool:
    if played.score.outcome is Outcome.ICONS:
        return card.is_icon
    return card.color is played.score.color


TURN = ("first", "first", "second", "third")


def _cards(rules: Rules, number: int, played: Round, table: Sequence[Cards]) -> Iterator[Said]:
    third = ("begin", "middle", "end")[3 * number // rules.rounds]
    names = {4: "four", 5: "five", 6: "six"}
    for cards in table:
        for place, card in enumerate(cards):
            for value in range(1, 7):
                yield ("values", TURN[place], value), card.value == value, 1
            yield ("timing", "all", TURN[place]), card.value, 1
            for value, name in names.items():
                yield ("high_thirds", name, third), card.value == value, 1
            for name in ("any", *([names[card.value]] if card.value in names else [])):
                for turn in ("first", "second", "third"):
                    yield ("high_turns", name, turn), TURN[place] == turn, 1
            for name in ("any", *(["high"] if card.value in (5, 6) else [])):
                yield ("high_scores", name, TURN[place]), _scores(played, card), 1


def _table(rules: Rules, played: Round, table: Sequence[Cards]) -> Iterator[Said]:
    score = played.score
    for outcome in ("color", "kododo", "none"):
        yield ("decided", "all", outcome), score.outcome == outcome, 1
    if score.outcome is not Outcome.NONE:
        yield ("round_points", "all", str(score.outcome)), sum(score.points), 1
    for line, cards in (("first", 2), ("second", 3)):
        found = count_icons([mine[:cards] for mine in table])
        if found <= rules.exact:
            yield ("exact_after", line, found), score.outcome is Outcome.ICONS, 1
    colors = count_colors(table)
    most = max(colors)
    fate = "by_icons" if score.outcome is Outcome.ICONS else "over" if most >= rules.limit else ""
    fate = fate or ("tied" if colors.count(most) > 1 else "alone")
    for row in ("alone", "over", "tied", "by_icons"):
        yield ("biggest", "all", row), fate == row, 1
    if score.color is not None:
        for n in range(1, rules.limit):
            yield ("scoring_cards", "all", n), colors[score.color] == n, 1


def _opening(played: Round, seat: int, mine: Cards, who: str) -> Iterator[Said]:
    one, other = mine[:2]
    pair, icon = one.color is other.color, one.is_icon or other.is_icon
    kind = ("pair" if pair else "mixed") + ("_icon" if icon else "")
    for row in ("pair", "pair_icon", "mixed", "mixed_icon"):
        yield ("opening", "all", row), kind == row, 1
    yield ("opening_points", "all", kind), played.score.points[seat], 1
    for color in Color:
        opened = color in (one.color, other.color)
        row = ("opened_twice" if pair else "opened_once") if opened else "not_opened"
        yield ("opening_scores", "all", row), color is played.score.color, 1
        if opened:
            yield ("winners", who, "opened_scores"), color is played.score.color, 1
    yield ("winners", who, "opens_pair"), pair, 1
    yield ("winners", who, "opens_icon"), icon, 1
    for card in (one, other):
        yield ("winners", who, "high_first"), card.value >= 4, 1
    for place, card in enumerate(mine):
        yield ("winners", who, "card_scores"), _scores(played, card), 1
        yield ("winners_values", who, "any_card"), card.value, 1
        yield ("winners_values", who, TURN[place]), card.value, 1


def _busts(rules: Rules, played: Round, seat: int, table: Sequence[Cards]) -> bool:
    before, after = count_colors([mine[:3] for mine in table]), count_colors(table)
    color = table[seat][3].color
    matters = played.score.outcome is not Outcome.ICONS
    return matters and before[color] < rules.limit <= after[color]


def _leads(rules: Rules, colors: Sequence[int]) -> int:
    """How many colours below the limit have the most cards."""
    left = [n for n in colors if 0 < n < rules.limit]
    return left.count(max(left)) if left else 0


def _last(
    rules: Rules, played: Round, seat: int, table: Sequence[Cards], who: str
) -> Iterator[Said]:
    card, outcome = table[seat][3], played.score.outcome
    without = [mine[:3] if place == seat else mine for place, mine in enumerate(table)]
    steps = [judge(rules, count_icons(one), count_colors(one)) for one in (table, without)]
    decides = _decision(steps[0]) != _decision(steps[1])
    ties, unties = False, False
    if outcome is not Outcome.ICONS:
        with_it, without_it = (_leads(rules, count_colors(one)) for one in (table, without))
        ties, unties = with_it > 1 >= without_it, without_it > 1 >= with_it
    scores, busts = _scores(played, card), _busts(rules, played, seat, table)
    joins = card.color is played.score.color
    for row, true in (
        ("joins", joins),
        ("nothing", not scores),
        ("icon", card.is_icon),
        ("busts", busts),
        ("ties", ties),
        ("unties", unties),
        ("decides", decides),
    ):
        yield ("last", "all", row), true, 1
    yield ("winners", who, "win_joins"), joins, 1
    yield ("winners", who, "win_busts"), busts, 1
    yield ("winners", who, "win_decides"), decides, 1
    yield ("winners", who, "high_last"), card.value >= 4, 1
    yield ("last_value", "all", "last_scores" if scores else "last_nothing"), card.value, 1
    if not scores:
        yield ("winners_values", who, "idle"), card.value, 1
    if busts:
        yield ("last_value", "all", "last_busts"), card.value, 1
        held = [sum(c.value for c in mine[:3] if c.color is card.color) for mine in table]
        fate = "had_most" if held[seat] == max(held) else "had_less"
        fate = fate if held[seat] else "had_none"
        for row in ("had_none", "had_less", "had_most"):
            yield ("buster", "all", row), fate == row, 1


def _decision(steps: Sequence[object]) -> object:
    """What scores: a colour, the icons or nothing."""
    last = steps[-1]
    return last.color if isinstance(last, ColorScores) else type(last)
