"""A game told in sentences: scorings, events and the tally, in any language and edition.

The sentences stand in `data/languages`; here is only which of them fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, singledispatch
from typing import Any

from five211 import events as ev
from five211 import happenings as hap
from five211 import texts
from five211.cards import Color
from five211.characters import called
from five211.editions import Words, words
from five211.record import DEFAULT_EDITION
from five211.scoring import (
    ColorScores,
    ColorsCounted,
    IconsCounted,
    NothingLeft,
    Score,
    Step,
    StruckForLimit,
    StruckForTie,
)
from five211.tally import Standing, Tally
from five211.view import View


def explain(
    score: Score, language: str = texts.DEFAULT_LANGUAGE, edition: str = DEFAULT_EDITION
) -> tuple[str, ...]:
    """A round's scoring as sentences, one a step.

    >>> from five211 import Rules, parse_cards, score_round
    >>> table = [parse_cards("G2 G3 Y1 B2"), parse_cards("G4 O2 Y2 V1")]
    >>> for sentence in explain(score_round(Rules.of(2), table)):
    ...     print(sentence)
    2 Kododos on the table, not exactly 4: the colours decide.
    Cards counted, not their values: 3 green, 2 yellow, 1 orange, 1 blue and 1 violet.
    3 green, the most: green scores.
    """
    return tuple(explain_step(step, words(language, edition)) for step in score.steps)


@singledispatch
def explain_step(step: Step, w: Words) -> str:  # noqa: ARG001
    """One step of a scoring as a sentence."""
    raise TypeError(step)


@explain_step.register
def _(step: IconsCounted, w: Words) -> str:
    key = "steps.icons_exact" if step.exact else "steps.icons_other"
    return texts.say(
        w.language,
        key,
        n=step.found,
        found=step.found,
        needed=step.needed,
        icon=w.icon(1),
        icons=w.icon(step.found),
    )


@explain_step.register
def _(step: ColorsCounted, w: Words) -> str:
    seen = sorted(((color, count) for color, count in step.counts if count), key=lambda c: -c[1])
    return texts.say(w.language, "steps.colors_counted", items=_items(seen, w))


@explain_step.register
def _(step: StruckForLimit, w: Words) -> str:
    return texts.say(
        w.language,
        "steps.struck_for_limit",
        n=len(step.counts),
        items=_items(step.counts, w),
        limit=step.limit,
        colors=tuple(w.the_color(color) for color, _ in step.counts),
    )


@explain_step.register
def _(step: StruckForTie, w: Words) -> str:
    two = len(step.colors) == 2
    colors = tuple(w.the_color(color) for color in step.colors)
    key = "steps.struck_for_tie" if two else "steps.struck_for_tie_many"
    return texts.say(w.language, key, colors=colors, count=step.count)


@explain_step.register
def _(step: ColorScores, w: Words) -> str:
    name, the = w.color(step.color), w.the_color(step.color)
    return texts.say(w.language, "steps.color_scores", count=step.count, name=name, the=the)


@explain_step.register
def _(_step: NothingLeft, w: Words) -> str:
    return texts.say(w.language, "steps.nothing_left")


def explain_takes(score: Score, names: Sequence[str], w: Words) -> tuple[str, ...]:
    """What each player takes, one sentence a player who takes something."""
    takes = tuple(
        texts.say(w.language, "steps.takes", name=name, cards=w.cards(cards), n=points)
        for name, cards, points in zip(names, score.cards, score.points, strict=True)
        if cards
    )
    return takes or (texts.say(w.language, "steps.nobody_takes"),)


def describe_moment(view: View, w: Words) -> str:
    """Which round and turn it is, the draw pile and the limit, as a sentence."""
    rules = view.rules
    return texts.say(
        w.language,
        "play.status",
        round=view.round + 1,
        rounds=rules.rounds,
        turn=view.turn + 1,
        turns=len(rules.plays),
        pile=view.pile,
        limit=rules.limit,
    )


def describe_tally(tally: Tally, w: Words) -> tuple[str, ...]:
    """The tally as sentences: the colours on the table, the most first, then the icons."""
    lines = []
    for color in sorted(tally.colors, key=lambda c: -c.count):
        if color.standing is not Standing.ABSENT:
            said = [texts.fill(w.language, f"tally.{color.standing}")]
            if color.standing is not Standing.BUST:
                said.append(texts.fill(w.language, "tally.to_limit", n=color.to_limit))
            lines.append(
                texts.say(
                    w.language,
                    "tally.line",
                    count=color.count,
                    name=w.color(color.color),
                    words=str(texts.template(w.language, "list.comma")).join(said),
                )
            )
    lines.append(
        texts.say(
            w.language,
            "tally.icons_line",
            icons=w.icon(tally.exact),
            found=tally.icons,
            needed=tally.exact,
            words=texts.fill(w.language, f"tally.{tally.icon_standing}"),
        )
    )
    return tuple(lines)


def tell(
    event: ev.Event,
    names: Sequence[str],
    language: str = texts.DEFAULT_LANGUAGE,
    edition: str = DEFAULT_EDITION,
) -> str:
    """An event as a sentence or a few, to somebody who may see it."""
    return " ".join(tell_lines(event, names, language, edition))


def tell_lines(
    event: ev.Event,
    names: Sequence[str],
    language: str = texts.DEFAULT_LANGUAGE,
    edition: str = DEFAULT_EDITION,
) -> tuple[str, ...]:
    """The same with a line for each step of a scoring."""
    w = words(language, edition)
    if not isinstance(event, ev.RoundScored):
        return (_tell(event, names, w),)
    steps = (explain_step(step, w) for step in event.score.steps)
    return (*steps, *explain_takes(event.score, names, w))


@singledispatch
def _tell(event: ev.Event, names: Sequence[str], w: Words) -> str:
    """Most events are one sentence of their own name, with their fields and the seat's name."""
    fields: dict[str, Any] = {name: getattr(event, name) for name in _field_names(event)}
    if "seat" in fields:
        fields.setdefault("name", names[fields["seat"]])
        fields["seat"] += 1
    if "cards" in fields:
        fields["n"] = len(fields["cards"])
        fields["cards"] = w.cards(fields["cards"])
    return texts.say(w.language, f"events.{snake(event)}", **fields)


