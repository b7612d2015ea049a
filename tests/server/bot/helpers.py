"""Help for tests of `five211 bot`."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from five211 import GameError
from tests.server.houses import ServerProcess


def said_by(error: pytest.ExceptionInfo[GameError]) -> str:
    assert error.value.say("fr") != error.value.say("en")
    return error.value.say("en")


def made(server: ServerProcess, **body: Any) -> dict[str, Any]:
    """A table with its host's seat."""
    answer = httpx.post(f"{server.url}/api/tables", json={"name": "Ana", "words": True, **body})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def address(server: ServerProcess, table: dict[str, Any]) -> str:
    return f"{server.url}/t/{table['table']}#{table['code']}"
