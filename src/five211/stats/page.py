"""The book as one HTML file: it needs nothing from outside and no script, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from five211 import texts
from five211.cards import Color
from five211.editions import paint
from five211.record import DEFAULT_EDITION
from five211.rules import Rules
from five211.stats import plots
from five211.stats.book import SEEN, Book, Chapter, Check, Figure, Row, trimmed
from five211.stats.estimate import Estimate
from five211.stats.leads import known, lead, lead_checks
from five211.stats.style import STYLE
from five211.stats.words import brief, label, level, number, percent, players, spoken, title
from five211.stats.words import figure as in_words
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
FEW = 8
"""Rows that a picture's description names one by one."""
TRIMMED = ("biggest", "icons", "scores", "lead")
FILLS = """\
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="dotted" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" \
class="p1"/><circle cx="3" cy="3" r="1.5" class="p1dot"/></pattern>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" \
patternTransform="rotate(45)"><rect width="6" height="6" class="p2"/><rect width="2" height="6" \
class="p2line"/></pattern></defs></svg>"""


def page(book: Book, language: str) -> str:
    """The whole page."""
    return "\n".join(Page(book, language).parts()) + "\n"


class Page:
    """A page in the making."""

    def __init__(self, book: Book, language: str) -> None:
        self.book, self.language = book, language
        self.bots = list(next(iter(book.games.values())))

    def parts(self) -> Iterator[str]:
        """Line by line."""
        name = self.said("title")
        shown = [chapter for chapter in self.book.chapters if chapter.shown]
        yield f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>{FILLS}\n<header>"
        yield f"{four_cards()}<h1>{name}</h1>"
        yield from self.hello()
        yield "<nav><ul>"
        for key in ("means", *(chapter.key for chapter in shown), "checks"):
            yield f'<li><a href="#{key}">{escape(title(self.language, key))}</a></li>'
        yield "</ul></nav>\n</header>\n<main>"
        yield from self.short()
        for chapter in shown:
            yield from self.chapter(chapter)
        yield from self.checks()
        yield f"</main>\n<footer><p>{self.said('again', seed=self.book.seed)}</p>"
        yield f"<p>{self.said('unofficial')}</p></footer>\n</body>\n</html>"

    def said(self, key: str, **fields: object) -> str:
        """A sentence, ready for the page."""
        return escape(texts.say(self.language, f"stats.{key}", **fields))

    def hello(self) -> Iterator[str]:
        """Who played, how often, and what the marks mean."""
        games = self.book.games
        every = number(self.language, self.book.played)
        yield f'<p class="hello">{self.said("hello", games=every)}</p>'
        if self.book.interrupted:
            asked = number(self.language, self.book.asked)
            yield f"<p><strong>{self.said('interrupted', games=every, asked=asked)}</strong></p>"
        goal = self.book["means"].figures[0].rules.goal
        if goal:
            yield f"<p>{self.said('variant_long', goal=goal)}</p>"
        yield f"<p>{self.said('bots')}</p><ul class='bots'>"
        for bot in self.bots:
            told = escape(texts.fill(self.language, f"stats.bot_{bot}"))
            shown = spoken(self.language, self.book.games_of(bot), in_points=True)
            name = escape(bot_named(self.language, bot))
            yield f"<li>{plots.key_mark(bot)} <b>{name}</b> {told}"
            yield f"<small>{self.said('bot_games', games=shown)}</small></li>"
        yield f"</ul><p>{self.said('sure')}</p>"
        if len(games) > 1:
            yield f"<p>{self.said('range_note', least=min(games), most=max(games))}</p>"

    # In short

    def short(self) -> Iterator[str]:
        """One table for whoever reads no further."""
        chapter, bot = self.book["means"], self.book.chief
        yield self.head("means", lead(self.book, chapter, self.language))
        head = "".join(f"<th scope=col>{n}</th>" for n in self.book.games)
        yield f'{scrolled(title(self.language, "means"))}<table class="short">'
        yield f"<caption>{plots.key_mark(bot)} {self.bot(bot)}</caption>"
        yield f"<thead><tr><th>{self.said('players_head')}</th>{head}</tr></thead>"
        for above, key, rows in SHORT:
            of = self.book[key]
            if above:
                name = self.said(f"of_{above}")
                yield f"<tbody><tr><th colspan={1 + len(of.figures)}>{name}</th></tr>"
            for row in rows:
                yield f"<tr><th scope=row>{escape(label(self.language, key, row))}</th>"
                for figure in of.figures:
                    one = figure.lines[bot][figure.rows.index(row)]
                    said = spoken(self.language, [one.value], in_points=of.in_points)
                    yield f"<td>{said}</td>"
                yield "</tr>"
        yield "</table></div></section>"

    def brief(self, chapter: Chapter, value: float) -> str:
        """A value with one digit."""
        return brief(self.language, value, in_points=chapter.in_points)

    def bot(self, bot: str) -> str:
        """What players know a bot by."""
        return escape(level(self.language, bot))

    def players(self, n: int) -> str:
        """So many players."""
        return escape(players(self.language, n))

    # A chapter

    def head(self, key: str, sentence: str) -> str:
        """A chapter's question and its answer."""
        name = escape(title(self.language, key))
        return f'<section id="{key}"><h2>{name}</h2><p class="lead">{escape(sentence)}</p>'

    def chapter(self, chapter: Chapter) -> Iterator[str]:
        """A picture for each number of players, and the table behind it."""
        yield self.head(chapter.key, lead(self.book, chapter, self.language))
        yield self.key(chapter)
        yield '<div class="figures">'
        for place, whole in enumerate(chapter.figures):
            figure = trimmed(whole) if chapter.key in TRIMMED else whole
            yield f"<figure><h3>{self.players(figure.rules.players)}</h3>"
            yield self.picture(chapter, figure)
            yield self.behind(figure.rules.players)
            yield from self.table(chapter, figure)
            if chapter.key == "worth":
                by_turn = self.book["worth_by_turn"]
                yield from self.table(by_turn, by_turn.figures[place])
            yield "</div>"
            if len(figure.rows) < len(whole.rows):
                least = percent(self.language, SEEN, 1)
                yield f"<p>{self.said('left_out', share=least)}</p>"
            yield "</details></figure>"
        yield "</div></section>"

    def key(self, chapter: Chapter) -> str:
        """What the marks and fills of a chapter mean."""
        items = []
        if chapter.shown == "bars":
            for place, row in enumerate(chapter.figures[0].rows):
                name = escape(label(self.language, chapter.key, row))
                items.append(f"<li>{plots.key_fill(place)} {name}</li>")
        else:
            items += [f"<li>{plots.key_mark(bot)} {self.bot(bot)}</li>" for bot in self.bots]
            if chapter.key == "seats":
                items += [f"<li>{self.said(key)}</li>" for key in ("fair_mark", "whisker_mark")]
            elif any(figure.exact for figure in chapter.figures):
                items.append(f"<li>{plots.key_ring()} {self.said('exact_mark')}</li>")
        return f'<ul class="keys" aria-label="{self.said("key")}">{"".join(items)}</ul>'

    def picture(self, chapter: Chapter, figure: Figure) -> str:
        """The figure, drawn."""
        name = f"{title(self.language, chapter.key)} {players(self.language, figure.rules.players)}"
        about = name, self.description(chapter, figure)
        if chapter.shown == "bars":
            return plots.bars(
                figure,
                lambda value: self.brief(chapter, value),
                *about,
                named=lambda bot: level(self.language, bot),
            )

        def named(row: Row) -> str:
            said = label(self.language, chapter.key, row)
            if chapter.key == "worth" and row == 1:
                return f"{said} {texts.fill(self.language, 'stats.icon_card')}"
            return said

        if chapter.shown == "dots":
            digits = 2 if chapter.in_points or chapter.key == "seats" else 1
            fair = chapter.key == "seats"
            line = texts.fill(self.language, "stats.fair", n=figure.rules.players) if fair else ""
            return plots.dots(
                figure,
                lambda value: brief(self.language, value, digits, in_points=chapter.in_points),
                *about,
                label=named,
                fair=line,
            )
        across = texts.fill(self.language, f"stats.axis_{chapter.key}")
        upwards = texts.fill(self.language, f"stats.of_{UPWARDS[chapter.key]}")
        return plots.curve(
            figure,
            self.on_axis(chapter, figure),
            *about,
            label=named,
            axes=(across, upwards),
            at=self.pointed(chapter, figure.rules),
            beyond=chapter.key == "biggest",
            cards=chapter.key == "worth",
        )

    def on_axis(self, chapter: Chapter, figure: Figure) -> plots.Show:
        """How an axis writes its numbers: with a digit only where its steps need one."""
        most = max(one.high for line in figure.lines.values() for one in line)
        between = plots.step(most) * (1 if chapter.in_points else 100)
        show = number if chapter.in_points else percent
        return lambda value: show(self.language, value, 0 if between >= 1 else 1)

    def pointed(self, chapter: Chapter, rules: Rules) -> tuple[Row, str] | None:
        """The row that a rule names."""
        if chapter.key == "biggest":
            return rules.limit, texts.fill(self.language, "stats.mark_limit", n=rules.limit)
        if chapter.key == "icons":
            return rules.exact, texts.fill(self.language, "stats.mark_exact", n=rules.exact)
        return None

    def description(self, chapter: Chapter, figure: Figure) -> str:
        """The picture in words: its numbers if they are few, and where all of them are."""
        lines = []
        for bot, values in figure.lines.items() if len(figure.rows) <= FEW else ():
            items = tuple(
                texts.fill(
                    self.language,
                    "stats.item",
                    row=label(self.language, chapter.key, row),
                    value=self.brief(chapter, one.value),
                )
                for row, one in zip(figure.rows, values, strict=True)
            )
            name = level(self.language, bot)
            lines.append(texts.say(self.language, "stats.line", bot=name, items=items))
        return " ".join((*lines, texts.say(self.language, "stats.behind")))

    # The tables behind

    def behind(self, n: int) -> str:
        """What opens the table behind a picture."""
        name = texts.say(self.language, "stats.table", players=players(self.language, n))
        return f"<details><summary>{escape(name)}</summary>{scrolled(name)}"

    def table(self, chapter: Chapter, figure: Figure) -> Iterator[str]:
        """Every value with its interval; beside it what is exact."""
        zs = {
            (one.bot, one.row): one
            for one in self.book.checks
            if (one.chapter, one.players) == (chapter.key, figure.rules.players)
        }
        heads = [self.said("value_head"), *map(self.bot, figure.lines)]
        if figure.exact:
            heads.append(self.said("exact_head"))
            one = len(figure.exact) == 1
            heads += ["z" if one else f"z {self.bot(bot)}" for bot in figure.exact]
        cells = "".join(f"<th scope=col>{head}</th>" for head in heads)
        yield f"<table><thead><tr>{cells}</tr></thead><tbody>"
        for place, row in enumerate(figure.rows):
            yield f"<tr><th scope=row>{escape(label(self.language, chapter.key, row))}</th>"
            for line in figure.lines.values():
                yield self.cell(chapter, line[place])
            for exact in list(figure.exact.values())[:1]:  # the same for every bot that has one
                show = number if chapter.in_points else percent
                yield f"<td>{show(self.language, float(exact[place]), 3)}</td>"
            for bot in figure.exact:
                yield f"<td>{self.z(zs.get((bot, row)))}</td>"
            yield "</tr>"
        yield "</tbody></table>"

    def cell(self, chapter: Chapter, one: Estimate) -> str:
        """A value, and its interval below."""
        value, interval = in_words(self.language, one, in_points=chapter.in_points)
        return f"<td><b>{value}</b><br><small>{interval}</small></td>"

    def z(self, check: Check | None) -> str:
        """How far from exact, flagged if it is too far."""
        if check is None:
            return ""
        shown = number(self.language, check.z, 2)
        return f"<strong>{shown}<br>{self.said('flagged')}</strong>" if check.flagged else shown

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
        name = f"{title(self.language, 'checks')} {players(self.language, n)}"
        axis = texts.fill(self.language, "stats.axis_checks")
        behind = texts.say(self.language, "stats.behind")
        zs = [one.z for one in checks]
        return plots.strip(zs, lambda z: number(self.language, z), name, behind, axis)

    def check_table(self, checks: Sequence[Check]) -> Iterator[str]:
        """All of them."""
        heads = (self.said("value_head"), self.said("seen_head"), self.said("exact_head"), "z")
        cells = "".join(f"<th scope=col>{head}</th>" for head in heads)
        yield f"<table><thead><tr>{cells}</tr></thead><tbody>"
        for one in checks:
            show = number if one.in_points else percent
            seen, exact = (show(self.language, v, 3) for v in (one.seen.value, float(one.exact)))
            name = (
                f"{title(self.language, one.chapter)} {label(self.language, one.chapter, one.row)}"
            )
            cells = f"<td>{seen}</td><td>{exact}</td><td>{self.z(one)}</td>"
            yield f"<tr><th scope=row>{escape(name)}</th>{cells}</tr>"
        yield "</tbody></table>"


def scrolled(name: str) -> str:
    """Where a wide table begins, which keys can move, too."""
    return f'<div class="wide" role="group" tabindex="0" aria-label="{escape(name)}">'


def four_cards() -> str:
    """The game's name as cards."""
    colors = paint(DEFAULT_EDITION)
    cards = zip("5211", (Color.Y, Color.G, Color.O, Color.V), (-9, -3, 3, 9), strict=True)
    parts = [
        f'<g transform="translate({30 + 46 * place} {38 + abs(turn) / 2}) rotate({turn})">'
        f'<rect x="-20" y="-28" width="40" height="56" rx="6" fill="{colors[color.name]}" '
        'stroke="#22282f" stroke-width="2"/>'
        '<rect x="-13" y="-19" width="26" height="38" rx="9" fill="#fffdf8" stroke="#22282f"/>'
        f'<text y="10" text-anchor="middle" class="face">{value}</text></g>'
        for place, (value, color, turn) in enumerate(cards)
    ]
    return f'<svg viewBox="0 0 198 76" class="cards" aria-hidden="true">{"".join(parts)}</svg>'
