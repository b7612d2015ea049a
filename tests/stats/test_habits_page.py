"""Habits in words and as a page: whole, sound, needing nothing from outside, and for all eyes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from five211 import Rules
from five211.stats.book import Chapter, Figure
from five211.stats.estimate import UNKNOWN, Estimate
from five211.stats.habits.chapters import SPECS
from five211.stats.habits.leads import lead
from five211.stats.habits.page import page
from five211.stats.habits.report import Report, make_report
from five211.stats.habits.words import label, named, title, who
from tests.stats.habits import GAMES, report, sums
from tests.stats.test_page import check_alone, kinds, pictures, read

LANGUAGES = ("en", "fr")


# The sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chapter_begins_with_a_sentence(language: str) -> None:
    for chapter in report().chapters:
        sentence = lead(chapter, language)
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
        assert "{" not in sentence
        assert title(language, chapter.key)[0].isupper()


def first(key: str) -> dict[str | int, float]:
    """The values of one number of players."""
    figure = report((4,))[key].figures[0]
    (line,) = figure.lines.values()
    return {row: one.value for row, one in zip(figure.rows, line, strict=True)}


def test_sentences_say_what_the_figures_are() -> None:
    found = report((4,))
    kinds = first("opening")
    pairs = kinds["pair"] + kinds["pair_icon"]
    assert lead(found["opening"], "en").startswith(f"{pairs:.0%} of openings are two cards of one")
    values = first("timing")
    assert f"one of the last {values['third']:.1f}." in lead(found["timing"], "en")
    assert lead(found["high_turns"], "en").endswith("of all cards it is 50% and 25%.")
    assert "of the whole deck it is 20%." in lead(found["high_thirds"], "en")
    high = sum(one.value for one in found["values"].figures[0].lines["first"][3:])
    assert lead(found["values"], "en").startswith(f"Of the first turn’s cards {high:.0%} are")
    cards = first("scoring_cards")
    assert f"In {cards[6]:.0%} of cases" in lead(found["scoring_cards"], "en")
    decided = first("decided")
    assert (
        f"une couleur décide {100 * decided['color']:.0f}\xa0% des manches"
        in lead(found["decided"], "fr").lower()
    )


def test_several_numbers_of_players_are_a_range() -> None:
    assert re.match(r"\d+ to \d+% of openings are", lead(report(bot="greedy")["opening"], "en"))


def test_icons_that_may_come_out_exact() -> None:
    chapter = report((2,), "random", 3000)["exact_after"]
    two = chapter.figures[0].lines["second"]
    assert chapter.figures[0].rules.exact == 4
    assert f"it is {two[3].value:.0%} with one to go" in lead(chapter, "en")
    assert f"and {two[4].value:.0%} if their number is right" in lead(chapter, "en")


def test_too_few_to_tell() -> None:
    chapter = report()["buster"]
    empty = tuple(replace(one, lines={"all": (UNKNOWN,) * 3}) for one in chapter.figures)
    assert lead(replace(chapter, figures=empty), "en") == "Too few of these came up to tell."
    mixed = replace(chapter, figures=(empty[0], chapter.figures[1]))
    assert lead(mixed, "en") == lead(replace(chapter, figures=chapter.figures[1:2]), "en")


def compared(*figures: tuple[tuple[float, float], ...]) -> Chapter:
    """Winners and others with these shares."""

    def line(values: tuple[float, ...]) -> tuple[Estimate, ...]:
        return tuple(Estimate(v, 0.01, v - 0.02, v + 0.02, 99) if v else UNKNOWN for v in values)

    rows = ("opens_pair", "opens_icon", "win_decides")
    return Chapter(
        "winners",
        "dots",
        False,
        tuple(
            Figure(Rules.of(2 + at), rows, {"winners": line(one), "others": line(two)}, {})
            for at, (one, two) in enumerate(zip(*pairs, strict=True) for pairs in figures)
        ),
    )


def test_what_winners_do_more_and_less_often() -> None:
    clear, same, less, none = (0.5, 0.4), (0.5, 0.49), (0.1, 0.2), (0.0, 0.2)
    luck = "these numbers do not tell which."
    both = lead(compared((clear, same, less), (clear, clear, less)), "en")
    assert both.startswith(
        "More often with winners, whatever the number of players: the opening has one colour."
        " Less often with winners, whatever the number of players: the last card decides. "
    )
    assert both.endswith(luck)
    assert lead(compared((less, same, same)), "en").startswith("Less often with winners: the open")
    assert "plus souvent chez les gagnants" in lead(compared((clear, clear, none)), "fr").lower()
    nothing = lead(compared((clear, none, same), (less, same, same)), "en")
    assert nothing.startswith("There is nothing here that winners do more or less often")
    assert "beyond chance, whatever" in nothing
    assert "beyond chance." in lead(compared((same, same, same)), "en")


# Names


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_and_lines_have_names(language: str) -> None:
    for spec in SPECS:
        rows = [label(language, row) for row in spec.rows_of(Rules.of(5))]
        assert len(set(rows)) == len(rows)
        assert all(rows)
        lines = [named(language, line) for line in spec.lines]
        assert lines == [""] or len(set(filter(None, lines))) == len(spec.lines)


def test_bots_are_named_by_level_if_they_have_one() -> None:
    assert who("en", report()) == "easy bots (hasty)"
    assert who("fr", report()) == "robots de niveau facile (hasty)"
    nobody = make_report({Rules.of(2): sums(2)}, "mine", "x")
    assert who("en", nobody) == "mine bots"
    assert who("fr", nobody) == "robots mine"
    assert who("en", replace(nobody, bot="expert", level="expert")) == "expert bots"


# The page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [(2, 3, 4, 5), (4,)], ids=["whole", "one"])
def test_the_page_is_sound_and_alone(players: tuple[int, ...], language: str) -> None:
    content = page(report(players), language)
    assert check_alone(content, language) == {f"#{spec.part}" for spec in SPECS}
    assert "None" not in content


def test_every_picture_says_what_it_is_and_has_its_table() -> None:
    content = page(report(), "en")
    figures = content.split("<figure>")[1:]
    assert len(figures) == len(SPECS) * 4
    titles = set()
    for one in figures:
        (drawn,) = pictures(one)
        titles.add(drawn.findtext("title"))
        assert (drawn.findtext("desc") or "").endswith("table below.")
        table = one[one.index("<details>") :]
        assert not re.search(r"<th scope=col></th>", table)
        assert "<th scope=row>" in table
    assert len(titles) == len(figures)
    description = pictures(content)[0].findtext("desc") or ""
    assert re.match(r"2 players: one colour, no icon \d", description)


def bare(found: Report) -> Report:
    """The same, but nothing is known of the first row of any line."""

    def without(figure: Figure) -> Figure:
        lines = {line: (UNKNOWN, *values[1:]) for line, values in figure.lines.items()}
        return replace(figure, lines=lines)

    chapters = tuple(
        replace(one, figures=tuple(map(without, one.figures))) for one in found.chapters
    )
    return replace(found, chapters=chapters)


def test_what_is_not_known_is_a_dash_and_no_mark() -> None:
    whole, without = (page(one, "en") for one in (report((4,)), bare(report((4,)))))
    read(without)
    assert "<td><b>–</b><br><small></small></td>" in without
    marks, fewer = (
        sum(len(kinds(picture, "mark")) for picture in pictures(one)) for one in (whole, without)
    )
    rows = sum(len(spec.lines) for spec in SPECS if spec.shown != "bars")
    already = sum(  # rare with so few games
        line[0] == UNKNOWN
        for chapter in report((4,)).chapters
        for line in chapter.figures[0].lines.values()
        if chapter.shown != "bars"
    )
    assert marks - fewer == rows - already


def test_nothing_known_at_all_can_be_drawn() -> None:
    found = report((4,))
    lines = {
        chapter.key: {
            line: (UNKNOWN,) * len(values) for line, values in chapter.figures[0].lines.items()
        }
        for chapter in found.chapters
    }
    chapters = tuple(
        replace(one, figures=(replace(one.figures[0], lines=lines[one.key]),))
        for one in found.chapters
    )
    read(page(replace(found, chapters=chapters), "fr"))


def test_an_interrupted_page_says_so() -> None:
    assert "interrupted" not in page(report(), "en")
    content = page(replace(report(), asked=1_000_000), "en")
    assert f"interrupted: only {4 * GAMES:,} of 1,000,000 games are in here." in content


def test_the_exact_number_of_icons_is_pointed_out() -> None:
    content = page(report((4,)), "en")
    section = content[content.index('id="icons"') : content.index('id="biggest"')]
    assert ">exactly 6</text>" in section


def test_a_bots_name_is_only_a_name() -> None:
    content = page(replace(report((4,)), bot="<b>", level=None, seed="<i>"), "en")
    assert "&lt;b&gt; bots" in content
    assert "seed &lt;i&gt;" in content
