"""The bus over PostgreSQL's LISTEN and NOTIFY, for a few processes without Redis.

One connection of its own, for both. While it is away, tables are looked up every second.
"""

from __future__ import annotations

from typing import NoReturn

import asyncpg

from five211.server.bus import Heard
from five211.server.bus.news import read_news, write_news
from five211.server.bus.remote import Remote
from five211.server.postgres.pool import LOST, failed

CHANNEL = "five211"
PATIENCE = 5.0  # seconds for an answer
AT_ONCE = 200  # news in a notification, which has at most 8,000 bytes


class PostgresBus(Remote):
    """News through the database."""

    kind = "postgres"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    async def start(self, heard: Heard) -> None:
        """Begin to listen; the database may be away now and come later."""
        self._keep(lambda: self._talk(heard))

    async def _talk(self, heard: Heard) -> NoReturn:
        named = {"application_name": "five211 bus"}
        connection = await asyncpg.connect(
            self._url, timeout=PATIENCE, command_timeout=PATIENCE, server_settings=named
        )
        try:
            connection.add_termination_listener(lambda _: self._wake.set())  # and that is noticed
            await connection.add_listener(CHANNEL, lambda *said: heard(read_news(said[-1])))
            while True:
                news = await self._news()
                for at in range(0, max(len(news), 1), AT_ONCE):
                    text = write_news(news[at : at + AT_ONCE])
                    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, text)
                self._went_well()
        finally:
            connection.terminate()

    def _reason(self, error: Exception) -> str:
        known = isinstance(error, (*LOST, asyncpg.PostgresError, ValueError))
        return str(failed(error)) if known else ""
