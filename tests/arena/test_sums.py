"""What games came to: whole numbers that add up, and times without every one of them."""

from __future__ import annotations

from random import Random

import pytest

from five211 import Match, Rules, shuffled, stream
from five211.arena.sums import A_MILLISECOND, Sums, Tally, Times
from five211.bots import make
from five211.simulate import play_match


def played(players: int, game: int) -> Match:
    return play_match(Rules.of(players), [make("random")] * players, "sums", game)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_deal_has_the_victories_and_the_lead_of_the_one(players: int) -> None:
    won = lead = 0.0
    games = [(played(players, seat), seat) for seat in range(players)]
    for match, seat in games:
        result = match.result
        assert result is not None
        won += (seat in result.winners) / len(result.winners)
        others = [points for other, points in enumerate(result.points) if other != seat]
        lead += result.points[seat] - sum(others) / len(others)
    tally = Tally.of(games)
    assert tally.won / 60 == pytest.approx(won)
    assert tally.lead / (players - 1) == pytest.approx(lead)
    assert (tally.deals, tally.won_squared, tally.lead_squared) == (
        1,
        tally.won**2,
        tally.lead**2,
    )


def test_a_shared_victory_counts_its_share() -> None:
    """Game 0 of some seed ends level in points and cards; both seats get half of it."""
    rules = Rules.of(2)
    for number in range(2000):  # shares are rare
        match = play_match(rules, [make("random")] * 2, "share", number)
        assert match.result is not None
        if len(match.result.winners) == 2:
            break
    assert Tally.of([(match, 0)]).won == Tally.of([(match, 1)]).won == 30
    assert Tally.of([(match, 0), (match, 1)]).won == 60


def test_tallies_and_sums_add_up_in_any_order() -> None:
    one, two, three = (Tally.of([(played(3, game), 1)]) for game in range(3))
    assert one + two + three == three + (two + one)
    assert (one + two).won_squared == one.won**2 + two.won**2
    a, b = Sums(3, {0: one}, {0: Times.of([5])}), Sums(6, {0: two, 4: three}, {1: Times.of([7])})
    assert a + b == b + a == Sums(9, {0: one + two, 4: three})
    assert (a + b).times == {0: Times.of([5]), 1: Times.of([7])}
    assert Sums() + a == a


def test_times_are_told_as_if_each_was_kept() -> None:
    rng = Random(5)
    taken = [int(10 ** rng.uniform(3, 9)) for _ in range(4000)]
    parts = [Times.of(taken[at : at + 700]) for at in range(0, 4000, 700)]
    times = sum(parts, Times())
    assert times == Times.of(taken)
    assert times.choices == 4000
    assert times.mean == pytest.approx(sum(taken) / 4000 / A_MILLISECOND)
    assert times.longest == max(taken) / A_MILLISECOND
    for share in (0.05, 0.5, 0.95):
        exact = sorted(taken)[int(share * 4000) - 1] / A_MILLISECOND
        assert exact <= times.within(share) <= 1.045 * exact
    assert times.within(1) == times.longest
    assert len(times.steps) < 400


def test_times_of_next_to_nothing() -> None:
    assert Times.of([0]).longest == 1 / A_MILLISECOND
    assert Times.of([]) == Times()
    assert Times.of([8]).within(0.95) == 8 / A_MILLISECOND  # never more than the slowest
    assert Times().within(0.95) == 0


def test_decks_of_one_seed_are_known() -> None:
    """What "duplicate" rests on: a game's decks come from its number, not from who plays."""
    one, other = (
        play_match(Rules.of(2), bots, "s", 7).deals[0].deck
        for bots in ([make("greedy"), make("random")], [make("random"), make("greedy")])
    )
    assert sorted(one) == sorted(other) == sorted(shuffled(Rules.of(2).deck, stream("s", "deck")))
    assert one == other
