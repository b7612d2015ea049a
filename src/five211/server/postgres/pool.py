"""Some connections that jobs share, each for as long as one job takes.

A job that writes is one transaction. It is done again, whole, if PostgreSQL undid it to untie a
knot of locks, or if the connection was lost before its end was asked for. If it was lost after
that, nobody knows whether the transaction is in the database. `StoreFailed` then means: ask the
store what is true. The hub does, since it drops every table of a commit that failed, and takes it
up again from what is written.

No job lasts longer than the operator's patience: neither here (whoever waits is told so and the
connection is thrown away) nor there (`statement_timeout`), so a database that is paused does not
stop the house for good, and one that comes back does not find old locks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit

import asyncpg

from five211.errors import GameError, file_name, short
from five211.server.postgres.schema import upgrade
from five211.server.store import StoreFailed

T = TypeVar("T")
Connection: TypeAlias = Any  # asyncpg has no types
Job = Callable[[Connection], Awaitable[T]]

TRIES = 3


class TryAgain(Exception):  # noqa: N818
    """Somebody else was quicker: nothing was written, and now it may go well."""


UNDONE = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError, TryAgain)
LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # it was told goodbye while nobody listened
)
TELLING = ("08", "25", "28", "3D", "3F", "53", "57", "42501", "42704", "42P07")
"""SQLSTATEs whose message is about the server; others may quote what was to be written."""


FILES = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
NO_ADDRESS = (
    "this is no address of a PostgreSQL database; in a password @ is written %40, / %2F and ? %3F"
)


def failed(error: Exception) -> StoreFailed:
    """Why it failed, without anything that was written or the address, which has a password."""
    if isinstance(error, TimeoutError):
        return StoreFailed("PostgreSQL does not answer")
    if isinstance(error, OSError):
        if "rejected SSL" in str(error):
            return StoreFailed("this PostgreSQL does not speak TLS, which sslmode asks for")
        return StoreFailed(short(error.strerror or "there is no PostgreSQL at this address"))
    if isinstance(error, asyncpg.PostgresError):
        if (error.sqlstate or "").startswith(TELLING):
            return StoreFailed(short((error.args or ("",))[0]))
        return StoreFailed(f"PostgreSQL says {error.sqlstate}")
    if isinstance(error, asyncpg.ClientConfigurationError):
        return StoreFailed(short((error.args or ("",))[0]))
    if isinstance(error, ValueError):
        return StoreFailed(NO_ADDRESS)
    return StoreFailed(f"the connection failed ({type(error).__name__})")


@contextmanager
def failing() -> Iterator[None]:
    """What goes wrong with the database, as `StoreFailed`."""
    try:
        yield
    except (*LOST, asyncpg.PostgresError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        raise failed(error) from None


async def connect(url: str, patience: float) -> Connection:
    """A connection of one's own, without a limit to what it does."""
    named = {"application_name": "five211"}
    connection = await asyncpg.connect(url, timeout=patience, server_settings=named)
    await _without_nul(connection)
    return connection


async def _without_nul(connection: Connection) -> None:
    """Text has no NUL in PostgreSQL: another sign is kept and looked for instead."""
    coding = {"schema": "pg_catalog", "format": "binary"}
    await connection.set_type_codec("text", encoder=_encode, decoder=bytes.decode, **coding)


def _encode(text: str) -> bytes:
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode()


async def migrate(url: str, patience: float = 10.0) -> None:
    """Bring the database up to date; raises `StoreFailed` with what is wrong with it."""
    with failing():
        _check(url)
        connection = await connect(url, patience)
        try:
            await upgrade(connection)
        finally:
            await connection.close(timeout=patience)


def _check(url: str) -> None:
    """Refuse what would be told of in words that nobody understands.

    An @ or / in a password would make another host of its rest; files would not be named.
    """
    parts = urlsplit(url)
    before = f"{parts.netloc}{parts.path}".rpartition("@")[0]
    if "@" in before or "/" in before or "@" in parts.fragment:
        raise ValueError
    for name, file in parse_qsl(parts.query):
        if name in FILES:
            try:
                Path(file).open("rb").close()
            except OSError as error:
                reason = short(error.strerror or type(error).__name__)
                raise StoreFailed(f"{name} is {file_name(file)}: {reason}") from None


class Pool:
    """A database with the connections to it."""

    def __init__(self, url: str, connections: int = 8, patience: float = 5.0) -> None:
        self._url = url
        self._connections = connections
        self._patience = patience
        self._pool: Any = None
        self._begun: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Make the tables, and start."""
        await migrate(self._url, self._patience)
        milliseconds = str(max(1, round(self._patience * 1000)))
        with failing():
            self._pool = await asyncpg.create_pool(
                self._url,
                min_size=1,
                max_size=self._connections,
                timeout=self._patience,
                init=_without_nul,
                reset=_as_it_is,
                server_settings={
                    "application_name": "five211",
                    "statement_timeout": milliseconds,
                    "idle_in_transaction_session_timeout": milliseconds,
                    "jit": "off",  # plans here are short
                },
            )

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.gather(*self._begun, return_exceptions=True)
        try:
            async with asyncio.timeout(self._patience):
                await self._pool.close()
        except (TimeoutError, *LOST):
            self._pool.terminate()

    async def _do(self, job: Job[T]) -> T:
        """Write something; begun, it is finished, though whoever asked may have gone."""
        task: asyncio.Task[T] = asyncio.create_task(self._write(job))
        self._begun.add(task)
        task.add_done_callback(self._end)
        return await asyncio.shield(task)

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._begun.discard(task)
        _ = task.cancelled() or task.exception()  # whoever asked has it, or has gone

    async def _write(self, job: Job[T]) -> T:
        ending = asyncio.Event()
        return await self._tried(partial(_transaction, job, ending), ending)

    async def _ask(self, job: Job[T]) -> T:
        """Read something."""
        return await self._tried(job, asyncio.Event())

    async def _tried(self, job: Job[T], ending: asyncio.Event) -> T:
        left = TRIES
        while True:
            left -= 1
            try:
                return await self._with_patience(job)
            except UNDONE as error:
                ending.clear()
                if not left:
                    reason = type(error).__name__
                    raise StoreFailed(f"others were quicker each time ({reason})") from None
            except (TimeoutError, ValueError) as error:
                raise failed(error) from None
            except LOST as error:
                self._throw_idle_away()
                if ending.is_set() or not left:
                    raise failed(error) from None
            except asyncpg.PostgresError as error:
                raise failed(error) from None

    async def _with_patience(self, job: Job[T]) -> T:
        async with asyncio.timeout(self._patience):
            connection = await self._pool.acquire()
            try:
                return await job(connection)
            except (asyncio.CancelledError, *LOST):
                # Lost, out of patience, or nobody waits: it may be in the middle of anything.
                connection.terminate()
                raise
            finally:
                await self._pool.release(connection)

    def _throw_idle_away(self) -> None:
        """Where one connection was lost, others were, too, though they may not know it yet."""
        for holder in [one for one in self._pool._holders if one.is_idle()]:
            holder.terminate()


async def _transaction(job: Job[T], ending: asyncio.Event, connection: Connection) -> T:
    """A job with its transaction; `ending` says whether its end was asked for."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        result = await job(connection)
    except Exception:
        with suppress(*LOST):  # then it is undone anyway
            await transaction.rollback()
        raise
    ending.set()
    await transaction.commit()
    return result


async def _as_it_is(_: Connection) -> None:
    """No job leaves anything behind in its session that would have to be reset."""
