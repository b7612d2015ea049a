"""The arena's page: sound, alone, escaped, and nothing said by colour alone."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from five211.arena import Arena, Report, compare
from five211.arena.page import page
from five211.arena.plots import STRONGEST
from five211.arena.report import play, report
from five211.arena.words import half, head, milliseconds, short, signed
from five211.bots import Entry
from tests.arena.bots import Follower, Low
from tests.stats.test_page import check_alone, pictures, read


@cache
def found() -> Report:
    bots: list[str | Entry] = ["random", Entry("<b>low</b>", Low), Entry("follower", Follower)]
    arena = Arena.of(bots, [2, 3], 18, seed="page")
    return report(arena, play(arena))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_is_sound_and_alone(language: str) -> None:
    content = page(found(), language)
    check_alone(content, language)
    assert "None" not in content
    assert "<b>low</b>" not in content
    assert "&lt;b&gt;low" in content


def test_each_picture_says_what_it_is() -> None:
    drawn = pictures(page(found(), "en"))
    assert [one.findtext("title") for one in drawn] == [
        "2 players: how often one wins against another, in %. Par is 50%.",
        "3 players: how often one wins against 2 clones of another, in %. Par is 33.3%.",
        "Ratings",
    ]
    assert re.match(r"Follower: \+\d+ ±\d+\. ", drawn[2].findtext("desc") or "")


def test_a_matrix_has_every_share_and_marks_what_is_beyond_par() -> None:
    drawn = pictures(page(found(), "en"))[1]
    said = ["".join(one.itertext()) for one in drawn.iter("text")]
    contests = found().matrices[3].contests
    for one in contests.values():
        mark = {1: "▲", 0: "", -1: "▼"}[one.beyond]
        assert f"{mark}{100 * one.win.value:.1f}" in said
    assert any(one.beyond == 1 for one in contests.values())
    paint = [one for one in drawn.iter("rect") if one.get("class") in ("up", "down")]
    assert len(paint) == len(contests)
    assert all(0 <= float(one.get("fill-opacity", "9")) <= STRONGEST for one in paint)


def test_the_table_behind_has_intervals_and_points() -> None:
    content = page(found(), "fr")
    rows = re.findall(r"<tr><th scope=row>follower</th><td>random</td>\n(.*?)</tr>", content, re.S)
    assert len(rows) == 2
    assert re.search(r"<b>▲? \d+,\d\xa0%</b><br><small>\d+,\d\xa0% à \d+,\d\xa0%</small>", rows[0])
    assert rows[0].endswith("<td>18</td>")


def test_what_was_stopped_early_says_so_and_has_no_ratings() -> None:
    whole = found()
    cut = replace(whole, games=40, ratings={})
    content = page(cut, "en")
    read(content)
    assert "Stopped early: only 40 of 162 games were played." in content
    assert "Not everybody has met everybody yet." in content
    assert len(pictures(content)) == 2
    assert "Stopped" not in page(whole, "en")


def test_the_longer_game_is_named() -> None:
    long = compare(["random", "greedy"], games=4, variant="long")
    assert "These are longer games" in page(long, "en")
    assert "longer games" not in page(found(), "en")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["montecarlo", "montecarlos"], ["montecarlo", "…ntecarlos"]),
        (["bots/v1.py:Mine", "bots/v2.py:Mine"], ["…v1.py:Mine", "…v2.py:Mine"]),
        (["v1/b.py:Mine", "v2/b.py:Mine"], ["v1/b.py:M…", "v2/b.py:M…"]),
        (["a" + "x" * 20 + end for end in "12"] + ["b" + "x" * 20 + "1"], ["1", "2", "3"]),
    ],
)
def test_names_are_cut_so_that_each_is_told_apart(names: list[str], told: list[str]) -> None:
    found = short(names, 10)
    assert list(found) == names
    assert len({*found.values()}) == len(names)
    assert all(len(one) <= 10 for one in found.values())
    for name, start in zip(found.values(), told, strict=True):
        assert name.endswith(start[-9:]) or name.split()[0] == start


def test_where_no_deals_differ_no_interval_is_told() -> None:
    """The same bot twice, with no chance of its own: each deal is won by nobody."""
    same = compare([Entry("low", Low), Entry("clone", Low)], games=4)
    lead = same.contest("low", "clone").lead
    assert (lead.value, lead.half, half("en", lead)) == (0, 0, "–")
    assert "<td><b>0.0</b><br><small>–</small></td>" in page(same, "en")


def test_words() -> None:
    assert milliseconds("fr", 0.0996) == "0,100"
    assert signed("fr", 1.26, 1) == "+1,3"
    assert head("fr", found().matrices[3]).endswith("en\xa0%. L’égalité est à 33,3\xa0%.")
