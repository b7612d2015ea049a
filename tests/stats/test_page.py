"""The page: whole, sound, needing nothing from outside, and for all eyes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product

import pytest

from five211 import Rules
from five211.cli.stats import QUICK
from five211.stats import plots
from five211.stats.book import Book, Figure
from five211.stats.estimate import Estimate
from five211.stats.page import page
from five211.stats.style import DAY, NIGHT
from tests.stats.books import book

VOID = {"meta", "br"}
CASES = [
    ((2, 3, 4, 5), ("random", "hasty", "heuristic"), "standard"),
    ((4,), ("hasty",), "standard"),
    ((2, 3), ("random", "hasty"), "long"),
]


class Reader(HTMLParser):
    """Checks that what is opened is closed, and keeps what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] in ("tbody",) and tag != self.open[-1]:
            self.open.pop()  # its end may be left out
        assert self.open.pop() == tag


def read(content: str) -> Reader:
    reader = Reader()
    reader.feed(content)
    assert reader.open == []
    return reader


def check_alone(content: str, language: str) -> set[str]:
    """Any page of ours is sound and needs nothing else; where its links lead."""
    reader = read(content)
    tags = {tag for tag, _ in reader.tags}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "base", "form"})
    assert not re.search(r"https?:|@import|javascript:|\bon\w+=", content)
    assert set(re.findall(r"url\(([^)]*)\)", content)) <= {"#dotted", "#hatched"}
    assert ("html", {"lang": language}) in reader.tags
    names = [str(attributes["id"]) for _, attributes in reader.tags if "id" in attributes]
    assert len(names) == len(set(names))
    links = {str(a["href"]) for tag, a in reader.tags if tag == "a"}
    assert links <= {f"#{name}" for name in names}
    assert "{" not in re.sub(r"<style>.*?</style>", "", content, flags=re.DOTALL)
    return links


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("case", CASES, ids=["whole", "one", "long"])
def test_the_page_is_sound_and_alone(
    case: tuple[tuple[int, ...], tuple[str, ...], str], language: str
) -> None:
    content = page(book(*case), language)
    check_alone(content, language)
    assert "None" not in content


def pictures(content: str) -> list[Tree.Element]:
    found = re.findall(r'<svg [^>]*role="img">.*?</svg>', content, flags=re.DOTALL)
    return [Tree.fromstring(one) for one in found]


def test_every_picture_says_what_it_is_and_has_its_table() -> None:
    content = page(book(), "en")
    figures = content.split("<figure>")[1:]
    assert len(figures) == 12 * 4  # chapters, for four numbers of players
    titles = set()
    for one in figures:
        (drawn,) = pictures(one)
        title, description = drawn.findtext("title"), drawn.findtext("desc")
        assert title
        titles.add(title)
        assert description
        assert description.endswith("table below.")
        table = one[one.index("<details>") :]
        assert "<th scope=col>" in table
        assert "<th scope=row>" in table
    assert len(titles) == len(figures)
    first = pictures(content)[0].findtext("desc") or ""
    assert re.match(r"Beginner: a colour scores 6\d\.\d%, exact icons \d\.\d% and nobody", first)


def test_everything_else_that_is_drawn_is_hidden_from_readers() -> None:
    for tag, attributes in read(page(book(), "en")).tags:
        if tag == "svg":
            assert attributes.get("role") == "img" or attributes.get("aria-hidden") == "true"


def test_the_tables_have_every_value_its_interval_what_is_exact_and_z() -> None:
    told = book((4,), ("random",))
    content = page(told, "en")
    section = content[content.index('id="outcome"') : content.index('id="biggest"')]
    cells = re.findall(r"<td>(.*?)</td>", section)
    check = next(one for one in told.checks if one.row == "color")
    assert cells[0].startswith(f"<b>{100 * check.seen.value:.1f}%</b><br><small>")
    assert " to " in cells[0]
    assert cells[1] == f"{float(100 * check.exact):.3f}%"
    assert cells[2] == f"{check.z:.2f}".replace("-", "−")


def heads(key: str, content: str) -> list[str]:
    section = content[content.index(f'id="{key}"') :]
    return re.findall(r"<th scope=col>(.*?)</th>", section[: section.index("</thead>")])


def test_bots_stand_side_by_side_then_what_is_exact() -> None:
    content = page(book(), "en")
    bots = ["What is counted", "beginner", "easy", "medium", "Exact"]
    assert heads("outcome", content) == [*bots, "z"]
    assert heads("seats", content) == [*bots, "z beginner", "z easy", "z medium"]
    row = content[content.index("<th scope=row>seat 1</th>") :]
    assert row[: row.index("</tr>")].count("<td>") == 7


def test_bots_are_named_by_level_and_name_at_first() -> None:
    content = page(book(), "fr")
    assert "<b>Les robots de niveau moyen (heuristic)</b> comptent la table" in content
    assert content.count("heuristic") == 1


def test_an_interrupted_page_says_so() -> None:
    told = book((4,), ("random",))
    assert "interrupted" not in page(told, "en")
    content = page(replace(told, asked=1_000_000), "en")
    assert "interrupted: only 20,000 of 1,000,000 games are in here." in content


def test_what_reaches_the_limit_is_out() -> None:
    content = page(book((4,), ("random",)), "en")
    section = content[content.index('id="biggest"') : content.index('id="struck"')]
    assert "7 or more: out" in section
    (picture,) = pictures(section)
    (out,) = kinds(picture, "beyond")
    six, seven = (
        float(one.get("x") or 0) for one in picture.iter("text") if one.text in ("6", "7")
    )
    assert six < float(out.get("x") or 0) < seven


