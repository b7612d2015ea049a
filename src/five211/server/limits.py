"""How many requests an address may send: counted in memory, or in Redis for several processes."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from litestar.stores.base import Store
from litestar.stores.memory import MemoryStore

from five211.server.settings import Settings

PATIENCE = 0.25  # seconds for an answer of Redis, trying once more included: people wait for it
AGAIN = 5.0  # seconds until Redis is asked again
TIDY = 1000  # counts after which those that are over are thrown away


def make_limits(settings: Settings) -> Store:
    """Where requests are counted."""
    if "://" not in settings.bus:
        return OwnLimits()  # of each process by itself, if there are several
    return SharedLimits(settings.bus)


class OwnLimits(MemoryStore):
    """In memory, which addresses that come once shall not fill."""

    def __init__(self) -> None:
        super().__init__()
        self._counted = 0

    async def set(
        self, key: str, value: str | bytes, expires_in: int | timedelta | None = None
    ) -> None:
        """Keep a count."""
        await super().set(key, value, expires_in)
        self._counted += 1
        if self._counted % TIDY == 0:
            await self.delete_expired()


class SharedLimits(Store):
    """In Redis; while it is away, in memory: nobody is kept out because of that."""

    def __init__(self, url: str) -> None:
        from litestar.stores.redis import RedisStore
        from redis.exceptions import RedisError

        from five211.server.bus.redis import open_redis

        self._failures = (RedisError, OSError)
        redis = open_redis(url, PATIENCE)
        self._shared = RedisStore(redis, namespace="five211", handle_client_shutdown=True)
        self._here = OwnLimits()
        self._asked_from = 0.0

    async def __aexit__(self, *_: object) -> None:
        """The server stops."""
        with suppress(*self._failures):
            await self._shared.__aexit__(None, None, None)

    async def _do(self, name: str, *given: Any) -> Any:
        now = time.monotonic()
        if now >= self._asked_from:
            if self._asked_from:  # it was away: one asks, and the others do not wait
                self._asked_from = now + AGAIN
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await getattr(self._shared, name)(*given)
            except (TimeoutError, *self._failures):
                self._asked_from = time.monotonic() + AGAIN
            else:
                self._asked_from = 0.0
                return found
        return await getattr(self._here, name)(*given)

    async def set(
        self, key: str, value: str | bytes, expires_in: int | timedelta | None = None
    ) -> None:
        """Keep a count."""
        await self._do("set", key, value, expires_in)

    async def get(self, key: str, renew_for: int | timedelta | None = None) -> bytes | None:
        """A count."""
        found: bytes | None = await self._do("get", key, renew_for)
        return found

    async def delete(self, key: str) -> None:
        """Forget a count."""
        await self._do("delete", key)

    async def delete_all(self) -> None:
        """Forget all."""
        await self._do("delete_all")

    async def exists(self, key: str) -> bool:
        """Whether there is a count."""
        return bool(await self._do("exists", key))

    async def expires_in(self, key: str) -> int | None:
        """How long a count is kept."""
        found: int | None = await self._do("expires_in", key)
        return found
