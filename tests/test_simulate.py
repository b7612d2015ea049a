"""Games between bots: reproducible, fair to the bots' blindness, and summed up rightly."""

from __future__ import annotations

import dataclasses
import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import (
    SPECTATOR,
    Card,
    Cards,
    GameError,
    Match,
    Rules,
    State,
    Variant,
    View,
    parse,
    parse_cards,
    shuffled,
    stream,
    view,
    write,
)
from five211 import simulate as simulate_module
from five211.bots import LEVELS, Entry, base, determinize, entries, entry, make, register
from five211.bots.greedy import GreedyBot
from five211.bots.hasty import HastyBot
from five211.bots.random import RandomBot
from five211.scoring import Outcome
from five211.simulate import play_match, record_of, seat_bots, simulate
from five211.summary import Summary
from tests.tables import (
    all_cards,
    choices_of,
    deck_for,
    other_worlds,
    random_choices,
    random_match,
    replayed,
)

COUNTS = (2, 3, 4, 5)


def view_with(hand: str, players: int = 2) -> View:
    """What seat 0 sees at the beginning, with these cards in hand."""
    rules = Rules.of(players)
    rest = list(deck_for(rules))
    held = parse_cards(hand)
    for card in held:
        rest.remove(card)
    deck = (*rest[: rules.aside], *held, *rest[rules.aside :])
    return view(Match(rules).deal(deck), 0)


# Whole games


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("variant", Variant)
def test_the_same_seed_gives_the_same_games(players: int, variant: Variant) -> None:
    rules = Rules.of(players, variant)
    names = seat_bots(rules, ["random"])
    games = list(simulate(rules, names, 3, "x"))
    assert games == list(simulate(rules, names, 3, "x"))
    assert all(game.over for game in games)
    decks = [deal.deck for game in games for deal in game.deals]
    assert len(set(decks)) == len(decks)
    assert games != list(simulate(rules, names, 3, "y"))


def test_a_game_is_the_same_however_many_are_played() -> None:
    rules, names = Rules.of(3), ("greedy", "random", "random")
    few, many = simulate(rules, names, 4, 7), simulate(rules, names, 10**9, 7)
    assert list(few) == list(islice(many, 4))
    assert play_match(rules, [make(name) for name in names], 7, game=3) == next(
        game for number, game in enumerate(simulate(rules, names, 4, 7)) if number == 3
    )


def test_whole_numbers_and_texts_are_different_seeds() -> None:
    rules = Rules.of(2)
    assert list(simulate(rules, ["random"] * 2, 1, 7)) != list(
        simulate(rules, ["random"] * 2, 1, "7")
    )


@pytest.mark.rule("6.2")
def test_every_deal_of_the_longer_game_has_a_deck_of_its_own() -> None:
    (match,) = simulate(Rules.of(5, "long"), ["random"] * 5, 1, 0)
    decks = [deal.deck for deal in match.deals]
    assert len(decks) > 1
    assert len(set(decks)) == len(decks)


def test_a_simulated_game_makes_a_good_record() -> None:
    rules, names = Rules.of(3), ("random", "greedy", "random")
    (match,) = simulate(rules, names, 1, 1)
    record = parse(write(record_of(match, names, "azul")))
    assert record.match == match
    assert record.edition == "azul"
    assert [player.bot for player in record.players] == list(names)
    assert len({player.name for player in record.players}) == 3


def test_seat_bots_takes_one_bot_for_all_or_one_a_seat_by_name_or_level() -> None:
    rules = Rules.of(3)
    random, greedy, hasty = (entry(name) for name in ("random", "greedy", "hasty"))
    assert seat_bots(rules, ["greedy"]) == (greedy, greedy, greedy)
    assert seat_bots(rules, ["random", "easy", "beginner"]) == (random, hasty, random)
    own = Entry("own", GreedyBot)
    assert seat_bots(rules, [own]) == (own, own, own)


@pytest.mark.parametrize("names", [[], ["random"] * 2, ["random"] * 4])
def test_seat_bots_refuses_any_other_number(names: list[str]) -> None:
    with pytest.raises(GameError) as caught:
        seat_bots(Rules.of(3), names)
    assert (caught.value.code, caught.value.fields) == (
        "bots_number",
        {"n": len(names), "needed": 3},
    )


def test_seat_bots_refuses_a_bot_that_there_is_not() -> None:
    with pytest.raises(GameError) as caught:
        seat_bots(Rules.of(2), ["random", "magic"])
    assert caught.value.code == "bot_unknown"


# The summary