def test_what_a_card_is_worth_is_told_by_turn_too() -> None:
    content = page(book(), "en")
    section = content[content.index('id="worth"') : content.index('id="icon_card"')]
    told = book()["worth_by_turn"].figures[3].lines["random"][-1].value
    row = section[section.rindex("a 6 in turn 3") :]
    assert re.search(r"<b>(\d\.\d+)</b>", row)[1] == f"{told:.2f}"  # type: ignore[index]
    assert section.count("a 6 in turn 3") == 4


def test_what_is_left_out_is_said() -> None:
    content = page(book((4,), ("random",)), "en")
    assert content.count("What happens in less than 0.1% of cases is left out.") == 4


def test_an_exact_value_that_does_not_agree_is_flagged() -> None:
    told = book((4,), ("random",))
    assert "does not agree" not in page(told, "en").lower()
    wrong = tuple(replace(one, z=4.0) if one.row == "color" else one for one in told.checks)
    content = page(replace(told, checks=wrong), "en")
    assert content.count("4.00<br>Does not agree!") == 2  # in its chapter and in the last one
    assert "1 is more than 4 standard errors" in content
    assert content.count('class="far"') == 1


def test_without_random_play_there_is_nothing_exact_to_draw() -> None:
    content = page(book((4,), ("hasty",)), "en")
    assert 'class="ring"' not in content
    assert "Only the random play" in content
    assert "A ring" not in content
    assert "1 in 4" in content  # that seats are equal is known of every bot


def test_the_longer_game_is_named() -> None:
    assert "longer games, to 50 points" in page(book((2, 3), ("random", "hasty"), "long"), "en")


def test_a_bot_that_was_interrupted_is_shown_where_it_played() -> None:
    told: Book = book((2, 3), ("random", "hasty"))
    chapters = []
    for chapter in told.chapters:
        first, last = chapter.figures
        only = {"random": last.lines["random"]}
        known = {bot: values for bot, values in last.exact.items() if bot == "random"}
        chapters.append(replace(chapter, figures=(first, replace(last, lines=only, exact=known))))
    games = {2: {"random": 20000, "hasty": 2000}, 3: {"random": 512}}
    content = page(replace(told, chapters=tuple(chapters), games=games), "en")
    read(content)
    assert "512 to 20,000 games for each number of players" in content


# Pictures


def some(values: list[float], half: float = 0.0, *, known: bool = False) -> Figure:
    line = tuple(Estimate(one, half / 2, one - half, one + half, 9) for one in values)
    exact = {"random": tuple(map(Fraction, values))} if known else {}
    rows = tuple(range(len(values)))
    return Figure(Rules.of(2), rows, {"random": line, "hasty": line}, exact)


def drawn(figure: Figure, **more: object) -> Tree.Element:
    given = {"label": str, "axes": ("across", "upwards"), **more}
    return Tree.fromstring(plots.curve(figure, str, "t", "d", **given))  # type: ignore[arg-type]


def kinds(picture: Tree.Element, name: str) -> list[Tree.Element]:
    return [one for one in picture.iter() if name in (one.get("class") or "").split()]


def test_intervals_are_drawn_where_they_can_be_seen() -> None:
    assert len(kinds(drawn(some([0.2, 0.5], 0.1)), "whisker")) == 4
    assert len(kinds(drawn(some([0.2, 0.5], 0.001)), "whisker")) == 0
    many = drawn(some([0.2] * 30, 0.1))
    assert len(kinds(many, "whisker")) == 0
    assert len(kinds(many, "band")) == 2
    assert len(kinds(many, "mark")) == 2 * 6


def test_a_higher_value_stands_higher_and_exact_ones_have_a_ring() -> None:
    picture = drawn(some([0.2, 0.5], known=True))
    low, high = [float(one.get("cy") or 0) for one in kinds(picture, "ring")]
    assert high < low
    assert len(kinds(picture, "ring")) == 2


def test_a_row_is_pointed_out_if_it_is_there() -> None:
    figure = some([0.2, 0.5, 0.1])
    assert len(kinds(drawn(figure, at=(0, "here")), "pointed")) == 1
    assert len(kinds(drawn(figure, at=(2, "here")), "pointed")) == 1
    assert len(kinds(drawn(figure, at=(7, "nowhere")), "pointed")) == 0


@pytest.mark.parametrize(
    ("most", "between"), [(1, 0.2), (0.99, 0.2), (0.6, 0.2), (0.09, 0.02), (2.4, 0.5), (7, 2)]
)
def test_axes_have_round_steps(most: float, between: float) -> None:
    assert plots.step(most) == pytest.approx(between)
    assert 2 < most / plots.step(most) <= 5


def test_forms_differ_as_well_as_colours() -> None:
    marks = [plots.mark(bot, 9, 9) for bot in ("random", "hasty", "heuristic", "neural")]
    assert [one.split()[0] for one in marks] == ["<path", "<rect", "<circle", "<path"]
    diamond, triangle = (
        re.findall("[a-z]", Tree.fromstring(marks[at]).get("d") or "") for at in (0, 3)
    )
    assert diamond != triangle
    assert len({plots.paint(bot) for bot in QUICK}) == len(QUICK)


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paint", [DAY, NIGHT], ids=["day", "night"])
def test_words_and_marks_stand_out_by_day_and_by_night(paint: dict[str, str]) -> None:
    for front, back in product(("ink", "soft", "warn"), ("paper", "panel")):
        assert contrast(paint[front], paint[back]) >= 4.5, front
    for front, back in product(("s0", "s1", "s2", "s3"), ("paper", "panel")):
        assert contrast(paint[front], paint[back]) >= 4.5, front
