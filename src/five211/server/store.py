"""What lasts. A store is a handful of jobs (`Store`); `sqlite/` does them with an embedded file.

Another store is another class with these methods: `tests/server/stores.py` names all that there
are, and every test of `tests/server/test_store*.py` asks the same of each.

The log is append-only, one row for each table and commit. Its key (table, version) is the
compare-and-swap: whoever writes a version that is there already, or one that does not follow the
last, gets `Conflict`, and nothing at all of that commit is written. When a new game begins the log
begins anew: the game before it stands in its record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

FORGOTTEN = 3600.0
"""Seconds after which nobody asks for a process any more."""
GAPS = 366 * 86400.0
"""Seconds after which nobody asks when no process was there: no clock runs for so long."""
JOINED = 10.0
"""Seconds that a process may have lived between two gaps that are one: it starts again and again"""
AHEAD = 10.0
"""Seconds that the clock of one machine may be before another's: a gap that ends later never was"""


class Conflict(Exception):  # noqa: N818
    """Another process wrote these tables first."""

    def __init__(self, tables: set[str]) -> None:
        super().__init__(f"{len(tables)} tables")
        self.tables = tables


class StoreFailed(Exception):  # noqa: N818
    """Nothing was written: the disk is full, or the file has gone."""


@dataclass(frozen=True, slots=True)
class Row:
    """One commit of one table."""

    table: str
    version: int
    entries: bytes
    anew: bool = False
    """Whether the rows before it are needed no more."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What is found of a table without its log: its doors, and the lobby's line."""

    id: str
    code: str
    watch: str
    screen: str
    public: bool
    phase: str
    summary: bytes
    touched: float
    due: float | None
    """When it has something to do though nobody is there; none if never."""

    def same(self, other: Listing | None) -> bool:
        """Whether nothing has changed but the time."""
        return other is not None and (self.summary, self.due) == (other.summary, other.due)


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat at the end of a game."""

    player: str | None
    name: str
    bot: str | None
    points: int
    rank: int
    """0 for the winners."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that is over."""

    id: str
    table: str
    ended: float
    public: bool
    rated: bool
    record: str
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """All that is written at once: rows of logs, and what follows from them."""

    rows: tuple[Row, ...]
    listings: tuple[Listing, ...] = ()
    games: tuple[Game, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """When no process was there, by the clocks of those before and after."""

    began: float
    ended: float


@dataclass(frozen=True, slots=True)
class PlayerData:
    """A player's profile."""

    id: str
    name: str
    login: str | None
    password: str | None
    made: float
    seen: float
    mu: float
    sigma: float
    games: int
    wins: float


class Store(Protocol):
    """Everything that lasts."""

    async def open(self) -> None:
        """Make the tables, and start."""

    async def close(self) -> None:
        """Finish what was begun."""

    async def commit(self, commit: Commit) -> None:
        """Write, durably; raises `Conflict` or `StoreFailed`."""

    async def load(self, table: str) -> list[Row]:
        """A table's log."""

    async def newer(self, tables: Mapping[str, int]) -> dict[str, list[Row]]:
        """The rows after these versions, of tables that have some; none of one that has gone."""

    async def find_table(self, door: str) -> str | None:
        """The table that a code, a watch link or a screen's link opens."""

    async def lobby(self, limit: int) -> list[bytes]:
        """The summaries of public tables, the latest first."""

    async def due(self, before: float) -> dict[str, float]:
        """Tables that have something to do before this time, though nobody is there; and when."""

    async def touch(self, tables: list[str], now: float) -> None:
        """People are at these tables now."""

    async def expire(self, phase: str, before: float) -> list[str]:
        """Forget tables in this phase that nobody has touched since; which they were."""

    async def expire_games(self, before: float) -> int:
        """Forget games that ended before; how many there were."""

    async def arrive(self, process: str, now: float, dead: float) -> list[Gap]:
        """A process begins to use this store; when nobody did, as far as that is known.

        If nobody has shown a sign of life for so many seconds, that was a gap, too. One that is not
        over yet was seen by a clock that was wrong, and is forgotten.
        """

    async def beat(
        self, process: str, now: float, crowds: Mapping[str, int], bus: str | None = None
    ) -> None:
        """A process is using this store, and has so many connections of these addresses.

        It hears of others by a bus of this kind.
        """

    async def leave(self, process: str, now: float) -> None:
        """A process uses it no longer."""

    async def processes(self, dead: float) -> dict[str, dict[str, int]]:
        """The processes that have used it in the last so many seconds, with their crowds.

        It is the store's clock that is asked, since no two machines have the same time.
        """

    async def buses(self, dead: float) -> set[str]:
        """The kinds of bus of these processes, as far as they say."""

    async def game(self, id_: str) -> Game | None:
        """A game that is over."""

    async def games(self, player: str | None, limit: int) -> list[Game]:
        """The last public games, of everyone or of one player."""

    async def new_player(self, player: PlayerData, key: str) -> None:
        """Keep a new profile with its key's hash."""

    async def player(self, id_: str) -> PlayerData | None:
        """A profile."""

    async def player_with(self, key: str) -> PlayerData | None:
        """The profile that a key's hash opens."""

    async def player_named(self, login: str) -> PlayerData | None:
        """The profile with this login."""

    async def add_key(self, player: str, key: str, now: float) -> None:
        """One more key for a profile."""

    async def drop_keys(self, player: str, but: str) -> None:
        """Only this key opens the profile from now on."""

    async def change_player(self, id_: str, **changes: Any) -> bool:
        """Change name, login or password; false if the login is taken."""

    async def forget_player(self, id_: str) -> list[str]:
        """Delete a profile and its name everywhere; the tables whose logs were changed."""

    async def best_players(self, limit: int) -> list[PlayerData]:
        """The highest ratings."""

    async def ban(self, what: str, until: float, reason: str) -> None:
        """Keep a player or an address out."""

    async def unban(self, what: str) -> None:
        """Let them in again."""

    async def bans(self) -> list[tuple[str, float, str]]:
        """Who is kept out, until when, and why."""