@pytest.mark.rule("5.2")
def test_a_shared_win_counts_as_its_fraction() -> None:
    winners = Counter({(1,): 3, (0, 1): 2, (0, 1, 2): 1})
    summary = Summary(Rules.of(3), 6, (16, 20, 7), winners, Counter())
    assert summary.wins == pytest.approx([1 + 1 / 3, 3 + 1 + 1 / 3, 1 / 3])


def test_a_summary_adds_up_in_any_order() -> None:
    rules = Rules.of(4, "long")
    games = list(simulate(rules, ["random"] * 4, 20, 5))
    parts = [Summary.of(match) for match in games]
    summary = sum(parts, Summary.empty(rules))
    assert summary == sum(reversed(parts), Summary.empty(rules))
    assert pickle.loads(pickle.dumps(summary)) == summary
    rounds = [round_ for game in games for deal in game.deals for round_ in deal.rounds]
    assert summary.outcomes == Counter(round_.score.outcome for round_ in rounds)
    assert set(summary.outcomes) == set(Outcome)
    points = [sum(game.points[seat] for game in games) for seat in range(4)]
    assert list(summary.points) == points
    assert summary.games == 20
    assert sum(summary.wins) == pytest.approx(20)


def test_every_bot_sits_in_the_seat_that_names_it() -> None:
    (match,) = simulate(Rules.of(3), ("random", "greedy", "random"), 1, 3)
    greedy = []
    for before, after in pairwise(replayed(match)[1:]):
        choices = choices_of(after.state)[-1]
        hands = [sorted(card.value for card in hand) for hand in before.state.hands]
        chosen = [sorted(card.value for card in choice) for choice in choices]
        highest = [hand[-len(choice) :] for hand, choice in zip(hands, chosen, strict=True)]
        greedy.append([one == other for one, other in zip(chosen, highest, strict=True)])
    assert [all(seat) for seat in zip(*greedy, strict=True)] == [False, True, False]


# The two bots


def test_random_draws_physical_cards_so_a_duplicate_counts_twice() -> None:
    """Of Y1 Y1 Y1 Y1 G2, two cards are both Y1 in 6 of 10 draws; of the two *choices*, in half."""
    seen, rng = view_with("Y1 Y1 Y1 Y1 G2"), stream(1, "test")
    assert len(seen.choices) == 2
    drawn = Counter(RandomBot().choose(seen, rng) for _ in range(4000))
    assert set(drawn) == {parse_cards("Y1 Y1"), parse_cards("Y1 G2")}
    assert drawn[parse_cards("Y1 Y1")] / 4000 == pytest.approx(0.6, abs=0.025)


def test_random_draws_every_pair_of_five_different_cards_alike() -> None:
    seen, rng = view_with("Y1 Y2 G3 O1 V5"), stream(2, "test")
    drawn = Counter(RandomBot().choose(seen, rng) for _ in range(4000))
    assert set(drawn) == set(seen.choices)
    assert all(count / 4000 == pytest.approx(0.1, abs=0.02) for count in drawn.values())


@pytest.mark.rule("3.1")
@pytest.mark.parametrize("name", ["random", "greedy", "hasty"])
@pytest.mark.parametrize("players", COUNTS)
def test_a_bot_always_makes_one_of_the_choices_it_has(name: str, players: int) -> None:
    bot, rng = make(name), stream(3, "test")
    for match in replayed(random_match(Rules.of(players), 3)):
        for seat in range(players):
            seen = view(match, seat)
            if seen.dealt:
                choice = bot.choose(seen, rng)
                assert choice in seen.choices
                assert len(choice) == seen.plays


def test_greedy_plays_its_highest_values() -> None:
    seen = view_with("Y1 G2 O6 B3 V5")
    assert GreedyBot().choose(seen, Random(1)) == parse_cards("O6 V5")


@pytest.mark.parametrize(("hand", "share"), [("Y1 G3 O3 B3 V3", 1 / 2), ("Y6 G2 O2 B2 V2", 1 / 4)])
def test_greedy_likes_no_colour_more_than_another(hand: str, share: float) -> None:
    seen, rng = view_with(hand), stream(4, "test")
    drawn = Counter(card for _ in range(2000) for card in GreedyBot().choose(seen, rng))
    shares = [drawn[card] / 2000 for card in parse_cards(hand)[1:]]
    assert shares == pytest.approx([share] * 4, abs=0.04)


# What a bot gets to see


