"""`five211 replay`: a recorded game told turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

from five211 import texts
from five211.cli import common
from five211.editions import words
from five211.errors import GameError, plain
from five211.events import Revealed
from five211.match import Match, happened
from five211.record import Record, parse
from five211.sentences import snake, tell, tell_lines
from five211.view import SPECTATOR, visible


def run(file: str, game: int, hands: bool, lang: str | None, as_json: bool) -> None:
    """Tell one game of a file."""
    language = common.speak(lang)
    record = read(file, game)
    w = words(language, record.edition)
    names = [plain(player.name) for player in record.players]
    if as_json:
        told = [
            event
            for before, after in steps(record.match)
            for event in visible(happened(before, after), SPECTATOR)
        ]
        events = [
            {
                "event": snake(event),
                **common.as_json(event),
                "text": tell(event, names, language, record.edition),
            }
            for event in told
        ]
        common.print_json({"players": names, "finished": record.finished, "events": events})
        return
    console = common.console()
    rules = record.match.rules
    console.print(
        texts.say(
            language,
            "cli.players_line",
            players=rules.players,
            variant=rules.variant,
            edition=w.data["name"],
            names=tuple(names),
        )
    )
    for before, after in steps(record.match):
        for event in visible(happened(before, after), SPECTATOR):
            if isinstance(event, Revealed):
                if event.turn == 0:
                    console.print()
                if hands:
                    for name, hand in zip(names, before.state.hands, strict=True):
                        console.print(f"  {name}:", common.painted(hand, w))
            for line in tell_lines(event, names, language, record.edition):
                console.print(line)
    if not record.finished:
        console.print()
        console.print(texts.say(language, "cli.unfinished", n=1))


def read(file: str, game: int) -> Record:
    """The chosen game of a file."""
    count = 0
    with common.opened(file) as stream:
        for count, (_, text) in enumerate(common.records_in(stream, file), start=1):
            if count == game:
                return parse(text)
    raise GameError("game_number", n=count, game=game)


def steps(match: Match) -> Iterator[tuple[Match, Match]]:
    """A game once more from its beginning: each match with the next."""
    now = Match(match.rules)
    for state in match.deals:
        before, now = now, now.deal(state.deck)
        yield before, now
        turns = [turn for round_ in state.rounds for turn in round_.turns]
        for choices in (*turns, *state.turns):
            before, now = now, now.play(choices)
            yield before, now
