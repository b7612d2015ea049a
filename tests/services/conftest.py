"""The tests of services use the same databases as those of the server."""

from __future__ import annotations

from tests.server.conftest import _databases, _log

__all__ = ["_databases", "_log"]
