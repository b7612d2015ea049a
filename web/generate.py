"""Writes web/src/generated: what the page knows of the game, none of it written twice.

    .venv/bin/python web/generate.py [FOLDER]

**protocol.ts**: types of all that is sent and asked for (five211.server.frames, protocol, shapes),
and the reactions that the server knows.

**editions.json**: `card`, by language, says how a card is written (`code`), how it is read aloud
(`name`, or `icon` for the cards of value 1) and what no cards are called (`none`). `editions`, by
name: `paint` is each colour's on a screen; `words`, by language, has the edition's `name`, its
`animal`, the forms of its `icon` and, by a colour's letter in codes, `letter` (on the card), `name`
and `the` (as a sentence's subject).

**scores.json**: the scoring for those who play with real cards. `copies`: in each colour, how many
cards of value 1, 2, 3, ...; `plays`: cards of each turn. `players`, by their number: `aside`,
`pile`, `rounds`, `exact`, `limit`, `goal` (of the longer game), and `rows`: what happens when the
icon cards on the table are not `exact`. A row's key is the number of cards in each colour, the most
first; equal ones are in the order of the letters Y G O B V. Its value is [limit, ties, scores],
where a colour is its position in the key, from 0:

    "4 4 3 3 2": [[], [[0, 1], [2, 3]], 4]

`limit`: those struck out for the limit. `ties`: those struck out for ties, a list for each tie, in
the order in which they are looked at. `scores`: the one that scores, or null if none does.

**standings.json**: the tally for them, while the cards are still coming (five211.tally). `names`:
the words for a colour. `players`, by their number: `icons`, where the icons stand when there are
0, 1, 2, ... of them; `rows`, with keys as in scores.json but for any number of cards up to a full
table: for each colour of the key, in its order, the place of its word in `names`, as a digit.

    "4 4 3 0 0": "22300"

**rules.LANGUAGE.json**: the numbered rules, as `five211 rules` says them. `sections`: their titles.
`rules`: a text, or an object where it depends on something: take its entry for the edition or for
the number of players ("all" for all at once), until it is a text. `book`: the words around them.

**sentences.LANGUAGE.json**: `steps`, a scoring as sentences (five211.sentences.explain). {braces}
are filled in, then the first letter is made large. Where there are several forms, the number n
says which: the one under `plural` that lists n, else `other`. Several things in a row (`items`,
`colors`) are joined by `list.comma`, the last one by `list.and`. `tally`: where the colours and the
icons stand (five211.sentences.describe_tally).

- icons_exact, if found is needed, else icons_other: n is found; `found`, `needed`, `icon` (the form
  for 1), `icons` (the form for found)
- colors_counted: `items`, the colours that lie on the table, in the order of a row's key
- item, which the items are made from: `count`, `name`
- struck_for_limit: n is the number of colours; `items` and `colors` (each one's `the`), both in the
  order of the letters, and `limit`
- struck_for_tie for two, struck_for_tie_many for more: `colors` (each one's `the`), `count`
- color_scores: `count`, `name`, `the`
- nothing_left
- takes, for each who takes cards: n is the points; `n`, `name` (of the player), `cards` (by their
  codes, with a space between); nobody_takes, if there are none

**levels.json**: by the levels that players know the bots by, the easiest first: the `bot` that has
it, what players have it `called`, and by language the `level` in words and the bot's `character`,
which follows its name in a sentence. Levels that no bot has are left out.

**lessons.json** and **lessons.LANGUAGE.json**: the tutorial (web/lessons.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lessons import Lessons
from typescript import Declarations

from five211 import texts
from five211.bots import LEVELS, entries
from five211.cards import Card
from five211.characters import called, character
from five211.cli.rules import NUMBERS, rule_texts
from five211.editions import edition_names, paint, words
from five211.rules import ASIDE, COPIES, PLAYS, Rules, Variant
from five211.scoring import ColorScores, StruckForLimit, StruckForTie, majority
from five211.server import frames, protocol, shapes
from five211.server.room import REACTIONS
from five211.tally import Standing, tally

FOLDER = Path(__file__).parent / "src" / "generated"
HEAD = """\
// Generated from the Python definitions by `.venv/bin/python web/generate.py`. Do not edit.

