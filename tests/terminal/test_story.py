"""A story told from a view has exactly what happened, at every moment of every game."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from five211 import Match, Rules, Variant
from five211.events import DealStarted, Event, GameEnded, Revealed
from five211.match import happened
from five211.terminal.story import piles, public_events, story
from five211.view import SPECTATOR, Viewer, view, visible
from tests.tables import random_match, replayed

KINDS = list(product((2, 3, 4, 5), Variant))


@pytest.mark.rule("8.1")
@pytest.mark.parametrize(("players", "variant"), KINDS)
@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_a_story_is_what_everyone_saw_happen(
    players: int, variant: Variant, viewer: Viewer
) -> None:
    matches = replayed(random_match(Rules.of(players, variant), players))
    so_far: list[Event] = []
    assert public_events(view(matches[0], viewer)) == ()
    for before, after in pairwise(matches):
        so_far += visible(happened(before, after), SPECTATOR)
        now = view(after, viewer)
        assert public_events(now) == tuple(so_far)
        chapters = story(now)
        told = [event for one in chapters for event in one.events]
        assert [DealStarted(0, now.rules.pile), *told] == so_far
        if chapters:
            assert chapters[-1].points == now.points
            deal = chapters[-1].deal
            now_piles = tuple(len(pile) for pile in after.deals[deal].score_piles)
            assert piles(chapters, players, deal, last=True) == now_piles
    assert isinstance(so_far[-1], GameEnded)


@pytest.mark.parametrize("variant", Variant)
def test_a_chapter_is_a_turn_with_the_table_after_it(variant: Variant) -> None:
    match = random_match(Rules.of(3, variant), 1)
    chapters = story(view(match, 0))
    states = [one.state for one in replayed(match) if one.deals and one.state.turns]
    tables = [one.table for one in chapters if one.score is None]
    assert tables == [state.table for state in states]
    places = [(one.deal, one.round, one.turn) for one in chapters]
    assert places == sorted(set(places))
    for one in chapters:
        assert one.events[0] == Revealed(one.deal, one.round, one.turn, one.choices)
        assert (one.score is not None) is (one.turn == 2)
    before = [sum(one.before) for one in chapters]
    assert before == sorted(before)


def test_score_piles_before_the_last_scoring() -> None:
    match = random_match(Rules.of(4), 3)
    chapters = story(view(match, 0))
    with_it, without = (piles(chapters, 4, 0, last=last) for last in (True, False))
    assert chapters[-1].score is not None
    won = [len(cards) for cards in chapters[-1].score.cards]
    assert [a - b for a, b in zip(with_it, without, strict=True)] == won


def test_before_the_first_deal_there_is_no_story() -> None:
    empty = view(Match(Rules.of(2)), 0)
    assert (story(empty), public_events(empty)) == ((), ())
