"""The book as one HTML file: it needs nothing from outside and no script, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from five211 import texts
from five211.rules import Rules
from five211.stats import plots
from five211.stats.book import SEEN, Book, Chapter, Check, Figure, Row, trimmed
from five211.stats.leads import known, lead, lead_checks
from five211.stats.sheet import FILLS, About, Sheet, heads, opening, scrolled
from five211.stats.words import label, level, number, percent, players, spoken, title
from five211.stats.words import named as bot_named

SHORT = (
    ("", "means", ("score", "best", "margin")),
    ("rounds", "outcome", ("color", "kododo", "none")),
    ("", "struck", ("biggest", "bust")),
    ("games", "victory", ("by_pile", "shared")),
)
"""What the first table shows: what it is a share of, if that is new; the chapter; its rows."""
UPWARDS = {
    "biggest": "rounds",
    "icons": "rounds",
    "worth": "points",
    "scores": "players",
    "lead": "games",
}
"""What a curve's shares are of, or that they are points."""
TRIMMED = ("biggest", "icons", "scores", "lead")


def page(book: Book, language: str) -> str:
    """The whole page."""
    return "\n".join(Page(book, language).parts()) + "\n"


class Page(Sheet):
    """A page in the making."""

    def __init__(self, book: Book, language: str) -> None:
        super().__init__(language)
        self.book = book
        self.bots = list(next(iter(book.games.values())))

    def parts(self) -> Iterator[str]:
        """Line by line."""
        name = self.said("stats.title")
        shown = [chapter for chapter in self.book.chapters if chapter.shown]
        yield opening(self.language, name, fills=FILLS)
        yield from self.hello()
        yield "<nav><ul>"
        for key in ("means", *(chapter.key for chapter in shown), "checks"):
            yield f'<li><a href="#{key}">{escape(self.title(key))}</a></li>'
        yield "</ul></nav>\n</header>\n<main>"
        yield from self.short()
        for chapter in shown:
            yield from self.chapter(chapter)
        yield from self.checks()
        yield f"</main>\n<footer><p>{self.said('stats.again', seed=self.book.seed)}</p>"
        yield f"<p>{self.said('stats.unofficial')}</p></footer>\n</body>\n</html>"

    def title(self, chapter: str) -> str:
        """A chapter's question."""
        return title(self.language, chapter)

    def label(self, chapter: str, row: Row) -> str:
        """What a row counts."""
        return label(self.language, chapter, row)

    def named(self, line: str) -> str:
        """What players know a bot by."""
        return level(self.language, line)

    def hello(self) -> Iterator[str]:
        """Who played, how often, and what the marks mean."""
        games = self.book.games
        every = number(self.language, self.book.played)
        yield f'<p class="hello">{self.said("stats.hello", games=every)}</p>'
        if self.book.interrupted:
            asked = number(self.language, self.book.asked)
            told = self.said("stats.interrupted", games=every, asked=asked)
            yield f"<p><strong>{told}</strong></p>"
        goal = self.book["means"].figures[0].rules.goal
        if goal:
            yield f"<p>{self.said('stats.variant_long', goal=goal)}</p>"
        yield f"<p>{self.said('stats.bots')}</p><ul class='bots'>"
        for bot in self.bots:
            told = escape(texts.fill(self.language, f"stats.bot_{bot}"))
            shown = spoken(self.language, self.book.games_of(bot), in_points=True)
            name = escape(bot_named(self.language, bot))
            yield f"<li>{plots.key_mark(bot)} <b>{name}</b> {told}"
            yield f"<small>{self.said('stats.bot_games', games=shown)}</small></li>"
        yield f"</ul><p>{self.said('stats.sure')}</p>"
        if len(games) > 1:
            yield f"<p>{self.said('stats.range_note', least=min(games), most=max(games))}</p>"

    # In short

    def short(self) -> Iterator[str]:
        """One table for whoever reads no further."""
        chapter, bot = self.book["means"], self.book.chief
        yield self.head("means", lead(self.book, chapter, self.language))
        head = "".join(f"<th scope=col>{n}</th>" for n in self.book.games)
        yield f'{scrolled(self.title("means"))}<table class="short">'
        yield f"<caption>{plots.key_mark(bot)} {escape(self.named(bot))}</caption>"
        yield f"<thead><tr><th>{self.said('stats.players_head')}</th>{head}</tr></thead>"
        for above, key, rows in SHORT:
            of = self.book[key]
            if above:
                name = self.said(f"stats.of_{above}")
                yield f"<tbody><tr><th colspan={1 + len(of.figures)}>{name}</th></tr>"
            for row in rows:
                yield f"<tr><th scope=row>{escape(self.label(key, row))}</th>"
                for figure in of.figures:
                    one = figure.lines[bot][figure.rows.index(row)]
                    said = spoken(self.language, [one.value], in_points=of.in_points)
                    yield f"<td>{said}</td>"
                yield "</tr>"
        yield "</table></div></section>"

    # A chapter

    def head(self, key: str, sentence: str) -> str:
        """A chapter's question and its answer."""
        name = escape(self.title(key))
        return f'<section id="{key}"><h2>{name}</h2><p class="lead">{escape(sentence)}</p>'

    def chapter(self, chapter: Chapter) -> Iterator[str]:
        """A picture for each number of players, and the table behind it."""
        yield self.head(chapter.key, lead(self.book, chapter, self.language))
        yield self.key(self.marks(chapter))
        yield '<div class="figures">'
        for place, whole in enumerate(chapter.figures):
            figure = trimmed(whole) if chapter.key in TRIMMED else whole
            yield f"<figure><h3>{self.players(figure.rules.players)}</h3>"
            yield self.picture(chapter, figure)
            yield self.behind(figure.rules.players)
            yield from self.with_exact(chapter, figure)
            if chapter.key == "worth":
                by_turn = self.book["worth_by_turn"]
                yield from self.with_exact(by_turn, by_turn.figures[place])
            yield "</div>"
            if len(figure.rows) < len(whole.rows):
                least = percent(self.language, SEEN, 1)
                yield f"<p>{self.said('stats.left_out', share=least)}</p>"
            yield "</details></figure>"
        yield "</div></section>"

    def marks(self, chapter: Chapter) -> list[str]:
        """What the marks and fills of a chapter mean."""
        if chapter.shown == "bars":
            return self.fills(chapter)
        items = [f"{plots.key_mark(bot)} {escape(self.named(bot))}" for bot in self.bots]
        if chapter.key == "seats":
            items += [self.said(f"stats.{key}") for key in ("fair_mark", "whisker_mark")]
        elif any(figure.exact for figure in chapter.figures):
            items.append(f"{plots.key_ring()} {self.said('stats.exact_mark')}")
        return items

    def bars(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A bar for each bot."""
        return plots.bars(figure, self.told(chapter), *about, named=self.named)

    def dots(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A line for each row and bot; what is near an equal share, for the seats."""
        fair = chapter.key == "seats"
        digits = 2 if chapter.in_points or fair else 1
        line = texts.fill(self.language, "stats.fair", n=figure.rules.players) if fair else ""
        return plots.dots(
            figure,
            self.told(chapter, digits),
            *about,
            label=lambda row: self.label(chapter.key, row),
            most=plots.highest(*chapter.figures),
            fair=line,
        )

    def curve(self, chapter: Chapter, figure: Figure, about: About) -> str:
        """A line for each bot."""
        across = texts.fill(self.language, f"stats.axis_{chapter.key}")
        upwards = texts.fill(self.language, f"stats.of_{UPWARDS[chapter.key]}")

        def said(row: Row) -> str:
            name = self.label(chapter.key, row)
            if chapter.key == "worth" and row == 1:
                return f"{name} {texts.fill(self.language, 'stats.icon_card')}"
            return name

        return plots.curve(
            figure,
            self.on_axis(chapter, figure),
            *about,
            label=said,
            axes=(across, upwards),
            at=self.pointed(chapter, figure.rules),
            beyond=chapter.key == "biggest",
            cards=chapter.key == "worth",
        )

    def pointed(self, chapter: Chapter, rules: Rules) -> tuple[Row, str] | None:
        """The row that a rule names."""
        if chapter.key == "biggest":
            return rules.limit, texts.fill(self.language, "stats.mark_limit", n=rules.limit)
        if chapter.key == "icons":
            return rules.exact, texts.fill(self.language, "stats.mark_exact", n=rules.exact)
        return None

    # The tables behind

    def with_exact(self, chapter: Chapter, figure: Figure) -> Iterator[str]:
        """Every value with its interval; beside it what is exact."""
        zs = {
            (one.bot, one.row): one
            for one in self.book.checks
            if (one.chapter, one.players) == (chapter.key, figure.rules.players)
        }
        beside = []
        if figure.exact:
            one = len(figure.exact) == 1
            every = ["z" if one else f"z {escape(self.named(bot))}" for bot in figure.exact]
            beside = [self.said("stats.exact_head"), *every]

        def cells(place: int) -> str:
            show = number if chapter.in_points else percent
            values = list(figure.exact.values())[:1]  # the same for every bot that has one
            found = [show(self.language, float(exact[place]), 3) for exact in values]
            found += [self.z(zs.get((bot, figure.rows[place]))) for bot in figure.exact]
            return "".join(f"<td>{cell}</td>" for cell in found)

        return self.table(chapter, figure, beside, cells)

    def z(self, check: Check | None) -> str:
        """How far from exact, flagged if it is too far."""
        if check is None:
            return ""
        shown = number(self.language, check.z, 2)
        return (
            f"<strong>{shown}<br>{self.said('stats.flagged')}</strong>" if check.flagged else shown
        )

    # What is known exactly

    def checks(self) -> Iterator[str]:
        """How far all exact values are from the games."""
        yield self.head("checks", lead_checks(self.book, self.language))
        yield '<div class="figures">'
        every = known(self.book)
        for n in self.book.games:
            mine = [one for one in every if one.players == n]
            if mine:
                yield f"<figure><h3>{self.players(n)}</h3>"
                yield self.strip(n, mine)
                yield self.behind(n)
                yield from self.check_table(mine)
                yield "</div></details></figure>"
        yield "</div></section>"

    def strip(self, n: int, checks: Sequence[Check]) -> str:
        """A dot for each."""
        name = f"{self.title('checks')} {players(self.language, n)}"
        axis = texts.fill(self.language, "stats.axis_checks")
        behind = texts.say(self.language, "stats.behind")
        zs = [one.z for one in checks]
        return plots.strip(zs, lambda z: number(self.language, z), name, behind, axis)

    def check_table(self, checks: Sequence[Check]) -> Iterator[str]:
        """All of them."""
        keys = ("value_head", "seen_head", "exact_head")
        yield heads([*(self.said(f"stats.{key}") for key in keys), "z"])
        for one in checks:
            show = number if one.in_points else percent
            seen, exact = (show(self.language, v, 3) for v in (one.seen.value, float(one.exact)))
            name = f"{self.title(one.chapter)} {self.label(one.chapter, one.row)}"
            cells = f"<td>{seen}</td><td>{exact}</td><td>{self.z(one)}</td>"
            yield f"<tr><th scope=row>{escape(name)}</th>{cells}</tr>"
        yield "</tbody></table>"
