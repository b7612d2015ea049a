"""`five211 play`: a game against bots, in lines of text."""

from __future__ import annotations

import json
import secrets
import sys
from functools import partial
from typing import IO

from five211 import texts
from five211.cli import common, waiting
from five211.cli.own import load
from five211.errors import GameError, file_name
from five211.record import check_edition, write
from five211.rules import Rules
from five211.table import Options
from five211.terminal.plain import PlainGame, Quit


def run(
    players: int,
    bots: str,
    variant: str,
    edition: str,
    name: str | None,
    seed: str | None,
    record: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Play one game to its end, or until the player has had enough."""
    language = common.speak(lang)
    rules = Rules.of(players, variant)
    named = common.name_list(bots)
    if len(named) not in (1, players - 1):
        raise GameError("opponents_number", n=len(named), needed=players - 1)
    others = [load(one) for one in named] * ((players - 1) // len(named))
    waiting.prepared(others)
    console = common.console(stderr=as_json)
    game = PlainGame(
        rules=rules,
        bots=others,
        name=texts.fill(language, "play.you") if name is None else name,
        seed=secrets.token_hex(16) if seed is None else seed,
        options=Options(edition=check_edition(edition)),
        language=language,
        ask=partial(_ask, console.file),
        say=partial(console.print, soft_wrap=not console.is_terminal),
    )
    if record is not None:
        common.check_writable(record)  # better to know before the game
    try:
        game.play()
    except (EOFError, Quit, KeyboardInterrupt):
        console.print(texts.say(language, "play.bye"))
    told = write(game.table.record)
    if record is not None:
        with common.opened(record, "a") as file:  # after the games that are there already
            file.write(told + "\n")
        console.print(texts.say(language, "cli.saved", name=file_name(record)))
    if as_json:
        common.print_json(json.loads(told))


def _ask(talk: IO[str], prompt: str) -> str:
    """A line from the player; the prompt goes where the other lines go."""
    talk.write(prompt)
    talk.flush()
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        talk.write("\n")
        raise EOFError
    return line
