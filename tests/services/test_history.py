"""The checker of histories finds what it is for: histories that went wrong, each in its own way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from random import Random
from typing import Any

import pytest

from five211.commands import Choose, Rematch, Sit, Start, TakeBack
from five211.proof import SEED, WORDS, hash_words
from five211.server import codec
from five211.server.entries import Admitted, Bound, Dealt, Hashed, Opened, Reacted, Worded
from five211.server.live import Live
from five211.server.room import Entry, apply
from five211.server.store import Row
from five211.table import Options
from five211.view import view
from tests.services.history import Evidence, History

TABLE = "table"


class Scene:
    """Two people, one game after the other, and whatever they ask."""

    def __init__(self, seed: int = 1) -> None:
        self.rng, self.history, self.at, self.ids = Random(seed), History(), 0.0, 0
        self.live = Live(
            apply(None, Opened(TABLE, "C", "W", "S", 2, "standard", Options()), 0.0)[0]
        )
        self.live.entries.append(codec.entry_bytes(self.live.room.opened, 0.0, None))
        self.rows: list[Row] = []
        for seat, person in enumerate("ab"):
            self.write(Admitted(person, f"token {person}", words=True))
            self.write(Sit(person, f"Player {seat}"))
        self.flush()

    def write(self, entry: Entry, id_: str | None = None) -> None:
        self.at += 1.0
        self.live.do(entry, self.at, id_)

    def flush(self) -> None:
        row = self.live.take(self.at).row
        assert row is not None
        self.rows = [row] if row.anew else [*self.rows, row]

    def ask(self, kind: str, entry: Any, **fields: Any) -> str:
        self.ids += 1
        id_ = f"id-{self.ids}"
        game = self.live.room.table.game + (kind in ("start", "rematch"))
        self.history.begin(id_, TABLE, game, "ab".index(entry.person), kind, fields)
        self.write(entry, id_)
        self.flush()
        self.history.acknowledge(id_)
        return id_

    def choose(self, person: str) -> None:
        table = self.live.room.table
        assert table.moment is not None
        assert table.match is not None
        cards = self.rng.choice(view(table.match, "ab".index(person)).choices)
        moment = asdict(table.moment)
        entry = Choose(person, table.moment, cards)
        self.ask("choose", entry, moment=moment, cards=[card.code for card in cards])

    def take_back(self, person: str) -> None:
        moment = self.live.room.table.moment
        assert moment is not None
        self.ask("take_back", TakeBack(person, moment), moment=asdict(moment))

    def play(self) -> Evidence:
        self.ask("start", Start("a"))
        self.write(Bound(bytes(SEED), ("a", "b")))
        words = [self.rng.randbytes(WORDS) for _ in "ab"]
        for person, one in zip("ab", words, strict=True):
            text = hash_words(one)
            self.ask("hash", Hashed(person, text), hash=text)
        for person, one in zip("ab", words, strict=True):
            self.ask("words", Worded(person, one), words=one.hex())
        self.write(Dealt())
        while self.live.room.table.moment is not None:
            for person in self.rng.sample("ab", 2):
                self.choose(person)
                others = [seat.choice is None for seat in self.live.room.table.seats]
                if any(others) and self.rng.random() < 0.3 and sum(others) == 1:
                    self.take_back(person)
                    self.choose(person)
                if any(others) and self.rng.random() < 0.2:
                    self.ask("react", Reacted(person, "wow"), reaction="wow")
        return self.evidence

    @property
    def evidence(self) -> Evidence:
        record, number = self.live.room.record, self.live.room.table.game
        views = [view(record.match, seat) for seat in (0, 1)]
        operations = self.history.of(TABLE, number)
        return Evidence(operations, self.rows, record, views, number)


def kinds(evidence: Evidence) -> set[str]:
    return {problem.kind for problem in evidence.problems()}


def entries(rows: list[Row]) -> list[list[Any]]:
    return [codec.read_row(row.entries) for row in rows]


def with_entries(evidence: Evidence, changed: list[list[Any]]) -> Evidence:
    """The same with other rows."""
    rows = [
        replace(row, entries=codec.row_bytes([codec.entry_bytes(*one) for one in found]))
        for row, found in zip(evidence.rows, changed, strict=True)
    ]
    return replace(evidence, rows=rows)


def index_of(evidence: Evidence, kind: type[Any], nth: int = 0) -> int:
    """The row that has the nth entry of a kind."""
    found = [
        n for n, row in enumerate(entries(list(evidence.rows))) if isinstance(row[-1][0], kind)
    ]
    return found[nth]


def operation(evidence: Evidence, kind: str, nth: int = 0) -> Any:
    return [one for one in evidence.operations if one.kind == kind][nth]


@pytest.mark.parametrize("seed", range(5))
def test_a_good_history_has_no_problem(seed: int) -> None:
    scene = Scene(seed)
    assert scene.play().problems() == []
    for _ in range(2):
        before = scene.rows
        scene.ask("rematch", Rematch("b"))
        assert scene.rows != before
        assert len(scene.rows) == 1  # the log begins anew
        evidence = scene.play()
        assert evidence.problems() == []
        assert len(evidence.operations) > 20


def lose(evidence: Evidence) -> Evidence:
    """A reaction, which nothing depends on, is not in the log."""
    changed = entries(list(evidence.rows))
    at = index_of(evidence, Reacted)
    changed[at] = changed[at][:-1]
    return with_entries(evidence, changed)


def lose_the_rematch(evidence: Evidence) -> Evidence:
    evidence.operations[0].id = "another"
    return evidence


def double(evidence: Evidence) -> Evidence:
    changed = entries(list(evidence.rows))
    at = index_of(evidence, Reacted)
    changed[at] = [*changed[at], changed[at][-1]]
    return with_entries(evidence, changed)


def reorder(evidence: Evidence) -> Evidence:
    """A reaction stands later than it was answered."""
    changed = entries(list(evidence.rows))
    at = index_of(evidence, Reacted)
    changed[at + 1].append(changed[at].pop())
    return with_entries(evidence, changed)


def reorder_persons(evidence: Evidence) -> Evidence:
    """Somebody was answered before somebody else began, at another process perhaps."""
    changed = entries(list(evidence.rows))
    first, second = index_of(evidence, Hashed, 0), index_of(evidence, Hashed, 1)
    changed[first], changed[second] = (
        [*changed[first][:-1], changed[second][-1]],
        [*changed[second][:-1], changed[first][-1]],
    )
    return with_entries(evidence, changed)


def write_refused(evidence: Evidence) -> Evidence:
    operation(evidence, "choose").outcome = "refused"
    return evidence


def invent(evidence: Evidence) -> Evidence:
    one = operation(evidence, "react")
    return replace(evidence, operations=[o for o in evidence.operations if o is not one])


def alter(evidence: Evidence) -> Evidence:
    """Another reaction than the one that was asked for."""
    operation(evidence, "react").fields = {"reaction": "ouch"}
    return evidence


def alter_person(evidence: Evidence) -> Evidence:
    """Somebody else's."""
    one = operation(evidence, "react")
    one.seat = 1 - one.seat
    return evidence


