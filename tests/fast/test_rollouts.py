"""Roll-outs are the readable engine's rounds, in worlds that the view allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from five211 import Cards, GameError, Match, Rules, View, view
from five211.bots.random import RandomBot
from five211.chance import shuffled, stream
from five211.fast import rollouts
from five211.fast.packed import CARDS, NUMBERS
from five211.fast.streams import key
from five211.rules import MINI
from five211.scoring import score_round
from tests.fast.reference import Stream, Word, chosen
from tests.fast.test_fast_games import PLAYERS


def draw(rest: list[int], word: Word) -> int:
    """A card of those left, as the compiled engine takes it."""
    place = word.below(len(rest))
    rest[place], rest[-1] = rest[-1], rest[place]
    return rest.pop()


def completed(seen: View, first: Cards, names: tuple[str, ...], world: int) -> tuple[int, ...]:
    """What every seat gets for the round in one world, played card by card."""
    rules, seats = seen.rules, range(seen.rules.players)
    rest = [NUMBERS[card] for card in seen.unseen]
    chance = Stream(key(5, "worlds"), world)
    hands, words, streams = [], [], []
    for seat in seats:
        word = chance.word()
        others = [draw(rest, word) for _ in seen.hand] if seat != seen.seat else []
        hands.append(sorted(CARDS[number] for number in others) or list(seen.hand))
        words.append(chance.word())
        streams.append(Stream(key(5, "worlds", seat), world))
    table = [list(cards) for cards in seen.table]
    for turn in range(seen.turn, 3):
        plays = rules.plays[turn]
        choices = [
            chosen(name, tuple(hand), plays, own)
            for name, hand, own in zip(names, hands, streams, strict=True)
        ]
        if turn == seen.turn:
            choices[seen.seat] = first
        for seat in seats:
            for card in choices[seat]:
                hands[seat].remove(card)
                table[seat].append(card)
        for seat in seats if seen.pile else ():
            hands[seat] += [CARDS[draw(rest, words[seat])] for _ in range(plays)]
            hands[seat].sort()
    return score_round(rules, table).points


def positions(rules: Rules) -> list[View]:
    """Views of one game: every turn of the first, of a middle and of the last round."""
    match = Match(rules).deal(shuffled(rules.deck, stream("roll", "deck")))
    rng, found = stream("roll", "choices"), []
    while not match.over:
        number, seat = len(match.state.rounds), (match.state.turn + 1) % rules.players
        if number in (0, rules.rounds // 2, rules.rounds - 1):
            found.append(view(match, seat))
        match = match.play([RandomBot().choose(view(match, s), rng) for s in range(rules.players)])
    return found


@pytest.mark.parametrize("players", PLAYERS)
def test_roll_outs_are_the_readable_engines_rounds(players: int) -> None:
    names = ("random", "greedy", "random", "greedy", "random")[:players]
    for seen in positions(Rules.of(players)):
        tried = rollouts(seen, 4, names, seed=5)
        assert tried.choices == seen.choices
        for world in range(4):
            for index, choice in enumerate(tried.choices):
                assert tuple(tried.gains[world, index]) == completed(seen, choice, names, world)


def test_a_policy_that_looks_at_the_table_takes_part() -> None:
    seen = positions(Rules.of(4))[1]
    clever, simple = rollouts(seen, 200, "heuristic"), rollouts(seen, 200, "random")
    assert clever.means().sum() > simple.means().sum()


def test_what_cannot_be_rolled_out_is_refused() -> None:
    mini = Match(MINI).deal(shuffled(MINI.deck, stream(1)))
    seen = positions(Rules.of(2))[0]
    refused: dict[str, Callable[[], Any]] = {
        "rules_compiled": lambda: rollouts(view(mini, 0), 1),
        "count": lambda: rollouts(seen, -1),
        "bots_number": lambda: rollouts(seen, 1, ["random"] * 3),
        "nothing_to_choose": lambda: rollouts(view(Match(Rules.of(2)), 0), 1),
        "policy_action": lambda: rollouts(seen, 1, lambda _view, _rng: 99),
        "view_numbers": lambda: rollouts(replace(seen, pile=seen.pile + 4), 50),
        "seat": lambda: rollouts(replace(seen, viewer=200), 50),
        "seed": lambda: rollouts(seen, 1, seed=1.5),  # type: ignore[arg-type]
    }
    for code, call in refused.items():
        with pytest.raises(GameError) as error:
            call()
        assert error.value.code == code
    assert rollouts(seen, 0).gains.shape == (0, len(seen.choices), 2)
