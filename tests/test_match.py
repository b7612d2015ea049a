"""The whole game: rules 5.2 and 6."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from five211 import GameError, Match, Result, Rules, happened
from five211.events import (
    DealEnded,
    DealStarted,
    Drew,
    GameEnded,
    HandDealt,
    LastRound,
    Revealed,
    RoundScored,
)
from five211.scoring import NothingLeft, Outcome, Score
from five211.state import Round, State
from tests.tables import choices_of, deck_for, random_match, replayed

COUNTS = (2, 3, 4, 5)
LONG = Rules.of(2, "long")


def with_points(rules: Rules, *rounds: tuple[int, ...], finished: bool = False) -> State:
    """A deal in which these points were scored, round by round; one card a point-scoring seat."""
    card = rules.deck[0]
    scores = [
        Score(
            (NothingLeft(),),
            Outcome.NONE,
            None,
            tuple((card,) * (points > 0) for points in scored),
            scored,
        )
        for scored in rounds
    ]
    if finished:
        empty = Score(
            (NothingLeft(),), Outcome.NONE, None, ((),) * rules.players, (0,) * rules.players
        )
        scores += [empty] * (rules.rounds - len(scores))
    state = random_match(rules, 0, 1).state
    return replace(state, rounds=tuple(Round((), score) for score in scores), turns=())


def test_before_the_deal() -> None:
    match = Match(Rules.of(4))
    assert match.awaits_deck
    assert not match.over
    assert match.result is None
    assert match.points == (0, 0, 0, 0)
    with pytest.raises(GameError) as caught:
        _ = match.state
    assert caught.value.code == "not_dealt"
    with pytest.raises(GameError) as caught:
        match.play([])
    assert caught.value.code == "not_dealt"


def test_a_deal_in_mid_game_is_refused() -> None:
    match = random_match(Rules.of(4), 0, 2)
    assert not match.awaits_deck
    with pytest.raises(GameError) as caught:
        match.deal(deck_for(match.rules))
    assert caught.value.code == "deal_not_over"


@pytest.mark.parametrize("players", COUNTS)
def test_the_standard_game_is_one_deal(players: int) -> None:
    match = random_match(Rules.of(players), 5)
    assert match.over
    assert not match.awaits_deck
    assert len(match.deals) == 1
    assert match.points == match.state.deal_points
    with pytest.raises(GameError) as caught:
        match.deal(deck_for(match.rules))
    assert caught.value.code == "game_over"
    with pytest.raises(GameError) as caught:
        match.play([])
    assert caught.value.code == "game_over"


@pytest.mark.rule("5.2")
def test_most_points_win_then_most_cards_then_shared() -> None:
    rules = Rules.of(3)

    def result(*rounds: tuple[int, ...]) -> Result:
        found = Match(rules, (with_points(rules, *rounds, finished=True),)).result
        assert found is not None
        return found

    by_points = result((3, 5, 4), (0, 0, 0))
    assert by_points == Result((3, 5, 4), (1, 1, 1), (1,))
    assert by_points.decided_by == "points"
    by_cards = result((6, 3, 0), (0, 3, 1))
    assert by_cards == Result((6, 6, 1), (1, 2, 1), (1,))
    assert by_cards.decided_by == "cards"
    shared = result((6, 3, 6), (0, 1, 0))
    assert shared == Result((6, 4, 6), (1, 2, 1), (0, 2))
    assert shared.decided_by == "shared"
    fewer_points = result((5, 6, 0), (1, 1, 0))
    assert fewer_points.winners == (1,), "cards count only among those level on points"


@pytest.mark.rule("6.1")
@pytest.mark.rule("7.2")
def test_the_first_deal_is_played_to_its_end_even_past_the_goal() -> None:
    early = Match(LONG, (with_points(LONG, (60, 0)),))
    assert not early.over
    assert not early.awaits_deck
    done = Match(LONG, (with_points(LONG, (50, 0), finished=True),))
    assert done.over
    assert not done.awaits_deck


@pytest.mark.rule("6.2")
def test_below_the_goal_another_deck_is_awaited() -> None:
    match = Match(LONG, (with_points(LONG, (49, 49), finished=True),))
    assert not match.over
    assert match.awaits_deck
    with pytest.raises(GameError) as caught:
        match.play([])
    assert caught.value.code == "not_dealt"
    again = match.deal(deck_for(LONG))
    assert not again.over
    assert again.points == (49, 49)
    assert len(again.state.pile) == 80


@pytest.mark.rule("6.3")
def test_from_the_second_deal_on_the_game_ends_after_any_round() -> None:
    first = with_points(LONG, (49, 20), finished=True)
    reached = Match(LONG, (first, with_points(LONG, (1, 3))))
    assert reached.over
    assert not reached.state.deal_over
    assert reached.points == (50, 23)
    not_yet = Match(LONG, (first, with_points(LONG, (0, 29))))
    assert not not_yet.over
    in_mid_round = Match(LONG, (first, replace(reached.state, turns=(((), ()),))))
    assert not in_mid_round.over, "only at the end of a round"


@pytest.mark.rule("6.4")
@pytest.mark.rule("7.3")
def test_the_last_deals_score_pile_breaks_a_tie() -> None:
    first = with_points(LONG, (20, 10), (20, 10), (5, 0), finished=True)  # 3 cards against 2
    second = with_points(LONG, (5, 10), (0, 20))  # 1 card against 2
    match = Match(LONG, (first, second))
    assert match.result == Result((50, 50), (1, 2), (1,))


@pytest.mark.parametrize("players", COUNTS)
def test_the_longer_game_comes_to_an_end(players: int) -> None:
    match = random_match(Rules.of(players, "long"), 2)
    assert match.result is not None
    assert max(match.points) >= 50
    assert all(deal.deal_over for deal in match.deals[:-1])
    for deals in range(1, len(match.deals)):
        assert max(Match(match.rules, match.deals[:deals]).points) < 50


def kinds(match: Match) -> list[list[str]]:
    matches = replayed(match)
    return [
        [type(event).__name__ for event in happened(before, after)]
        for before, after in pairwise(matches)
    ]


def test_what_happens_in_a_game() -> None:
    told = kinds(random_match(Rules.of(3), 1))
    turn = ["Revealed", "Drew", "Drew", "Drew"]
    assert told[0] == ["DealStarted", "HandDealt", "HandDealt", "HandDealt"]
    assert told[1:4] == [turn, turn, [*turn, "RoundScored"]]
    assert told[-4] == [*turn, "RoundScored", "LastRound"]
    assert told[-3:] == [["Revealed"], ["Revealed"], ["Revealed", "RoundScored", "GameEnded"]]


def test_what_happens_between_the_deals_of_the_longer_game() -> None:
    match = random_match(Rules.of(5, "long"), 2)
    told = kinds(match)
    assert len(match.deals) > 2
    ends = [step for step in told if "DealEnded" in step]
    assert ends == [["Revealed", "RoundScored", "DealEnded"]] * (len(match.deals) - 1)
    assert told[-1][-1] == "GameEnded"
    assert sum("GameEnded" in step for step in told) == 1


def test_events_hold_what_happened() -> None:
    rules = Rules.of(2)
    empty = Match(rules)
    match = empty.deal(deck_for(rules))
    assert happened(empty, match) == (
        DealStarted(0, 80),
        HandDealt(0, match.state.hands[0]),
        HandDealt(1, match.state.hands[1]),
    )
    for number, count in enumerate((2, 1, 1)):
        before, pile = match, match.state.pile
        match = match.play([hand[:count] for hand in match.state.hands])
        revealed, *drew = happened(before, match)[:3]
        choices = tuple(hand[:count] for hand in before.state.hands)
        assert revealed == Revealed(0, 0, number, choices)
        assert drew == [
            Drew(0, tuple(sorted(pile[:count]))),
            Drew(1, tuple(sorted(pile[count : 2 * count]))),
        ]
    assert happened(before, match)[3:] == (RoundScored(0, 0, match.state.rounds[0].score),)


def test_the_events_of_an_ending() -> None:
    match = random_match(Rules.of(2, "long"), 4)
    matches = replayed(match)
    steps = list(pairwise(matches))
    ended = [e for step in steps for e in happened(*step) if isinstance(e, DealEnded)]
    first = Match(match.rules, match.deals[:1])
    assert ended[0] == DealEnded(0, first.points)
    last = [e for step in steps for e in happened(*step) if isinstance(e, LastRound)]
    assert last[0] == LastRound(0, 10)
    assert match.result is not None
    assert happened(*steps[-1])[-1] == GameEnded(match.result)
    started = [e for step in steps for e in happened(*step) if isinstance(e, DealStarted)]
    assert [event.deal for event in started] == list(range(len(match.deals)))
    second = [
        e for step in steps for e in happened(*step) if isinstance(e, Revealed) and e.deal == 1
    ]
    assert [e.choices for e in second] == choices_of(match.deals[1])
    assert (second[3].round, second[3].turn) == (1, 0)
    scored = [e for step in steps for e in happened(*step) if isinstance(e, RoundScored)]
    rounds = [round_ for deal in match.deals for round_ in deal.rounds]
    assert [e.score for e in scored] == [round_.score for round_ in rounds]
    assert len({e.score for e in scored}) > 5
    assert [(e.deal, e.round) for e in scored[:12]] == [(0, n) for n in range(11)] + [(1, 0)]


def test_events_name_their_deal_also_in_a_game_of_many() -> None:
    match = random_match(Rules.of(5, "long"), 2)
    assert len(match.deals) > 2
    events = [event for step in pairwise(replayed(match)) for event in happened(*step)]
    started = [event.deal for event in events if isinstance(event, DealStarted)]
    scored = [event.deal for event in events if isinstance(event, RoundScored)]
    assert started == list(range(len(match.deals)))
    assert scored == [number for number, deal in enumerate(match.deals) for _ in deal.rounds]


def test_audiences() -> None:
    assert DealStarted(0, 80).audience is None
    assert HandDealt(1, ()).audience == 1
    assert Drew(0, ()).audience == 0
