"""Renderings: all ways show the same table, legibly, and no hand that was not handed in."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from five211 import Rules, view
from five211.editions import edition_names, ink, paint, words
from five211.env.font import GLYPHS, HIGH, WIDE
from five211.env.scene import DOT, boxes, pixels, render, sentences, svg
from tests.tables import random_match


def names(players: int) -> list[str]:
    return [f"seat_{seat}" for seat in range(players)]


@pytest.mark.parametrize("edition", edition_names())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_card_is_in_every_picture(players: int, edition: str) -> None:
    match, w = random_match(Rules.of(players), 1, 5), words("en", edition)
    views = [view(match, seat) for seat in range(players)]
    drawn = boxes(views, names(players), w)
    shown = [box.text for box in drawn]
    for one in views:
        for card in (*one.hand, *one.table[one.seat]):
            assert shown.count(w.card(card)) >= 1
            assert w.card(card) in sentences(views, names(players), w)
    held = sum(len(one.hand) + len(one.table[one.seat]) for one in views)
    cards = [box for box in drawn if box.fill in paint(edition).values() and box.text[0].isalpha()]
    assert len(cards) == held
    whole = drawn[0]
    for box in drawn:
        assert 0 <= box.left < box.left + box.width <= whole.width
        assert 0 <= box.top < box.top + box.height <= whole.height
    apart = [box for box in drawn[1:] if box.text]
    for at, box in enumerate(apart):
        for other in apart[at + 1 :]:
            beside = box.left + box.width <= other.left or other.left + other.width <= box.left
            below = box.top + box.height <= other.top or other.top + other.height <= box.top
            assert beside or below


def test_an_svg_is_xml_with_the_texts_of_its_boxes() -> None:
    views = [view(random_match(Rules.of(4), 1, 5), seat) for seat in range(4)]
    drawn = boxes(views, ["<a>", "b & c", "d", "e"], words())
    tree = ElementTree.fromstring(svg(drawn))
    texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [box.text for box in drawn if box.text]


def test_pixels_can_be_read_back() -> None:
    """Every letter that a picture can have is found again, dot by dot, in the right ink."""
    match = random_match(Rules.of(3), 1, 5)
    drawn = boxes([view(match, seat) for seat in range(3)], names(3), words())
    image = pixels(drawn)
    read = {tuple(dots): letter for letter, dots in GLYPHS.items()}
    assert len(read) == len(GLYPHS)
    for box in drawn[1:]:
        part = image[box.top : box.top + box.height, box.left : box.left + box.width]
        inked = (part == tuple(bytes.fromhex(ink(box.fill)[1:]))).all(axis=2)
        top = (box.height - DOT * HIGH) // 2
        left = (box.width - (len(box.text) * DOT * (WIDE + 1) - DOT)) // 2
        assert left >= 0, box.text
        said = ""
        for place in range(len(box.text)):
            at = left + place * DOT * (WIDE + 1)
            dots = inked[top : top + DOT * HIGH : DOT, at : at + DOT * WIDE : DOT]
            said += read[tuple((int(x), int(y)) for y, x in np.argwhere(dots))]
        assert said == box.text.upper()


def test_letters_that_the_font_has_not_are_left_out() -> None:
    match = random_match(Rules.of(2), 1, 5)
    views = [view(match, 0)]
    plain, other = (pixels(boxes(views, [name, "b"], words())) for name in ("a", "aé"))
    assert plain.shape == other.shape


def test_a_hand_that_is_not_handed_in_is_not_drawn() -> None:
    match = random_match(Rules.of(3), 1, 5)
    seen = [view(match, 1)]
    said = sentences(seen, names(3), words())
    assert said.count("holds") == 1
    bottom = boxes(seen, names(3), words())[-1]
    assert bottom.text in [words().card(card) for card in match.state.table[2]]


def test_the_end_is_told() -> None:
    match = random_match(Rules.of(2), 1)
    assert match.result is not None
    said = render("ansi", [view(match, 0)], ["Ann", "Bob"], "en", "classic")
    assert "Final score: Ann" in str(said)
    assert render(None, [view(match, 0)], ["Ann", "Bob"], "en", "classic") is None
    french = render("ansi", [view(match, 0)], ["Ann", "Bob"], "fr", "classic")
    assert french != said
