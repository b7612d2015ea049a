"""The board and the cards, line by line."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from rich.text import Text

from five211 import Card, Rules, parse_cards
from five211.cards import ALL_CARDS, Color
from five211.editions import words
from five211.scoring import score_round
from five211.terminal import draw
from five211.terminal.draw import Board, Look, Row
from five211.terminal.paint import SHAPES, inks

TABLE = {
    "Ana": "G2 G3 Y1 Y1",
    "Maxi": "B2 G2 G4 O3",
    "Maxi 2": "Y2 G1 G2 V3",
    "Somebody with a name": "Y3 G3 O2 G5",
}


def look(language: str = "en", edition: str = "classic", width: int = 80) -> Look:
    return Look(words(language, edition), inks(edition), width)


def rows(table: Mapping[str, str] = TABLE, **more: str) -> tuple[Row, ...]:
    return tuple(
        Row(name, parse_cards(cards), parse_cards(more.get(name, "")), number * 4, number)
        for number, (name, cards) in enumerate(table.items())
    )


def lines(text: Text) -> list[str]:
    return [line.rstrip() for line in text.plain.split("\n")]


def test_the_board_counts_for_the_players() -> None:
    board = Board(Rules.of(4), rows(), picked=parse_cards("V1 V2"))
    assert lines(draw.board(board, look())) == [
        "limit 7                  ● Y yellow ♠ G green  ◆ O orange ■ B blue   ★ V violet",
        "                         ▮▮▮▮▯▯▯    ▮▮▮▮▮▮▮▮   ▮▮▯▯▯▯▯    ▮▯▯▯▯▯▯    ▮++▯▯▯▯",
        "                         4 leads    8 bust     2 behind   1 behind   1 behind",
        "           points pile   3 to limit            5 to limit 6 to limit 6 to limit",
        " Ana            0    0   Y1 Y1      G2 G3",
        " Maxi           4    1              G2 G4      O3         B2",
        " Maxi 2         8    2   Y2         G1 G2                            V3",
        " Somebody …    12    3   Y3         G3 G5      O2",
        "Kododos: 3 of exactly 6, not enough yet  ◉◉◉+○○",
    ]


def test_the_scoring_strikes_out_and_lights_up() -> None:
    rules = Rules.of(4)
    score = score_round(rules, [row.cards for row in rows()])
    shown = Board(rules, rows(), out=draw.struck(score.steps), scores=draw.scoring(score.steps))
    told = lines(draw.board(shown, look()))
    assert told[2].split() == [
        "4",
        "scores",
        "8",
        "out",
        "2",
        "behind",
        "1",
        "behind",
        "1",
        "behind",
    ]
    assert told[3].split() == ["points", "pile"]
    heads = draw.board(shown, look()).split("\n")[0]
    assert any("strike" in str(span.style) for span in heads.spans)


def test_ties_are_struck_out_and_exact_icons_score() -> None:
    rules = Rules.of(2)
    table = [parse_cards("Y2 Y3 G2 G3"), parse_cards("O2 O3 B2 V2")]
    steps = score_round(rules, table).steps
    assert draw.struck(steps) == {Color.Y, Color.G, Color.O, Color.B, Color.V}
    assert draw.scoring(steps) is None
    assert not draw.exactly(steps)
    table = [parse_cards("Y1 Y1 G1 G3"), parse_cards("O1 O3 B2 V2")]
    steps = score_round(rules, table).steps
    assert draw.exactly(steps)
    two = (Row("A", table[0], (), None, 0), Row("B", table[1], (), None, 0))
    told = draw.board(Board(rules, two, icons_score=True), look())
    assert "Kododos: 4 of exactly 4, exact!  ◉◉◉◉" in told.plain
    assert lines(told)[4].split()[:2] == ["A", "?"]  # points that are not shown


def test_many_cards_of_a_colour_fit() -> None:
    table = {"Ana": "G2 G2 G3 G4", "Ben": "G2 G3 G3 G5"}
    told = lines(draw.board(Board(Rules.of(2), rows(table)), look("fr")))
    assert "Ve2234" in told[4]  # the letter once
    assert "Ve2335" in told[5]
    assert "G2G2G3G4" in lines(draw.board(Board(Rules.of(2), rows(table)), look()))[4]
    told = lines(draw.board(Board(Rules.of(2), rows(table)), look("fr", width=140)))
    assert "Ve2 Ve2 Ve3 Ve4" in told[4]
    many = dict.fromkeys("ABCDE", "Y2 Y2 Y3 Y1")  # twenty of a colour
    told = lines(draw.board(Board(Rules.of(5), rows(many)), look()))
    assert "▮▮▮▮▮▮▮▮▮…" in told[1]


def test_what_was_revealed_just_now_is_underlined() -> None:
    board = Board(Rules.of(2), rows({"Ana": "G2 G2 G3", "Ben": "O2"}, Ana="G2"))
    line = draw.board(board, look()).split("\n")[4]
    styles = {line.plain[span.start : span.end]: str(span.style) for span in line.spans}
    underlined = [span for span in line.spans if "underline" in str(span.style)]
    assert len(underlined) == 1  # one of the two that are alike
    assert "underline" not in styles["G3"]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("edition", ["classic", "azul"])
@pytest.mark.parametrize("few", [False, True])
def test_every_card_has_its_letter_shape_and_value(language: str, edition: str, few: bool) -> None:
    looks = Look(words(language, edition), inks(edition, few), 80)
    for card in ALL_CARDS:
        for size in ((9, 4), (11, 6), (15, 8)):
            drawn = draw.card(card, looks, size, picked=False)
            told = lines(drawn)
            assert [len(line) for line in told] == [size[0]] * size[1]
            assert looks.words.letter(card.color) in drawn.plain
            assert SHAPES[card.color] in drawn.plain
            assert str(card.value) in drawn.plain
            assert (draw.ICON in drawn.plain) == card.is_icon
            assert draw.card(card, looks, size, picked=True).plain != drawn.plain
    assert len(set(looks.inks.values())) == 5
    assert len(set(SHAPES.values())) == 5
    assert len(set(lines(draw.back((9, 4))))) == 3


def test_a_large_icon_has_its_animal() -> None:
    assert "1 ◉ Kododo" in draw.card(Card("Y1"), look(), (15, 8), False).plain
