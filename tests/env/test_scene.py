"""Renderings: all ways show the same table, legibly, and no hand that was not handed in."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from five211 import Match, Rules, explain, tally, texts, view
from five211.editions import edition_names, ink, paint, words
from five211.env.font import GLYPHS, HIGH, WIDE
from five211.env.pens import Box, advance, pixels, plain, svg
from five211.env.scene import (
    CARD,
    FRAME,
    GAP,
    GOLD,
    LINE,
    ROW,
    boxes,
    headline,
    last_ended,
    render,
    sentences,
)
from five211.scoring import Outcome
from five211.state import lay
from five211.tally import Standing
from tests.tables import random_match, replayed


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
    ended = last_ended(views[0])
    assert ended is not None
    seen = sum(len(one.hand) + len(one.table[one.seat]) for one in views)
    assert len(cards(drawn, edition)) == seen + sum(map(len, ended.score.cards))
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


def cards(drawn: list[Box], edition: str = "classic") -> list[str]:
    """What a picture has as cards: all of a size, and of a colour."""
    size, paints = (CARD, ROW - GAP), paint(edition).values()
    return [box.text for box in drawn if (box.width, box.height) == size and box.fill in paints]


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
    read: dict[tuple[tuple[int, int], ...], str] = {dots: one for one, dots in GLYPHS.items()}
    assert len(read) == len(GLYPHS)
    read[()] = " "
    for box in drawn[1:]:
        part = image[box.top : box.top + box.height, box.left : box.left + box.width]
        inked = (part == tuple(bytes.fromhex(ink(box.fill)[1:]))).all(axis=2)
        dot, step = box.dot, advance(box.dot)
        top, spare = (box.height - dot * HIGH) // 2, box.width - (len(box.text) * step - dot)
        assert spare >= 0, box.text
        left = 0 if box.begins else spare // 2
        said = ""
        for place in range(len(box.text)):
            at = left + place * step
            dots = inked[top : top + dot * HIGH : dot, at : at + dot * WIDE : dot]
            said += read[tuple((int(x), int(y)) for y, x in np.argwhere(dots))]
        assert said == box.text.upper() == plain(box.text)


def test_letters_that_the_font_has_not_are_left_out() -> None:
    match = random_match(Rules.of(2), 1, 5)
    views = [view(match, 0)]
    each = [pixels(boxes(views, [name, "b"], words())).reshape(-1, 3) for name in ("a", "a☃", "aa")]
    plain, accented, more = (np.unique(dots, axis=0, return_counts=True)[1] for dots in each)
    np.testing.assert_array_equal(plain, accented)  # as many dots of every colour
    assert (plain != more).any()


def test_a_hand_that_is_not_handed_in_is_not_drawn() -> None:
    match = random_match(Rules.of(3), 1, 5)
    seen = [view(match, 1)]
    said = sentences(seen, names(3), words())
    assert said.count("holds") == 1
    ended = last_ended(seen[0])
    assert ended is not None
    shown = (*seen[0].hand, *sum(seen[0].table, ()), *sum(ended.score.cards, ()))
    assert sorted(cards(boxes(seen, names(3), words()))) == sorted(map(words().card, shown))


def test_the_end_is_told() -> None:
    match = random_match(Rules.of(2), 1)
    assert match.result is not None
    said = render("ansi", [view(match, 0)], ["Ann", "Bob"], "en", "classic")
    assert "Final score: Ann" in str(said)
    drawn = boxes([view(match, 0)], ["Ann", "Bob"], words())
    winner = [box.text for box in drawn if box.fill == GOLD and box.text]
    assert winner == [["Ann", "Bob"][seat] for seat in match.result.winners]
    for variant in ("standard", "long"):
        over = random_match(Rules.of(2, variant), 1)
        texts = [box.text for box in boxes([view(over, 0)], ["Ann", "Bob"], words())]
        assert f"round {len(over.state.rounds)}" in texts
        assert "now" not in texts
    assert render(None, [view(match, 0)], ["Ann", "Bob"], "en", "classic") is None
    french = render("ansi", [view(match, 0)], ["Ann", "Bob"], "fr", "classic")
    assert french != said


def ended_by(outcome: Outcome, fate: Standing | None = None) -> Match:
    """A game in which a round has just ended so, with a colour of this standing in it."""
    for seed in range(400):
        match = random_match(Rules.of(2), seed, 3)
        (only,) = match.state.rounds
        stands = {one.standing for one in tally(match.rules, lay(match.rules, only.turns)).colors}
        if only.score.outcome is outcome and (fate is None or fate in stands):
            return match
    raise AssertionError(outcome)


@pytest.mark.parametrize(
    ("outcome", "fate", "said", "words_drawn"),
    [
        (Outcome.COLOR, None, "the most: ", {"scores"}),
        (Outcome.COLOR, Standing.BUST, " is out.", {"scores", "bust"}),
        (Outcome.COLOR, Standing.TIED, " tie at ", {"scores", "tied"}),
        (Outcome.ICONS, None, "exactly 4", {"scores"}),
    ],
)
def test_it_is_shown_how_a_round_ended(
    outcome: Outcome, fate: Standing | None, said: str, words_drawn: set[str]
) -> None:
    match = ended_by(outcome, fate)
    views = [view(match, seat) for seat in range(2)]
    told = sentences(views, names(2), words())
    score = match.state.rounds[0].score
    assert told.startswith("Round 1 is over.")
    for line in explain(score):
        assert line in told
    assert said in told
    drawn = boxes(views, names(2), words())
    row = {box.top for box in drawn if box.text == "scores"}
    assert len(row) == 1
    found = {box.text for box in drawn if box.top in row} - {""}
    assert found >= words_drawn
    gains = [box.text for box in drawn if box.text.startswith("+")]
    assert gains == [f"+{points}" for points in score.points if points]


def test_a_rounds_last_turn_is_seen_until_the_next_is_played() -> None:
    """Scoring clears the table in the same step: without this nobody would ever see it."""
    whole, w = random_match(Rules.of(3), 1), words()
    for match in replayed(whole)[1:]:
        now = view(match, 0)
        drawn, ended = boxes([now], names(3), w), last_ended(now)
        heads = [box.text for box in drawn if box.text.startswith("was on the table")]
        framed = [box for box in drawn if (box.width, box.fill) == (CARD + 2 * FRAME, GOLD)]
        if now.turns or ended is None:
            assert not heads
            assert not framed
            continue
        assert heads == [f"was on the table, round {ended.number}"]
        assert len(framed) == sum(map(len, ended.score.cards))
        shown = (*now.hand, *sum(ended.table, ()), *sum(ended.score.cards, ()))
        assert sorted(cards(drawn)) == sorted(map(w.card, shown))
        for box in framed:
            corner = (box.left + FRAME, box.top + FRAME)
            assert [(one.left, one.top) for one in drawn].count(corner) == 1
    assert whole.over


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_longer_game_says_its_deal_and_its_goal(language: str) -> None:
    w, deals = words(language), set()
    for match in replayed(random_match(Rules.of(2, "long"), 3))[1:-1]:
        now = view(match, 0)
        deals.add(len(now.earlier) + 1)
        told = texts.say(language, "play.long", deal=len(now.earlier) + 1, goal=50)
        assert told in sentences([now], names(2), w)
        assert headline(now, names(2), w).startswith(told)
    assert max(deals) > 1
    short = view(random_match(Rules.of(2), 3, 4), 0)
    assert "50" not in headline(short, names(2), w)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", [2, 5])
def test_pictures_of_a_game_have_one_size_and_its_moment(players: int, language: str) -> None:
    """As films need it; from nothing played to the end, and nothing is wider than its place."""
    w, sizes = words(language), set()
    for match in replayed(random_match(Rules.of(players, "long"), 3))[1:]:
        views = [view(match, seat) for seat in range(players)]
        drawn = boxes(views, names(players), w)
        sizes.add((drawn[0].width, drawn[0].height))
        assert headline(views[0], names(players), w) == " ".join(
            box.text for box in drawn if box.begins and box.top < 3 * LINE
        )
        for box in drawn:
            assert len(plain(box.text)) * advance(box.dot) - box.dot <= box.width, box.text
        assert w.legend().split()[0] in [box.text.split()[0] for box in drawn if box.text]
        assert (last_ended(views[0]) is None) == (not match.deals[0].rounds)
    assert len(sizes) == 1
