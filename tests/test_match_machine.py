"""Whole matches by chance, with illegal attempts mixed in (hypothesis)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from five211 import Card, GameError, Match, Player, Record, Rules, parse, write
from tests.tables import all_cards, choices_of, deck_for, random_choices, replayed


class MatchMachine(RuleBasedStateMachine):
    """A match, dealt and played by chance."""

    @initialize(
        players=st.integers(2, 5),
        variant=st.sampled_from(["standard", "long"]),
        seed=st.integers(0, 2**32),
    )
    def begin(self, players: int, variant: str, seed: int) -> None:
        self.game = Rules.of(players, variant)
        self.match = Match(self.game)
        self.seed = seed
        self.rng = Random(seed)
        self.history: list[Match] = [self.match]

    def go(self, match: Match) -> None:
        self.match = match
        self.history.append(match)

    def refused(self, choices: Any) -> None:
        before, text = self.match, repr(self.match)
        with pytest.raises(GameError) as caught:
            self.match.play(choices)
        assert 10 < len(str(caught.value)) < 200
        assert caught.value.say("fr") != caught.value.say("en")
        assert self.match is before
        assert repr(self.match) == text

    @precondition(lambda self: self.match.awaits_deck)
    @rule()
    def deal(self) -> None:
        self.refused([])
        with pytest.raises(GameError):
            self.match.deal(self.game.deck[1:])
        self.go(self.match.deal(deck_for(self.game, self.seed, len(self.match.deals))))

    @precondition(lambda self: not self.match.awaits_deck and not self.match.over)
    @rule(turns=st.integers(1, 12))
    def play(self, turns: int) -> None:
        for _ in range(turns):
            if not self.match.awaits_deck and not self.match.over:
                self.go(self.match.play(random_choices(self.match, self.rng)))

    @precondition(lambda self: not self.match.awaits_deck and not self.match.over)
    @rule(data=st.data())
    def attempt(self, data: st.DataObject) -> None:
        """Something that is not allowed."""
        good: list[Sequence[Any]] = list(random_choices(self.match, self.rng))
        seat = data.draw(st.integers(0, self.game.players - 1))
        hand = self.match.state.hands[seat]
        missing = next(card for card in self.game.deck if card not in hand)
        wrong: Sequence[Any] = data.draw(
            st.sampled_from(
                [
                    good[seat][1:],
                    (*good[seat], hand[0]),
                    (missing,) * len(good[seat]),
                    [str(card) for card in good[seat]],
                    [int(card) for card in good[seat]],
                    [None] * len(good[seat]),
                    "G2",
                    (),
                ]
            )
        )
        good[seat] = wrong
        self.refused(good)
        self.refused(good[1:])
        with pytest.raises(GameError):
            self.match.deal(deck_for(self.game))

    @precondition(lambda self: self.match.over)
    @rule()
    def after_the_end(self) -> None:
        self.refused([(card,) for card in self.game.deck[: self.game.players]])
        with pytest.raises(GameError):
            self.match.deal(deck_for(self.game))

    @invariant()
    def cards_are_conserved(self) -> None:
        for state in self.match.deals:
            assert all_cards(state) == self.game.deck
            assert len(state.deck) == 100

    @invariant()
    def hands_are_full_until_the_last_round(self) -> None:
        if self.match.deals:
            state = self.match.state
            if state.pile or not state.turns:
                full = 0 if state.deal_over else 5
                assert {len(hand) for hand in state.hands} == {full}
            assert all(list(hand) == sorted(hand) for hand in state.hands)
            assert all(type(card) is Card for hand in state.hands for card in hand)

    def teardown(self) -> None:
        """The record of what was played gives the same states again."""
        if not hasattr(self, "match"):
            return
        assert replayed(self.match) == self.history
        players = tuple(Player(f"P{n}") for n in range(self.game.players))
        record = Record(self.match, players)
        assert parse(write(record)) == record
        turns = sum(len(choices_of(state)) for state in self.match.deals)
        assert len(self.history) == 1 + len(self.match.deals) + turns


TestMatch = MatchMachine.TestCase
TestMatch.settings = settings(stateful_step_count=40)
