"""The habits as one HTML file: it needs nothing from outside and no script, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape

from five211 import texts
from five211.stats import plots
from five211.stats.book import Chapter, Figure, Row
from five211.stats.habits.leads import lead
from five211.stats.habits.report import FEW, Report
from five211.stats.habits.words import about as part_name
from five211.stats.habits.words import label, named, title, who
from five211.stats.sheet import FILLS, About, Sheet, opening
from five211.stats.words import number

MORE = """
h3.question{font-size:1.25rem;margin:1.6rem 0 .3rem}h4{font-size:1.05rem;margin:0 0 .4rem}
"""


def page(report: Report, language: str) -> str:
    """The whole page."""
    return "\n".join(Page(report, language).parts()) + "\n"


class Page(Sheet):
    """A page in the making."""

    def __init__(self, report: Report, language: str) -> None:
        super().__init__(language)
        self.report = report

    def parts(self) -> Iterator[str]:
        """Line by line."""
        yield opening(self.language, self.said("habits.title"), MORE, FILLS)
        yield from self.hello()
        yield "<nav><ul>"
        for part, _chapters in self.report.parts():
            name = escape(part_name(self.language, part))
            yield f'<li><a href="#{part}">{name}</a></li>'
        yield "</ul></nav>\n</header>\n<main>"
        for part, chapters in self.report.parts():
            yield f'<section id="{part}"><h2>{escape(part_name(self.language, part))}</h2>'
            for chapter in chapters:
                yield from self.chapter(chapter)
            yield "</section>"
        yield f"</main>\n<footer><p>{self.said('habits.again', seed=self.report.seed)}</p>"
        yield f"<p>{self.said('stats.unofficial')}</p></footer>\n</body>\n</html>"

    def title(self, chapter: str) -> str:
        """A chapter's question."""
        return title(self.language, chapter)

    def label(self, _chapter: str, row: Row) -> str:
        """What a row counts."""
        return label(self.language, row)

    def named(self, line: str) -> str:
        """What a line is called."""
        return named(self.language, line)

    def hello(self) -> Iterator[str]:
        """Who played, how often, and how to read it."""
        games, every = self.report.games, number(self.language, self.report.played)
        bots = who(self.language, self.report)
        yield f'<p class="hello">{self.said("habits.hello", who=bots, games=every)}</p>'
        if self.report.interrupted:
            asked = number(self.language, self.report.asked)
            told = self.said("stats.interrupted", games=every, asked=asked)
            yield f"<p><strong>{told}</strong></p>"
        yield f"<p>{self.said('habits.careful')}</p><p>{self.said('stats.sure')}</p>"
        if len(games) > 1:
            yield f"<p>{self.said('stats.range_note', least=min(games), most=max(games))}</p>"
        yield f"<p>{self.said('habits.few', n=FEW)}</p>"
        yield self.key([self.said("stats.whisker_mark")])

    def chapter(self, chapter: Chapter) -> Iterator[str]:
        """A question and its answer; a picture for each number of players, and its table."""
        yield f'<h3 class="question">{escape(self.title(chapter.key))}</h3>'
        yield f'<p class="lead">{escape(lead(chapter, self.language))}</p>'
        marks = self.marks(chapter)
        if marks:
            yield self.key(marks)
        yield '<div class="figures">'
        for figure in chapter.figures:
            yield f"<figure><h4>{self.players(figure.rules.players)}</h4>"
            yield self.picture(chapter, figure)
            yield self.behind(figure.rules.players)
            yield from self.table(chapter, figure)
            yield "</div></details></figure>"
        yield "</div>"

    def marks(self, chapter: Chapter) -> list[str]:
        """What the marks and fills of a chapter mean."""
        if chapter.shown == "bars":
            return self.fills(chapter)
        lines = [(line, self.named(line)) for line in chapter.figures[0].lines]
        return [f"{plots.key_mark(line)} {escape(name)}" for line, name in lines if name]

    def bars(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A bar for each line."""
        return plots.bars(figure, self.told(chapter), *about, named=self.named)

    def dots(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A line for each row."""
        tell = self.told(chapter, 2 if chapter.in_points else 1)
        most = plots.highest(*chapter.figures)
        named = partial(self.label, chapter.key)
        return plots.dots(figure, tell, *about, label=named, most=most)

    def curve(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """Of cards by value, of rounds by icons, or of colours by their cards."""
        exact = figure.rules.exact
        there = exact, texts.fill(self.language, "stats.mark_exact", n=exact)
        cards = chapter.key == "values"

        def said(row: Row) -> str:
            icon = f" {texts.fill(self.language, 'stats.icon_card')}" if cards and row == 1 else ""
            return f"{self.label(chapter.key, row)}{icon}"

        return plots.curve(
            figure,
            self.on_axis(chapter, figure),
            *about,
            label=said,
            axes=(
                texts.fill(self.language, f"habits.axis_{chapter.key}"),
                texts.fill(self.language, f"habits.upwards_{chapter.key}"),
            ),
            at=there if chapter.key == "exact_after" else None,
            cards=cards,
        )
