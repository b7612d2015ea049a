"""`five211 replay`: a recorded game told turn by turn."""

from __future__ import annotations

from five211 import texts
from five211.cli import common
from five211.editions import Words, words
from five211.errors import GameError, plain
from five211.events import Revealed
from five211.match import happened
from five211.record import Record, parse, replay
from five211.sentences import tell_lines
from five211.shapes import as_json, event_json
from five211.view import SPECTATOR, open_to_reader, visible


def run(
    file: str | None, game: int | None, hands: bool, tui: bool, lang: str | None, as_json: bool
) -> None:
    """Tell one game of a file, or the last one that was played here."""
    language = common.speak(lang)
    if tui and (as_json or not common.has_screen()):
        raise GameError("no_screen")
    record = _own(game) if file is None else read(file, 1 if game is None else game)
    if hands:
        open_to_reader(record.match)
    if tui:
        from five211.terminal.app import run_replay

        run_replay(record, language)
        return
    w = words(language, record.edition)
    names = [plain(player.name) for player in record.players]
    (_print_json if as_json else _print_story)(record, names, hands, w)


def read(file: str, game: int) -> Record:
    """The chosen game of a file."""
    count = 0
    with common.opened(file) as stream:
        for count, (_, text) in enumerate(common.records_in(stream, file), start=1):
            if count == game:
                return parse(text)
    raise GameError("game_number", n=count, game=game)


def _own(game: int | None) -> Record:
    """A game that was finished in this terminal: the newest, if none is named."""
    from five211.terminal.saved import games_file  # not at the top: few come here

    kept = games_file()
    if not kept.exists():
        raise GameError("no_games")
    if game is None:
        with common.opened(str(kept)) as stream:
            game = sum(1 for _ in common.records_in(stream, str(kept)))
    return read(str(kept), game)


def _print_json(record: Record, names: list[str], hands: bool, w: Words) -> None:
    events = []
    for before, after in replay(record.match):
        for event in visible(happened(before, after), SPECTATOR):
            told = event_json(event, names, w)
            if hands and isinstance(event, Revealed):
                told["hands"] = as_json(before.state.hands)
            events.append(told)
    common.print_json({"players": names, "finished": record.finished, "events": events})


def _print_story(record: Record, names: list[str], hands: bool, w: Words) -> None:
    console = common.console()
    rules = record.match.rules
    console.print(
        texts.say(
            w.language,
            "cli.players_line",
            players=rules.players,
            variant=texts.fill(w.language, f"cli.variant_{rules.variant}"),
            edition=w.data["name"],
            names=tuple(names),
        )
    )
    for before, after in replay(record.match):
        for event in visible(happened(before, after), SPECTATOR):
            if isinstance(event, Revealed):
                if event.turn == 0:
                    console.print()
                for name, hand in zip(names, before.state.hands if hands else (), strict=False):
                    console.print(f"  {name}:", common.painted(hand, w))
            for line in tell_lines(event, names, w.language, w.edition):
                console.print(line)
    if not record.finished:
        console.print()
        console.print(texts.say(w.language, "cli.unfinished", n=1))
