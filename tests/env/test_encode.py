"""Views as numbers and choices as actions: complete, exact, and nothing of what is hidden."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from five211 import MINI, SPECTATOR, Card, GameError, Match, Rules, View, Viewer, view
from five211.cards import Color
from five211.env import encode
from five211.env.encode import (
    HISTORY,
    OBSERVATION,
    action_mask,
    action_of,
    choice_of,
    fields,
    highest,
    information_state,
    layout,
    legal_actions,
    observation,
    size,
)
from five211.fast.packed import CARDS
from five211.fast.seen import seen
from tests.tables import other_worlds, random_match, replayed
from tests.test_leaks import positions

GAMES = [Rules.of(n, variant) for n in (2, 3, 4, 5) for variant in ("standard", "long")]


def called(rules: Rules) -> str:
    return "mini" if rules is MINI else f"{rules.players}-{rules.variant}"


def views_of(rules: Rules, seed: int = 1) -> list[View]:
    """What every seat sees at every moment of a game."""
    matches = [m for m in replayed(random_match(rules, seed)) if m.deals]
    return [view(match, seat) for match in matches for seat in range(rules.players)]


@pytest.mark.parametrize("rules", [*GAMES, MINI], ids=called)
def test_an_observation_says_what_the_view_says(rules: Rules) -> None:
    for own in views_of(rules):
        numbers = observation(own)
        assert numbers.dtype == np.uint8
        assert numbers.shape == (size(rules),)
        assert np.all(numbers <= highest(rules))
        told = {name: found.tolist() for name, found in fields(rules, numbers).items()}
        n = rules.players
        around = [(own.seat + step) % n for step in range(n)]
        values = range(1, len(rules.copies) + 1)
        kinds = [Card(f"{c.name}{v}") for c in sorted(rules.colors) for v in values]
        table = [own.table[seat] for seat in around]
        assert told["hand"] == [own.hand.count(card) for card in kinds]
        held = [kinds.index(card) + 1 for card in own.hand]
        assert told["places"] == held + [0] * (rules.hand - len(held))
        assert told["laid"] == [[sum(c.color == k for c in t) for k in rules.colors] for t in table]
        assert told["worth"] == [
            [sum(c.value for c in t if c.color == k) for k in rules.colors] for t in table
        ]
        assert told["icons"] == [sum(c.is_icon for c in cards) for cards in table]
        assert told["tally"] == [color.count for color in own.tally.colors]
        assert told["tally_icons"] == own.tally.icons
        assert told["points"] == [own.points[seat] for seat in around]
        assert told["scored"] == [len(own.score_piles[seat]) for seat in around]
        assert told["unseen"] == [own.unseen.count(card) for card in kinds]
        assert (told["pile"], told["round"]) == (own.pile, own.round)
        assert told["turn"] == own.turn
        assert told["plays"] == (own.plays if own.dealt else 0)
        assert (told["last_round"], told["deal"]) == (own.last_round, len(own.earlier))


@pytest.mark.parametrize("rules", GAMES[::2], ids=called)
def test_kinds_are_the_compiled_engines(rules: Rules) -> None:
    own = views_of(rules)[0]
    told = fields(rules, observation(own))
    assert [CARDS[place - 1] for place in told["places"]] == list(own.hand)
    np.testing.assert_array_equal(told["unseen"], seen(own)["unseen"])


@pytest.mark.parametrize("rules", [*GAMES, MINI], ids=called)
def test_an_information_state_tells_every_card_in_order(rules: Rules) -> None:
    for own in views_of(rules)[:: rules.players + 1]:
        numbers = information_state(own, deals=np.int64(3))  # type: ignore[arg-type]
        told = fields(rules, numbers, deals=3)
        np.testing.assert_array_equal(numbers[: size(rules)], observation(own))
        assert numbers.shape == (size(rules, 3),)
        assert np.all(numbers <= highest(rules, 3))
        deals = [[t for r in d for t in r.turns] for d in (*own.earlier, own.rounds)]
        deals[-1] += own.turns
        kinds = {kind: number for number, kind in enumerate(dict.fromkeys(rules.deck), start=1)}
        for played, found in zip(deals[-3:], told["history"], strict=False):
            lines = found.reshape(-1, rules.players)
            wanted = [
                [kinds[turn[(own.seat + step) % rules.players][place]] for step in range(len(turn))]
                for turn in played
                for place in range(len(turn[0]))
            ]
            assert lines[: len(wanted)].tolist() == wanted
            assert not lines[len(wanted) :].any()
        assert not told["history"][len(deals) :].any()


@pytest.mark.parametrize("deals", [0, -1, True, 1.0, None])
def test_a_story_has_a_deal_or_more(deals: Any) -> None:
    with pytest.raises(GameError, match="1 deal or more"):
        information_state(first(), deals)


def test_what_came_long_ago_falls_off_the_front() -> None:
    rules = Rules.of(2, "long")
    own = views_of(rules)[-1]
    assert own.earlier
    one, two = (fields(rules, information_state(own, n), n)["history"] for n in (1, 2))
    np.testing.assert_array_equal(one[0], two[1])


@pytest.mark.parametrize("rules", [*GAMES, MINI], ids=called)
def test_every_different_choice_is_one_action(rules: Rules) -> None:
    for own in views_of(rules):
        mask = action_mask(own)
        assert mask.dtype == np.int8
        assert mask.shape == (15,)
        assert legal_actions(own) == np.flatnonzero(mask).tolist()
        assert tuple(choice_of(own, action) for action in legal_actions(own)) == own.choices
        assert [action_of(own, cards) for cards in own.choices] == legal_actions(own)


@pytest.mark.parametrize("rules", GAMES[::2], ids=called)
def test_choices_that_look_alike_are_all_played(rules: Rules) -> None:
    for own in (one for one in views_of(rules) if one.dealt):
        playable = []
        for action in range(15):
            try:
                playable.append(choice_of(own, np.int64(action)))
            except GameError:
                continue
        assert sorted(playable) == sorted(combinations(own.hand, own.plays))


def first(players: int = 2) -> View:
    return views_of(Rules.of(players))[0]


@pytest.mark.parametrize("action", [0, 4, 15, -1, 10**12, 5.0, "5", None, (5,), True, np.True_])
def test_an_action_that_is_none_is_refused_in_a_sentence(action: Any) -> None:
    with pytest.raises(GameError) as error:
        choice_of(first(), action)
    assert error.value.code == "action"
    assert "its mask has 5" in str(error.value)
    assert "n’est pas à seat_0" in error.value.say("fr")


def test_cards_that_cannot_be_played_have_no_action() -> None:
    own = first()
    for cards in ((), own.hand[:1], own.hand[:3], (Card("Y9"), own.hand[0]), "Y1"):
        with pytest.raises(GameError):
            action_of(own, cards)  # type: ignore[arg-type]


def test_when_there_is_nothing_to_choose_there_are_no_actions() -> None:
    over = views_of(Rules.of(2))[-1]
    not_dealt = view(Match(Rules.of(2)), 0)
    for own in (over, not_dealt):
        assert not action_mask(own).any()
        for refused in (lambda: choice_of(own, 5), lambda: action_of(own, over.hand)):  # noqa: B023
            with pytest.raises(GameError) as error:
                refused()
            assert error.value.code == "nothing_to_choose"
    assert observation(not_dealt).any()


def test_a_spectator_has_nothing_to_observe() -> None:
    with pytest.raises(GameError, match="no seat"):
        observation(view(random_match(Rules.of(2), 1, 3), SPECTATOR))


def test_games_with_larger_hands_have_no_actions() -> None:
    large = Rules(2, tuple(Color), (4, 4), hand=6, plays=(2, 1), aside=4, exact=4, limit=5)
    three = Rules(2, tuple(Color), (4, 4), hand=5, plays=(3, 1), aside=6, exact=4, limit=5)
    for rules in (large, three):
        own = view(random_match(rules, 1, 1), 0)
        for refused in (observation, action_mask):
            with pytest.raises(GameError, match="at most 5 cards"):
                refused(own)


def test_fields_stand_one_after_the_other() -> None:
    for rules in (*GAMES, MINI):
        for deals in (0, 1, 2):
            slots = layout(rules, deals)
            assert [slot.name for slot in slots][: len(OBSERVATION)] == [
                f.name for f in OBSERVATION
            ]
            assert (slots[-1].field is HISTORY) == bool(deals)
            stops = [0, *(slot.slice.stop for slot in slots)]
            assert [slot.start for slot in slots] == stops[:-1]
            assert stops[-1] == size(rules, deals)


def test_what_is_handed_out_may_be_written_to() -> None:
    own = first()
    before = observation(own), action_mask(own), information_state(own)
    for one in before:
        one[:] = 7
    assert not (observation(own) == 7).all()
    assert action_mask(own).max() == 1


@given(positions())
def test_no_array_tells_what_is_hidden(position: tuple[Match, Viewer, Random]) -> None:
    """The leak test: in worlds that differ in all that a seat may not know, all is the same."""
    match, viewer, rng = position
    if isinstance(viewer, int):
        mine = [view(one, viewer) for one in replayed(match)]
        theirs = [view(one, viewer) for one in replayed(match, other_worlds(match, viewer, rng))]
        for own, other in zip(mine, theirs, strict=True):
            for array in (observation, information_state, action_mask):
                assert array(own).tobytes() == array(other).tobytes()


def test_the_past_is_counted_once_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.of(3)
    encode._recent.clear()
    counted = []
    count = encode._Encoder._count

    def counting(*given: Any) -> Any:
        counted.append(given)
        return count(*given)

    monkeypatch.setattr(encode._Encoder, "_count", counting)
    for own in views_of(rules):
        observation(own)
    assert len(counted) == rules.rounds
    encode._recent.clear()


def test_rules_are_not_remembered_for_ever() -> None:
    for _ in range(2 * encode.RECENT):
        rules = replace(Rules.of(2))
        observation(view(random_match(rules, 1, 1), 0))
    assert len(encode._recent) <= encode.RECENT
