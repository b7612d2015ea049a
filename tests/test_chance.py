"""Streams of chance and the shuffle."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import Card, Cards, Rules, parse_cards, show_cards, shuffled, stream
from five211.chance import stream as chance_stream

DECK = Rules.of(4).deck

# One deck as it was shuffled in the first release: records and seeds of players depend on it.
PINNED = """
O3 B3 B1 O2 Y2 V4 B2 O4 Y2 G6 G2 Y4 V1 V3 B2 B6 O2 G1 V6 Y1
B5 O3 B4 V1 Y4 B3 B2 Y5 Y2 G1 B2 V1 O2 B4 O3 O1 B1 V2 B2 G5
G4 G3 V4 G3 O1 V3 O3 G2 G3 V5 G1 G2 Y2 Y6 Y1 V3 Y3 O6 B3 O1
V2 V3 G2 B2 O1 V3 V2 G1 B1 Y1 B1 G3 Y3 O4 B3 O2 O2 B1 Y3 Y2
G2 O5 G1 G4 O3 Y2 B3 G3 Y1 V2 V2 O2 V1 Y3 V2 G2 Y3 O1 V1 Y1
"""


def test_a_seed_gives_the_same_deck_in_every_release() -> None:
    assert show_cards(shuffled(DECK, stream(5211, "deck", 0))) == " ".join(PINNED.split())


def test_a_stream_is_the_same_in_every_release() -> None:
    assert stream("seed", "bot", 1, 2).random() == 0.7715505777162999
    assert stream(7).random() == 0.28783879039220084


def test_one_seed_and_label_is_one_stream() -> None:
    assert stream is chance_stream
    assert stream(7, "deck", 0).random() == stream(7, "deck", 0).random()


def test_streams_of_other_seeds_and_labels_are_other_streams() -> None:
    streams = [
        stream(1),
        stream("1"),
        stream(1, 1),
        stream(1, "1"),
        stream(1, ""),
        stream(1, "", ""),
        stream(1, 1, 1),
        stream(1, 11),
        stream(1, "a/b"),
        stream(1, "a", "b"),
        stream(1, "'a'/'b'"),
        stream(1, "b", "a"),
        stream(2, 1),
        stream("\ud800"),
    ]
    firsts = [tuple(one.random() for _ in range(3)) for one in streams]
    for one, other in combinations(firsts, 2):
        assert one != other


def test_drawing_from_one_stream_does_not_touch_another() -> None:
    alone = stream(7, "deck")
    numbers = [alone.random() for _ in range(3)]
    deck, bot = stream(7, "deck"), stream(7, "bot")
    mixed = []
    for _ in range(3):
        bot.random()
        mixed.append(deck.random())
    assert mixed == numbers


@given(st.lists(st.sampled_from(sorted(set(DECK)))), st.integers() | st.text())
def test_a_shuffle_keeps_every_card(cards: list[Card], seed: int | str) -> None:
    assert sorted(shuffled(cards, stream(seed))) == sorted(cards)


def test_a_shuffle_does_not_touch_what_it_is_given() -> None:
    cards = list(parse_cards("Y1 G2 O3 B4 V5"))
    shuffled(cards, stream(1))
    assert cards == list(parse_cards("Y1 G2 O3 B4 V5"))


@pytest.mark.parametrize("text", ["", "G2"])
def test_nothing_and_one_card_are_shuffled_too(text: str) -> None:
    assert shuffled(parse_cards(text), stream(1)) == parse_cards(text)


def test_every_order_comes_about_as_often() -> None:
    rng = stream("fair")
    orders: Counter[Cards] = Counter(shuffled(parse_cards("Y1 G2 O3"), rng) for _ in range(6000))
    assert len(orders) == 6
    assert all(900 < times < 1100 for times in orders.values())


def test_every_card_comes_to_every_place() -> None:
    rng = stream("places")
    decks = [shuffled(parse_cards("Y1 Y2 Y3 Y4 Y5"), rng) for _ in range(2000)]
    for place in range(5):
        assert all(300 < n < 500 for n in Counter(deck[place] for deck in decks).values())
        assert len({deck[place] for deck in decks}) == 5