class Watching:
    """A bot that writes down all that it is given, and plays its first cards."""

    def __init__(self) -> None:
        self.seen: list[tuple[View, Any]] = []

    def choose(self, view: View, rng: Random) -> Cards:
        self.seen.append((view, rng.getstate()))
        rng.random()
        return view.hand[: view.plays]


def parts(value: object) -> Iterator[object]:
    """Everything that can be reached from a value."""
    yield value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from parts(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from parts(item)


@pytest.mark.rule("8.2")
def test_a_bot_is_given_a_view_and_nothing_behind_it() -> None:
    bots = [Watching() for _ in range(3)]
    play_match(Rules.of(3, "long"), bots, 1)
    for seat, bot in enumerate(bots):
        assert len(bot.seen) > 21
        for seen, _ in bot.seen:
            assert type(seen) is View
            assert seen.viewer == seat
            assert not any(isinstance(part, (State, Match)) for part in parts(seen))


@pytest.mark.rule("8.3")
def test_a_bot_and_its_stream_know_nothing_of_cards_that_are_still_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the cards put aside and the last of the pile permuted, all goes on as before."""

    def watched(deck: Cards) -> list[list[tuple[View, Any]]]:
        monkeypatch.setattr(simulate_module, "shuffled", lambda _cards, _rng: deck)
        bots = [Watching() for _ in range(3)]
        play_match(Rules.of(3), bots, "the same seed")
        return [bot.seen for bot in bots]

    rules = Rules.of(3)
    deck = deck_for(rules, 1)
    last = rules.players  # drawn after the last turn that draws
    hidden = shuffled((*deck[: rules.aside], *deck[-last:]), stream(1, "permute"))
    other = (*hidden[: rules.aside], *deck[rules.aside : -last], *hidden[rules.aside :])
    assert other != deck
    turns = 3 * (rules.rounds - 1)  # those of the rounds that draw
    for here, there in zip(watched(deck), watched(other), strict=True):
        assert here[:turns] == there[:turns]
        assert here[turns:] != there[turns:]  # until they came to light


class Cheat:
    """A bot that takes its random stream for the dealer's, at every point of it."""

    def __init__(self) -> None:
        self.guesses: list[Cards] = []

    def choose(self, view: View, rng: Random) -> Cards:
        for skipped in (0, 1, 99, 100):
            mine = Random()
            mine.setstate(rng.getstate())
            for _ in range(skipped):
                mine.random()
            self.guesses.append(shuffled(view.rules.deck, mine))
        return RandomBot().choose(view, rng)


@pytest.mark.rule("8.3")
def test_a_cheating_bot_does_not_find_the_deck_in_its_stream() -> None:
    """Its guesses are as far from the deck as any other shuffle's: 4.4 of 100 cards are right."""
    cheats = [Cheat() for _ in range(5)]
    match = play_match(Rules.of(5), cheats, 7)
    deck = match.state.deck
    for cheat in cheats:
        right = [sum(a == b for a, b in zip(guess, deck, strict=True)) for guess in cheat.guesses]
        assert max(right) < 20
        assert sum(right) / len(right) < 7
    assert len({guess for cheat in cheats for guess in cheat.guesses}) > 100


def test_the_streams_of_a_game_are_all_different() -> None:
    labels = [("deck", game, deal) for game in range(5) for deal in range(5)]
    labels += [("bot", game, seat) for game in range(5) for seat in range(5)]
    firsts = {stream(7, *label).random() for label in labels}
    assert len(firsts) == len(labels)


@pytest.mark.rule("8.3")
@pytest.mark.parametrize("name", ["random", "greedy", "hasty"])
@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 30))
def test_a_bot_chooses_the_same_in_every_world_that_looks_the_same(
    name: str, players: int, seed: int, turns: int
) -> None:
    match = random_match(Rules.of(players, "long"), seed, turns)
    if match.awaits_deck:
        match = match.deal(deck_for(match.rules, seed, len(match.deals)))
    worlds = other_worlds(match, 1, Random(seed))
    other = replayed(match, worlds)[-1]
    choice = make(name).choose(view(match, 1), stream(seed, "bot"))
    assert make(name).choose(view(other, 1), stream(seed, "bot")) == choice


# Looking ahead