def leave_a_gap(evidence: Evidence) -> Evidence:
    return replace(evidence, rows=[*evidence.rows[:5], *evidence.rows[6:]])


def lose_the_beginning(evidence: Evidence) -> Evidence:
    return replace(evidence, rows=evidence.rows[1:])


def write_twice(evidence: Evidence) -> Evidence:
    """Two processes wrote the same version."""
    return replace(evidence, rows=[*evidence.rows[:5], *evidence.rows[4:]])


def contradict(evidence: Evidence) -> Evidence:
    """A second choice of a turn that is over is accepted, too."""
    changed = entries(list(evidence.rows))
    first = index_of(evidence, Choose)
    moment = changed[first][-1][0].moment
    last = max(
        n for n, row in enumerate(changed) for one in row if getattr(one[0], "moment", 0) == moment
    )
    changed[last].append((changed[first][-1][0], changed[last][-1][1], None))
    return with_entries(evidence, changed)


def forget(evidence: Evidence) -> Evidence:
    """What was acknowledged is not what the record says."""
    for one in [one for one in evidence.operations if one.kind == "choose"][-2:]:
        one.fields = {**one.fields, "cards": ["X"]}
    return evidence


def record_another(evidence: Evidence) -> Evidence:
    return replace(evidence, record=Scene(99).play().record)


