"""The bus over Redis: one channel that every process publishes to and listens on.

Channels know nothing of Redis's databases, so the number of ours stands in its name: several
websites may share one Redis.

Redis forgets what it was told when nobody listened, and says so to nobody: that is all right here.
While it is away, news are dropped and tables are looked up every second.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NoReturn

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from five211.server.bus import Heard
from five211.server.bus.news import read_news, write_news
from five211.server.bus.remote import Remote

PATIENCE = 2.0  # seconds for an answer
SILENCE = 6.0  # seconds without a word, even of one's own, until the connection is taken to be dead

REASONS = {
    exceptions.AuthenticationError: "Redis refuses the user or the password",
    exceptions.NoPermissionError: "Redis does not let this user do that",
    exceptions.TimeoutError: "Redis does not answer",
    exceptions.ConnectionError: "there is no connection to Redis",
    RedisError: "Redis refuses it",
    TimeoutError: "Redis does not answer",
    OSError: "there is no connection to Redis",
}
"""The first that fits; Redis's own words may have the password in them."""


def open_redis(url: str, patience: float) -> Redis:
    """A client that fails soon, rather than try for long; `ValueError` if this is no address.

    It tries once more: a connection from before Redis was restarted is of no use.
    """
    redis = Redis.from_url(
        url,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        retry=Retry(NoBackoff(), 1),
    )
    try:
        redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    except (TypeError, RedisError):  # a parameter that there is not
        raise ValueError from None
    return redis


def channel(database: int) -> str:
    """Where news of those who use this database of Redis come: channels know nothing of them."""
    return f"five211:{database}"


class RedisBus(Remote):
    """News through Redis."""

    kind = "redis"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = open_redis(url, PATIENCE)
        self._channel = channel(self._redis.connection_pool.connection_kwargs.get("db", 0))

    async def start(self, heard: Heard) -> None:
        """Begin to listen; Redis may be away now and come later."""
        self._keep(lambda: self._listen(heard))
        self._keep(self._speak)

    async def stop(self) -> None:
        """Listen no longer."""
        await super().stop()
        with suppress(RedisError, OSError):
            await self._redis.aclose()

    async def _speak(self) -> NoReturn:
        while True:
            await self._redis.publish(self._channel, write_news(await self._news()))
            self._went_well()

    async def _listen(self, heard: Heard) -> NoReturn:
        async with self._redis.pubsub() as channel:
            await channel.subscribe(self._channel)
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await channel.get_message(timeout=None)
                if message and message["type"] == "message":
                    heard(read_news(message["data"]))

    def _reason(self, error: Exception) -> str:
        return next((reason for kind, reason in REASONS.items() if isinstance(error, kind)), "")
