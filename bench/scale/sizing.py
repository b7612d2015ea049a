"""On paper, from measured figures: what many more tables would take.

A *house* is what runs today: processes on one PostgreSQL with one channel in Redis. Each of its
processes hears of every commit of all the others, so its work is

    tables here x (moves x cost of a move + cost of being looked up)
      + commits of the whole house x cost of hearing of one

The last term grows with the house: a house has a largest size, however many processes it gets. A
table that was made at another process than it is played at is followed there, too: every move is
played twice, and the table looked up twice. Redis sends every message to every process, which grows
with their square. PostgreSQL's work and its log grow with the tables. Beyond the first of these
limits there must be several houses, with the tables divided between them by id.

What is assumed and was not measured stands in `Assumed`. A core there is taken to be as quick as
the one that was measured on, and a figure to stay the same when there is a thousand times as much
of everything, which no paper can promise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run showed. Times are milliseconds of a core."""

    server_move: float
    """In a process that has no table but those of its people."""
    postgres_move: float
    server_follow: float
    """A move at a table that another process has, too: to hear of it, read it and play it there."""
    postgres_follow: float
    server_table: float
    """To have a table with its people in memory, and to look it up once."""
    postgres_table: float
    hear_message: float
    hear_table: float
    """Of a message, for each table in it."""
    publish: float
    deliver: float
    commits_a_move: float
    rows_a_move: float
    wal_a_move: float
    """Bytes."""
    wire_a_move: float
    """Bytes to and from people."""
    moves_a_game: float
    table_kb: float
    """Memory of a table in play, in each process that has it."""
    sockets_kb: float
    """Memory of the sockets of a table."""
    process_mb: float
    """Memory of a process with hardly a table."""
    game_bytes: float
    """Stored for good."""
    table_bytes: float
    """Stored while a table is played at."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What was not measured."""

    tables: int = 1_000_000
    seconds_a_move: float = 10.0
    """Between two moves at a table; of four people, each chooses every 40 seconds."""
    copies: float = 2.0
    """Processes that have a table in memory: the one that people are at, and its maker."""
    looks_a_second: float = 1.0
    """How often each of them looks it up, since the bus may lose anything."""
    busy: float = 0.6
    """The share of its time that a core may work, on the average: the rest is for busy minutes."""
    postgres_cores: int = 32
    """Of one PostgreSQL server."""
    wal_mb_a_second: float = 200.0
    """That a disk keeps for good, with replicas and an archive behind it."""


@dataclass(frozen=True, slots=True)
class House:
    """One of several that are alike."""

    tables: float
    processes: int
    moves_a_second: float
    commits_a_second: float
    heard_a_second: float
    """Messages that Redis sends, to all processes together."""
    redis_cores: float
    postgres_cores: float
    wal_mb_a_second: float


@dataclass(frozen=True, slots=True)
class Sized:
    """What all of it takes."""

    limits: dict[str, float]
    """The most tables of one house by each part of it; the smallest is reached first."""
    houses: int
    house: House
    processes: int
    moves_a_second: float
    commits_a_second: float
    rows_a_second: float
    messages_a_second: float
    """Published in Redis."""
    wal_mb_a_second: float
    memory_gb: float
    network_mb_a_second: float
    games_a_second: float
    kept_gb_a_day: float
    live_gb: float

    @property
    def first(self) -> str:
        """What is at its end first."""
        return min(self.limits, key=lambda part: self.limits[part])


BUS, REDIS, POSTGRES, WAL = "hearing of others", "Redis", "PostgreSQL's cores", "PostgreSQL's log"


def size(measured: Measured, assumed: Assumed) -> Sized:
    """How many houses, and what they take."""
    limits = _limits(measured, assumed)
    houses = max(1, math.ceil(assumed.tables / min(limits.values())))
    one = _house(measured, assumed, assumed.tables / houses)
    moves = one.moves_a_second * houses
    processes = one.processes * houses
    games = moves / measured.moves_a_game
    table = assumed.copies * measured.table_kb + measured.sockets_kb
    memory = assumed.tables * table / 1e6 + processes * measured.process_mb / 1e3
    return Sized(
        limits=limits,
        houses=houses,
        house=one,
        processes=processes,
        moves_a_second=moves,
        commits_a_second=one.commits_a_second * houses,
        rows_a_second=moves * measured.rows_a_move,
        messages_a_second=one.commits_a_second * houses,
        wal_mb_a_second=one.wal_mb_a_second * houses,
        memory_gb=memory,
        network_mb_a_second=moves * measured.wire_a_move / 1e6,
        games_a_second=games,
        kept_gb_a_day=games * 86400 * measured.game_bytes / 1e9,
        live_gb=assumed.tables * measured.table_bytes / 1e9,
    )


def _per_table(measured: Measured, assumed: Assumed) -> tuple[float, float, float]:
    """What a table costs each second: its own process, any other process, PostgreSQL."""
    moves = 1 / assumed.seconds_a_move
    more = assumed.copies - 1
    own = moves * (measured.server_move + more * measured.server_follow)
    own += assumed.copies * assumed.looks_a_second * measured.server_table
    heard = measured.commits_a_move * measured.hear_message
    heard += measured.rows_a_move * measured.hear_table
    postgres = moves * (measured.postgres_move + more * measured.postgres_follow)
    postgres += assumed.copies * assumed.looks_a_second * measured.postgres_table
    return own, moves * heard, postgres


def processes_for(measured: Measured, assumed: Assumed, tables: float) -> float:
    """How many a house of so many tables needs; infinite, if hearing alone fills them."""
    own, heard, _ = _per_table(measured, assumed)
    left = assumed.busy * 1000 - tables * heard
    return tables * own / left if left > 0 else math.inf


def _house(measured: Measured, assumed: Assumed, tables: float) -> House:
    processes = max(1, math.ceil(processes_for(measured, assumed, tables)))
    moves = tables / assumed.seconds_a_move
    commits = moves * measured.commits_a_move
    redis = commits * (measured.publish + processes * measured.deliver)
    _, _, postgres = _per_table(measured, assumed)
    return House(
        tables=tables,
        processes=processes,
        moves_a_second=moves,
        commits_a_second=commits,
        heard_a_second=commits * processes,
        redis_cores=redis / 1000,
        postgres_cores=tables * postgres / 1000,
        wal_mb_a_second=moves * measured.wal_a_move / 1e6,
    )


def _limits(measured: Measured, assumed: Assumed) -> dict[str, float]:
    """The most tables of one house. Hearing may take half of what a process may work at most."""
    _, heard, postgres = _per_table(measured, assumed)
    wal = measured.wal_a_move / assumed.seconds_a_move
    return {
        BUS: assumed.busy * 1000 / 2 / heard if heard else math.inf,
        REDIS: _largest_for_redis(measured, assumed),
        POSTGRES: assumed.postgres_cores * assumed.busy * 1000 / postgres,
        WAL: assumed.wal_mb_a_second * 1e6 / wal,
    }


def _largest_for_redis(measured: Measured, assumed: Assumed) -> float:
    """Redis is one thread; what it does grows with the tables: found by halving."""
    low, high = 1.0, 1e9
    while high / low > 1.0001:
        middle = math.sqrt(low * high)
        fits = processes_for(measured, assumed, middle) < math.inf
        if fits and _house(measured, assumed, middle).redis_cores <= assumed.busy:
            low = middle
        else:
            high = middle
    return low