def stop_early(evidence: Evidence) -> Evidence:
    match = evidence.record.match
    deals = (*match.deals[:-1], replace(match.deals[-1], rounds=match.deals[-1].rounds[:-1]))
    record = replace(evidence.record, match=replace(match, deals=deals))
    return replace(evidence, record=record)


def see_another(evidence: Evidence) -> Evidence:
    another = view(Scene(98).play().record.match, 0)
    return replace(evidence, views=[another, *evidence.views[1:]])


FAULTS: list[tuple[Callable[[Evidence], Evidence], str]] = [
    (lose, "lost"),
    (lose_the_rematch, "lost"),
    (double, "doubled"),
    (reorder, "reordered"),
    (reorder_persons, "reordered"),
    (write_refused, "refused"),
    (invent, "invented"),
    (alter, "altered"),
    (alter_person, "altered"),
    (leave_a_gap, "gap"),
    (lose_the_beginning, "gap"),
    (write_twice, "gap"),
    (contradict, "broken"),
    (forget, "forgotten"),
    (record_another, "broken"),
    (stop_early, "broken"),
    (see_another, "unseen"),
]


@pytest.mark.parametrize(("spoil", "kind"), FAULTS, ids=lambda one: getattr(one, "__name__", one))
def test_what_went_wrong_is_found(spoil: Callable[[Evidence], Evidence], kind: str) -> None:
    scene = Scene(3)
    scene.play()
    scene.ask("rematch", Rematch("a"))
    found = kinds(spoil(scene.play()))
    assert kind in found, found


def contradicting(how: Callable[[list[list[Any]]], None]) -> set[str]:
    """What the walk through the log alone says, without the game's own rules."""
    evidence = Scene(4).play()
    assert list(evidence._whole()) == []
    changed = [[list(one) for one in row] for row in entries(list(evidence.rows))]
    how(changed)
    evidence._written = [(entry, id_) for row in changed for entry, _, id_ in row]
    return {problem.kind for problem in evidence._consistent()}


def test_choices_that_contradict_each_other_are_found() -> None:
    def choices(changed: list[list[Any]]) -> list[tuple[int, Any]]:
        return [(n, row[-1]) for n, row in enumerate(changed) if isinstance(row[-1][0], Choose)]

    def another(changed: list[list[Any]]) -> None:  # the last of a turn is not the record's
        one = choices(changed)[-1][1]
        one[0] = replace(one[0], cards=choices(changed)[0][1][0].cards)

    def too_late(changed: list[list[Any]]) -> None:  # accepted when the turn was over
        changed[-1].append(choices(changed)[0][1])

    def missing(changed: list[list[Any]]) -> None:
        changed[choices(changed)[-1][0]].pop()

    def nothing(changed: list[list[Any]]) -> None:
        assert changed

    assert contradicting(nothing) == set()
    for how in (another, too_late, missing):
        assert contradicting(how) == {"contradiction"}, how


def test_what_nobody_knows_of_may_be_written_once_or_not_at_all() -> None:
    for written in (True, False):
        evidence = Scene(3).play()
        one = operation(evidence, "react")
        one.outcome, one.answered = "unknown", float("inf")
        assert kinds(evidence if written else lose(evidence)) == set()
        assert "doubled" in kinds(double(evidence))