def _field_names(event: Any) -> tuple[str, ...]:
    return tuple(event.__dataclass_fields__)


def snake(value: object) -> str:
    """What a step or an event is called in texts and JSON: "struck_for_limit"."""
    return snake_name(type(value).__name__)


@cache
def snake_name(name: str) -> str:
    """A class's name in small letters: "StruckForLimit" is "struck_for_limit"."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


@_tell.register
def _(event: ev.DealStarted, _names: Sequence[str], w: Words) -> str:
    dealt = texts.say(w.language, "events.deal_started", n=event.pile)
    again = texts.say(w.language, "events.deal_again", deal=event.deal + 1)
    return f"{again} {dealt}" if event.deal else dealt


@_tell.register
def _(event: ev.Revealed, names: Sequence[str], w: Words) -> str:
    plays = tuple(
        texts.fill(w.language, "events.play", name=name, cards=w.cards(cards))
        for name, cards in zip(names, event.choices, strict=True)
    )
    return texts.say(
        w.language, "events.revealed", round=event.round + 1, turn=event.turn + 1, plays=plays
    )


@_tell.register
def _(event: ev.DealEnded, names: Sequence[str], w: Words) -> str:
    return texts.say(w.language, "events.deal_ended", totals=totals(names, event.points, w))


@_tell.register
def _(event: ev.GameEnded, names: Sequence[str], w: Words) -> str:
    result = event.result
    key = f"events.won_{'shared' if result.decided_by == 'shared' else f'by_{result.decided_by}'}"
    return texts.say(
        w.language,
        key,
        n=max(result.points),
        names=tuple(names[seat] for seat in result.winners),
        cards=totals(names, result.cards, w),
        totals=totals(names, result.points, w),
    )


@_tell.register
def _(event: hap.SeatTaken, _names: Sequence[str], w: Words) -> str:
    key = "events.seat_taken" if event.bot is None else "events.seat_taken_bot"
    return texts.say(w.language, key, name=event.name, seat=event.seat + 1)


@_tell.register
def _(event: hap.ChoiceKept, _names: Sequence[str], w: Words) -> str:
    if not event.cards:
        return texts.say(w.language, "events.choice_none")
    cards = w.cards(event.cards)
    return texts.say(w.language, "events.choice_kept", cards=cards, n=len(event.cards))


@_tell.register
def _(event: hap.SubstituteCame, names: Sequence[str], w: Words) -> str:
    key = f"events.substitute_{event.why}"
    return texts.say(w.language, key, name=names[event.seat], bot=called(event.bot))


def _items(counts: Iterable[tuple[Color, int]], w: Words) -> tuple[str, ...]:
    return tuple(
        texts.fill(w.language, "steps.item", count=count, name=w.color(color))
        for color, count in counts
    )


def totals(names: Sequence[str], points: Sequence[int], w: Words) -> tuple[str, ...]:
    """Each player's name with a number: points, or cards."""
    return tuple(
        texts.fill(w.language, "events.total", name=name, points=total)
        for name, total in zip(names, points, strict=True)
    )
