"""The leak test: permute all that a viewer may not know, and nothing that it gets changes.

Two worlds have the same past as far as a viewer saw it. Everything hidden from the viewer (other
hands, the pile's order, the cards put aside, what was left over, face-down choices) differs.
The viewer's views, events and legal choices are the same to the byte in both, at every step.
"""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import (
    SPECTATOR,
    GameError,
    Match,
    Options,
    Rules,
    Table,
    Viewer,
    apply,
    happened,
    stream,
    table_view,
    view,
    visible,
)
from five211.commands import Choose, Command, Deal, Sit, Start, TakeBack
from tests.conftest import SOAK
from tests.tables import choices_of, other_worlds, random_choices, random_match, replayed


@st.composite
def positions(draw: st.DrawFn) -> tuple[Match, Viewer, Random]:
    """A random position of a random game, and somebody who looks at it."""
    players = draw(st.integers(2, 5))
    rules = Rules.of(players, draw(st.sampled_from(["standard", "long"])))
    turns = draw(st.integers(0, 3 * rules.rounds * (2 if rules.goal else 1)))
    seed = draw(st.integers(0, 2**32))
    match = random_match(rules, seed, turns)
    viewer = draw(st.sampled_from([SPECTATOR, *range(players)]))
    return match, viewer, stream(seed, "other world")


def seen_by(matches: list[Match], viewer: Viewer) -> bytes:
    """Every byte that a viewer gets in a game."""
    views = [view(match, viewer) for match in matches]
    steps = itertools.pairwise(matches)
    events = [visible(happened(before, after), viewer) for before, after in steps]
    derived = [(v.choices, v.unseen, v.tally, v.points, v.score_piles, v.table) for v in views]
    return repr((views, events, derived)).encode()


@pytest.mark.rule("8.1")
@pytest.mark.rule("8.2")
@pytest.mark.rule("8.3")
@given(positions())
def test_a_view_tells_nothing_of_what_is_hidden(position: tuple[Match, Viewer, Random]) -> None:
    match, viewer, rng = position
    mine = replayed(match)
    for _ in range(3):
        theirs = replayed(match, other_worlds(match, viewer, rng))
        assert seen_by(theirs, viewer) == seen_by(mine, viewer)


def test_the_other_worlds_are_other_worlds() -> None:
    """The test above could not fail if nothing hidden changed."""
    for players in (2, 3, 4, 5):
        match = random_match(Rules.of(players), 1, 5)
        rng = stream(1, "worlds")
        for viewer in (SPECTATOR, 0, players - 1):
            world = replayed(match, other_worlds(match, viewer, rng))[-1]
            others = [seat for seat in range(players) if seat != viewer]
            assert world.state.pile != match.state.pile
            assert not match.rules.aside or world.state.aside != match.state.aside
            assert any(world.state.hands[s] != match.state.hands[s] for s in others)
            assert seen_by([world], others[0]) != seen_by([match], others[0])


def sit_down(rules: Rules, options: Options) -> Table:
    table = Table.new(rules, options)
    for seat in range(rules.players):
        table, _ = apply(table, Sit(f"person {seat}", f"Player {seat}"), 0.0)
    return apply(table, Start("person 0"), 0.0)[0]


def seen_at_table(table: Table, command: Command, now: float, viewer: Viewer) -> tuple[Table, str]:
    """A command, and every byte that a viewer gets of it."""
    try:
        table, events = apply(table, command, now)
    except GameError as error:
        said = repr(error) if getattr(command, "person", None) == f"person {viewer}" else ""
        return table, said + repr(table_view(table, viewer))
    return table, repr((visible(events, viewer), table_view(table, viewer)))


@pytest.mark.rule("3.3")
@pytest.mark.rule("8.2")
@given(positions(), st.booleans())
def test_a_table_tells_nothing_of_what_lies_face_down(
    position: tuple[Match, Viewer, Random], show_chosen: bool
) -> None:
    match, viewer, rng = position
    decks = [state.deck for state in match.deals]
    told = []
    for world in (decks, other_worlds(match, viewer, rng)):
        table = sit_down(match.rules, Options(show_chosen=show_chosen))
        bytes_seen: list[str] = []

        def do(command: Command, now: float = 0.0) -> None:
            nonlocal table
            table, seen = seen_at_table(table, command, now, viewer)
            bytes_seen.append(seen)  # noqa: B023

        for state, deck in zip(match.deals, world, strict=True):
            do(Deal(deck))
            for turn in choices_of(state):
                for seat, cards in enumerate(turn):
                    assert table.moment is not None
                    do(Choose(f"person {seat}", table.moment, cards))
        if table.moment is not None:
            assert table.match is not None
            others = [seat for seat in range(match.rules.players) if seat != viewer]
            choosers = others[:-1] if viewer is SPECTATOR else others  # somebody is still awaited
            for _ in range(2):  # each world chooses by its own chance, and changes its mind
                cards_now = random_choices(table.match, rng)
                for seat in choosers:
                    do(Choose(f"person {seat}", table.moment, cards_now[seat]))
            do(TakeBack(f"person {choosers[-1]}", table.moment))
            do(TakeBack(f"person {viewer}", table.moment))
        told.append("\n".join(bytes_seen))
    assert told[0] == told[1]


def test_the_soak_profile_is_the_long_one() -> None:
    from hypothesis import settings

    assert (settings().max_examples >= 1000) == SOAK
