"""A table: seats, who holds them, what lies face down, and how long everyone has.

`Table` is immutable and knows no clock of its own: the time is passed in with every command
(`conduct.apply`). Face-down choices live here and nowhere else, so no state, replay or bot can
show them. Nobody forfeits: an absent seat is played by a labelled substitute and can be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from five211.cards import Cards
from five211.commands import Moment
from five211.errors import GameError
from five211.match import Match
from five211.record import DEFAULT_EDITION, Player, Record, check_edition
from five211.rules import Rules


def _is_time(number: object) -> bool:
    return isinstance(number, (int, float)) and isfinite(number) and number >= 0


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a turn may take."""

    seconds: float
    """For each turn."""
    reserve: float = 0.0
    """For the whole game, used when a turn takes longer."""
    warning: float = 10.0
    """How long before the deadline a seat is warned."""
    correspondence: bool = False
    """Whether the clock runs on while nobody is at the table."""

    def __post_init__(self) -> None:
        """Refuse what would stop every game."""
        numbers = (self.seconds, self.reserve, self.warning)
        if not all(_is_time(number) for number in numbers) or self.seconds == 0:
            raise GameError("clock")


@dataclass(frozen=True, slots=True)
class Options:
    """What the host decides when making a table."""

    edition: str = DEFAULT_EDITION
    clock: Clock | None = None
    show_chosen: bool = True
    """Whether everyone sees who has chosen (rule 8.1); it is itself information."""
    substitute: str = "hasty"
    """The bot that plays for an absent seat."""
    patience: float = 120.0
    """Without a clock: how long somebody is awaited before the others may call a substitute."""

    def __post_init__(self) -> None:
        """Refuse what a table could not be played with."""
        check_edition(self.edition)
        if not _is_time(self.patience):
            raise GameError("clock")
        if not isinstance(self.substitute, str) or not self.substitute.strip():
            raise GameError("bot_missing")


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat; what is in it besides the names is private."""

    person: str | None = None
    """The id of the person who holds it."""
    name: str = ""
    bot: str | None = None
    """The bot that holds it."""
    present: bool = False
    """Whether its person is at the table."""
    substitute: str | None = None
    """The bot that plays for its absent person."""
    choice: Cards | None = None
    """What lies face down."""
    chosen_by: str | None = None
    """The bot that put it there, if one did."""
    chosen_at: float = 0.0
    """When the seat stopped being awaited; a change of mind costs no time."""
    since: float = 0.0
    """When the seat's time for this turn began."""
    reserve: float = 0.0
    warned: bool = False
    returning: bool = False
    """Whether its person takes over as soon as the substitute has chosen for this turn."""

    @property
    def free(self) -> bool:
        """Whether somebody may sit down here."""
        return self.person is None and self.bot is None

    @property
    def played_by_bot(self) -> str | None:
        """The bot that chooses for this seat now."""
        return self.substitute or self.bot


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about a table at one moment. Make one with `Table.new`."""

    rules: Rules
    options: Options
    seats: tuple[Seat, ...]
    host: str | None = None
    """The id of the person who decides."""
    match: Match | None = None
    """The game; none while people gather."""
    game: int = 0
    """How many games were started here."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Which seat each person has held in this game."""
    played_by: tuple[tuple[str | None, ...], ...] = ()
    """For each turn and seat, the bot that chose."""
    paused_at: float | None = None
    now: float = 0.0

    @classmethod
    def new(cls, rules: Rules, options: Options | None = None) -> Table:
        """An empty table."""
        return cls(rules, options or Options(), (Seat(),) * rules.players)

    @property
    def moment(self) -> Moment | None:
        """The turn that awaits choices; none while there is none."""
        match = self.match
        if match is None or not match.awaits_choices:
            return None
        state = match.deals[-1]
        return Moment(self.game, len(match.deals) - 1, len(state.rounds), len(state.turns))

    @property
    def awaits_deck(self) -> bool:
        """Whether the host program is to shuffle and deal."""
        return self.match is not None and self.match.awaits_deck

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that have not chosen yet."""
        if self.match is None or not self.match.awaits_choices:
            return ()
        return tuple([number for number, seat in enumerate(self.seats) if seat.choice is None])

    @property
    def bots_awaited(self) -> tuple[int, ...]:
        """The awaited seats for which a bot chooses; none while the table pauses."""
        if self.paused_at is not None:
            return ()
        return tuple(number for number in self.awaited if self.seats[number].played_by_bot)

    @property
    def late(self) -> tuple[int, ...]:
        """The awaited seats whose person is on the clock, or may be called after a while."""
        if self.paused_at is not None:
            return ()
        return tuple(number for number in self.awaited if not self.seats[number].played_by_bot)

    def deadline(self, number: int) -> float | None:
        """When a seat's time is up; none without a clock."""
        clock, seat = self.options.clock, self.seats[number]
        return None if clock is None else seat.since + clock.seconds + seat.reserve

    def time_is_up(self, number: int) -> bool:
        """Whether a seat has had its time for this turn: by the clock, or by the others' patience.

        It does not begin anew when somebody comes back, or one could stall a turn for ever.
        """
        deadline = self.deadline(number)
        if deadline is None:
            deadline = self.seats[number].since + self.options.patience
        return deadline <= self.now

    @property
    def wakes_at(self) -> float | None:
        """When the next `Tick` has something to do: a warning or a substitute."""
        clock = self.options.clock
        if clock is None:
            return None
        times = []
        for number in self.late:
            deadline = self.deadline(number)
            assert deadline is not None
            times.append(deadline - (0.0 if self.seats[number].warned else clock.warning))
        return min(times, default=None)

    def seat_of(self, person: str) -> int:
        """The seat that a person holds."""
        for number, seat in enumerate(self.seats):
            if seat.person is not None and seat.person == person:
                return number
        raise GameError("not_seated")

    @property
    def record(self) -> Record:
        """The record of the game so far. It holds every hidden card: see `view.open_to_reader`."""
        if self.match is None:
            raise GameError("not_started")
        substitutes = tuple(
            tuple(
                bot if bot != seat.bot else None for bot, seat in zip(turn, self.seats, strict=True)
            )
            for turn in self.played_by
        )
        return Record(
            match=self.match,
            players=tuple(Player(seat.name, seat.bot) for seat in self.seats),
            edition=self.options.edition,
            played_by=substitutes if any(map(any, substitutes)) else (),
        )
