"""Who sees what: rule 8."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import fields
from typing import Any

import pytest

from five211 import (
    SPECTATOR,
    GameError,
    Match,
    Rules,
    View,
    cards,
    open_to_reader,
    scoring,
    view,
    visible,
)
from five211 import state as states
from five211.events import DealStarted, Drew, HandDealt
from five211.state import choices
from five211.tally import tally
from tests.tables import deck_for, random_match, replayed

WHITE_LIST = {
    "rules", "viewer", "hand", "pile", "turns", "rounds", "earlier", "dealt", "result",
}  # fmt: skip


def test_a_view_holds_the_white_list_and_nothing_else() -> None:
    assert {field.name for field in fields(View)} == WHITE_LIST
    assert set(View.__slots__) == WHITE_LIST
    assert not hasattr(view(random_match(Rules.of(2), 0, 1), 0), "__dict__")


@pytest.mark.rule("8.1")
def test_everyone_sees_what_lies_face_up() -> None:
    match = random_match(Rules.of(4), 1, 8)
    for viewer in (0, 3, SPECTATOR):
        seen = view(match, viewer)
        assert seen.turns == match.state.turns
        assert len(seen.turns) == 2
        assert seen.rounds == match.state.rounds
        assert len(seen.rounds) == 2
        assert seen.table == match.state.table
        assert seen.pile == len(match.state.pile)
        assert seen.points == match.points
        assert seen.score_piles == match.state.score_piles
        assert seen.tally == tally(match.rules, match.state.table)
        assert (seen.round, seen.turn, seen.plays) == (2, 2, 1)
        assert seen.result is None
        assert seen.dealt


@pytest.mark.rule("8.2")
def test_a_seat_sees_its_own_hand() -> None:
    match = random_match(Rules.of(3), 1, 4)
    for seat in range(3):
        seen = view(match, seat)
        assert seen.seat == seen.viewer == seat
        assert seen.hand == match.state.hands[seat]
        assert seen.choices == choices(match.rules, seen.hand, 1)


def test_a_spectator_sees_no_hand_and_has_no_choice() -> None:
    seen = view(random_match(Rules.of(3), 1, 4), SPECTATOR)
    assert seen.hand == ()
    assert seen.choices == ()
    with pytest.raises(GameError) as caught:
        _ = seen.seat
    assert caught.value.code == "no_seat"


@pytest.mark.parametrize("viewer", [-1, 3, 99, True, False, None, "0", 0.0, (0,)])
def test_nobody_else_sees_anything(viewer: Any) -> None:
    match = random_match(Rules.of(3), 1, 4)
    with pytest.raises(GameError) as caught:
        view(match, viewer)
    assert caught.value.code == "seat"


def test_before_the_deal_there_is_nothing_to_see() -> None:
    seen = view(Match(Rules.of(2)), 1)
    assert (seen.hand, seen.pile, seen.turns, seen.rounds, seen.earlier) == ((), 0, (), (), ())
    assert not seen.dealt
    assert seen.choices == ()
    assert seen.result is None
    assert seen.points == (0, 0)
    assert seen.viewer == 1


def test_the_end_is_seen_by_all() -> None:
    match = random_match(Rules.of(2), 1)
    for viewer in (0, 1, SPECTATOR):
        seen = view(match, viewer)
        assert seen.result == match.result
        assert not seen.dealt
        assert seen.choices == ()
        assert not seen.last_round
    assert view(match, 0).hand == ()


def test_the_longer_game_with_its_earlier_deals() -> None:
    matches = replayed(random_match(Rules.of(2, "long"), 4))
    for match in matches[1:]:
        seen = view(match, 0)
        assert seen.points == match.points
        assert seen.earlier == tuple(deal.rounds for deal in match.deals[:-1])
        assert seen.dealt == (not match.over and not match.awaits_deck)
        assert bool(seen.choices) == seen.dealt
        assert (seen.result is None) == (not match.over)
        assert seen.last_round == (seen.dealt and not match.state.pile)
    assert any(view(match, 0).last_round for match in matches)
    assert len(matches[-1].deals) > 1
    ended_early = matches[-1]
    assert ended_early.state.hands[0]
    assert view(ended_early, 0).choices == (), "the game is over though cards are in hand"


def test_unseen_cards_are_the_deck_without_what_was_seen() -> None:
    match = random_match(Rules.of(3), 1, 5)
    hidden = [*match.state.aside, *match.state.pile, *match.state.hands[0], *match.state.hands[2]]
    assert view(match, 1).unseen == tuple(sorted(hidden))
    everyone = [*hidden, *match.state.hands[1]]
    assert Counter(view(match, SPECTATOR).unseen) == Counter(everyone)


def test_private_events_reach_their_seat_alone() -> None:
    events = (DealStarted(0, 80), HandDealt(0, ()), Drew(1, ()))
    assert visible(events, 0) == events[:2]
    assert visible(events, 1) == (events[0], events[2])
    assert visible(events, SPECTATOR) == events[:1]


@pytest.mark.rule("8.3")
def test_the_record_is_closed_until_the_whole_game_is_over() -> None:
    done = random_match(Rules.of(2, "long"), 4)
    assert len(done.deals) > 1
    for match in replayed(done)[:-1]:
        with pytest.raises(GameError) as caught:
            open_to_reader(match)
        assert caught.value.code == "hidden_until_over"
    assert open_to_reader(done) is done


@pytest.mark.rule("8.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_left_over_is_in_no_view(players: int) -> None:
    match = random_match(Rules.of(players), 9)
    assert all(match.state.left)
    assert not [name for name in WHITE_LIST if getattr(view(match, 0), name) == match.state.left]
    before = Match(match.rules).deal(deck_for(match.rules))
    assert view(before, 0).hand == before.state.hands[0]


@pytest.mark.parametrize(("seat", "said"), [(3, "4"), (-1, "0"), (6, "7"), ("x", "“x”")])
def test_seats_are_counted_from_one_in_sentences(seat: Any, said: str) -> None:
    with pytest.raises(GameError) as caught:
        view(random_match(Rules.of(3), 1, 4), seat)
    assert caught.value.fields == {"seat": said}


def test_before_the_deal_it_is_not_the_last_round() -> None:
    assert not view(Match(Rules.of(2)), 0).last_round


def test_a_view_is_a_value() -> None:
    """`repr` rebuilds it."""
    for viewer in (0, SPECTATOR):
        seen = view(random_match(Rules.of(3), 1, 5), viewer)
        names = {
            **vars(cards),
            **vars(scoring),
            **vars(states),
            **vars(sys.modules["five211.view"]),
        }
        assert eval(repr(seen), names) == seen
