"""News as text: a JSON list of pairs, a table and its version. What is no such list is no news."""

from __future__ import annotations

import msgspec

from five211.server.bus import News

_decode = msgspec.json.Decoder(list[tuple[str, int]]).decode


def write_news(news: News) -> str:
    """As a bus carries it."""
    return msgspec.json.encode(news).decode()


def read_news(text: str | bytes) -> News:
    """The other way round; anybody may say anything on a bus."""
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()