/** A colour's letter and a value, as in "G2". */
export type Card = string;
export type Cards = Card[];
"""
SENT = (
    frames.Frame,
    frames.Replay,
    shapes.Seated,
    shapes.Door,
    shapes.Tables,
    shapes.Games,
    shapes.Players,
    shapes.OwnPlayer,
    shapes.About,
    shapes.Health,
    shapes.ErrorBody,
)
ASKED = (
    protocol.Message,
    shapes.TableBody,
    shapes.PlayBody,
    shapes.SitBody,
    shapes.DeviceBody,
    shapes.DoorBody,
    shapes.PlayerBody,
    shapes.LoginBody,
)


def protocol_ts() -> str:
    """The types, and what may be said with a tap."""
    declared = Declarations()
    declared.add(SENT)
    declared.add(ASKED, asked=True)
    reactions = [f"  {json.dumps(one)}," for one in REACTIONS]
    lines = ["export const REACTIONS = [", *reactions, "] as const;", ""]
    return "\n".join([HEAD, *declared.lines, *lines])


def editions() -> dict[str, Any]:
    """The words and the paint of each edition."""
    languages = texts.language_names()
    return {
        "card": {language: texts.load("languages", language)["card"] for language in languages},
        "editions": {
            edition: {
                "paint": paint(edition),
                "words": {language: words(language, edition).data for language in languages},
            }
            for edition in edition_names()
        },
    }


def scores() -> dict[str, Any]:
    """The scoring, for any number of players."""
    return {
        "copies": COPIES,
        "plays": PLAYS,
        "players": {
            str(players): {
                **{name: number(Rules.of(players)) for name, number in NUMBERS.items()},
                "goal": Rules.of(players, Variant.LONG).goal,
                "rows": dict(rows(Rules.of(players))),
            }
            for players in ASIDE
        },
    }


def rows(rules: Rules) -> Iterator[tuple[str, list[Any]]]:
    """What happens at the end of a round, for all counts that can lie on the table."""
    table = rules.players * sum(rules.plays)
    for counts in shares(table, len(rules.colors), sum(rules.copies)):
        struck: list[int] = []
        ties: list[list[int]] = []
        scores = None
        for step in majority(rules, counts):  # a colour's number is its position
            if isinstance(step, StruckForLimit):
                struck = [int(color) for color, _ in step.counts]
            elif isinstance(step, StruckForTie):
                ties.append([int(color) for color in step.colors])
            elif isinstance(step, ColorScores):
                scores = int(step.color)
        yield " ".join(map(str, counts)), [struck, ties, scores]


def standings() -> dict[str, Any]:
    """The tally before a round has ended, for any number of players."""
    names = list(Standing)
    return {
        "names": names,
        "players": {
            str(players): {
                "icons": icon_standings(Rules.of(players)),
                "rows": dict(standing_rows(Rules.of(players), names)),
            }
            for players in ASIDE
        },
    }


def icon_standings(rules: Rules) -> list[str]:
    """Where the icons stand, by their number."""
    table = rules.players * sum(rules.plays)
    icon = Card("Y1")
    return [tally(rules, [(icon,) * count]).icon_standing for count in range(table + 1)]


def standing_rows(rules: Rules, names: list[Standing]) -> Iterator[tuple[str, str]]:
    """Where the colours stand, for all counts that can lie on the table during a round."""
    for total in range(rules.players * sum(rules.plays) + 1):
        for counts in shares(total, len(rules.colors), sum(rules.copies)):
            cards = [
                (Card(f"{color.name}2"),) * n for color, n in zip(rules.colors, counts, strict=True)
            ]
            found = [names.index(one.standing) for one in tally(rules, cards).colors]
            yield " ".join(map(str, counts)), "".join(map(str, found))


def shares(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to share a total, none of the parts larger than the one before."""
    if not parts:
        yield from [] if total else [()]
        return
    for first in range(min(total, most), -1, -1):
        for rest in shares(total - first, parts - 1, first):
            yield first, *rest


def rules_in(language: str) -> dict[str, Any]:
    """The rules, and what they depend on."""
    games = {"all": [Rules.of(n) for n in ASIDE], **{str(n): [Rules.of(n)] for n in ASIDE}}
    said = {
        edition: {name: rule_texts(some, words(language, edition)) for name, some in games.items()}
        for edition in edition_names()
    }
    data = texts.load("languages", language)
    return {
        "book": {name: data["book"][name] for name in (*BOOK, *NUMBERS)},
        "sections": data["sections"],
        "rules": {
            number: varied(
                {
                    edition: varied({name: rules[number] for name, rules in by_game.items()})
                    for edition, by_game in said.items()
                }
            )
            for number in data["rules"]
        },
    }


BOOK = ("title", "unofficial", "numbers", "by_players")


def varied(texts: dict[str, Any]) -> Any:
    """One text, if all are the same."""
    first, *others = texts.values()
    return texts if any(other != first for other in others) else first


def sentences_in(language: str) -> dict[str, Any]:
    """The sentences of a scoring."""
    data = texts.load("languages", language)
    return {name: data[name] for name in ("plural", "list", "steps", "tally")}


def levels() -> dict[str, Any]:
    """Whom one can play against."""
    by_level = {bot.level: bot.name for bot in entries()}
    return {
        level: {
            "bot": by_level[level],
            "called": called(by_level[level]),
            **{
                language: {
                    "level": texts.fill(language, f"levels.{level}"),
                    "character": character(language, by_level[level]) or "",
                }
                for language in texts.language_names()
            },
        }
        for level in LEVELS
        if level in by_level
    }


def laid_out(value: Any, depth: int, indent: str = "") -> str:
    """JSON with objects over several lines, down to a depth."""
    if not depth or not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    lines = [
        f"{inner}{json.dumps(key)}: {laid_out(one, depth - 1, inner)}" for key, one in value.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def files() -> dict[str, str]:
    """Every file by its name."""
    lessons = Lessons()
    made = {
        "protocol.ts": protocol_ts(),
        "editions.json": laid_out(editions(), 6) + "\n",
        "scores.json": laid_out(scores(), 4) + "\n",
        "standings.json": laid_out(standings(), 4) + "\n",
        "levels.json": laid_out(levels(), 3) + "\n",
        "lessons.json": laid_out(lessons.json(), 3) + "\n",
    }
    for language in texts.language_names():
        made[f"rules.{language}.json"] = laid_out(rules_in(language), 4) + "\n"
        made[f"sentences.{language}.json"] = laid_out(sentences_in(language), 3) + "\n"
        said = lessons.words(language)
        made[f"lessons.{language}.json"] = json.dumps(said, ensure_ascii=False, indent=1) + "\n"
    return made


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