@pytest.mark.rule("8.1")
@given(
    st.integers(2, 5),
    st.sampled_from(Variant),
    st.integers(0, 10**6),
    st.none() | st.integers(0, 33),
)
def test_a_determinized_view_looks_just_like_it_and_can_be_played_to_the_end(
    players: int, variant: Variant, seed: int, turns: int | None
) -> None:
    match = random_match(Rules.of(players, variant), seed, turns)
    if match.awaits_deck:
        match = match.deal(deck_for(match.rules, seed, len(match.deals)))
    rng = Random(seed)
    for seat in range(players):
        seen = view(match, seat)
        state = determinize(seen, rng)
        world = Match(match.rules, (*match.deals[:-1], state))
        assert view(world, seat) == seen
        assert tuple(sorted(state.deck)) == match.rules.deck
        assert [len(hand) for hand in state.hands] == [len(hand) for hand in match.state.hands]
        assert len(state.pile) == len(match.state.pile)
        if seen.dealt:
            assert all_cards(state) == match.rules.deck
        while not world.over and not world.awaits_deck:
            world = world.play(random_choices(world, rng))
            assert all_cards(world.state) == match.rules.deck


def test_a_determinized_world_depends_on_the_view_and_the_stream_alone() -> None:
    match = random_match(Rules.of(4), 1, 7)
    other = replayed(match, other_worlds(match, 2, Random(1)))[-1]
    assert match != other
    one, two = (determinize(view(world, 2), Random(5)) for world in (match, other))
    assert one == two
    assert determinize(view(match, 2), Random(6)) != one


def test_determinizing_deals_the_unseen_cards_fairly() -> None:
    """An opponent holds each unseen card in 5 of 95 worlds, as often as there are copies of it."""
    seen, rng = view(random_match(Rules.of(2), 1, 0).deal(deck_for(Rules.of(2))), 0), Random(1)
    held: Counter[Card] = Counter()
    for _ in range(2000):
        held.update(determinize(seen, rng).hands[1])
    for card, copies in Counter(seen.unseen).items():
        assert held[card] / 2000 == pytest.approx(copies * 5 / 95, abs=0.05)


def test_a_spectator_cannot_look_ahead() -> None:
    match = random_match(Rules.of(2), 1, 1)
    with pytest.raises(GameError) as caught:
        determinize(view(match, SPECTATOR), Random(1))
    assert caught.value.code == "no_seat"


# The list of bots


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of bots to change at will."""
    monkeypatch.setattr(base, "_entries", dict(base._entries))


def test_bots_are_found_by_name_and_by_level() -> None:
    assert isinstance(make("random"), RandomBot)
    assert isinstance(make("beginner"), RandomBot)
    assert isinstance(make("greedy"), GreedyBot)
    assert isinstance(make("hasty"), HastyBot)
    assert isinstance(make("easy"), HastyBot)
    assert [(one.name, one.level) for one in entries()][:3] == [
        ("random", "beginner"),
        ("greedy", None),
        ("hasty", "easy"),
    ]


@pytest.mark.usefixtures("registry")
def test_a_stronger_bot_needs_only_to_be_registered() -> None:
    base._entries.pop("expert")
    register("watching", Watching, level="expert")
    assert entries()[-1] == Entry("watching", Watching, "expert")
    assert isinstance(make("expert"), Watching)
    assert seat_bots(Rules.of(2), ["expert"]) == (entry("watching"), entry("watching"))
    (match,) = simulate(Rules.of(2), ("expert", "random"), 1, 1)
    assert match.over


@pytest.mark.usefixtures("registry")
def test_bots_without_a_level_are_found_by_name_alone() -> None:
    register("one", Watching)
    register("two", Watching)
    assert entry("two").level is None
    assert [one.name for one in entries()][-2:] == ["one", "two"]


@pytest.mark.parametrize("name", ["", "Random", "magic", "hardest", "random ", "x" * 10_000_000])
def test_an_unknown_bot_is_refused(name: str) -> None:
    with pytest.raises(GameError) as caught:
        entry(name)
    assert caught.value.code == "bot_unknown"
    assert "heuristic, medium, montecarlo, neural, hard and expert" in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("name", "level", "code"),
    [
        ("random", None, "bot_taken"),
        ("new", "easy", "bot_taken"),
        ("easy", None, "bot_taken"),
        ("expert", None, "bot_taken"),
        ("new", "godlike", "level_unknown"),
        ("new", "", "level_unknown"),
    ],
)
def test_a_name_or_level_that_is_taken_or_unknown_is_refused(
    name: str, level: str | None, code: str
) -> None:
    before = entries()
    with pytest.raises(GameError) as caught:
        register(name, Watching, level)
    assert caught.value.code == code
    assert entries() == before


def test_the_levels_go_from_the_weakest_up() -> None:
    assert LEVELS.index("beginner") < LEVELS.index("easy") < LEVELS.index("expert")
