"""The command line: what each command takes. What it does stands in a file of its own.

Only this file is loaded for `--help`, so that it is there at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="five211",
    help="5211, the card game: play it, score it, simulate it. Unofficial.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@contextmanager
def loading() -> Iterator[None]:
    """While much is imported: there is nothing to collect yet, and looking for it takes time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _number(text: str) -> int | str:
    """A number if it is one; what is none is refused in our words, once the language is known."""
    try:
        return int(text)
    except ValueError:
        return text


def _players(told: str) -> Any:
    return typer.Option("--players", "-p", help=told, parser=_number, metavar="<int>")


Players = Annotated[int, _players("How many play, 2 to 5.")]
Sizes = Annotated[str, typer.Option("--players", "-p", help="How many play: 2, or 2,4, or 2-5.")]
Variant = Annotated[str, typer.Option(help="standard, or long for the longer game.")]
Edition = Annotated[str, typer.Option(help="classic, or azul for the special edition.")]
Lang = Annotated[str | None, typer.Option(help="en or fr; your system's language by default.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Seed = Annotated[str | None, typer.Option(help="The same seed gives the same cards again.")]
Html = Annotated[str | None, typer.Option(help="Write it to this file, as a page.")]
Cluster = Annotated[
    str | None,
    typer.Option(help="Let a dask.distributed cluster play: tcp://host:8786, its scheduler."),
]

BOTS = (
    "random (beginner), hasty (easy), heuristic (medium), neural (hard), expert, greedy,"
    " montecarlo, or your own, my_bot.py:Mine; by commas."
)
KEPT = (
    "~/.local/share/five211/five211.sqlite by default"
    " (in $XDG_DATA_HOME if there is one, %LOCALAPPDATA% on Windows)"
)


@app.callback(invoke_without_command=True)
def bare(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """5211, the card game: play it, serve it, score it, simulate it.

    Without a command: in your browser, by a server on this machine.
    Unofficial; 5211 is a game by Tsuyoshi Hashiguchi (Next Move Games / Plan B Games).
    """
    if version:
        from five211 import __version__

        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        _serve(browser=True)


@app.command()
def play(
    players: Annotated[int | None, _players("How many play, 2 to 5; else 4.")] = None,
    bots: Annotated[str | None, typer.Option(help=f"{BOTS} One for all, or one each.")] = None,
    variant: Annotated[
        str | None, typer.Option(help="standard, or long for the longer game.")
    ] = None,
    edition: Annotated[
        str | None, typer.Option(help="classic, or azul for the special edition.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    people: Annotated[
        str | None, typer.Option(help="Names by commas, of several who share this terminal.")
    ] = None,
    seed: Seed = None,
    record: Annotated[str | None, typer.Option(help="Add the game to this file.")] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Do not offer a game that was interrupted.")
    ] = False,
    join: Annotated[
        str | None,
        typer.Option(help="Sit down at a server’s table: http://host:port/t/TABLE#CODE."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table, if --join is a server.")] = None,
    code: Annotated[str | None, typer.Option(help="The table’s code.")] = None,
    token: Annotated[str | None, typer.Option(help="Play in the seat of this token.")] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="In lines of text: for screen readers and scripts.")
    ] = False,
    speed: Annotated[
        str | None, typer.Option(help="How quickly a scoring is shown: slow, normal, fast, none.")
    ] = None,
    no_animation: Annotated[
        bool, typer.Option("--no-animation", help="The same as --speed none.")
    ] = False,
    lang: Lang = None,
    json: Annotated[
        bool, typer.Option("--json", help="Talk on stderr; print the record as JSON.")
    ] = False,
) -> None:
    """Play here in the terminal: against bots, with friends at one keyboard, or at a server.

    On the whole screen; in lines of text with --plain, or where there is no screen.
    A game that is interrupted is kept, and offered again.
    """
    with loading():
        from five211.cli.common import name_list
        from five211.cli.play import run
        from five211.terminal.asked import Asked

    asked = Asked(
        players=players,
        bots=None if bots is None else name_list(bots),
        variant=variant,
        edition=edition,
        name=name,
        people=None if people is None else name_list(people),
        seed=seed,
        record=record,
        language=lang,
        speed="none" if no_animation else speed,
        new=new,
        join=join,
        table=table,
        code=code,
        token=token,
    )
    run(asked, plain, json)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Listen here; 127.0.0.1 by default.")] = None,
    port: Annotated[int | None, typer.Option(help="5211 by default; 0 for any.")] = None,
    lan: Annotated[
        bool | None, typer.Option("--lan", help="For phones on the local network, with a QR code.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help=f"Keep everything in this file, or in postgresql://…; {KEPT}."),
    ] = None,
    bus: Annotated[
        str | None,
        typer.Option(help="For several processes: redis://…, or postgres for the database itself."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="Where people find it, behind a proxy.")] = None,
    docs: Annotated[bool | None, typer.Option("--docs", help="Open /docs.")] = None,
    metrics: Annotated[bool | None, typer.Option("--metrics", help="Open /metrics.")] = None,
    config: Annotated[str | None, typer.Option(help="A TOML file with settings.")] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in your browser.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Run the game server.

    Every setting is also FIVE211_… in the environment; docs/operate.md names them all.
    """
    from five211.cli.serve import run

    flags = {"host": host, "port": port, "lan": lan, "database": database, "url": url}
    run({**flags, "bus": bus, "docs": docs, "metrics": metrics}, config, lang, browser)


_serve = serve  # a name of its own: `five211.cli.serve` is the module once that is loaded


_db = typer.Typer(
    help="The server’s database: bring it up to date, or move it to another kind.",
    no_args_is_help=True,
)
app.add_typer(_db, name="db")
Database = Annotated[str | None, typer.Option(help=f"The file, or postgresql://…; {KEPT}.")]
Config = Annotated[str | None, typer.Option(help="The server’s TOML file with settings.")]


@_db.command("migrate")
def db_migrate(database: Database = None, config: Config = None, lang: Lang = None) -> None:
    """Make the database’s tables, or bring them up to date; a server does so when it starts."""
    from five211.cli.db import migrate

    migrate(database, config, lang)


@_db.command("export")
def db_export(
    file: Annotated[str, typer.Argument(help='A new file of JSON Lines; "-" is stdout.')],
    database: Database = None,
    config: Config = None,
    lang: Lang = None,
) -> None:
    """Write everything that the database keeps to a file.

    It has every hidden card in it, and hashes of keys and passwords: only its owner can read it.
    """
    from five211.cli.db import export

    export(file, database, config, lang)


@_db.command("import")
def db_import(
    file: Annotated[str, typer.Argument(help='What was exported; "-" is stdin.')],
    database: Database = None,
    config: Config = None,
    lang: Lang = None,
) -> None:
    """Keep in an empty database all that was exported from another one.

    Every game is verified and every table replayed; if one is bad, nothing is kept.
    """
    from five211.cli.db import import_

    import_(file, database, config, lang)


@app.command()
def bot(
    bot: Annotated[
        str, typer.Argument(help="my_bot.py:Mine, or the name or level of a bot of five211.")
    ],
    join: Annotated[str, typer.Option(help="The table’s link: http://host:port/t/TABLE#CODE.")],
    table: Annotated[str | None, typer.Option(help="The table, if --join is a server.")] = None,
    code: Annotated[str | None, typer.Option(help="The table’s code.")] = None,
    name: Annotated[str | None, typer.Option(help="The bot’s name at the table.")] = None,
    token: Annotated[
        str | None,
        typer.Option(
            help="Play in the seat of this token: the host’s, say.", envvar="FIVE211_TOKEN"
        ),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Which seat, from 1; the first free one without.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Leave after so many games.", min=1)] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Let a bot of your own play at a server’s table, until Ctrl-C.

    It has choose(view, rng), is told nothing but its view, and its file is run as it is.
    If it is the host, it starts the game when everyone is here. It prints the commitment of each
    game that it sees dealt, before the cards are, for `five211 verify`, and where the record is
    at the end.
    """
    from five211.cli.bot import run

    run(bot, join, table, code, name, token, seat, games, lang, json)


_bot = bot


@app.command()
def score(
    cards: Annotated[
        list[str], typer.Argument(help='The cards on the table, "/" between seats; "-" reads them.')
    ],
    players: Annotated[
        int | None,
        _players("How many play; else as many as given."),
    ] = None,
    edition: Edition = "classic",
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Say what scores, and why, for people with the real cards.

    Example: five211 score "G2 G3 Y1 B2 / G4 O2 Y2 V1"
    """
    from five211.cli.score import run

    run(" ".join(cards), players, edition, lang, json)


@app.command()
def simulate(
    players: Players = 4,
    games: Annotated[str, typer.Option("--games", "-n", help="How many games, also 1e7.")] = "1000",
    bots: Annotated[str, typer.Option(help=f"{BOTS} One for all, or one a seat.")] = ("random"),
    variant: Variant = "standard",
    edition: Edition = "classic",
    seed: Annotated[
        str | None, typer.Option(help="The same seed and options give the same games again.")
    ] = None,
    records: Annotated[
        str | None, typer.Option(help="Write every game to this file; some 1000 games a second.")
    ] = None,
    cluster: Cluster = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Play many games between bots and sum them up.

    random, greedy, hasty, heuristic and neural are played by the compiled engine, on all cores.
    With a bot of your own, or --records, the readable engine plays, whose cards for a seed are
    others.
    Ctrl-C sums up what was played so far.
    """
    from five211.cli.simulate import run

    run(players, games, bots, variant, edition, seed, records, cluster, lang, json)


@app.command()
def stats(
    players: Annotated[int | None, _players("How many play; else 2, 3, 4 and 5.")] = None,
    bots: Annotated[
        str, typer.Option(help="Some of random, hasty, heuristic and neural, by commas.")
    ] = "random,hasty,heuristic",
    games: Annotated[
        str | None,
        typer.Option(
            "--games", "-n", help="Games of each bot for each number of players, also 1e7."
        ),
    ] = None,
    variant: Variant = "standard",
    seed: Annotated[
        str | None, typer.Option(help="The same seed and options give the same numbers again.")
    ] = None,
    html: Html = None,
    cluster: Cluster = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """The book of 5211 in numbers: what scores, how often, and what a card is worth.

    Without --games, as many as take some seconds. Every number has its interval of 95 %, and what
    is known exactly of random play stands beside it. Ctrl-C shows what was counted so far.
    """
    from five211.cli.stats import run

    run(players, bots, games, variant, seed, html, cluster, lang, json)


@app.command()
def habits(
    bot: Annotated[
        str, typer.Option(help="A bot’s name or level, or your own, my_bot.py:Mine.")
    ] = "hard",
    players: Sizes = "2-5",
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            "-n",
            help="Games for each number of players, also 1e6; else 100000, or 2000 if the bot is"
            " not one of the compiled engine.",
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="The same seed and options give the same numbers again.")
    ] = None,
    html: Html = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """How a bot plays: openings, high cards, last cards, icons, and what winners do.

    The same bot sits in every seat. Every number has its interval of 95 %. Ctrl-C shows what was
    counted so far.
    """
    from five211.cli.habits import run

    run(bot, players, games, seed, html, lang, json)


@app.command()
def arena(
    players: Sizes = "2",
    bots: Annotated[
        str | None, typer.Option(help=f"Two or more: {BOTS} Without, all that have a level.")
    ] = None,
    games: Annotated[
        str, typer.Option("--games", "-n", help="Games of one bot against each other.")
    ] = "2000",
    games_slow: Annotated[str, typer.Option(help="The same where a bot plays that searches.")] = (
        "400"
    ),
    variant: Variant = "standard",
    seed: Annotated[
        str | None, typer.Option(help="The same seed and options give the same games again.")
    ] = None,
    html: Html = None,
    cluster: Cluster = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Let bots play against each other, and say which plays best, and how sure that is.

    One sits against clones of another, on every deck once in each seat; all get the same decks.
    Shares of the victories, points ahead, ratings and times, with intervals of 95 %. Ctrl-C shows
    what was played so far.
    """
    from five211.cli.arena import run

    run(players, bots, games, games_slow, variant, seed, html, cluster, lang, json)


@app.command()
def warmup(lang: Lang = None, json: Json = False) -> None:
    """Compile the fast engine now, so that no command has to later.

    It is kept in your cache folder, or in $FIVE211_CACHE.
    """
    from five211.cli.warmup import run

    run(lang, json)


@app.command()
def verify(
    files: Annotated[list[str], typer.Argument(help='Records, JSON or JSON Lines; "-" is stdin.')],
    commitment: Annotated[
        str | None,
        typer.Option(help="What the server published before the game, as `five211 bot` prints it."),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Replay records and name every fault.

    Exit 0 all good, 1 with faults, 2 unreadable.
    """
    from five211.cli.verify import run

    raise typer.Exit(run(files, lang, json, commitment))


@app.command()
def replay(
    file: Annotated[
        str | None,
        typer.Argument(
            help='A record, JSON or JSON Lines; "-" is stdin. Without, what was played here.'
        ),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(help="Which game of the file, from 1; of what was played here, the last."),
    ] = None,
    hands: Annotated[bool, typer.Option("--hands", help="Show every hand at every turn.")] = False,
    tui: Annotated[
        bool, typer.Option("--tui", help="On the whole screen, turn by turn with the arrow keys.")
    ] = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Tell a recorded game turn by turn."""
    from five211.cli.replay import run

    run(file, game, hands, tui, lang, json)


@app.command()
def rules(
    players: Annotated[int | None, _players("Show the numbers for this many.")] = None,
    edition: Edition = "classic",
    lang: Lang = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: Json = False,
) -> None:
    """Print the rules in our own words."""
    from five211.cli.rules import run

    run(players, edition, lang, markdown, json)


def main() -> None:
    """Run the command line: an error is one line on stderr and exit code 2."""
    from five211.errors import GameError

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # not every terminal has every sign
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False) or 0
        if sys.stdout:
            sys.stdout.flush()
        sys.exit(code)
    except typer.TyperException as error:
        fail(error.format_message())
    except GameError as error:
        from five211.cli import common

        fail(error.say(common.language()))
    except BrokenPipeError:  # whoever read us has gone: end quietly
        _forget_output()
        sys.exit(0)
    except OSError as error:  # a full disk behind stdout
        _forget_output()
        fail(error.strerror or type(error).__name__)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def _forget_output() -> None:
    """Keep Python from writing at its exit what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str) -> None:
    """One clear line on stderr."""
    if sys.stderr:
        print("five211: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(2)
