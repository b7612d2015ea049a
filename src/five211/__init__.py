"""5211, the card game by Tsuyoshi Hashiguchi, as a library.

The whole game in a few names: `Rules.of(players)`, `Match.deal` and `.play`, `view`, `score_round`
and `explain`; `Table` and `apply` for people around it; `Record`, `write` and `parse` for files.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from five211.cards import Card, Cards, Color, parse_cards, show_cards
from five211.errors import GameError
from five211.events import (
    DealEnded,
    DealStarted,
    Drew,
    Event,
    GameEnded,
    HandDealt,
    LastRound,
    Result,
    Revealed,
    RoundScored,
)
from five211.match import Match, happened
from five211.rules import MINI, Rules, Variant
from five211.scoring import Outcome, Score, Step, score_round
from five211.state import Round, State, deal, play
from five211.tally import Tally, tally
from five211.view import SPECTATOR, View, Viewer, open_to_reader, view, visible

if TYPE_CHECKING:  # the same names as in _LATER, for type checkers
    from five211.chance import shuffled, stream
    from five211.commands import (
        Away,
        Back,
        BotChooses,
        CallSubstitute,
        Choose,
        Command,
        Deal,
        Leave,
        Moment,
        Rematch,
        Remove,
        SeatBot,
        Sit,
        Standstill,
        Start,
        TakeBack,
        Tick,
    )
    from five211.conduct import apply
    from five211.editions import edition_names, words
    from five211.happenings import (
        CameBack,
        ChoiceKept,
        Chose,
        GameStarted,
        HostChanged,
        Paused,
        RematchCalled,
        Resumed,
        SeatLeft,
        SeatReturned,
        SeatTaken,
        SubstituteCame,
        TimeShort,
        TookBack,
        WentAway,
    )
    from five211.record import Player, Record, RecordError, faults, parse, replay, write
    from five211.sentences import describe_tally, explain, tell
    from five211.table import Clock, Options, Seat, Table
    from five211.tableview import SeatView, TableView, table_view
    from five211.texts import language_names

__version__ = "0.1.0"

# What not every program needs is loaded when it is first used, so that the import is quick.
_LATER = {
    "chance": ("shuffled", "stream"),
    "commands": (
        "Away",
        "Back",
        "BotChooses",
        "CallSubstitute",
        "Choose",
        "Command",
        "Deal",
        "Leave",
        "Moment",
        "Rematch",
        "Remove",
        "SeatBot",
        "Sit",
        "Standstill",
        "Start",
        "TakeBack",
        "Tick",
    ),
    "conduct": ("apply",),
    "editions": ("edition_names", "words"),
    "happenings": (
        "CameBack",
        "ChoiceKept",
        "Chose",
        "GameStarted",
        "HostChanged",
        "Paused",
        "RematchCalled",
        "Resumed",
        "SeatLeft",
        "SeatReturned",
        "SeatTaken",
        "SubstituteCame",
        "TimeShort",
        "TookBack",
        "WentAway",
    ),
    "record": ("Player", "Record", "RecordError", "faults", "parse", "replay", "write"),
    "sentences": ("describe_tally", "explain", "tell"),
    "table": ("Clock", "Options", "Seat", "Table"),
    "tableview": ("SeatView", "TableView", "table_view"),
    "texts": ("language_names",),
}


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"five211.{module}"), name)
    raise AttributeError(f"module 'five211' has no attribute {name!r}")


__all__ = [
    "MINI",
    "SPECTATOR",
    "Away",
    "Back",
    "BotChooses",
    "CallSubstitute",
    "CameBack",
    "Card",
    "Cards",
    "ChoiceKept",
    "Choose",
    "Chose",
    "Clock",
    "Color",
    "Command",
    "Deal",
    "DealEnded",
    "DealStarted",
    "Drew",
    "Event",
    "GameEnded",
    "GameError",
    "GameStarted",
    "HandDealt",
    "HostChanged",
    "LastRound",
    "Leave",
    "Match",
    "Moment",
    "Options",
    "Outcome",
    "Paused",
    "Player",
    "Record",
    "RecordError",
    "Rematch",
    "RematchCalled",
    "Remove",
    "Result",
    "Resumed",
    "Revealed",
    "Round",
    "RoundScored",
    "Rules",
    "Score",
    "Seat",
    "SeatBot",
    "SeatLeft",
    "SeatReturned",
    "SeatTaken",
    "SeatView",
    "Sit",
    "Standstill",
    "Start",
    "State",
    "Step",
    "SubstituteCame",
    "Table",
    "TableView",
    "TakeBack",
    "Tally",
    "Tick",
    "TimeShort",
    "TookBack",
    "Variant",
    "View",
    "Viewer",
    "WentAway",
    "apply",
    "deal",
    "describe_tally",
    "edition_names",
    "explain",
    "faults",
    "happened",
    "language_names",
    "open_to_reader",
    "parse",
    "parse_cards",
    "play",
    "replay",
    "score_round",
    "show_cards",
    "shuffled",
    "stream",
    "table_view",
    "tally",
    "tell",
    "view",
    "visible",
    "words",
    "write",
]
