"""The arena as one HTML file: it needs nothing from outside and no script, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from five211 import texts
from five211.arena.plots import STYLE as MORE
from five211.arena.plots import heat, ladder
from five211.arena.report import OFTEN, Contest, Matrix, Report
from five211.arena.words import MARKS, head, milliseconds, rating
from five211.stats.sheet import heads, opening, scrolled
from five211.stats.words import figure, number
from five211.stats.words import players as so_many


def page(found: Report, language: str) -> str:
    """The whole page."""
    return "\n".join(Page(found, language).parts()) + "\n"


class Page:
    """A page in the making."""

    def __init__(self, found: Report, language: str) -> None:
        self.found, self.language = found, language
        self.bots = found.arena.names

    def parts(self) -> Iterator[str]:
        """Line by line."""
        name = self.said("arena.title")
        yield opening(self.language, name, MORE)
        games = self.number(self.found.games)
        yield f'<p class="hello">{self.said("arena.hello", games=games)}</p>'
        if self.found.interrupted:
            asked = self.number(self.found.arena.asked)
            said = self.said("arena.interrupted", games=games, asked=asked)
            yield f"<p><strong>{said}</strong></p>"
        goal = self.found.arena.rules[0].goal
        if goal:
            yield f"<p>{self.said('stats.variant_long', goal=goal)}</p>"
        yield f"<p>{self.said('arena.legend')} {self.said('stats.intervals')}</p>"
        yield '</header>\n<main><section><div class="figures">'
        for matrix in self.found.matrices.values():
            yield from self.matrix(matrix)
        yield "</div></section>"
        yield from self.ratings()
        yield from self.times()
        yield f"</main>\n<footer><p>{self.said('arena.again', seed=self.found.arena.seed)}</p>"
        yield f"<p>{self.said('stats.unofficial')}</p></footer>\n</body>\n</html>"

    def said(self, key: str, **fields: object) -> str:
        """A sentence, ready for the page."""
        return escape(texts.say(self.language, key, **fields))

    def number(self, value: float, digits: int = 0) -> str:
        """A number, ready for the page."""
        return escape(number(self.language, value, digits))

    def matrix(self, matrix: Matrix) -> Iterator[str]:
        """The picture, and the table behind it."""
        name, behind = head(self.language, matrix), texts.say(self.language, "stats.behind")
        yield f"<figure><h3>{escape(name)}</h3>"
        yield heat(matrix, self.bots, self.language, name, behind)
        n = so_many(self.language, matrix.players)
        told = texts.say(self.language, "stats.table", players=n)
        yield f"<details><summary>{escape(told)}</summary>{scrolled(told)}"
        keys = ("one_head", "field_head", "win_head", "lead_head", "games_head")
        yield heads([self.said(f"arena.{key}") for key in keys])
        for one in sorted(matrix.contests.values(), key=self.place):
            win = figure(self.language, one.win)
            lead = figure(self.language, one.lead, in_points=True)
            off = lead[1] if one.lead.half else texts.fill(self.language, "stats.unknown")
            yield f"<tr><th scope=row>{escape(one.one)}</th><td>{escape(one.field)}</td>"
            yield f"<td><b>{MARKS[one.beyond]} {win[0]}</b><br><small>{win[1]}</small></td>"
            yield f"<td><b>{lead[0]}</b><br><small>{off}</small></td>"
            yield f"<td>{self.number(one.games)}</td></tr>"
        yield "</tbody></table></div></details></figure>"

    def place(self, one: Contest) -> tuple[int, int]:
        """Where a contest stands in a table."""
        return self.bots.index(one.one), self.bots.index(one.field)

    def ratings(self) -> Iterator[str]:
        """The ladder, and the ratings for each number of players."""
        name = texts.say(self.language, "arena.title_ratings")
        note = "ratings" if self.found.ratings else "ratings_none"
        yield f"<section><h2>{escape(name)}</h2><p>{self.said(f'arena.{note}')}</p>"
        if self.found.ratings:
            told = " ".join(
                texts.say(
                    self.language, "arena.rating_of", bot=bot, rating=rating(self.language, one)
                )
                for bot, one in self.found.ratings.items()
            )
            drawn = ladder(self.found.ratings, self.language, name, told)
            yield f'<div class="figures"><figure>{drawn}</figure><figure>{scrolled(name)}'
            matrices = self.found.matrices
            sizes = [escape(so_many(self.language, n)) for n in matrices]
            yield heads([self.said("stats.bot_head"), *sizes, self.said("arena.all_head")])
            for bot in self.found.ratings:
                every = [*(one.ratings for one in matrices.values()), self.found.ratings]
                cells = (f"<td>{rating(self.language, one[bot])}</td>" for one in every)
                yield f"<tr><th scope=row>{escape(bot)}</th>{''.join(cells)}</tr>"
            yield "</tbody></table></div></figure></div>"
        yield "</section>"

    def times(self) -> Iterator[str]:
        """How long each thinks."""
        name = texts.say(self.language, "arena.title_times")
        yield f"<section><h2>{escape(name)}</h2><p>{self.said('arena.times')}</p>"
        yield f'<div class="figures"><figure>{scrolled(name)}'
        keys = ("choices_head", "mean_head", "often_head", "worst_head")
        yield heads([self.said("stats.bot_head"), *(self.said(f"arena.{key}") for key in keys)])
        for bot, one in self.found.times.items():
            cells = f"<td>{self.number(one.choices)}</td>" + "".join(
                f"<td>{escape(milliseconds(self.language, value))}</td>"
                for value in (one.mean, one.within(OFTEN), one.longest)
            )
            yield f"<tr><th scope=row>{escape(bot)}</th>{cells}</tr>"
        yield "</tbody></table></div></figure></div></section>"
